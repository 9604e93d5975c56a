#include "app/session/training_words.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/format/number_format.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

// The target's tokenizer needs no more pieces for it: it may be of the target's language.
bool may_be_target(const Tokenizers& tokenizers, const std::string& text) {
  if (!tokenizers.target) return false;
  const std::vector<Piece> pieces = tokenizers.target->encode(text);
  return pieces.size() <= tokenizers.source->encode(text).size() &&
         std::ranges::none_of(pieces, &Piece::unknown);
}

std::string target_words(const ModelTitle& title) {
  if (title.source_language == "source" || title.target_language == "target")
    return "Most of these words are of the side that the model writes, not of the side that it reads.";
  return "Most of these words are " + title.target_language + "; the model reads " + title.source_language +
         " and writes " + title.target_language + ".";
}

}  // namespace

std::string TrainingWords::about(const std::string& text, const Source& source) {
  const std::vector<CutWord> cut = cut_words(*source.tokenizers.source, text);
  if (cut.empty() && !may_be_target(source.tokenizers, text)) return {};
  const std::shared_ptr<const TrainingText> seen = this->text(source);
  if (!seen) return {};
  const WordSet words = words_in(source.tokenizers.source->normalized(text));
  return mostly_of_target(words, *seen) ? target_words(source.title) : words_about(cut, seen->source.words);
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
