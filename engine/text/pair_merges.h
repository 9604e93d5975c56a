// Byte-pair encoding as something to look at (Sennrich, Haddow and Birch 2016; the paper, section 5.1): the
// words of a text, letter by letter, and the pair of neighbours that occurs most often joined again and
// again. Nothing is joined over a blank. A word begins with the mark of its blank, U+2581, as in
// sentencepiece.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace glassformer {

struct CountedPair {
  std::string first, second;
  long count = 0;  // in the text
};

struct PairMerge {
  std::vector<CountedPair> pairs;  // the most frequent before the merge; the first of them is joined
  long pieces = 0;                 // of the text, after it
  int vocabulary = 0;              // different pieces ever made, after it: letters and merges
};

class PairMerges {
 public:
  // At most `merges` of them, fewer when no pair is left. Of equal counts the pair whose text comes first.
  // `shown`: pairs kept of each table.
  PairMerges(const std::vector<std::string>& lines, int merges, std::size_t shown = 8);

  const std::vector<PairMerge>& merges() const { return merges_; }
  long letters() const { return letters_; }   // pieces of the text before the first merge
  int alphabet() const { return alphabet_; }  // vocabulary before it
  // How one word, without its mark, is cut once `count` merges were made.
  std::vector<std::string> pieces_after(const std::string& word, int count) const;

 private:
  std::vector<PairMerge> merges_;
  long letters_ = 0;
  int alphabet_ = 0;
};

}  // namespace glassformer
