#include <string>
#include <string_view>

#include "engine/train/bleu.h"
#include "engine/train/scoring_blanks.h"

namespace glassformer {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_stop(char c) {
  return c == '.' || c == ',';
}

// ASCII symbols but for ' , - .
bool is_symbol(char c) {
  return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size();)
    if (!is_scoring_blank(next_code_point(line, at))) end = at;
  return std::string(line.substr(0, end));
}

// The rules look at pairs of neighbours from the left and go on behind a pair that they changed. A byte
// stands for its character here: no byte of a longer character looks like ASCII.
template <class Matches>
std::string split_pairs(std::string_view line, const char* pattern, Matches matches) {
  std::string result;
  std::size_t at = 0;
  while (at < line.size()) {
    if (at + 1 == line.size() || !matches(line[at], line[at + 1])) {
      result += line[at++];
      continue;
    }
    for (const char* p = pattern; *p; ++p) result += *p == '1' ? line[at] : *p == '2' ? line[at + 1] : *p;
    at += 2;
  }
  return result;
}

}  // namespace

std::string tokenize_13a(std::string_view line, bool lowercase) {
  // Undo what the old file formats did to the text.
  std::string text = without_trailing_blanks(lowercase ? to_lower(line) : std::string(line));
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");

  // Part symbols, then stops that no digit precedes or follows, then hyphens behind digits.
  std::string apart = " ";
  for (const char c : text) {
    if (is_symbol(c))
      apart.append({' ', c, ' '});
    else
      apart += c;
  }
  apart += ' ';
  apart = split_pairs(apart, "1 2 ", [](char a, char b) { return !is_digit(a) && is_stop(b); });
  apart = split_pairs(apart, " 1 2", [](char a, char b) { return is_stop(a) && !is_digit(b); });
  apart = split_pairs(apart, "1 2 ", [](char a, char b) { return is_digit(a) && b == '-'; });
  return with_blanks_as(apart, " ");
}

}  // namespace glassformer
