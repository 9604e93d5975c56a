// The added tokens of a tokenizer.json, found in a text before it is cut into words.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer::huggingface {

struct AddedToken {
  std::string content;
  int id = 0;
  bool special = false;                          // left out of decoded text
  bool takes_left = false, takes_right = false;  // blanks beside it go
  bool single_word = false;                      // not beside a sign of a word
  bool normalized = false;                       // found in the normalised text, not in the typed one
};

// None when the file has no list. Throws Error for a broken one.
std::vector<AddedToken> read_added(const nlohmann::json& json, const std::string& where);

class AddedFinder {
 public:
  explicit AddedFinder(const std::vector<AddedToken>& tokens);  // those without content are found nowhere

  struct Stretch {
    std::string_view text;    // between tokens
    const AddedToken* token;  // null: none, but a text; lives as long as the finder
  };
  // From the left, and of several that begin at one place the longest. One that may not be there, beside a
  // word, hides others within it all the same.
  std::vector<Stretch> cut(std::string_view text) const;

 private:
  const AddedToken* longest_at_start(std::string_view text) const;

  std::array<std::vector<AddedToken>, 256> by_first_byte_;  // longer ones first
};

}  // namespace glassformer::huggingface
