// A checkpoint folder as the screen needs it: the weights, what to call it, and the recipe it was trained by.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/run_state.h"
#include "app/scene/scene.h"
#include "app/session/run_record.h"
#include "engine/files/json_file.h"
#include "engine/model/snapshot.h"
#include "engine/text/data.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// What is open, in words for the top bar.
struct ModelTitle {
  std::string name;         // "English → French", "reverse", the folder's name
  std::string description;  // "2 + 2 layers · 4 heads · 45 826 weights"
  std::string source_language = "source", target_language = "target";
};

struct OpenedModel : RunRecord {
  std::string folder;
  Snapshot snapshot;
  Tokenizers tokenizers;
  ModelTitle title;
  History::Kept history;                  // earlier steps that were kept with it
  std::vector<HeldOutSentence> held_out;  // and what was made of these on the way
  std::vector<SceneSentence> examples;    // sentences of its kind to begin with; may be empty
};

// Reads a folder; throws Error as load_checkpoint does. What training.json lacks or spells otherwise is left
// out: such a model still translates.
OpenedModel open_model(const std::string& folder, const JsonProgress& progress = nullptr);

// Names of the two languages as in the file names ("english-french.grammar", "train.de" and
// "train.en").
ModelTitle title_of(const Config& config, const std::optional<DataOptions>& data, const std::string& folder);

// Sentences from the same source as the training data, with their references: `count` or fewer.
std::vector<SceneSentence> example_sentences(const DataOptions& data, long count);

// What a freshly opened model shows: one of its own sentences, and three more for a padded batch.
inline constexpr std::size_t kBatchSentences = 4;
std::vector<SceneSentence> first_sentences(const OpenedModel& model);
Scene first_scene(const std::vector<SceneSentence>& sentences, double smoothing);
// The run that made it, as far as its folder records it.
RunState recorded_run(const OpenedModel& model);

}  // namespace glassformer
