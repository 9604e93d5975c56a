// The search that the Decode view shows: made aside for its own width and penalty, whatever the Scene's
// decoding is, under the Scene's changes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "engine/decode/beam_record.h"
#include "engine/model/transformer.h"

namespace glassformer {

// What is searched, and how. The key keeps model and trace alive.
struct BeamKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};  // of the Scene: another one, other words or changes
  int width = 4;
  double alpha = 0.6;
  LengthPenalty penalty = LengthPenalty::paper;
  bool operator==(const BeamKey&) const = default;
};

struct BeamFound {
  BeamKey key;
  DecodeResult beam;    // with its record
  DecodeResult greedy;  // the most probable word at every step
  ScoredWords greedy_score;
  std::vector<int> right;                  // the known translation, with eos; empty: there is none
  std::optional<ScoredWords> right_score;  // nothing: the model cannot write so many words
  std::vector<int> forced;                 // what everything begins with

  const BeamRecord& record() const { return *beam.record; }
  int hypotheses() const { return static_cast<int>(beam.hypotheses.size()); }
};
using BeamCache = Background<BeamKey, BeamFound>;

DecodeOptions beam_options(const BeamKey& key);
BeamCache::Found beam_found(const ViewInput& input, BeamCache& cache, const BeamKey& wanted, bool at_once);

// The first step, from 0, at which the model's numbers are not finite behind some beginning; nothing: they
// are.
std::optional<int> not_finite_from(const BeamRecord& record);

// How the right translation fares against what was found.
enum class Verdict {
  none,          // nobody knows what is right
  found,         // the search found it
  search_error,  // it scores better than what was found
  model_error,   // the model prefers something else
};
// The known translation does not begin with what everything is forced to begin with.
bool ruled_out(const BeamFound& found);
Verdict verdict(const BeamFound& found);

}  // namespace glassformer
