#include "engine/text/word_piece_learner.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/text/unicode.h"
#include "engine/text/word_piece.h"

namespace glassformer {
namespace {

std::uint64_t key_of(int a, int b) {
  return (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint32_t>(b);
}
std::size_t first_of(std::uint64_t key) {
  return static_cast<std::size_t>(key >> 32);
}
std::size_t second_of(std::uint64_t key) {
  return static_cast<std::size_t>(key & 0xFFFFFFFFu);
}

std::string written(const std::string& text, bool inside) {
  return (inside ? std::string(kInsideMark) : std::string()) + text;
}

}  // namespace

WordPieceLearner::WordPieceLearner(const std::map<std::string, long>& words) {
  // The letters first, so that their ids do not depend on where they are.
  std::map<std::string, bool> letters;
  std::vector<std::pair<std::vector<std::string>, long>> cut;
  for (const auto& [word, count] : words) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < word.size();) {
      std::string& part = parts.emplace_back();
      append_utf8(part, next_code_point(word, i));
      letters.emplace(written(part, parts.size() > 1), parts.size() > 1);
    }
    cut.emplace_back(std::move(parts), count);
  }
  for (const auto& [letter, inside] : letters)
    symbol(inside ? letter.substr(kInsideMark.size()) : letter, inside);

  for (auto& [parts, count] : cut) {
    Word& word = words_.emplace_back(Word{.symbols = {}, .count = count});
    for (std::size_t i = 0; i < parts.size(); ++i) {
      word.symbols.push_back(symbol(parts[i], i > 0));
      symbols_[static_cast<std::size_t>(word.symbols.back())].count += count;
    }
    count_pairs(static_cast<int>(words_.size()) - 1, 1);
  }
}

int WordPieceLearner::symbol(const std::string& text, bool inside) {
  const auto [found, fresh] = ids_.emplace(written(text, inside), static_cast<int>(symbols_.size()));
  if (fresh) {
    symbols_.push_back({.text = text, .inside = inside});
    written_.push_back(found->first);
  }
  return found->second;
}

void WordPieceLearner::count_pairs(int index, long sign) {
  const Word& word = words_[static_cast<std::size_t>(index)];
  for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
    Pair& pair = pairs_[key_of(word.symbols[i], word.symbols[i + 1])];
    pair.count += sign * word.count;
    if (sign > 0 && (pair.words.empty() || pair.words.back() != index)) pair.words.push_back(index);
  }
}

// The beginning of a word that reads "##" could not be distinguished from the inside of one.
bool WordPieceLearner::may_join(const Symbol& a, const Symbol& b) const {
  return a.inside || !(a.text + b.text).starts_with(kInsideMark);
}

std::optional<WordPieceLearner::Key> WordPieceLearner::best() const {
  std::optional<Key> found;
  double most = 0;
  long count = 0;
  const auto texts = [&](Key key) { return std::tie(written_[first_of(key)], written_[second_of(key)]); };
  for (const auto& [key, pair] : pairs_) {
    if (pair.count <= 0) continue;
    const Symbol &a = symbols_[first_of(key)], &b = symbols_[second_of(key)];
    // Products of counts below 2^53 are exact, so that equal fractions are equal numbers.
    const double score =
        static_cast<double>(pair.count) / (static_cast<double>(a.count) * static_cast<double>(b.count));
    const auto rank = std::tie(score, pair.count);
    const auto ahead = std::tie(most, count);
    if (rank < ahead || (rank == ahead && found && texts(key) > texts(*found))) continue;
    if (!may_join(a, b)) continue;
    found = key;
    most = score;
    count = pair.count;
  }
  return found;
}

std::optional<WordPieceLearner::Joined> WordPieceLearner::join() {
  const std::optional<Key> key = best();
  if (!key) return std::nullopt;
  const Pair taken = pairs_[*key];
  const std::size_t a = first_of(*key), b = second_of(*key);
  Joined joined{.piece = {}, .count = taken.count, .score = 0, .fresh = false};
  joined.score = static_cast<double>(taken.count) /
                 (static_cast<double>(symbols_[a].count) * static_cast<double>(symbols_[b].count));
  const std::size_t before = symbols_.size();
  const int whole = symbol(symbols_[a].text + symbols_[b].text, symbols_[a].inside);
  joined.piece = written_[static_cast<std::size_t>(whole)];
  joined.fresh = symbols_.size() > before;

  for (const int index : taken.words) {
    Word& word = words_[static_cast<std::size_t>(index)];
    count_pairs(index, -1);
    std::vector<int> symbols;
    for (std::size_t i = 0; i < word.symbols.size(); ++i) {
      const bool here = i + 1 < word.symbols.size() && key_of(word.symbols[i], word.symbols[i + 1]) == *key;
      symbols.push_back(here ? whole : word.symbols[i]);
      if (!here) continue;
      symbols_[a].count -= word.count;
      symbols_[b].count -= word.count;
      symbols_[static_cast<std::size_t>(whole)].count += word.count;
      ++i;
    }
    word.symbols = std::move(symbols);
    count_pairs(index, 1);
  }
  // What overlaps itself (a a in "aaa") may be left over; where nothing is, the entry goes.
  std::erase_if(pairs_, [](const auto& entry) { return entry.second.count <= 0; });
  return joined;
}

}  // namespace glassformer
