// Many texts to ids, on one thread: a word that came before is not cut into pieces again.
#pragma once

#include <memory>
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

// Tokenizers that are a plain list of tokens: words (split at blanks) and characters (code points).

// The most frequent words or characters of the lines, `limit` tokens with the four special ones (0: all), in
// the order of their code points. Throws Error when the lines hold none or the limit leaves room for none.
std::shared_ptr<const Tokenizer> train_vocabulary(const std::vector<std::string>& lines, TokenizerKind kind,
                                                  int limit);

// From a .vocab file: UTF-8, a token a line in id order, never trimmed. Lines end in LF, or all in CRLF. A
// count behind each token (token, tab, number on every line) is left out; other tabs are refused. The special
// tokens are known by id, whatever they are called. A token that occurs twice is encoded as the first of the
// two. `cut_signs`: runs of word characters and runs of other signs are separate words, whether or not a
// blank is between them (the pre-tokenizer Whitespace of Hugging Face).
std::shared_ptr<const Tokenizer> load_vocabulary(const std::string& bytes, TokenizerKind kind,
                                                 const SpecialIds& special, const std::string& where,
                                                 bool cut_signs = false);

// "<pad>" ... when id is a special one, else empty.
std::string special_name(int id, const SpecialIds& special);

// What an unknown token shows in decoded text.
constexpr const char* kUnknownText = "⁇";

}  // namespace glassformer
