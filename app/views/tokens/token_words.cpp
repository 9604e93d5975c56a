#include "app/views/tokens/token_words.h"

#include <algorithm>

#include "engine/text/unicode.h"

namespace glassformer {

namespace {

// The blocks of pictographs, symbols and dingbats, and what goes with them: joiners and styles.
bool is_emoji(char32_t c) {
  return (c >= 0x1F000 && c <= 0x1FAFF) || (c >= 0x2600 && c <= 0x27BF) || (c >= 0x2B00 && c <= 0x2BFF) ||
         c == 0x200D || c == 0xFE0F;
}

bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string what_it_is(const std::string& piece) {
  const std::vector<char32_t> signs = code_points(piece);
  if (!signs.empty() && std::ranges::all_of(signs, is_emoji)) return "an emoji";
  if (!signs.empty() && std::ranges::all_of(signs, is_digit)) return signs.size() == 1 ? "a digit" : "digits";
  if (std::ranges::any_of(signs, is_letter)) return signs.size() == 1 ? "a letter" : "a word";
  return signs.size() == 1 ? "a sign" : "signs";
}

bool any_unknown(const std::vector<Piece>& pieces) {
  return std::ranges::any_of(pieces, &Piece::unknown);
}

std::string chips_note(const std::vector<Piece>& pieces) {
  constexpr std::size_t kTold = 3;
  std::vector<std::string> unknown;
  for (const Piece& piece : pieces)
    if (piece.unknown) {
      const std::string told = "“" + piece.text + "” (" + what_it_is(piece.text) + ")";
      if (std::ranges::find(unknown, told) == unknown.end()) unknown.push_back(told);
    }
  if (!unknown.empty()) {
    std::string note = "Not in the vocabulary: ";
    for (std::size_t i = 0; i < std::min(unknown.size(), kTold); ++i)
      note += (i > 0 ? ", " : "") + unknown[i];
    if (unknown.size() > kTold) note += " and " + std::to_string(unknown.size() - kTold) + " more";
    return note + ". The model reads <unk> there.";
  }
  if (std::ranges::any_of(pieces, &Piece::byte))
    return "A dashed piece is one byte of a sign that has no piece of its own.";
  return "A bar marks the first piece of a word.";
}

}  // namespace glassformer
