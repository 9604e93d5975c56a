// How a training run is to go: everything that the command line and the training dialog can set.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace glassformer {

enum class Keep { best, last };  // which weights translate afterwards: the best validated, or the newest

// The learning rate of section 5.3 of the paper ("noam": rise for `warmup` steps, then fall as 1/sqrt(step))
// and its rivals; engine/layers/schedule.h has the formulas.
struct TrainingOptions {
  // When to stop: the first limit that is reached. 0 means no such limit; all 0 trains until stopped.
  long steps = 0;
  double epochs = 0;   // passes over the training pairs
  double minutes = 0;  // in steps and validations, over all sessions of the run

  int batch_tokens = 2048;        // most source + target tokens (eos counted) in a batch
  std::string schedule = "noam";  // "noam", "constant", "linear", "cosine"
  long warmup = 4000;             // steps of rising learning rate
  double factor = 1;              // noam
  double peak = 1e-3;             // constant, linear, cosine
  long total_steps = 0;    // linear, cosine: where the rate reaches 0; 0: where `steps` or `epochs` end
  double clip = 0;         // largest global L2 norm of the gradients; 0: as they come
  double smoothing = 0.1;  // label smoothing, 0 <= e < 1
  // false: while learning the decoder sees the words it is to write. An experiment: what translates later
  // cannot see them.
  bool mask_future = true;
  // Two classic mistakes, made on purpose while learning alone. The first hides the words to come by a weight
  // of 0 behind the softmax, so that rows no longer add up to 1; the second hands the loss what went through
  // a softmax already.
  bool zero_after_softmax = false, softmax_twice = false;
  // Batches need no padding here. So many <pad> put some behind every source and target of a batch all the
  // same (on top of batch_tokens; of a long sentence as many as max_length leaves room for); the loss leaves
  // them out. The attentions named ("encoder", "decoder", "cross", with commas or + between) learn without
  // their padding mask: another mistake on purpose. Of the decoder's own it changes nothing, since the causal
  // mask hides what is behind a word.
  int extra_padding = 0;
  std::string unmasked_padding;
  // Embeddings: which keep the numbers that they begin with ("source", "target", "source,target"; with a
  // shared matrix all that it serves), whether the row of <pad> stays 0, and whether rows begin with
  // deviation 1 instead of 1/sqrt(d).
  std::string freeze;
  bool zero_pad = false, unit_embeddings = false;
  std::uint64_t seed = 1;  // of the weights, the order of the data and the dropout

  long validate_every = 0;  // steps; 0: once an epoch, but at least every 1000 and at most every 100 steps
  int patience = 0;         // stop after so many validations without a better loss; 0: never
  Keep keep = Keep::best;
  int average = 1;  // validate and keep the mean of the weights of the last N validations
  int threads = 0;  // 0: all cores; never changes a result

  bool operator==(const TrainingOptions&) const = default;
};

// Throws Error naming the option, what is allowed and what was found.
void check(const TrainingOptions& options);

// By AttentionKind: whether it has its padding mask while learning. Throws Error as check() does.
std::array<bool, 3> padding_masks(const TrainingOptions& options);

nlohmann::json to_json(const TrainingOptions& options);
// Absent keys keep their defaults; unknown keys and wrong types throw Error.
TrainingOptions training_options_from_json(const nlohmann::json& json,
                                           const std::string& where = "training.json");

}  // namespace glassformer
