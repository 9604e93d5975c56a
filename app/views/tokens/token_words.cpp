#include "app/views/tokens/token_words.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/text/reading.h"
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

std::string told(const std::string& sign) {
  return "“" + sign + "” (" + what_it_is(sign) + ")";
}

// "“a” (a letter), “b” (a letter) and 2 more"
std::string listed(const std::vector<std::string>& all) {
  constexpr std::size_t kTold = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kTold); ++i) text += (i > 0 ? ", " : "") + all[i];
  return all.size() > kTold ? text + " and " + std::to_string(all.size() - kTold) + " more" : text;
}

// Of a piece that stands for a byte, as sentencepiece writes it: "<0xF0>".
std::optional<char> byte_of(const Piece& piece) {
  unsigned value = 0;
  const std::string& text = piece.text;
  if (!piece.byte || text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>'))
    return std::nullopt;
  const auto read = std::from_chars(text.data() + 3, text.data() + 5, value, 16);
  if (read.ec != std::errc() || read.ptr != text.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

// The signs that byte pieces stand for, each once; none that the bytes leave in pieces.
std::vector<std::string> signs_in_bytes(const std::vector<Piece>& pieces) {
  std::string bytes;
  for (const Piece& piece : pieces) bytes += byte_of(piece).value_or(' ');
  std::vector<std::string> signs;
  for (const char32_t c : code_points(bytes)) {
    if (c == ' ' || c == kReplacement) continue;
    const std::string sign = told(to_utf8({c}));
    if (std::ranges::find(signs, sign) == signs.end()) signs.push_back(sign);
  }
  return signs;
}

}  // namespace

std::string what_it_is(const std::string& piece) {
  const std::vector<char32_t> signs = code_points(piece);
  if (!signs.empty() && std::ranges::all_of(signs, is_emoji)) return "an emoji";
  if (!signs.empty() && std::ranges::all_of(signs, is_digit)) return signs.size() == 1 ? "a digit" : "digits";
  if (std::ranges::any_of(signs, is_letter)) return signs.size() == 1 ? "a letter" : "a word";
  return signs.size() == 1 ? "a sign" : "signs";
}

std::string shown_piece(const std::string& piece) {
  return piece == " " || piece == "\u2581" ? "\u2423" : piece;
}

bool any_unknown(const std::vector<Piece>& pieces) {
  return std::ranges::any_of(pieces, &Piece::unknown);
}

std::string chips_note(const std::vector<Piece>& pieces) {
  std::vector<std::string> unknown;
  for (const Piece& piece : pieces)
    if (piece.unknown && std::ranges::find(unknown, told(piece.text)) == unknown.end())
      unknown.push_back(told(piece.text));
  if (!unknown.empty()) return "Not in the vocabulary: " + listed(unknown) + ". The model reads <unk> there.";
  if (std::ranges::any_of(pieces, &Piece::byte)) {
    const std::vector<std::string> signs = signs_in_bytes(pieces);
    return "A dashed piece is one byte of a sign that has no piece of its own" +
           (signs.empty() ? "" : ": " + listed(signs)) + ".";
  }
  return "A bar marks the first piece of a word.";
}

std::vector<Piece> with_marks(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<Piece> pieces = tokenizer.encode(readable(tokenizer, text));
  const SpecialIds ids = tokenizer.special();
  if (ids.bos < 0 || tokenizer.piece(ids.bos) != "[CLS]") return pieces;
  const auto mark = [&](int id) { return Piece{.id = id, .text = tokenizer.piece(id), .special = true}; };
  pieces.insert(pieces.begin(), mark(ids.bos));
  if (ids.eos >= 0) pieces.push_back(mark(ids.eos));
  return pieces;
}

}  // namespace glassformer
