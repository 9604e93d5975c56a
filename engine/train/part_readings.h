// What every head reads on average, and what a gradient says that muting a part would cost: one forward and
// one backward pass over sentence pairs.
#pragma once

#include <limits>
#include <vector>

#include "engine/model/what_if/ablation.h"

namespace glassformer {

// Of one head: means over the rows of weights that may see two keys or more (the first row of the decoder has
// no choice), and that read anything (a ReLU may leave a row empty). Shares are of a row's weight, 0 to 1,
// over those rows that see such a key; NaN where none does.
struct HeadReading {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double entropy = kNone;     // in nats
  double largest = kNone;     // share
  double same_place = kNone;  // key i of query i; of cross-attention the source's i
  double previous = kNone;    // key i - 1
  double next = kNone;        // key i + 1
  double same_word = kNone;   // other places with the query's own id; self-attention alone
  double bos = kNone, eos = kNone;
  int word = -1;              // the id that is most often the one of largest weight; ties to the lowest
  double word_share = kNone;  // of the rows in which it is
};

struct PartReading {
  // First-order estimate of what muting by 0 adds to the loss: minus the sum over places and columns of value
  // times d loss / d value (Michel et al. 2019 take its absolute value). The loss of each sentence is the
  // mean over its words, and the estimate is the mean over the sentences, as the loss changes of
  // head_report.h.
  double gradient = 0;
  HeadReading attention;  // of a sub-block: nothing
};

// Of every change of `parts`, mute_head and mute_sub_block everywhere (ablation.h). Pads count nowhere.
std::vector<PartReading> read_parts(const LossJob& job, const std::vector<Change>& parts);

}  // namespace glassformer
