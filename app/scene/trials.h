// Settings that are tried one after another: what each trial is, and how far they are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/model/config.h"
#include "engine/text/data.h"
#include "engine/train/options.h"

namespace glassformer {

// One training among them, a run like any other.
struct Trial {
  std::string name;  // "heads 2, seed 1"
  Config config;
  DataOptions data;
  TrainingOptions training;
};

struct TrialsState {
  std::size_t all = 0, over = 0;  // of the runs, begun by the last TrySettings
  struct Learning {
    std::size_t number = 1;  // "3 of 9"
    std::string name;
    bool preparing = true;
    long step = 0, steps = 0;
  };
  std::vector<Learning> now;          // those that learn
  std::vector<std::string> problems;  // a sentence for each that did not come to its end
  bool cancelled = false;

  bool under_way() const { return !now.empty() || (over < all && !cancelled); }
};

// "3 of 9: heads 2, seed 1, step 400 of 2 000"; empty: none was ever begun.
std::string trials_in_words(const TrialsState& state);

}  // namespace glassformer
