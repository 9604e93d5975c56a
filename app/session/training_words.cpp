#include "app/session/training_words.h"

#include <chrono>
#include <utility>

#include "app/format/number_format.h"
#include "engine/text/reading.h"

namespace glassformer {

std::string TrainingWords::about(const std::string& text, const Source& source) {
  const std::vector<CutWord> cut = cut_words(*source.tokenizers.source, text);
  if (cut.empty()) return {};
  const std::shared_ptr<const TrainingText> seen = this->text(source);
  return seen ? words_about(cut, seen->source.words) : std::string();
}

std::shared_ptr<const TrainingText> TrainingWords::text(const Source& source) {
  // Asked in every frame: whether it may be read is looked up only where it would be.
  if (text_ && data_ == source.data) return text_;
  if (reading_.valid() || !source.may_read()) return nullptr;
  data_ = source.data;
  text_.reset();
  reading_ =
      std::async(std::launch::async, [data = data_, tokenizers = source.tokenizers, wake = source.wake] {
        TrainingText text = training_text_of(data, tokenizers);
        if (wake) wake();
        return text;
      });
  return nullptr;
}

bool TrainingWords::take() {
  if (!reading_.valid() || reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  text_ = std::make_shared<const TrainingText>(reading_.get());
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
