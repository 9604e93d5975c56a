#include "app/session/change_words.h"

#include <utility>

#include "app/format/number_format.h"
#include "app/session/run_scene.h"
#include "engine/math/error.h"
#include "engine/model/what_if/change_text.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

// "<unk>" typed as it is shown: a word is hidden from the model.
bool hides_a_word(const Tokenizer* tokenizer, const std::string& text) {
  return tokenizer && text == tokenizer->piece(tokenizer->special().unk);
}

}  // namespace

ChangeWords change_words(const Tokenizers& tokenizers, const Config& config, std::vector<std::string> source,
                         std::vector<std::string> target_in) {
  const auto word = [config](const Tokenizer* tokenizer) {
    return [tokenizer, config](int id) { return word_of(tokenizer, config, id); };
  };
  const auto ids = [](const Tokenizer* tokenizer, int vocabulary) {
    return [tokenizer, vocabulary](const std::string& text) {
      if (hides_a_word(tokenizer, text)) return std::vector{tokenizer->special().unk};
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
  const SceneResult& read = result.plain ? *result.plain : result;
  return change_words(tokenizers, result.snapshot->config, read.source_words, read.target_in_words);
}

WhatIf fitting_what_if(const std::string& text, const ChangeWords& words, const ChangeFit& fit) {
  WhatIf what_if = read_what_if(text, words);
  for (const Change& change : what_if.changes) {
    const std::string wrong = misfit(change, fit);
    if (!wrong.empty()) throw Error("what-if", "“" + text_of(change, words) + "”: " + wrong);
  }
  return what_if;
}

UnknownWords unknown_words(const std::string& changes, ChangeWords words, const Tokenizers& tokenizers) {
  UnknownWords unknown;
  const auto listen = [](auto& ids, const Tokenizer* tokenizer, std::vector<std::string>& found) {
    if (tokenizer == nullptr) return;
    ids = [read = ids, tokenizer, &found](const std::string& text) {
      if (!hides_a_word(tokenizer, text))
        for (std::string& word : unknown_words(*tokenizer, text)) found.push_back(std::move(word));
      return read(text);
    };
  };
  listen(words.source_ids, tokenizers.source.get(), unknown.source);
  listen(words.target_ids, tokenizers.target.get(), unknown.target);
  read_what_if(changes, words);
  return unknown;
}

std::string more_in_words(const Extension& extension) {
  if (extension.steps > 0) return format_count(extension.steps) + " steps more";
  if (extension.minutes > 0) return format_short(extension.minutes) + " minutes more";
  return "on";
}

std::string further_in_words(const Extension& extension) {
  const bool counted = extension.steps > 0 || extension.minutes > 0;
  const std::string text = counted ? " for " + more_in_words(extension)
                                   : " until " + std::to_string(extension.validations) +
                                         " validations in a row bring no better loss";
  return text + (extension.schedule_anew ? ", on its schedule from the beginning" : "");
}

}  // namespace glassformer
