// Words that a model meets for the first time: its training text did not hold them, and it reads them spelled
// in pieces (byte-pair encoding and unigram models; paper, section 5.1).
//
// The pieces do not show it: rare words of the training text are cut as well. So the training text is read
// again, on a worker, the first time that a cut word is typed.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/training_text.h"
#include "app/session/opened_model.h"
#include "engine/text/data.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// A run of letters; signs (apostrophes, full stops) are between words.
struct CutWord {
  std::string text;                 // "zebra"
  std::vector<std::string> pieces;  // "z", "e", "b", "ra"
  bool operator==(const CutWord&) const = default;
};

// The words of `text` that are read in two pieces or more, each once. None for models of words or of
// characters, and none for a word with an unknown piece, which is reported elsewhere.
std::vector<CutWord> cut_words(const Tokenizer& tokenizer, const std::string& text);

// Some thousand sentences, and every word as the tokenizer reads it (with its forms of letters and of case).
// Takes as long as reading or making the data: about a second for 100 000 sentences. Empty when they are
// gone.
TrainingText training_text_of(const DataOptions& data, const Tokenizers& tokenizers);
WordSet words_in(const std::string& text);

// "The model never saw “zebra” in training: it reads the pieces z|e|b|ra, so the translation is a guess."
// Of those that `seen` lacks; empty for none.
std::string words_about(const std::vector<CutWord>& words, const WordSet& seen);

// Whether most words of a source are words of the targets of the training text, and of none of its sources: a
// sentence was typed in the language that the model writes.
bool mostly_of_target(const WordSet& words, const TrainingText& seen);

// "Most of these words are French; the model reads English and writes French.", where that is so; else empty.
// `seen` is asked only where the pieces allow it.
std::string about_target_words(const std::string& text, const Tokenizers& tokenizers, const ModelTitle& title,
                               const std::function<const TrainingText&()>& seen);

// What a model was trained on: the training text is read again, on a worker, for the first word that the
// model reads in pieces, or when a view shows it.

class TrainingWords {
 public:
  // Whose text; `may_read` is asked when it would have to be read.
  struct Source {
    const DataOptions& data;
    const Tokenizers& tokenizers;
    const ModelTitle& title;
    std::function<bool()> may_read;
    std::function<void()> wake;
  };
  // About the words of `text` that are cut and were never seen in the data, or that most of them are of the
  // language that the model writes: a sentence; empty for none, and while the data are being read.
  std::string about(const std::string& text, const Source& source);
  // The text itself; null while it is being read, and where it may not be.
  std::shared_ptr<const TrainingText> text(const Source& source);
  bool take();  // true when they have been read
  bool reading() const { return reading_.valid(); }

 private:
  DataOptions data_;                          // whose text is known or being read
  std::shared_ptr<const TrainingText> text_;  // null: not read yet
  std::future<TrainingText> reading_;
};

// How a sentence was read, where that differs from how it is there: in small letters, without words that
// the model does not know. `typed_target`: its target is the person's own.
std::string about_reading(const SceneResult& result, const Tokenizers& tokenizers, bool typed_target);
void add_sentence(std::string& words, const std::string& more);

}  // namespace glassformer
