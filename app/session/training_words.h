// Which words a model was trained on: the training text is read again, on a worker, for the first word that
// the model reads in pieces.
#pragma once

#include <functional>
#include <future>
#include <optional>
#include <string>

#include "app/scene/scene.h"
#include "app/session/unfamiliar_words.h"

namespace glassformer {

class TrainingWords {
 public:
  // About the words of `text` that are cut and were never seen in the data: a sentence; empty for none, and
  // while the data are being read. `may_read` is asked when they would have to be.
  std::string about(const std::string& text, std::shared_ptr<const Tokenizer> tokenizer,
                    const DataOptions& data, const std::function<bool()>& may_read,
                    const std::function<void()>& wake);
  bool take();  // true when they have been read
  bool reading() const { return reading_.valid(); }

 private:
  DataOptions data_;              // whose words are known or being read
  std::optional<WordSet> words_;  // of the source side
  std::future<WordSet> reading_;
};

// How a sentence was read, where that differs from how it stands there: in small letters, without words that
// the model does not know. `typed_target`: its target is the person's own.
std::string about_reading(const SceneResult& result, const Tokenizers& tokenizers, bool typed_target);
void add_sentence(std::string& words, const std::string& more);

}  // namespace glassformer
