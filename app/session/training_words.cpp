#include "app/session/training_words.h"

#include <chrono>
#include <utility>

#include "app/format/number_format.h"
#include "engine/text/reading.h"

namespace glassformer {

std::string TrainingWords::about(const std::string& text, std::shared_ptr<const Tokenizer> tokenizer,
                                 const DataOptions& data, const std::function<bool()>& may_read,
                                 const std::function<void()>& wake) {
  const std::vector<CutWord> cut = cut_words(*tokenizer, text);
  if (cut.empty() || !may_read()) return {};
  if (words_ && data_.training == data.training && data_.seed == data.seed) return words_about(cut, *words_);
  if (reading_.valid()) return {};
  data_ = data;
  words_.reset();
  reading_ = std::async(std::launch::async, [data, tokenizer = std::move(tokenizer), wake] {
    WordSet words = source_words_of(data, *tokenizer);
    if (wake) wake();
    return words;
  });
  return {};
}

bool TrainingWords::take() {
  if (!reading_.valid() || reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  words_ = reading_.get();
  return true;
}

void add_sentence(std::string& words, const std::string& more) {
  if (!more.empty()) words += (words.empty() ? "" : " ") + more;
}

std::string about_reading(const SceneResult& result, const Tokenizers& tokenizers, bool typed_target) {
  const SceneSentence& sentence = result.scene.sentences.front();
  const Config& config = result.snapshot->config;
  std::string words;
  if (result.source_read != sentence.source)
    add_sentence(words, "Read as “" + result.source_read + "”: this model has seen small letters alone.");
  add_sentence(words, unknown_words_sentence(unknown_words(*tokenizers.source, result.source_read),
                                             format_count(config.source_vocab)));
  if (sentence.target && typed_target)
    add_sentence(words, unknown_words_sentence(unknown_words(*tokenizers.target, *sentence.target),
                                               format_count(config.target_vocab)));
  return words;
}

}  // namespace glassformer
