#include "engine/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "engine/math/error.h"
#include "engine/model/training_pass.h"
#include "engine/train/run_folder.h"
#include "engine/train/trainer_state.h"

namespace glassformer {
namespace {

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void check_pairs(const std::vector<EncodedPair>& pairs, const Config& config, const std::string& what) {
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
    check_side(pair.source, config.source_eos ? 1 : 0, config.source_vocab, "source");
    check_side(pair.target, 1, config.target_vocab, "target");
    if (pair.source.empty() && !config.source_eos)
      throw Error(what, "a source sentence is empty and the model adds no eos; leave empty lines out");
  }
}

Schedule schedule_of(const TrainingOptions& options, const Config& config, long batches_per_epoch) {
  Schedule schedule;
  schedule.kind = schedule_kind(options.schedule);
  schedule.factor = options.factor;
  schedule.warmup = options.warmup;
  schedule.peak = options.peak;
  schedule.total_steps = options.total_steps;
  if (schedule.total_steps == 0) schedule.total_steps = options.steps;
  if (schedule.total_steps == 0)
    schedule.total_steps = std::lround(options.epochs * static_cast<double>(batches_per_epoch));
  schedule.d_model = config.d_model;
  check(schedule);
  return schedule;
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

TrainerState::TrainerState(std::shared_ptr<const TrainingSet> set, const Config& model,
                           const TrainingOptions& plan_of_run)
    : data(std::move(set)),
      config(model),
      options(plan_of_run),
      pool(thread_count(options.threads)),
      weights(config),
      gradient(config),
      first_moment(config),
      second_moment(config),
      optimizer(weights, gradient, first_moment, second_moment) {
  check(options);
  if (data->training.empty())
    throw Error("training", "there is no sentence pair to learn from; give more data");
  check_pairs(data->training, config, "training data");
  check_pairs(data->validation, config, "validation data");
  for (const EncodedPair& pair : data->training)
    lengths.push_back({.source = static_cast<int>(pair.source.size()) + (config.source_eos ? 1 : 0),
                       .target = static_cast<int>(pair.target.size()) + 1});
  saved.pool = &pool;
  saved.seed = options.seed;
  live = first_settings(config, options);
  plan_this_epoch();
  batches_per_epoch = static_cast<long>(plan.size());
  validate_every =
      options.validate_every > 0 ? options.validate_every : std::clamp(batches_per_epoch, 100L, 1000L);
  schedule = schedule_of(options, config, batches_per_epoch);
}

void TrainerState::plan_this_epoch() {
  plan = plan_epoch(lengths, options.batch_tokens, options.seed, epoch);
}

void TrainerState::fill_batch() {
  batch.source.clear();
  batch.target_in.clear();
  batch.target_out.clear();
  batch.rules.mask_causal = options.mask_future;
  batch.rules.zero_hidden = options.zero_after_softmax;
  batch.rules.softmax_twice = options.softmax_twice;
  batch.rules.mask_padding = padding_masks(options);
  for (const int index : plan[next_batch]) {
    const EncodedPair& pair = data->training[static_cast<std::size_t>(index)];
    row.assign(pair.source.begin(), pair.source.end());
    if (config.source_eos) row.push_back(config.eos_id);
    batch.source.add(row);
    row.assign(1, config.bos_id);
    row.insert(row.end(), pair.target.begin(), pair.target.end());
    batch.target_in.add(row);
    row.erase(row.begin());
    row.push_back(config.eos_id);
    batch.target_out.add(row);
  }
  if (options.extra_padding > 0) batch = with_trailing_padding(batch, options.extra_padding, config);
}

Trainer::Trainer(std::shared_ptr<const TrainingSet> data, const Config& config,
                 const TrainingOptions& options)
    : state_(std::make_unique<TrainerState>(std::move(data), config, options)) {
  state_->weights.initialize(options.seed);
  state_->begin_embeddings();
}

std::unique_ptr<Trainer> Trainer::begin_with(const Snapshot& weights, const std::string& from, double dropout,
                                             std::shared_ptr<const TrainingSet> data,
                                             const TrainingOptions& options) {
  Config config = weights.config;
  config.dropout = dropout;
  auto state = std::make_unique<TrainerState>(std::move(data), config, options);
  state->start = weights.weights;
  state->weights = *state->start;
  state->curves.marks.push_back({.step = 0, .text = "begun with the weights of " + from + ", Adam anew"});
  return std::unique_ptr<Trainer>(new Trainer(std::move(state)));
}

Trainer::Trainer(std::unique_ptr<TrainerState> state) : state_(std::move(state)) {}
Trainer::~Trainer() = default;

StepReport Trainer::step() {
  TrainerState& s = *state_;
  if (s.divergence) return s.last;
  change_what_is_due();
  const auto begin = std::chrono::steady_clock::now();
  const long step = s.step + 1;

  // Loss and gradient.
  s.fill_batch();
  s.saved.dropout = s.live.dropout;
  s.saved.attention_dropout = s.config.attention_dropout;
  s.saved.step = step;
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
  std::unique_ptr<const Transformer<float>> before;
  if (s.diagnosing && wants_look(s.curves.diagnosis, step, s.validate_every))
    before = std::make_unique<const Transformer<float>>(s.weights);
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
  const long tokens = s.batch.tokens() - s.batch.padding(s.config.pad_id);
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

const LiveSettings& Trainer::live() const {
  return state_->live;
}

void Trainer::change(const LiveSettings& settings) {
  check(settings);
  LiveSettings& live = state_->live;
  if (settings == live) return;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  const auto tell = [&](const char* what, double before, double after) {
    if (before == after) return;
    text << (text.view().empty() ? "" : ", ") << what << " " << before << " to " << after;
  };
  tell("learning rate ×", live.rate_scale, settings.rate_scale);
  tell("dropout", live.dropout, settings.dropout);
  tell("label smoothing", live.smoothing, settings.smoothing);
  tell("largest gradient", live.clip, settings.clip);
  state_->curves.marks.push_back({.step = state_->step,
                                  .text = text.str(),
                                  .change = LearningChange{.before = live, .after = settings}});
  live = settings;
  state_->config.dropout = settings.dropout;
}

void Trainer::change_at(long step, const LearningWish& wish) {
  check(with(live(), wish));
  if (step <= step_count()) return change(with(live(), wish));
  state_->later.emplace(step, wish);
}

void Trainer::change_what_is_due() {
  auto& later = state_->later;
  while (!later.empty() && later.begin()->first <= step_count()) {
    change(with(live(), later.begin()->second));
    later.erase(later.begin());
  }
}

void TrainerState::remember_step() {
  if (weights_step == step) history.add(weights, step, &pool);
}

void Trainer::keep_history(std::size_t bytes) {
  state_->history.set_budget(bytes);
  state_->remember_step();
}

const History& Trainer::history() const {
  return state_->history;
}

void Trainer::save(const std::string& folder) {
  try {
    state_->remember_step();
    write_run(*state_, kept(), folder);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(folder, "the run cannot be saved (" + error.code().message() + ")");
  }
}

void Trainer::save_in(OwnedFolder home) {
  state_->saved_folder.clear();
  state_->saved_step = -1;
  state_->saved_kept.reset();
  state_->saved_history.clear();
  state_->home = std::move(home);
  state_->replaces = true;
}

const std::string& Trainer::folder() const {
  return state_->home.path();
}

long Trainer::saved_step() const {
  return state_->saved_step;
}

bool Trainer::folder_was_lost() {
  return std::exchange(state_->folder_lost, false);
}

namespace {

// Where a run is kept, and what of it stands there.
struct Place {
  explicit Place(TrainerState& state)
      : folder(std::exchange(state.saved_folder, {})),
        step(std::exchange(state.saved_step, -1)),
        kept(std::exchange(state.saved_kept, nullptr)),
        history(std::exchange(state.saved_history, {})),
        home(std::exchange(state.home, OwnedFolder())) {}
  void come_back(TrainerState& state) {
    state.saved_folder = std::move(folder);
    state.saved_step = step;
    state.saved_kept = std::move(kept);
    state.saved_history = std::move(history);
    state.home = std::move(home);
  }

  std::string folder;
  long step;
  std::shared_ptr<const Snapshot> kept;
  std::set<long> history;
  OwnedFolder home;
};

}  // namespace

void Trainer::move_to(const std::string& folder) {
  Place before(*state_);
  try {
    save(folder);
  } catch (...) {
    if (state_->saved_step < 0) before.come_back(*state_);
    throw;
  }
}

void Trainer::save_copy(const std::string& folder) {
  Place own(*state_);
  auto history = std::exchange(state_->history, History());
  const auto take_back = [&] {
    own.come_back(*state_);
    state_->history = std::move(history);
  };
  try {
    save(folder);
  } catch (...) {
    take_back();
    throw;
  }
  take_back();
}

std::unique_ptr<Trainer> Trainer::resume(const std::string& folder, std::shared_ptr<const TrainingSet> data,
                                         int threads, bool here) {
  return std::unique_ptr<Trainer>(new Trainer(read_run(folder, std::move(data), threads, here)));
}

const Curves& Trainer::curves() const {
  return state_->curves;
}
const TrainingOptions& Trainer::options() const {
  return state_->options;
}
const Config& Trainer::config() const {
  return state_->config;
}
const TrainingSet& Trainer::data() const {
  return *state_->data;
}
const Schedule& Trainer::schedule() const {
  return state_->schedule;
}
long Trainer::step_count() const {
  return state_->step;
}
double Trainer::seconds() const {
  return state_->seconds;
}

double Trainer::epoch() const {
  return static_cast<double>(state_->epoch) +
         static_cast<double>(state_->next_batch) / static_cast<double>(state_->plan.size());
}

}  // namespace glassformer
