// What a beam search looked at and what it chose: every continuation of every step, what became of
// it, the finished sentences with their scores, and why the search ended.
//
// "Attention Is All You Need", section 6.1: beam 4, alpha 0.6; the penalty is that of Wu et al. 2016.
#pragma once

#include <optional>
#include <vector>

#include "engine/decode/decode.h"

namespace glassformer {

enum class BeamFate {
  kept,      // one of the K beginnings of the next step
  finished,  // eos, among the best K continuations
  cut,       // others were better
};

// One word behind one beginning.
struct BeamNode {
  int parent = -1;  // in the step before, an index into `considered`; -1: nothing was written before
  int id = 0;
  double log_probability = 0;  // of this word
  double total = 0;            // of all words up to it
  BeamFate fate = BeamFate::cut;
};

// Some of a beginning's continuations.
struct BeamBeginning {
  int node = -1;               // in the step before; -1: nothing was written before
  std::vector<Candidate> top;  // best first: 2 K or DecodeOptions::alternatives, whichever is more
};

struct BeamStep {
  // Best total first, what is not a number last: the rank is the index.
  std::vector<BeamNode> considered;
  std::vector<BeamBeginning> beginnings;
};

// Where a node is in the record; steps count from 0.
struct BeamPlace {
  int step = 0, node = 0;
  bool operator==(const BeamPlace&) const = default;
};

struct BeamFinish {
  BeamPlace place;  // of its last word
  double total = 0;
  int words = 0;       // eos counts
  double penalty = 1;  // score = total / penalty
  double score = 0;
  bool ended = false;  // with eos; else it was cut off and competes too
};

enum class BeamEnd {
  beaten,         // nothing alive could still beat the worst of K finished ones
  nothing_alive,  // every beginning has ended
  full_length,    // no more words fit
  stopped,        // by whoever asked for it
};

struct BeamRecord {
  std::vector<BeamStep> steps;
  std::vector<BeamFinish> finished;  // best first, all that ever finished: the first K are the hypotheses
  BeamEnd end = BeamEnd::full_length;
  // Where it was beaten: the score the best of the living would have with the longest sentence and no more
  // loss, and the worst of the K finished ones.
  double bound = 0, worst = 0;

  const BeamNode& at(BeamPlace place) const;
  std::optional<BeamPlace> before(BeamPlace place) const;  // nothing: it is a first word
  std::vector<int> words(BeamPlace place) const;           // ids from the first on
  // The considered node that these words lead to, of kept and finished ones alone; nothing: there is none.
  std::optional<BeamPlace> find(const std::vector<int>& words) const;
};

// Given words under a model, scored as a search would.
struct ScoredWords {
  std::vector<double> log_probabilities;  // of each word, given those before it
  double total = 0;
  double penalty = 1;
  double score = 0;
};

// `words` with eos where the model writes it. Nothing is forced but the words themselves. Nothing comes back
// when the model cannot write so many.
template <class Scalar>
std::optional<ScoredWords> score_words(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                                       const std::vector<int>& words, const DecodeOptions& options);

}  // namespace glassformer
