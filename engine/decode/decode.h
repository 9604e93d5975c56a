// From a source sentence to a translation: what is asked for and what comes back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/model/what_if/changed_model.h"

namespace glassformer {

class WorkerPool;

enum class Search { greedy, beam, sampling };

// Of n words (eos counts).
double length_penalty(LengthPenalty form, int words, double alpha);
// For a model that has this form: the paper's, or that of a mean over the words.
constexpr double usual_alpha(LengthPenalty of_model) {
  return of_model == LengthPenalty::length ? 1.0 : 0.6;
}

struct DecodeOptions {
  Search search = Search::greedy;
  int beam = 4;        // K hypotheses
  double alpha = 0.6;  // of the length penalty
  LengthPenalty penalty = LengthPenalty::paper;
  bool record = false;         // beam: note down every continuation (DecodeResult::record)
  int max_length = 0;          // bos counts; 0: the model's own
  double temperature = 1.0;    // sampling
  int top_k = 0;               // sampling: 0 keeps all
  double top_p = 1.0;          // sampling: nucleus
  std::uint64_t seed = 1;      // sampling
  int alternatives = 8;        // how many candidates each step records
  std::vector<int> forced;     // a prefix the output must begin with
  WorkerPool* pool = nullptr;  // shares out the sentences; never changes a result

  bool operator==(const DecodeOptions&) const = default;
};

struct Candidate {
  int id = 0;
  double log_probability = 0;
};

// What one step of greedy search or sampling chose from.
struct DecodeStep {
  int id = 0;                  // the token taken
  double log_probability = 0;  // of the token taken
  std::vector<Candidate> top;  // best first
};

struct Hypothesis {
  std::vector<int> ids;  // eos included when reached, bos not
  double score = 0;      // sum of log-probabilities / length penalty
};

struct BeamRecord;  // engine/decode/beam_record.h

struct DecodeResult {
  std::vector<int> ids;                      // eos included when reached, bos not
  std::vector<double> log_probabilities;     // of each id
  std::vector<DecodeStep> steps;             // of the returned ids (beam: along the best hypothesis)
  std::vector<Hypothesis> hypotheses;        // beam only, best first
  double score = 0;                          // beam: penalised; else the sum of log-probabilities
  std::shared_ptr<const BeamRecord> record;  // beam, where it was asked for; else null
};

template <class Scalar>
class Transformer;
template <class Scalar>
class ChangedModel;

// One result per source (ids, eos included where the model wants it). Throws Error on an id outside the
// vocabulary or a sentence longer than max_length. `keep_going` is asked between steps, with a pool from any
// of its threads; false ends early with what there is. None of the model's forbidden_ids is written, unless
// it is forced.
template <class Scalar>
std::vector<DecodeResult> decode(const Transformer<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going = {});

// With changes in force (engine/model/what_if). One that names a place speaks of the first sentence; where
// `options` force no words, those of a change are forced.
template <class Scalar>
std::vector<DecodeResult> decode(const ChangedModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going = {});

// A translation written without help: the decoder reads its own words. Teacher forcing, as in training, reads
// the right ones instead; beside each other they show what a mistake costs.

struct FreeRun {
  std::vector<int> ids;  // the most probable word at every place, eos included when reached, bos not
  std::vector<double> log_probabilities;  // of each
  // Of the right word of each place, after the words written before it; as many as there are of both.
  std::vector<double> right_log_probabilities;
};

// `right`: the known translation, eos included where the model writes it. A forced beginning is obeyed.
// Throws Error on a right word outside the vocabulary and on a source that is too long.
template <class Scalar>
FreeRun run_free(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                 const std::vector<int>& right);

}  // namespace glassformer
