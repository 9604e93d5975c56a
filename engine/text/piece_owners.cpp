#include "engine/text/piece_owners.h"

#include <algorithm>
#include <string>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

int owner_of(std::size_t begin, std::size_t end, const std::vector<AlignedToken>& tokens) {
  int owner = -1;
  std::size_t most = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t from = std::max(begin, tokens[i].begin), to = std::min(end, tokens[i].end);
    if (to <= from || to - from <= most) continue;
    most = to - from;
    owner = static_cast<int>(i);
  }
  return owner;
}

}  // namespace

std::vector<int> piece_owners(const std::vector<Piece>& pieces, std::string_view text,
                              const std::vector<AlignedToken>& tokens) {
  std::vector<int> owners;
  std::size_t at = 0;
  const auto pass_blanks = [&] { at = std::min(text.find_first_not_of(' ', at), text.size()); };
  bool too_long = false;
  for (const Piece& piece : pieces) {
    owners.push_back(-1);
    if (piece.text == " " || piece.text == kWordStart) continue;
    pass_blanks();
    const std::size_t begin = at;
    // Letters are counted and not compared: a tokenizer may write them small.
    for (std::size_t i = 0; i < piece.text.size();) {
      too_long = too_long || at == text.size();
      if (too_long) break;
      next_code_point(piece.text, i);
      if (!piece.byte) next_code_point(text, at);
    }
    if (piece.byte && !too_long) ++at;
    owners.back() = owner_of(begin, at, tokens);
  }
  pass_blanks();
  if (too_long || at < text.size())
    throw Error("word alignment",
                "expected pieces as long as their sentence \"" + std::string(text) + "\", found " +
                    (too_long ? "longer" : "shorter") +
                    " ones; this tokenizer changes the text, so words cannot be found in it");
  return owners;
}

}  // namespace glassformer
