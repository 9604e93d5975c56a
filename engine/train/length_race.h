// How well sentences of each length are written: what one vector cannot hold shows here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/snapshot.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/text/data.h"
#include "engine/train/trainer.h"

namespace glassformer {

// Of the pairs whose source has so many words (tokens, eos not counted).
struct LengthScore {
  int words = 0;
  long pairs = 0;
  long right = 0;        // written as the target is, to the end
  double share() const;  // 0 to 1; NaN without pairs
};

// A score for each length from 1 to that of the longest source, those without pairs too. `written`: what any
// decoder wrote for each pair, eos included when it was reached (DecodeResult::ids); what has not ended is
// not right. Pairs with an empty source count nowhere. Throws Error when there are not as many as pairs.
std::vector<LengthScore> length_scores(std::span<const EncodedPair> pairs,
                                       std::span<const std::vector<int>> written, int eos_id);

// Three models that learn one task on the same batches: a recurrent one that hands one vector from its
// encoder to its decoder, the same with additive attention, and a Transformer. How well each writes sentences
// of each length shows what one vector cannot hold (Cho et al. 2014 b, figure 4; Bahdanau et al. 2015, figure
// 2), and how many words each learns from in a second what a step that waits for the one before costs.
//
// A LengthRace belongs to one thread, and lives in memory; what it gives out may leave it.
//
//   while (race.step())
//     if (...) race.score();

enum class Racer { one_vector, attention, transformer };
inline constexpr int kRacers = 3;

struct LengthRaceOptions {
  std::string task = "reverse";        // "copy", "reverse" or "recall"
  int longest = 20;                    // letters of a sentence, of recall the sentences in between;
                                       // all lengths from shortest() on are as frequent
  int symbols = 10;                    // different letters; no meaning for recall
  long pairs = 20000;                  // made; a tenth, at most 1 000, is held out
  int width = 64;                      // d of all three; race_width() is where the three part
  long steps = 1200;                   // of each
  std::uint64_t seed = 1;              // of data, weights and order
  int threads = 0;                     // 0: all cores; changes no result but times
  int shortest() const;                // 1, of recall 0
  int source_words(int length) const;  // of a sentence of that length, eos not counted
  int target_words(int length) const;
  bool operator==(const LengthRaceOptions&) const = default;
};
// A width at which the three part on this task: measured on recall with 1 200 steps and 16 numbers, one
// vector writes 50 % (seed 1) and 86 % (seed 2) right, the other two all; with 64 all three write all after
// 400.
int race_width(const std::string& task);
// Throws Error naming the option, what is allowed and what was found.
void check(const LengthRaceOptions& options);

// One of the three, so far.
struct RacerState {
  long step = 0;
  double loss = 0;  // of the last step's batch
  std::vector<double> losses;
  std::size_t parameters = 0;
  double tokens_per_s = 0;  // source and target, over all of its steps
  // Of the held-out pairs, from shortest() to longest, `words` being the length in its own measure; empty:
  // not scored yet.
  std::vector<LengthScore> scores;
  long scored_at = -1;  // the step of these scores
};

class LengthRace {
 public:
  // Makes the data. Throws Error as check() does.
  explicit LengthRace(const LengthRaceOptions& options);

  // One step of each, one after the other: each has all cores for its own. False: the race was over, or one
  // of them diverged, and nothing was done.
  bool step();
  // Writes every held-out sentence by each (greedily). `keep_going` is asked meanwhile; false: it was given
  // up and the scores are those of before.
  bool score(const std::function<bool()>& keep_going = {});

  const LengthRaceOptions& options() const { return options_; }
  const RacerState& state(Racer racer) const { return states_[static_cast<std::size_t>(racer)]; }
  // Steps of one sentence of the longest kind that each wait for the one before while it is learned: a state
  // a word of both sides and layer, or the Transformer's layers, each of which does all words at once.
  int steps_in_a_row(Racer racer) const;
  long held_out() const { return static_cast<long>(data_->validation.size()); }
  const TrainingSet& data() const { return *data_; }
  std::shared_ptr<const TrainingSet> shared_data() const { return data_; }

  // Copies of the current weights.
  std::shared_ptr<const RecurrentModel<float>> recurrent(Racer racer) const;  // one_vector or attention
  std::shared_ptr<const Snapshot> transformer() const { return transformer_.snapshot(); }

 private:
  void note(Racer racer, const StepReport& report, double seconds);

  LengthRaceOptions options_;
  std::shared_ptr<const TrainingSet> data_;
  WorkerPool pool_;  // for writing
  RecurrentTrainer one_vector_, attention_;
  Trainer transformer_;
  std::array<RacerState, kRacers> states_;
  std::array<long, kRacers> tokens_ = {};
  std::array<double, kRacers> seconds_ = {};
};

}  // namespace glassformer
