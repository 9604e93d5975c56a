// A batch of sentence pairs, packed: the tokens of all sentences are one after another, a row each, and an
// offset per sentence says where it begins. No padding is computed. Pad tokens may still be in a sentence,
// as they do in the Masks view and in the numeric fixtures: then they are rows like any other that nobody
// attends to.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/layers/embedding.h"
#include "engine/model/config.h"

namespace glassformer {

// Token ids of B sentences. Memory is kept by clear().
class PackedIds {
 public:
  void clear();
  void add(std::span<const int> sentence);

  int sentences() const { return static_cast<int>(offsets_.size()) - 1; }
  int tokens() const { return static_cast<int>(ids_.size()); }  // N
  int begin(int sentence) const { return offsets_[static_cast<size_t>(sentence)]; }
  int length(int sentence) const { return begin(sentence + 1) - begin(sentence); }
  int longest() const;
  int id(int token) const { return ids_[static_cast<size_t>(token)]; }
  std::span<const int> ids() const { return ids_; }
  std::span<const int> sentence(int index) const;
  int padding_at_end(int index, int pad_id) const;  // pad tokens behind its last word
  bool contains(int id) const;
  // Of each token, 1 where it is padding; the first of a sentence never is where that is what it starts with.
  std::vector<std::uint8_t> padding(int pad_id, bool starts_with_pad) const;

 private:
  std::vector<int> ids_;            // N
  std::vector<int> offsets_ = {0};  // B + 1
};

// Who sees whom, and where everybody is.
struct BatchRules {
  bool mask_causal = true;     // a target token sees only itself and what is before it
  bool zero_hidden = false;    // mask_causal sets weights to 0 behind the softmax: a mistake, to be looked at
  bool softmax_twice = false;  // the loss takes the softmax of the softmax: another one
  std::array<bool, 3> mask_padding = {true, true, true};  // by AttentionKind: nobody sees a pad token
  GivenPositions source_positions, target_positions;
};

struct Batch {
  PackedIds source;      // x1 .. xm, eos where the model wants it
  PackedIds target_in;   // bos, y1 .. yn
  PackedIds target_out;  // y1 .. yn, eos
  BatchRules rules;

  int sentences() const { return source.sentences(); }
  int tokens() const { return source.tokens() + target_in.tokens(); }
  int target_words(int pad_id) const;  // target_out tokens that are not padding: what the loss is a mean over
  int padding(int pad_id) const;       // source and target_in tokens that are
};

// Throw Error: on an id outside a vocabulary and a sentence that is too long; on unequal counts.
void check_ids(const Batch& batch, int source_vocab, int target_vocab, int max_length);
void check_pairs(const Batch& batch);

// A source as the model reads it: bos before its words and eos behind them, where the model has them.
template <class Configuration>
std::vector<int> source_row(std::span<const int> words, const Configuration& config) {
  std::vector<int> row;
  row.reserve(words.size() + 2);
  if (config.source_bos) row.push_back(config.bos_id);
  row.insert(row.end(), words.begin(), words.end());
  if (config.source_eos) row.push_back(config.eos_id);
  return row;
}

// Such a row's words alone.
template <class Configuration>
std::vector<int> source_words(std::span<const int> row, const Configuration& config) {
  if (config.source_bos && !row.empty() && row.front() == config.bos_id) row = row.subspan(1);
  if (config.source_eos && !row.empty() && row.back() == config.eos_id) row = row.first(row.size() - 1);
  return {row.begin(), row.end()};
}

// Teacher forcing from bare ids (no bos, no eos): adds the start id, eos, and what the source has.
// Throws Error on an id outside the vocabulary, on a sentence longer than max_length and on unequal counts.
Batch make_batch(std::span<const std::vector<int>> sources, std::span<const std::vector<int>> targets,
                 const Config& config);

// From rows that are complete as given (target_in and target_out of equal lengths); the same errors.
Batch make_raw_batch(std::span<const std::vector<int>> sources, std::span<const std::vector<int>> target_in,
                     std::span<const std::vector<int>> target_out, const Config& config);

// The same rows, all of the longest one's length: pad tokens are behind the shorter ones.
std::vector<std::vector<int>> filled_up(std::vector<std::vector<int>> rows, int pad_id);
// Puts so many pad tokens behind every sentence, of a long one as many as max_length leaves room for.
Batch with_trailing_padding(const Batch& batch, int count, const Config& config);
// Takes the pad tokens off the end of every sentence.
Batch without_trailing_padding(const Batch& batch, int pad_id);

}  // namespace glassformer
