// WordPiece (Schuster and Nakajima 2012): words cut into the longest pieces of a vocabulary, from left to
// right. A piece inside a word is written with ## before it: "playing" is "play" and "##ing".
//
// It is learned from single letters by joining two neighbours again and again, as BPE is. But BPE joins the
// pair that occurs most often; WordPiece the one that makes the text most likely: whose count is largest
// beside what its two parts, each on its own, would make one expect, count(ab) / (count(a) * count(b)).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

constexpr std::string_view kInsideMark = "##";

// Learns `pieces` pieces, the four special ones included (0: every letter and half as many pieces more as
// there are different words, at most 8 000). Of equal scores the pair that occurs more often is joined, then
// the one whose text comes first. Throws Error when the text holds no word, or names the smallest and the
// largest possible size.
std::shared_ptr<const Tokenizer> train_word_piece(const std::vector<std::string>& lines, int pieces);

// Every letter of the text, once for the beginning of a word and once for the inside, as far as it is
// there, and the special tokens. Throws Error when there is no word.
int smallest_word_piece(const std::vector<std::string>& lines);

// From a .vocab file that was written here: a piece a line, the special ones known by id. Throws Error as
// piece_lines does.
std::shared_ptr<const Tokenizer> load_word_piece(const std::string& bytes, const SpecialIds& special,
                                                 const std::string& where);

// A piece a line, ids in order. Throws Error for a file that is empty, not UTF-8, holds a NUL, a line of more
// than 1 000 bytes or more than 1 000 000 lines.
std::vector<std::string> piece_lines(const std::string& bytes, const std::string& where);

// How the pieces of a vocabulary are found in a word. Immutable.
class WordPieces {
 public:
  // `hidden`: ids that no text can produce, the special ones.
  WordPieces(const std::vector<std::string>& pieces, const std::vector<int>& hidden);
  // Greedy, longest first. A word that cannot be written is one piece: unknown.
  void cut(const std::string& word, int unknown, std::vector<Piece>& pieces) const;

 private:
  std::unordered_map<std::string, int> ids_;
  std::size_t longest_ = 0;  // in bytes, the mark included
};

bool is_inside_piece(std::string_view piece);  // "##ing"; "##" alone and "#" are what is typed

}  // namespace glassformer
