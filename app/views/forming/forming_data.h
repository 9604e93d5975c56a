// One sentence read by a model at several steps of its training: what the small multiples of a head show.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/views/common/view.h"

namespace glassformer {

// Which of the kept steps tell the story: 0 and the newest, and between them quarters of quarters, as far as
// they differ. The one that is looked back at takes the place of its neighbour on the training slider.
History::Kept forming_steps(const ViewInput& input, int count);

struct FormingKey {
  std::vector<int> source, target;  // ids, without bos and eos
  bool own_words = false;           // `target` is empty: the newest of the steps writes it
  double smoothing = 0;
  History::Kept steps;
  bool operator==(const FormingKey&) const = default;
};

// Given the same words at every step, so that all tables have the same rows.
struct FormingTraces {
  std::vector<int> source, target;
  History::Kept steps;                              // whose weights read them
  std::map<long, std::shared_ptr<const Trace>> at;  // by step
};

using FormingCache = Background<FormingKey, FormingTraces>;

// What is asked for: the words that the model is given now, whatever step is looked at; `before` knows them.
FormingKey forming_key(const ViewInput& input, int count, const FormingTraces* before);
// Reads them, taking over from `before` what it has of the same words. Throws Error when kept weights are
// gone.
FormingTraces trace_steps(const FormingKey& key, const FormingTraces* before);

// What the rows and the columns of its tables stand for.
struct AxisWords {
  std::vector<std::string> queries, keys;
};
AxisWords axis_words(const ViewInput& input, const FormingTraces& traces, AttentionKind kind);
std::string head_name(int head);  // "head 2"; -1: "mean of all heads"

}  // namespace glassformer
