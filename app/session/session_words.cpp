// The part of the session that tells how a sentence was read: in small letters, with words that the model
// does not know or was not trained on.
#include <chrono>

#include "app/format/number_format.h"
#include "app/session/data_consent.h"
#include "app/session/session_state.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

void add(std::string& words, const std::string& more) {
  if (!more.empty()) words += (words.empty() ? "" : " ") + more;
}

std::string about_reading(const SceneResult& result, const Tokenizers& tokenizers, bool typed_target) {
  const SceneSentence& sentence = result.scene.sentences.front();
  const Config& config = result.snapshot->config;
  std::string words;
  if (result.source_read != sentence.source)
    add(words, "Read as “" + result.source_read + "”: this model has seen small letters alone.");
  add(words, unknown_words_sentence(unknown_words(*tokenizers.source, result.source_read),
                                    format_count(config.source_vocab)));
  if (sentence.target && typed_target)
    add(words, unknown_words_sentence(unknown_words(*tokenizers.target, *sentence.target),
                                      format_count(config.target_vocab)));
  return words;
}

}  // namespace

// Of the second of two that are compared as well, where it is read in another way.
void Session::State::tell_of_reading() {
  if (!result || refused || !tokenizers.source || !tokenizers.target) return;
  const std::string first = about_reading(*result, tokenizers, true);
  std::string words = first;
  add(words, about_new_words());
  if (const Compared* two = comparison ? &comparison->shown : nullptr; two && two->second) {
    const std::string second = about_reading(*two->second, two->tokenizers, !two->given_words);
    if (!second.empty() && second != first) add(words, "The second: " + second);
  }
  if (!words.empty()) say(Place::sentence, words);
}

// Empty as well while the training text is being read: asked for by the first cut word, the same data once.
std::string Session::State::about_new_words() {
  const std::vector<CutWord> cut = cut_words(*tokenizers.source, result->source_read);
  if (cut.empty()) return {};
  const DataOptions* origin = recipe ? &recipe->data : model && model->data ? &*model->data : nullptr;
  if (origin == nullptr) return {};  // not recorded: nothing can be said
  if (!recipe && !read_unasked(*origin, model->folder)) return {};
  if (training_words && words_data.training == origin->training && words_data.seed == origin->seed)
    return words_about(cut, *training_words);
  if (words_reading.valid()) return {};
  words_data = *origin;
  training_words.reset();
  words_reading =
      std::async(std::launch::async, [origin = *origin, tokenizer = tokenizers.source, wake = options.wake] {
        WordSet words = source_words_of(origin, *tokenizer);
        if (wake) wake();
        return words;
      });
  return {};
}

bool Session::State::take_training_words() {
  if (!words_reading.valid() || words_reading.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  training_words = words_reading.get();
  tell_of_reading();
  return true;
}

}  // namespace glassformer
