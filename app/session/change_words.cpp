#include "app/session/change_words.h"

#include "app/session/run_scene.h"
#include "engine/model/what_if/change_text.h"
#include "engine/text/reading.h"

namespace glassformer {

ChangeWords change_words(const Tokenizers& tokenizers, const Config& config, std::vector<std::string> source,
                         std::vector<std::string> target_in) {
  const auto word = [config](const Tokenizer* tokenizer) {
    return [tokenizer, config](int id) { return word_of(tokenizer, config, id); };
  };
  const auto ids = [](const Tokenizer* tokenizer, int vocabulary) {
    return [tokenizer, vocabulary](const std::string& text) {
      std::vector<int> found;
      for (const Piece& piece : pieces_of(tokenizer, text, vocabulary)) found.push_back(piece.id);
      return found;
    };
  };
  return {.source = std::move(source),
          .target_in = std::move(target_in),
          .source_ids = ids(tokenizers.source.get(), config.source_vocab),
          .target_ids = ids(tokenizers.target.get(), config.target_vocab),
          .source_word = word(tokenizers.source.get()),
          .target_word = word(tokenizers.target.get())};
}

ChangeWords change_words(const SceneResult& result, const Tokenizers& tokenizers) {
  return change_words(tokenizers, result.snapshot->config, result.source_words, result.target_in_words);
}

std::string about_unknown_words(const std::string& changes, ChangeWords words, const Tokenizers& tokenizers,
                                const Config& config) {
  std::string told;
  const auto listen = [&told](auto& ids, const Tokenizer* tokenizer, int vocabulary) {
    if (tokenizer == nullptr) return;
    ids = [&told, read = ids, tokenizer, vocabulary](const std::string& text) {
      const std::string sentence =
          unknown_words_sentence(unknown_words(*tokenizer, text), std::to_string(vocabulary));
      if (!sentence.empty()) told += (told.empty() ? "" : " ") + sentence;
      return read(text);
    };
  };
  listen(words.source_ids, tokenizers.source.get(), config.source_vocab);
  listen(words.target_ids, tokenizers.target.get(), config.target_vocab);
  read_what_if(changes, words);
  return told;
}

}  // namespace glassformer
