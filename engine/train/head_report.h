// Which parts of a model matter: every head and every sub-block muted alone, and heads muted one after
// another ("Are Sixteen Heads Really Better than One?", Michel et al. 2019).
//
// Muting acts on a head's context, its k columns before W_O mixes the heads: behind W_O no column belongs to
// one head. All losses here are means over the pairs, a pair's over its own words, smoothed, the right words
// given; so the loss with a part muted is the model's loss and the change, added up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/what_if/ablation.h"
#include "engine/text/tokenizer.h"
#include "engine/train/part_readings.h"

namespace glassformer {

struct PartRow {
  Change part;                  // mute_head or mute_sub_block, by 0
  Difference by_zero, by_mean;  // loss change with its interval of 95 %; by_mean: its mean over the pairs
  // Changes when muted by 0. Exact match, 0 to 1: pairs whose every word is the likeliest, which are those
  // that greedy search writes word for word. BLEU of greedy search, 0 to 100; NaN without words,
  // and where the right answers are too short for it.
  double exact_match = 0, bleu = 0;
  PartReading reading;
};

// So many heads are muted by 0, this one the last.
struct PrunePoint {
  std::optional<Change> muted;  // nothing at the first: the unchanged model
  double loss = 0, exact_match = 0;
  Difference exact_change = {};  // of exact match, pair by pair, with its interval of 95 %
};

// How far a curve can be followed before exact match has fallen by more than `kPruneFall` below the model's.
inline constexpr double kPruneFall = 0.01;  // a point of a hundred
struct PruneReach {
  int muted = 0;     // heads: with each number of them up to here exact match has not fallen so far
  PrunePoint at;     // with so many
  double least = 0;  // exact match that the model's, less the fall, comes to
};
PruneReach prune_reach(const std::vector<PrunePoint>& curve);

struct HeadReport {
  int pairs = 0;
  double loss = 0, exact_match = 0, bleu = 0;  // of the unchanged model
  std::vector<PartRow> rows;                   // every head, then every sub-block
  // Heads muted from the least important on, a point more than heads. Stepwise: next goes the head whose loss
  // adds least to what is muted already. One-shot: in the order of `by_zero`, each measured alone. Ties go to
  // the first.
  std::vector<PrunePoint> stepwise, one_shot;
};

struct HeadReportJob {
  const Transformer<float>& model;
  const Batch& batch;  // of make_batch, at least one pair
  double smoothing = 0.1;
  // For BLEU: the target's words, and the right text of each pair. Null: no BLEU.
  const Tokenizer* words = nullptr;
  std::vector<std::string> references = {};
  WorkerPool* pool = nullptr;                              // never changes a result
  std::function<bool(long done, long all)> progress = {};  // passes over all pairs; false aborts
  // What is known so far, as often as a row or a point is: rows and curves that are not there yet come later.
  std::function<void(const HeadReport& so_far)> known = {};
};

// nullopt when `progress` gave up.
std::optional<HeadReport> head_report(const HeadReportJob& job);

}  // namespace glassformer
