// What is typed in the New model dialog, and the options it gives.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/panels/dialogs.h"
#include "app/scene/recurrent_run.h"

namespace glassformer {

// A field of text by the engine's name of its option, and its title on screen.
struct NumberField {
  const char* name;
  const char* words;
};
inline constexpr const char* kGrammar = "assets/grammars/english-french.grammar";
inline constexpr std::array kData{NumberField{"pairs", "Pairs (0: what suits)"},
                                  NumberField{"pieces", "Vocabulary (0: what suits)"},
                                  NumberField{"data_seed", "Seed of the data"}};
// Files of vectors that the embeddings begin with; empty: none.
inline constexpr std::array kVectors{NumberField{"source_vectors", "Source vectors"},
                                     NumberField{"target_vectors", "Target vectors"}};
inline constexpr std::array kSizes{NumberField{"d_model", "Width d"},
                                   NumberField{"heads", "Heads"},
                                   NumberField{"d_ff", "Hidden width f"},
                                   NumberField{"encoder_layers", "Encoder layers"},
                                   NumberField{"decoder_layers", "Decoder layers"},
                                   NumberField{"max_length", "Longest sequence"},
                                   NumberField{"dropout", "Dropout"},
                                   NumberField{"attention_dropout", "Of attention (empty: same)"}};
inline constexpr std::array kTraining{NumberField{"steps", "Steps (0: no end)"},
                                      NumberField{"epochs", "Passes over the data (0: no end)"},
                                      NumberField{"minutes", "Minutes (0: no end)"},
                                      NumberField{"batch_tokens", "Tokens in a batch"},
                                      NumberField{"warmup", "Warm-up steps"},
                                      NumberField{"factor", "Factor (noam)"},
                                      NumberField{"peak", "Peak rate (others)"},
                                      NumberField{"smoothing", "Label smoothing"},
                                      NumberField{"clip", "Clip gradients at (0: no)"},
                                      NumberField{"seed", "Seed"},
                                      NumberField{"validate_every", "Validate every (0: auto)"},
                                      NumberField{"patience", "Patience (0: no)"},
                                      NumberField{"average", "Average the last"},
                                      NumberField{"extra_padding", "Padding added (0: none)"}};

inline constexpr const char* kFeedForwardChoice = "feed_forward";

struct ChoiceField {
  const char* name;
  const char* words;
  std::vector<std::string> choices;
  const char* since_2017 =
      "";  // what has become usual since the paper, in a sentence; empty: it is the paper's
};
std::vector<ChoiceField> structure_choices();
std::vector<std::string> who_sees_padding();  // as the option has them, but for the first, which is none

std::string label_of(const NumberField& field);  // "Steps" of "Steps (0: no end)"
// The engine's sentence with the names on screen: "model: heads must be a divisor of d_model (64)"
// to "Heads must be a divisor of Width d (64)".
std::string as_on_screen(std::string sentence);

std::vector<std::string> data_names(const NewModelForm& form);
std::string note_of(const NewModelForm& form);  // what the size is good for, on the data that are chosen

// Of embeddings that are to stay though no vectors are given for them: a sentence; empty: none.
std::string frozen_as_drawn(const NewModelForm& form);

// "grammar", a task's name, or "corpus".
std::string data_kind(const NewModelForm& form);
// A number as typed; throws Error that names the field.
int whole_in(const NewModelForm& form, const NumberField& field);

// The options; each throws Error that names the field whose text is no number.
DataOptions data_of(const NewModelForm& form);
Config config_of(const NewModelForm& form);
TrainingOptions training_of(const NewModelForm& form);
// Pieces that the data will have, as far as is known before it is read.
int guessed_vocabulary(const NewModelForm& form, const DataPreview* preview, bool source);

// The New model dialog's fields of a recurrent model, and the run they give.

inline constexpr std::array kRecurrent{NumberField{"recurrent_width", "Width d"},
                                       NumberField{"recurrent_layers", "Layers"},
                                       NumberField{"recurrent_steps", "Steps (0: what suits)"}};
ChoiceField recurrent_attention();

// Both throw Error that names the field whose text cannot be.
NewRecurrentRun recurrent_of(const NewModelForm& form);
std::string recurrent_summary(const NewModelForm& form, const DataPreview* preview);

}  // namespace glassformer
