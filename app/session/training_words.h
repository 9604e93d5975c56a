// What a model was trained on: the training text is read again, on a worker, for the first word that the
// model reads in pieces, or when a view shows it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "app/scene/scene.h"
#include "app/session/opened_model.h"
#include "app/session/unfamiliar_words.h"

namespace glassformer {

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

// How a sentence was read, where that differs from how it stands there: in small letters, without words that
// the model does not know. `typed_target`: its target is the person's own.
std::string about_reading(const SceneResult& result, const Tokenizers& tokenizers, bool typed_target);
void add_sentence(std::string& words, const std::string& more);

}  // namespace glassformer
