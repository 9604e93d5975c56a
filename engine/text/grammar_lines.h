// A grammar file cut into logical lines of words, each word with its place for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct GrammarToken {
  std::string text;
  long line = 0, column = 0;  // from 1; columns count characters
};

// One line with the lines that continue it (those indented by four blanks or more).
struct GrammarLine {
  bool indented = false;  // belongs to the section above it
  std::vector<GrammarToken> tokens;
};

// Cuts at blanks outside parentheses; drops comments (# at the start of a word) and empty lines. Throws Error
// for bytes that no text file has, and for lines of absurd length.
std::vector<GrammarLine> grammar_lines(std::string_view text, const std::string& where);

// "where:12:7: what", the one form of every message about a grammar file.
[[noreturn]] void refuse(const std::string& where, const GrammarToken& token, const std::string& what);

// A word as a message may show it: quoted, and cut when long.
std::string in_quotes(std::string_view word);

}  // namespace glassformer
