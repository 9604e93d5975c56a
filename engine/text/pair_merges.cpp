#include "engine/text/pair_merges.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "engine/text/clean.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

struct MergedWord {
  std::vector<std::string> parts;
  long count = 0;
};
struct PairPlaces {
  long count = 0;
  std::vector<std::size_t> words;  // in which it is or was
};
using PairOf = std::pair<std::string, std::string>;
using PairTable = std::map<PairOf, PairPlaces>;

std::vector<std::string> letters_of(const std::string& word) {
  std::vector<std::string> letters = {std::string(kWordStart)};
  for (std::size_t i = 0; i < word.size();) append_utf8(letters.emplace_back(), next_code_point(word, i));
  return letters;
}

std::vector<std::string> with_pair_joined(const std::vector<std::string>& parts, const PairOf& pair) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool here = i + 1 < parts.size() && parts[i] == pair.first && parts[i + 1] == pair.second;
    joined.push_back(here ? parts[i] + parts[i + 1] : parts[i]);
    if (here) ++i;
  }
  return joined;
}

void count_pairs_of(const MergedWord& word, std::size_t index, long sign, PairTable& table) {
  for (std::size_t i = 0; i + 1 < word.parts.size(); ++i) {
    PairPlaces& pair = table[{word.parts[i], word.parts[i + 1]}];
    pair.count += sign * word.count;
    if (sign > 0 && (pair.words.empty() || pair.words.back() != index)) pair.words.push_back(index);
  }
}

// Of equal counts the one whose text comes first.
std::vector<CountedPair> most_frequent(const PairTable& table, std::size_t shown) {
  std::vector<PairTable::const_iterator> best;
  const auto ahead = [](PairTable::const_iterator a, PairTable::const_iterator b) {
    return std::tie(b->second.count, a->first) < std::tie(a->second.count, b->first);
  };
  for (auto each = table.begin(); each != table.end(); ++each) {
    if (each->second.count <= 0 || (best.size() == shown && !ahead(each, best.back()))) continue;
    best.insert(std::upper_bound(best.begin(), best.end(), each, ahead), each);
    if (best.size() > shown) best.pop_back();
  }
  std::vector<CountedPair> pairs;
  for (const auto& each : best) pairs.push_back({each->first.first, each->first.second, each->second.count});
  return pairs;
}

}  // namespace

PairMerges::PairMerges(const std::vector<std::string>& lines, int merges, std::size_t shown) {
  std::map<std::string, long> counts;
  for (const std::string& line : lines)
    for (std::string& word : split_words(cleaned(line))) ++counts[std::move(word)];
  std::vector<MergedWord> words;
  std::set<std::string> vocabulary;
  PairTable table;
  for (const auto& [text, count] : counts) {
    words.push_back({.parts = letters_of(text), .count = count});
    vocabulary.insert(words.back().parts.begin(), words.back().parts.end());
    letters_ += count * static_cast<long>(words.back().parts.size());
    count_pairs_of(words.back(), words.size() - 1, 1, table);
  }
  alphabet_ = static_cast<int>(vocabulary.size());

  long pieces = letters_;
  while (static_cast<int>(merges_.size()) < merges) {
    PairMerge merge{.pairs = most_frequent(table, std::max<std::size_t>(shown, 1))};
    if (merge.pairs.empty()) break;
    const PairOf pair{merge.pairs.front().first, merge.pairs.front().second};
    const std::vector<std::size_t> places = table[pair].words;
    for (const std::size_t index : places) {
      MergedWord& word = words[index];
      count_pairs_of(word, index, -1, table);
      const std::size_t before = word.parts.size();
      word.parts = with_pair_joined(word.parts, pair);
      pieces -= word.count * static_cast<long>(before - word.parts.size());
      count_pairs_of(word, index, 1, table);
    }
    std::erase_if(table, [](const auto& entry) { return entry.second.count <= 0; });
    vocabulary.insert(pair.first + pair.second);
    merge.pieces = pieces;
    merge.vocabulary = static_cast<int>(vocabulary.size());
    merges_.push_back(std::move(merge));
  }
}

std::vector<std::string> PairMerges::pieces_after(const std::string& word, int count) const {
  std::vector<std::string> parts = letters_of(word);
  const std::size_t most = std::min(merges_.size(), static_cast<std::size_t>(std::max(count, 0)));
  for (std::size_t k = 0; k < most; ++k)
    parts = with_pair_joined(parts, {merges_[k].pairs.front().first, merges_[k].pairs.front().second});
  return parts;
}

}  // namespace glassformer
