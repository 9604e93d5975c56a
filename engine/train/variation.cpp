#include "engine/train/variation.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/layers/schedule.h"
#include "engine/math/error.h"
#include "engine/text/unicode.h"
#include "engine/train/run_command.h"

namespace glassformer {
namespace {

// Collects changed copies of one run.
class Variations {
 public:
  Variations(const Config& config, const TrainingOptions& training) : config_(config), training_(training) {}

  template <class Change>
  void add(const char* about, std::string name, std::string_view shows, const Change& change) {
    Variation one{about, std::move(name), std::string(shows), config_, training_};
    change(one);
    all_.push_back(std::move(one));
  }
  std::vector<Variation> take() { return std::move(all_); }

 private:
  const Config& config_;
  const TrainingOptions& training_;
  std::vector<Variation> all_;
};

void add_norm_place(Variations& all, const Config& config) {
  const bool post = config.norm == NormPlace::post;
  all.add("Layer norm", post ? "before each sublayer" : "after each residual sum",
          "Norm before the sublayers keeps the gradient even from the first step on; norm after them, as in "
          "the paper, needs the warm-up.",
          [post](Variation& v) {
            v.config.norm = post ? NormPlace::pre : NormPlace::post;
            v.config.final_norm = post;
          });
}

void add_norm_kinds(Variations& all, const Config& config) {
  for (const NormTraits& kind : kNormKinds) {
    if (kind.kind == config.norm_kind) continue;
    all.add("Kind of norm", std::string(kind.name), kind.shows,
            [&](Variation& v) { v.config.norm_kind = kind.kind; });
  }
}

void add_feed_forward_kinds(Variations& all, const Config& config) {
  for (const FeedForwardTraits& kind : kFeedForwardKinds) {
    if (kind.kind == config.feed_forward) continue;
    const int hidden = hidden_width_for(kind.kind, config.feed_forward, config.d_ff);
    all.add("Feed-forward", std::string(kind.name) + ", f " + std::to_string(hidden), kind.shows,
            [&](Variation& v) {
              v.config.feed_forward = kind.kind;
              v.config.d_ff = hidden;
            });
  }
}

void add_schedules(Variations& all, const Config& config, const TrainingOptions& training) {
  constexpr const char* kWarmUp =
      "Without warm-up the first steps are the largest, taken when Adam knows least about the gradient.";
  if (training.schedule != "constant" && training.warmup > 1)
    all.add("Warm-up", "none", kWarmUp, [](Variation& v) { v.training.warmup = 1; });
  const Schedule schedule{.kind = schedule_kind(training.schedule),
                          .factor = training.factor,
                          .warmup = training.warmup,
                          .peak = training.peak,
                          .d_model = config.d_model};
  const double peak = schedule.peak_rate();
  const bool ends = training.steps > 0 || training.epochs > 0 || training.total_steps > 0;
  for (const char* kind : {"noam", "constant", "linear", "cosine"}) {
    if (training.schedule == kind) continue;
    if (!ends && schedule_kind(kind) != ScheduleKind::constant && schedule_kind(kind) != ScheduleKind::noam)
      continue;
    all.add("Schedule", kind, "The same highest rate, reached and left in another way.", [&](Variation& v) {
      v.training.schedule = kind;
      v.training.peak = peak;
      v.training.factor = noam_factor(peak, config.d_model, training.warmup);
    });
  }
}

void add_positions(Variations& all, const Config& config) {
  for (const PositionTraits& kind : kPositionKinds) {
    if (kind.kind == config.positions || !fits_head(kind, config.head_width())) continue;
    all.add("Positions", std::string(kind.name), kind.shows,
            [&](Variation& v) { v.config.positions = kind.kind; });
  }
}

void add_scales(Variations& all, const Config& config) {
  const bool softmax = config.attention_activation == AttentionActivation::softmax;
  all.add("Scores", config.attention_scale ? "not divided by √k" : "divided by √k",
          softmax ? "Unscaled scores are large, the softmax puts nearly all on one word, and little gradient "
                    "comes through."
                  : "Unscaled scores are √k times as large, and with a ReLU the weights are so too.",
          [](Variation& v) { v.config.attention_scale = !v.config.attention_scale; });
  all.add("Attention weights", softmax ? "by ReLU" : "by softmax",
          softmax ? "Scores that are not above 0 get nothing, the others their share of the keys seen: no "
                    "weight grows at the cost of another, and a row need not add up to 1."
                  : "Shares of one whole: a word that is read more leaves the others less.",
          [softmax](Variation& v) {
            v.config.attention_activation =
                softmax ? AttentionActivation::relu : AttentionActivation::softmax;
          });
  all.add("Embeddings", config.scale_embeddings ? "not times √d" : "times √d",
          "Unscaled embeddings are small beside the positions that are added to them.",
          [](Variation& v) { v.config.scale_embeddings = !v.config.scale_embeddings; });
}

void add_heads(Variations& all, const Config& config) {
  for (const int heads : std::set<int>{1, config.heads / 2, config.heads * 2}) {
    const bool fits = heads >= 1 && config.d_model % heads == 0 && config.d_model / heads >= 2 &&
                      fits_head(position_traits(config.positions), config.d_model / heads);
    if (!fits || heads == config.heads) continue;
    all.add("Heads", std::to_string(heads),
            "The same number of weights, shared among more heads or fewer (paper, table 3, rows A).",
            [heads](Variation& v) { v.config.heads = heads; });
  }
}

void add_sharing(Variations& all, const Config& config) {
  constexpr std::pair<Sharing, const char*> kKinds[] = {{Sharing::none, "three matrices"},
                                                        {Sharing::output, "target and output one"}};
  for (const auto& [kind, name] : kKinds) {
    if (kind == config.sharing) continue;
    all.add("Embedding matrices", name, "Sharing them saves weights and lets each use teach the other.",
            [kind = kind](Variation& v) { v.config.sharing = kind; });
  }
}

// Padding on purpose, and each attention's mask of it.
void add_padding(Variations& all, const TrainingOptions& training) {
  constexpr int kPadding = 3;
  const std::string put_behind =
      training.extra_padding > 0 ? "" : std::to_string(kPadding) + " <pad> behind each sentence, ";
  const bool hidden_anyway = training.mask_future && !training.zero_after_softmax;
  const std::tuple<const char*, const char*, const char*> seen[] = {
      {"encoder", "encoder",
       "What a source sentence means then depends on how much padding stands behind it: a translation, which "
       "has none, is not what was learned."},
      {"decoder", "decoder’s own attention",
       hidden_anyway
           ? "As without padding, but for rounding and dropout: the causal mask hides from a word all that "
             "stands behind it, and the loss leaves the padding out."
           : "Words read, or count, what stands behind them in this run, and there stands the padding."},
      {"cross", "cross-attention", "The decoder then reads places that a translation does not have."}};
  if (training.extra_padding > 0) {
    all.add("Padding", "none", "Batches need none: sentences stand one after another.", [](Variation& v) {
      v.training.extra_padding = 0;
      v.training.unmasked_padding.clear();
    });
  }
  if (training.extra_padding == 0 || !training.unmasked_padding.empty())
    all.add("Padding", put_behind + "seen by nobody",
            "As without padding, but for rounding and dropout: no word sees it and the loss leaves it out.",
            [](Variation& v) {
              if (v.training.extra_padding == 0) v.training.extra_padding = kPadding;
              v.training.unmasked_padding.clear();
            });
  for (const auto& [name, words, shows] : seen) {
    if (training.unmasked_padding == name) continue;
    all.add("Padding", put_behind + "seen by the " + words, shows, [name = name](Variation& v) {
      if (v.training.extra_padding == 0) v.training.extra_padding = kPadding;
      v.training.unmasked_padding = name;
    });
  }
}

}  // namespace

TrainingOptions with_schedule(TrainingOptions training, const Schedule& schedule, int d_model) {
  training.schedule = schedule_name(schedule.kind);
  training.warmup = schedule.warmup;
  training.peak = schedule.peak;
  training.factor = schedule.factor * std::sqrt(static_cast<double>(d_model) / schedule.d_model);
  const bool ends = schedule.kind == ScheduleKind::linear || schedule.kind == ScheduleKind::cosine;
  training.total_steps = ends ? schedule.total_steps : 0;
  return training;
}

Variation variation_by(const Config& config, const TrainingOptions& training, std::string_view settings) {
  std::vector<std::string> options;
  std::string name;
  for (std::size_t at = 0; at <= settings.size();) {
    const std::size_t end = std::min(settings.find(',', at), settings.size());
    const std::vector<std::string> words = split_words(settings.substr(at, end - at));
    at = end + 1;
    if (words.empty()) continue;
    std::string option;
    for (const std::string& word : words) {
      const bool apart = !option.empty() && option.find('=') == std::string::npos && !word.starts_with('=');
      option += (apart ? "=" : "") + word;
    }
    name += (name.empty() ? "" : ", ") + option;
    options.push_back("--" + option);
  }
  Recipe changed = with_options({config, training, {}}, options);
  if (changed.config == config && changed.training == training)
    throw Error("variant", "these settings are the run's own");
  return {"Settings", name, "What differs comes from these settings together.", changed.config,
          changed.training};
}

std::vector<Variation> variations(const Config& config, const TrainingOptions& training) {
  Variations all(config, training);
  add_norm_place(all, config);
  add_norm_kinds(all, config);
  add_feed_forward_kinds(all, config);
  add_schedules(all, config, training);
  add_positions(all, config);
  add_scales(all, config);
  all.add("Mask of the future", training.mask_future ? "off while learning" : "on",
          "A decoder that sees the next word copies it: the training loss falls to its floor, and the "
          "translation is worthless.",
          [](Variation& v) { v.training.mask_future = !v.training.mask_future; });
  const bool softmax = config.attention_activation == AttentionActivation::softmax;
  all.add(softmax ? "Future hidden behind the softmax" : "Future hidden behind the ReLU",
          training.zero_after_softmax ? "off" : "on",
          softmax ? "Weights of 0 after the softmax: no word is seen, but rows add up to less than 1 and the "
                    "scores of hidden words still count. What translates later does not do so."
                  : "Weights of 0 after the ReLU: no word is seen, but each row is divided by all keys, the "
                    "hidden ones too. What translates later divides by those that are seen.",
          [](Variation& v) { v.training.zero_after_softmax = !v.training.zero_after_softmax; });
  all.add("Softmax before the loss", training.softmax_twice ? "once" : "twice",
          "A softmax of a softmax is nearly even: the training loss cannot fall near 0, and the gradients "
          "are small.",
          [](Variation& v) { v.training.softmax_twice = !v.training.softmax_twice; });
  add_padding(all, training);
  const bool smooth = training.smoothing > 0;
  all.add("Label smoothing", smooth ? "none" : "0.1",
          "Smoothing costs likelihood and gains caution; compare the words right, the losses are not alike.",
          [smooth](Variation& v) { v.training.smoothing = smooth ? 0 : 0.1; });
  const bool drops = config.dropout > 0 || config.attention_dropout > 0;
  all.add("Dropout", drops ? "none" : "0.1",
          "Without dropout the training loss leaves the validation behind.", [drops](Variation& v) {
            v.config.dropout = drops ? 0 : 0.1;
            v.config.attention_dropout = -1;
          });
  add_heads(all, config);
  add_sharing(all, config);
  all.add("Seed", "another", "What differs here is chance: no smaller difference means anything.",
          [](Variation& v) { ++v.training.seed; });
  return all.take();
}

}  // namespace glassformer
