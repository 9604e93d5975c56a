// What-ifs as people and files write them: "mute head cross 2.1, causal mask off". Layers, heads and units
// count from 1 as on screen, places from 0; a place may be said by its word, "a"#2 is the second "a".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/what_if/change_kinds.h"

namespace glassformer {

// Changes are between commas; a word that holds a comma, a semicolon or a blank is quoted. Throws Error
// with what was expected and what was found.
WhatIf read_what_if(std::string_view text, const ChangeWords& words);
std::string text_of(const WhatIf& what_if, const ChangeWords& words);
std::string text_of(const Change& change, const ChangeWords& words);

// One change, a word at a time. What each method cannot read is an Error.
class ChangeReader {
 public:
  struct Token {
    std::string text;
    bool quoted = false;
    int number = 1;  // of "a"#2
  };

  ChangeReader(std::vector<Token> tokens, const ChangeWords& words)
      : tokens_(std::move(tokens)), words_(words) {}

  bool accept(std::string_view words);  // reads them when they are next
  bool at_end() const { return next_ == tokens_.size(); }
  bool number_is_next() const;
  void expect(std::string_view word);
  AttentionKind attention();
  bool encoder();                                                // "encoder" or "decoder"
  void layer_and(const char* what, Change& change, int& index);  // "2.1"; the layer goes into the block
  int layer();
  int place(const std::vector<std::string>& words, const char* of);
  double number(const char* what);
  int whole(const char* what);
  Token word(const char* what);
  // "at W", "by mean", "times X", "from other", in any order; one place, one replacement.
  void replacement(const std::vector<std::string>& rows, Change& change);
  const ChangeWords& words() const { return words_; }
  [[noreturn]] void refuse(const std::string& expected) const;

 private:
  std::vector<Token> tokens_;
  const ChangeWords& words_;
  std::size_t next_ = 0;
};

// A word as a place is written: its word where that is known, else its number.
std::string written_place(int place, const std::vector<std::string>& words);
std::string counted(int index);  // from 1, as on screen
std::string quoted_where_needed(const std::string& word);
std::string written_number(double value);

}  // namespace glassformer
