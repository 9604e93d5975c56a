// The table of replacements that sentencepiece precompiles ("precompiled_charsmap"), as Hugging Face's
// tokenizers apply it: a grapheme of less than six bytes as a whole, else sign by sign; of the entries that a
// piece of text begins with, the shortest replaces all of it. Sentencepiece itself takes the longest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

class PrecompiledCharsmap {
 public:
  // The bytes as a tokenizer.json has them: base64 of a double-array trie with its size before it, and of
  // the replacements, each ended by a zero. Throws Error when it is cut or not of that form.
  PrecompiledCharsmap(std::string_view base64, const std::string& where);

  std::string normalized(std::string_view text) const;

 private:
  // Of the shortest entry that `text` begins with.
  std::optional<std::string_view> replacement(std::string_view text) const;

  std::vector<std::uint32_t> trie_;
  std::string replacements_;
};

}  // namespace glassformer
