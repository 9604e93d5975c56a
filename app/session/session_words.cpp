// The part of the session that tells of words the model was not trained on.
#include <chrono>

#include "app/session/session_state.h"

namespace glassformer {

// Asked for by the first cut word; the same data are read once.
void Session::State::tell_of_new_words() {
  if (!result || !tokenizers.source) return;
  const std::vector<CutWord> cut = cut_words(*tokenizers.source, result->source_read);
  if (cut.empty()) return;
  const DataOptions* origin = recipe ? &recipe->data : model && model->data ? &*model->data : nullptr;
  if (origin == nullptr) return;  // not recorded: nothing can be said
  if (training_words && words_data.training == origin->training && words_data.seed == origin->seed) {
    if (const std::string about = words_about(cut, *training_words); !about.empty())
      say(Place::sentence, about);
    return;
  }
  if (words_reading.valid()) return;
  words_data = *origin;
  training_words.reset();
  words_reading =
      std::async(std::launch::async, [origin = *origin, tokenizer = tokenizers.source, wake = options.wake] {
        WordSet words = source_words_of(origin, *tokenizer);
        if (wake) wake();
        return words;
      });
}

bool Session::State::take_training_words() {
  if (!words_reading.valid() || words_reading.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  training_words = words_reading.get();
  tell_of_new_words();
  return true;
}

}  // namespace glassformer
