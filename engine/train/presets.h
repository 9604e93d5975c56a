// Ready-made model sizes, and the training options that suit a size and a kind of data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/model/config.h"
#include "engine/train/options.h"

namespace glassformer {

struct Preset {
  std::string_view name;
  std::string_view note;  // "trains in seconds; one head for each of two jobs"
  int d_model = 64, heads = 4, d_ff = 256, layers = 2;
  double dropout = 0.1;
  // For real sentences: LayerNorm before each block, one vocabulary and one embedding for both languages.
  bool for_text = false;
  // What the program makes itself is right sooner: a higher rate, which LayerNorm before each block stands,
  // after a short warm-up; for the grammar and for sums also rotary positions, for the grammar small batches
  // and means of the last weights.
  bool quick = false;
};

std::span<const Preset> presets();                        // nano, tiny, quick, small, medium, base, multi30k
const Preset& preset(std::string_view name);              // throws Error that lists the names
Config with_preset(Config config, const Preset& preset);  // sets what the preset says, keeps the rest

// The preset for `data`, named as below. What the program makes itself, tasks and grammar, is learned without
// dropout: there is no end of pairs, so none is learned by heart.
Config suggested_config(std::string_view data, const Preset& preset);

// Schedule, warm-up, batch size and length of run that suit a model of this width on `data`: a task's name
// (toy_tasks.h), "grammar" or "corpus". `pass_tokens`: source and target tokens
// of one pass over a corpus, 0 when they are not known; a small one is learned in smaller batches and more
// passes.
TrainingOptions suggested_options(std::string_view data, const Config& config, const Preset& preset,
                                  long pass_tokens = 0);

// Where the model has the paper's norm and positions and is no larger than "tiny", and `training` is what is
// suggested for it on `data` that the program makes itself, in any number of steps: both become those of
// "quick", its steps too, sizes, seed and threads as they are, and true is returned.
bool learn_quickly(std::string_view data, Config& config, TrainingOptions& training);

// What suits a recurrent model of that width: gradients through time are clipped.
TrainingOptions suggested_recurrent_options(TrainingOptions suggested);

// Of a run so short the warm-up is over after an eighth of the way, at the same highest rate.
void fit_warmup(long steps, TrainingOptions& options);

}  // namespace glassformer
