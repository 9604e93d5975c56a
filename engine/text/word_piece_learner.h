// Which pairs of neighbours WordPiece joins, one after another: the learning alone, without a tokenizer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace glassformer {

class WordPieceLearner {
 public:
  // How often each word is in the text.
  explicit WordPieceLearner(const std::map<std::string, long>& words);

  struct Joined {
    std::string piece;   // as written, "##ing"
    long count = 0;      // of the pair
    double score = 0;    // count(ab) / (count(a) * count(b))
    bool fresh = false;  // no piece before it is written so
  };
  // Joins the best pair everywhere. Nothing: no pair is left.
  std::optional<Joined> join();
  // As they are written: the letters in the order of their code points, then what was joined.
  const std::vector<std::string>& pieces() const { return written_; }

 private:
  struct Symbol {
    std::string text;
    bool inside = false;
    long count = 0;
  };
  struct Word {
    std::vector<int> symbols;
    long count = 0;
  };
  struct Pair {
    long count = 0;
    std::vector<int> words;  // in which it is or was
  };
  using Key = std::uint64_t;

  int symbol(const std::string& text, bool inside);
  void count_pairs(int word, long sign);
  bool may_join(const Symbol& a, const Symbol& b) const;
  std::optional<Key> best() const;

  std::vector<Symbol> symbols_;
  std::vector<std::string> written_;
  std::unordered_map<std::string, int> ids_;  // by how it is written
  std::vector<Word> words_;
  std::unordered_map<Key, Pair> pairs_;
};

}  // namespace glassformer
