// What the decoder would write if it stopped early (the logit lens): the residual stream after each of its
// parts goes through the final norm, where the model has one, and through the output projection, as only
// the last one does in the pass itself (paper, section 3.4).
//
// In a pre-norm model every part adds straight to that stream, so the logit of a word is a sum of what each
// head, each feed-forward, the embedding and the biases give it. With a final norm its deviation is taken as
// it is: then the norm is linear. A post-norm model has a norm behind every sum, which no part passes whole.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/config.h"
#include "engine/model/trace.h"

namespace glassformer {

enum class LensPart { embedding, self_attention, cross_attention, feed_forward };

struct LensWord {
  int id = 0;
  double logit = 0;
};

// One place after one part.
struct LensCell {
  std::vector<LensWord> strongest;  // five of them, or all; best first, ties to the lower id
  double log_sum = 0;               // log of the sum of exp(logit) over the vocabulary
  LensWord written;                 // the word of target_out at this place
  int rank = 0;                     // of that word, from 1; ties to the lower id

  double log_probability(const LensWord& word) const { return word.logit - log_sum; }
  bool finite() const { return std::isfinite(log_sum); }  // else no word is the most probable
};

struct LensRow {
  LensPart part = LensPart::embedding;
  int layer = 0;                // from 0; of the embedding 0
  std::string name;             // of the value in the Trace that is read
  std::vector<LensCell> cells;  // L_target, one a place
};

// The logit of the written word at one place, taken apart. Pre-norm alone.
struct LogitShares {
  // As LogitLens::rows. An attention: H shares, a head each; a feed-forward (its biases in it) and the
  // embedding: one.
  std::vector<std::vector<double>> parts;
  double biases = 0;  // of the attentions' output projections, the final norm's shift and the word's own
  double rest = 0;    // what is left of the logit: rounding, and what a what-if did to a sum
  double logit = 0;   // of the Trace: all of these together

  double of_row(std::size_t row) const;  // its shares together
};

struct LogitLens {
  std::vector<LensRow> rows;  // 1 + 3 N_d: embedding, then three a layer; the last is the model's output
  std::vector<LogitShares> shares;  // L_target; empty: the model is post-norm

  int places() const { return rows.empty() ? 0 : static_cast<int>(rows.front().cells.size()); }
  // The first row from which on the most probable word stays the written one; nothing: it is not at the end,
  // or the numbers there are not finite.
  std::optional<int> settled(int place) const;
};

// Of the values that the model keeps after each part of its decoder, in order: what the rows are called.
std::vector<LensRow> lens_rows(const Config& config);

// Of a sentence of the Trace, which this model recorded (with what-ifs or without). Takes
// (1 + 3 N_d) L_target d V_t multiplications. Throws Error for a sentence that is not there.
LogitLens logit_lens(const Transformer<float>& model, const Trace& trace, int sentence = 0);

}  // namespace glassformer
