#include "engine/train/presets.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/math/error.h"

namespace glassformer {
namespace {

constexpr std::array<Preset, 7> kPresets = {{
    {"nano", "one layer, two heads: small enough to follow every number", 32, 2, 64, 1, 0.0},
    {"tiny", "learns a toy task in under a minute", 64, 4, 256, 2, 0.1},
    {"quick", "as tiny, but what the program makes itself is right sooner: LayerNorm first, a high rate", 64,
     4, 256, 2, 0.1, false, true},
    {"small", "learns the English-French grammar in minutes", 128, 4, 512, 3, 0.1},
    {"medium", "for some ten thousand real sentence pairs", 256, 8, 1024, 3, 0.1},
    {"base", "the base model of the paper", 512, 8, 2048, 6, 0.1},
    {"multi30k", "for some ten thousand pairs of short sentences: half an hour on two cores", 128, 4, 512, 3,
     0.2, true},
}};

// So many steps at least, however few the sentences are, in batches of a tenth of them at most; the warm-up
// is over after an eighth of the way, at the same highest rate.
void fit_to(long pass_tokens, TrainingOptions& options) {
  constexpr long kFewestSteps = 2000, kFewestBatches = 10;
  constexpr int kSmallestBatch = 500;
  const auto batch = static_cast<int>(std::min<long>(pass_tokens / kFewestBatches, options.batch_tokens));
  options.batch_tokens = std::max(batch, kSmallestBatch) / 100 * 100;
  long steps =
      std::lround(options.epochs * std::ceil(static_cast<double>(pass_tokens) / options.batch_tokens));
  if (steps < kFewestSteps) {
    steps = options.steps = kFewestSteps;
    options.epochs = 0;
  }
  fit_warmup(steps, options);
}

}  // namespace

void fit_warmup(long steps, TrainingOptions& options) {
  const double before = static_cast<double>(options.warmup);
  options.warmup = std::min(options.warmup, std::max(1L, steps / 8));
  if (options.schedule == "noam") options.factor *= std::sqrt(static_cast<double>(options.warmup) / before);
}

std::span<const Preset> presets() {
  return kPresets;
}

const Preset& preset(std::string_view name) {
  std::string names;
  for (const Preset& known : kPresets) {
    if (known.name == name) return known;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  throw Error("preset", "\"" + std::string(name) + "\" is not known; choose one of " + names);
}

Config with_preset(Config config, const Preset& preset) {
  config.d_model = preset.d_model;
  config.heads = preset.heads;
  config.d_ff = preset.d_ff;
  config.encoder_layers = config.decoder_layers = preset.layers;
  config.dropout = preset.dropout;
  if (preset.for_text) {
    config.norm = NormPlace::pre;
    config.final_norm = true;
    config.sharing = Sharing::all;
  }
  return config;
}

Config suggested_config(std::string_view data, const Preset& preset) {
  Config config = with_preset({}, preset);
  if (data != "corpus") config.dropout = 0;
  if (data != "corpus" && preset.quick) {
    config.norm = NormPlace::pre;
    config.final_norm = true;
    if (data == "grammar" || data == "add") config.positions = PositionKind::rotary;
  }
  return config;
}

TrainingOptions suggested_options(std::string_view data, const Config& config, const Preset& preset,
                                  long pass_tokens) {
  TrainingOptions options;
  const double width = std::sqrt(64.0 / config.d_model);  // wider models want smaller steps
  if (data == "corpus") {
    options.factor = 2;
    options.warmup = 1000;
    options.batch_tokens = 3000;
    options.epochs = 30;
    options.patience = 5;
    if (preset.for_text) {
      options.batch_tokens = 2000;
      options.schedule = "cosine";
      options.peak = 0.004;
      options.warmup = 1000;
      options.epochs = 20;
      options.patience = 0;
      // Means of steps near each other: far from the end, older weights would hold them back.
      options.average = 5;
      options.validate_every = 250;
    }
    if (pass_tokens > 0) fit_to(pass_tokens, options);
    return options;
  }
  options.schedule = "cosine";
  options.peak = 3e-3 * width;
  if (data == "grammar" && preset.quick) {
    options.peak = 6e-3 * width;
    options.batch_tokens = 1024;
    options.warmup = 100;
    options.steps = 13000;
    options.validate_every = 200;
    options.average = 3;
    return options;
  }
  if (data == "grammar") {
    options.batch_tokens = 2048;
    options.warmup = 400;
    options.steps = 6000;
    options.validate_every = 500;
    return options;
  }
  // A task has one right answer: no probability is set aside for others.
  options.smoothing = 0;
  options.clip = 1;
  options.warmup = 300;
  options.batch_tokens = 1024;
  options.steps = data == "add" ? 6000 : 2000;
  options.validate_every = 200;
  if (preset.quick) {  // above 4e-3 sort and add end short of 100 % with some seeds
    options.peak = (data == "copy" || data == "reverse" ? 8e-3 : 4e-3) * width;
    options.warmup = 100;
    options.steps = data == "add" ? 4000 : 1000;
    options.validate_every = 100;
  }
  return options;
}

bool learn_quickly(std::string_view data, Config& config, TrainingOptions& training) {
  TrainingOptions usual = suggested_options(data, config, preset("tiny"));
  usual.steps = training.steps;
  usual.seed = training.seed;
  usual.threads = training.threads;
  const Preset& quick = preset("quick");
  const bool of_paper = config.norm == NormPlace::post && config.positions == PositionKind::sinusoidal;
  const bool larger = config.d_model > quick.d_model || config.d_ff > quick.d_ff ||
                      std::max(config.encoder_layers, config.decoder_layers) > quick.layers;
  if (data == "corpus" || !of_paper || larger || !(training == usual)) return false;
  const Config wanted = suggested_config(data, quick);
  config.norm = wanted.norm;
  config.final_norm = wanted.final_norm;
  config.positions = wanted.positions;
  training = suggested_options(data, config, quick);
  training.seed = usual.seed;
  training.threads = usual.threads;
  return true;
}

TrainingOptions suggested_recurrent_options(TrainingOptions suggested) {
  constexpr double kTimesPeak = 5.0 / 3;  // in the race of both kinds each has a rate that it learns well at
  suggested.clip = 1;
  if (suggested.schedule == "cosine") suggested.peak *= kTimesPeak;
  return suggested;
}

}  // namespace glassformer
