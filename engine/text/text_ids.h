// Many texts to ids, on one thread: a word that came before is not cut into pieces again.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

// The tokenizer must outlive it.
class TextIds {
 public:
  explicit TextIds(const Tokenizer& tokenizer)
      : tokenizer_(tokenizer), words_apart_(tokenizer.cuts_words_apart()) {}

  std::vector<int> of(std::string_view text);  // those of Tokenizer::encode

 private:
  const std::vector<int>& of_word(std::string_view word);

  const Tokenizer& tokenizer_;
  bool words_apart_;
  std::unordered_map<std::string, std::vector<int>> known_;
  std::vector<int> rare_;  // of a word that is not kept
};

}  // namespace glassformer
