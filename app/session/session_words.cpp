// The part of the session that tells how a sentence was read: in small letters, with words that the model
// does not know or was not trained on.
#include <chrono>

#include "app/session/session_state.h"
#include "app/widgets/number_format.h"
#include "engine/text/reading.h"

namespace glassformer {

void Session::State::tell_of_reading() {
  if (!result || !tokenizers.source || !tokenizers.target) return;
  const SceneSentence& sentence = result->scene.sentences.front();
  const Config& config = result->snapshot->config;
  std::string words;
  const auto add = [&words](const std::string& more) {
    if (!more.empty()) words += (words.empty() ? "" : " ") + more;
  };
  if (result->source_read != sentence.source)
    add("Read as “" + result->source_read + "”: this model has seen small letters alone.");
  add(unknown_words_sentence(unknown_words(*tokenizers.source, result->source_read),
                             format_count(config.source_vocab)));
  if (sentence.target)
    add(unknown_words_sentence(unknown_words(*tokenizers.target, *sentence.target),
                               format_count(config.target_vocab)));
  add(about_new_words());
  if (!words.empty()) say(Place::sentence, words);
}

// Empty as well while the training text is being read: asked for by the first cut word, the same data once.
std::string Session::State::about_new_words() {
  const std::vector<CutWord> cut = cut_words(*tokenizers.source, result->source_read);
  if (cut.empty()) return {};
  const DataOptions* origin = recipe ? &recipe->data : model && model->data ? &*model->data : nullptr;
  if (origin == nullptr) return {};  // not recorded: nothing can be said
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
