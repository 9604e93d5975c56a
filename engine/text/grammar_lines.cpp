#include "engine/text/grammar_lines.h"

#include <algorithm>

#include "engine/math/error.h"

namespace glassformer {
namespace {

constexpr std::size_t kLongestGrammarLine = 2000;  // bytes
constexpr std::size_t kLargestFile = 4u << 20;     // bytes

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The first byte that is no printable UTF-8 text, or npos.
std::size_t first_bad_byte(std::string_view line) {
  for (std::size_t i = 0; i < line.size();) {
    const auto byte = static_cast<unsigned char>(line[i]);
    const std::size_t length = byte < 0x80   ? 1
                               : byte < 0xC2 ? 0
                               : byte < 0xE0 ? 2
                               : byte < 0xF0 ? 3
                               : byte < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > line.size() || (byte < 0x20 && byte != '\t') || byte == 0x7F) return i;
    for (std::size_t k = 1; k < length; ++k)
      if (!continues_character(line[i + k])) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::vector<GrammarToken> cut(std::string_view line, long number, const std::string& where) {
  std::vector<GrammarToken> tokens;
  long column = 0;
  int depth = 0;
  GrammarToken opening;
  bool inside = false;
  for (const char c : line) {
    if (!continues_character(c)) ++column;
    const bool blank = c == ' ' || c == '\t';
    if (c == '#' && !inside) break;
    if (blank && depth == 0) {
      inside = false;
      continue;
    }
    if (!inside) tokens.push_back({"", number, column});
    inside = true;
    tokens.back().text += blank ? ' ' : c;
    if (c == '(' && depth++ == 0) opening = tokens.back();
    if (c == ')' && --depth < 0)
      refuse(where, tokens.back(),
             "this word closes a parenthesis that was never opened; remove it or add \"(\"");
  }
  if (depth != 0)
    refuse(where, opening,
           "the parenthesis in " + in_quotes(opening.text) + " is not closed; write \")\" on the same line");
  return tokens;
}

}  // namespace

void refuse(const std::string& where, const GrammarToken& token, const std::string& what) {
  throw Error(where + ":" + std::to_string(token.line) + ":" + std::to_string(token.column), what);
}

std::string in_quotes(std::string_view word) {
  std::size_t length = std::min<std::size_t>(word.size(), 60);
  while (length < word.size() && length > 0 && continues_character(word[length])) --length;
  return "\"" + std::string(word.substr(0, length)) + (length < word.size() ? "...\"" : "\"");
}

std::vector<GrammarLine> grammar_lines(std::string_view text, const std::string& where) {
  if (text.size() > kLargestFile)
    throw Error(where, "a grammar is a text file of at most 4 MB; this file is larger");
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<GrammarLine> lines;
  long number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);

    // Refuse what is no text.
    const std::size_t bad = first_bad_byte(line);
    if (bad != std::string_view::npos)
      refuse(where, {"", number, static_cast<long>(bad) + 1},
             "a grammar is a UTF-8 text file, and this byte is not text; choose another file or save it as "
             "UTF-8");
    if (line.size() > kLongestGrammarLine)
      refuse(where, {"", number, static_cast<long>(kLongestGrammarLine)},
             "a line holds at most 2000 bytes and this one has " + std::to_string(line.size()) +
                 "; go on in a new line that begins with four blanks");

    // Join what continues the line above.
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    std::vector<GrammarToken> tokens = cut(line, number, where);
    if (tokens.empty()) continue;
    if (indent >= 4 && !lines.empty()) {
      lines.back().tokens.insert(lines.back().tokens.end(), tokens.begin(), tokens.end());
    } else {
      lines.push_back({indent > 0, std::move(tokens)});
    }
  }
  return lines;
}

}  // namespace glassformer
