#include "engine/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "engine/math/error.h"
#include "engine/model/training_pass.h"
#include "engine/train/trainer_limits.h"
#include "engine/train/trainer_looks.h"
#include "engine/train/trainer_saving.h"
#include "engine/train/trainer_state.h"
#include "engine/train/trainer_validation.h"

namespace glassformer {
namespace {

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

template <class AnyConfig>
void check_pairs(const std::vector<EncodedPair>& pairs, const AnyConfig& config, const std::string& what) {
  const auto check_side = [&](const std::vector<int>& ids, int specials, int vocabulary,
                              const std::string& side) {
    const auto longest = static_cast<std::size_t>(config.max_length - specials);
    if (ids.size() > longest)
      throw Error(what, "a " + side + " sentence has " + std::to_string(ids.size()) +
                            " tokens, but max_length leaves room for " + std::to_string(longest) +
                            "; raise max_length or leave long sentences out");
    for (const int id : ids)
      if (id < 0 || id >= vocabulary)
        throw Error(what, "the id " + std::to_string(id) + " of a " + side +
                              " sentence is outside the vocabulary of " + std::to_string(vocabulary) +
                              "; encode the data with this model's tokenizers");
  };
  for (const EncodedPair& pair : pairs) {
    check_side(pair.source, config.source_specials(), config.source_vocab, "source");
    check_side(pair.target, 1, config.target_vocab, "target");
    if (pair.source.empty() && config.source_specials() == 0)
      throw Error(what, "a source sentence is empty and the model adds nothing to it; leave empty lines out");
  }
}

Schedule schedule_of(const TrainingOptions& options, int width, long batches_per_epoch) {
  Schedule schedule;
  schedule.kind = schedule_kind(options.schedule);
  schedule.factor = options.factor;
  schedule.warmup = options.warmup;
  schedule.peak = options.peak;
  schedule.total_steps = options.total_steps;
  if (schedule.total_steps == 0) schedule.total_steps = options.steps;
  if (schedule.total_steps == 0)
    schedule.total_steps = std::lround(options.epochs * static_cast<double>(batches_per_epoch));
  schedule.d_model = width;
  check(schedule);
  return schedule;
}

// Of a recurrent model a whole tensor, as its runs have always rounded the sum of the squares.
template <class Model>
std::size_t tile_size() {
  return kIsTransformer<Model> ? Optimizer<float>::kTileSize : std::numeric_limits<std::size_t>::max();
}

template <class Model>
void check_kind(const TrainingOptions& options) {
  if (kIsTransformer<Model>) return;
  if (!options.mask_future)
    throw Error("training", "mask_future must be true: a recurrent decoder cannot see the words to come");
  if (options.zero_after_softmax || options.softmax_twice || options.extra_padding > 0 ||
      !options.freeze.empty() || options.zero_pad || options.unit_embeddings)
    throw Error("training",
                "zero_after_softmax, softmax_twice, extra_padding, freeze, zero_pad and unit_embeddings are "
                "for Transformers alone");
}

template <class Model>
void check_live(const LiveSettings& settings) {
  check(settings);
  if (!kIsTransformer<Model> && settings.dropout != 0)
    throw Error("training",
                "a recurrent model has no dropout, found " + nlohmann::json(settings.dropout).dump());
}

}  // namespace

TrainingSet training_set(const PreparedData& data, const DataOptions& options) {
  return {.name = data.report.name,
          .origin = options,
          .tokenizers = data.tokenizers,
          .training = data.training.encoded,
          .validation = data.validation.encoded,
          .validation_text = data.validation.pairs,
          .source_vectors = data.source_vectors,
          .target_vectors = data.target_vectors};
}

template <class Model>
TrainerState<Model>::TrainerState(std::shared_ptr<const TrainingSet> set, const ConfigOf<Model>& model,
                                  const TrainingOptions& plan_of_run)
    : data(std::move(set)),
      config(model),
      options(plan_of_run),
      pool(thread_count(options.threads)),
      weights(config),
      gradient(config),
      first_moment(config),
      second_moment(config),
      optimizer(weights, gradient, first_moment, second_moment, tile_size<Model>()) {
  check(options);
  check_kind<Model>(options);
  if (data->training.empty())
    throw Error("training", "there is no sentence pair to learn from; give more data");
  check_pairs(data->training, config, "training data");
  check_pairs(data->validation, config, "validation data");
  for (const EncodedPair& pair : data->training)
    lengths.push_back({.source = static_cast<int>(pair.source.size()) + config.source_specials(),
                       .target = static_cast<int>(pair.target.size()) + 1});
  saved.pool = &pool;
  if constexpr (kIsTransformer<Model>) saved.seed = options.seed;
  live = {.dropout = dropout_of(config), .smoothing = options.smoothing, .clip = options.clip};
  plan_this_epoch();
  batches_per_epoch = static_cast<long>(plan.size());
  validate_every =
      options.validate_every > 0 ? options.validate_every : std::clamp(batches_per_epoch, 100L, 1000L);
  schedule = schedule_of(options, width_of(config), batches_per_epoch);
}

template <class Model>
void TrainerState<Model>::plan_this_epoch() {
  plan = plan_epoch(lengths, options.batch_tokens, options.seed, epoch);
}

template <class Model>
void TrainerState<Model>::fill_batch() {
  batch.source.clear();
  batch.target_in.clear();
  batch.target_out.clear();
  batch.rules.mask_causal = options.mask_future;
  batch.rules.zero_hidden = options.zero_after_softmax;
  batch.rules.softmax_twice = options.softmax_twice;
  batch.rules.mask_padding = padding_masks(options);
  for (const int index : plan[next_batch]) {
    const EncodedPair& pair = data->training[static_cast<std::size_t>(index)];
    batch.source.add(source_row(pair.source, config));
    row.assign(1, config.first_id());
    row.insert(row.end(), pair.target.begin(), pair.target.end());
    batch.target_in.add(row);
    row.erase(row.begin());
    row.push_back(config.eos_id);
    batch.target_out.add(row);
  }
  if constexpr (kIsTransformer<Model>)
    if (options.extra_padding > 0) batch = with_trailing_padding(batch, options.extra_padding, config);
}

template <class Model>
Training<Model>::Training(std::shared_ptr<const TrainingSet> data, const ConfigOf<Model>& config,
                          const TrainingOptions& options)
    : state_(std::make_unique<TrainerState<Model>>(std::move(data), config, options)) {
  state_->weights.initialize(options.seed);
  state_->begin_embeddings();
}

template <class Model>
std::unique_ptr<Training<Model>> Training<Model>::begin_with(const SnapshotOf<Model>& weights,
                                                             const std::string& from, double dropout,
                                                             std::shared_ptr<const TrainingSet> data,
                                                             const TrainingOptions& options) {
  ConfigOf<Model> config = weights.config;
  set_dropout(config, dropout);
  auto state = std::make_unique<TrainerState<Model>>(std::move(data), config, options);
  state->start = weights.weights;
  state->weights = *state->start;
  state->curves.marks.push_back({.step = 0, .text = "begun with the weights of " + from + ", Adam anew"});
  return std::unique_ptr<Training<Model>>(new Training<Model>(std::move(state)));
}

template <class Model>
Training<Model>::Training(std::unique_ptr<TrainerState<Model>> state) : state_(std::move(state)) {}
template <class Model>
Training<Model>::~Training() = default;

template <class Model>
StepReport Training<Model>::step() {
  TrainerState<Model>& s = *state_;
  if (s.divergence) return s.last;
  change_what_is_due();
  const auto begin = std::chrono::steady_clock::now();
  const long step = s.step + 1;

  // Loss and gradient.
  s.fill_batch();
  if constexpr (kIsTransformer<Model>) {
    s.saved.dropout = s.live.dropout;
    s.saved.attention_dropout = s.config.attention_dropout;
    s.saved.step = step;
  }
  const Loss loss = training_pass(s.weights, s.batch, s.live.smoothing, s.saved, s.gradient);
  s.hold_still();
  const double norm = std::isfinite(loss.loss) ? s.optimizer.gradient_norm(&s.pool) : 0;

  // Update the weights, or go back to good ones.
  const double rate = s.schedule.rate(step) * s.live.rate_scale;
  if (!std::isfinite(loss.loss) || !std::isfinite(norm)) {
    s.divergence = Stop{StopReason::diverged, divergence_message(s, step, loss.loss, norm)};
    s.go_back();
    s.curves.marks.push_back({.step = step, .text = "diverged"});
    s.last = {
        .step = s.step, .loss = loss.loss, .learning_rate = rate, .gradient_norm = norm, .epoch = epoch()};
    return s.last;
  }
  std::unique_ptr<const Model> before;
  if (s.diagnosing && wants_look(s.curves.diagnosis, step, s.validate_every))
    before = std::make_unique<const Model>(s.weights);
  s.optimizer.step({.step = step - s.moments_from,
                    .rate = rate,
                    .gradient_scale = clip_scale(norm, s.live.clip),
                    .options = {}},
                   &s.pool);
  s.step = s.weights_step = step;
  if (s.history.wants(step)) s.remember_step();
  if (++s.next_batch == s.plan.size()) {
    ++s.epoch;
    s.next_batch = 0;
    s.plan_this_epoch();
  }

  // Report.
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  s.seconds += seconds;
  const int starts = s.config.first_id() == s.config.pad_id ? s.batch.sentences() : 0;
  const long tokens = s.batch.tokens() - s.batch.padding(s.config.pad_id) + starts;
  s.curves.steps.push_back(
      {.loss = static_cast<float>(loss.loss),
       .learning_rate = static_cast<float>(rate),
       .gradient_norm = static_cast<float>(norm),
       .tokens_per_s = static_cast<float>(static_cast<double>(tokens) / std::max(seconds, 1e-9))});
  s.last = {.step = step,
            .loss = loss.loss,
            .learning_rate = rate,
            .gradient_norm = norm,
            .tokens = tokens,
            .seconds = seconds,
            .epoch = epoch()};
  if (before) s.look(*before);
  if (stays_far_above_start(s)) {
    s.divergence = Stop{StopReason::diverged, divergence_message(s, step, loss.loss, norm)};
    s.go_back();
    s.curves.marks.push_back({.step = step, .text = "diverged"});
  }
  return s.last;
}

template <class Model>
const LiveSettings& Training<Model>::live() const {
  return state_->live;
}

template <class Model>
void Training<Model>::change(const LiveSettings& settings) {
  check_live<Model>(settings);
  LiveSettings& live = state_->live;
  if (settings == live) return;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  const auto add_change = [&](const char* what, double before, double after) {
    if (before == after) return;
    text << (text.view().empty() ? "" : ", ") << what << " " << before << " to " << after;
  };
  add_change("learning rate ×", live.rate_scale, settings.rate_scale);
  add_change("dropout", live.dropout, settings.dropout);
  add_change("label smoothing", live.smoothing, settings.smoothing);
  add_change("largest gradient", live.clip, settings.clip);
  state_->curves.marks.push_back({.step = state_->step,
                                  .text = text.str(),
                                  .change = LearningChange{.before = live, .after = settings}});
  live = settings;
  set_dropout(state_->config, settings.dropout);
}

template <class Model>
void Training<Model>::change_at(long step, const LearningWish& wish) {
  check_live<Model>(with(live(), wish));
  if (step <= step_count()) return change(with(live(), wish));
  state_->later.emplace(step, wish);
}

template <class Model>
void Training<Model>::change_what_is_due() {
  auto& later = state_->later;
  while (!later.empty() && later.begin()->first <= step_count()) {
    change(with(live(), later.begin()->second));
    later.erase(later.begin());
  }
}

template <class Model>
void TrainerState<Model>::remember_step() {
  if (weights_step == step) history.add(weights, step, &pool);
}

template <class Model>
void Training<Model>::keep_history(std::size_t bytes) {
  state_->history.set_budget(bytes);
  state_->remember_step();
}

template <class Model>
const HistoryOf<Model>& Training<Model>::history() const {
  return state_->history;
}

template <class Model>
const Curves& Training<Model>::curves() const {
  return state_->curves;
}
template <class Model>
const TrainingOptions& Training<Model>::options() const {
  return state_->options;
}
template <class Model>
const ConfigOf<Model>& Training<Model>::config() const {
  return state_->config;
}
template <class Model>
const TrainingSet& Training<Model>::data() const {
  return *state_->data;
}
template <class Model>
const Schedule& Training<Model>::schedule() const {
  return state_->schedule;
}
template <class Model>
long Training<Model>::step_count() const {
  return state_->step;
}
template <class Model>
double Training<Model>::seconds() const {
  return state_->seconds;
}

template <class Model>
double Training<Model>::epoch() const {
  return static_cast<double>(state_->epoch) +
         static_cast<double>(state_->next_batch) / static_cast<double>(state_->plan.size());
}

// The exported training script plans its batches with one, and a run that is read goes on in its plan.
template TrainerState<Transformer<float>>::TrainerState(std::shared_ptr<const TrainingSet>, const Config&,
                                                        const TrainingOptions&);
template void TrainerState<Transformer<float>>::plan_this_epoch();
template void TrainerState<RecurrentModel<float>>::plan_this_epoch();
template class Training<Transformer<float>>;
template class Training<RecurrentModel<float>>;

}  // namespace glassformer
