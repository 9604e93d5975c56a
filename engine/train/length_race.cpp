#include "engine/train/length_race.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "engine/decode/decode.h"
#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "engine/text/toy_tasks.h"
#include "engine/train/fitted_config.h"

namespace glassformer {

namespace {

constexpr int kRaceTokens = 2048;
constexpr const char* kRecall = "recall";
// Each at a rate that it learns well at; both rise over the first twentieth and fall along a cosine.
constexpr double kRecurrentPeak = 0.005, kTransformerPeak = 0.003;

void check_range(const char* option, long value, long least, long most) {
  if (value >= least && value <= most) return;
  throw Error("length race", std::string(option) + " must be " + std::to_string(least) + " to " +
                                 std::to_string(most) + ", found " + std::to_string(value));
}

std::shared_ptr<const TrainingSet> data_of(const LengthRaceOptions& race) {
  check(race);
  DataOptions options;
  options.training.task = race.task;
  options.training.pairs = race.pairs;
  options.training.toy = {.length = race.longest, .symbols = race.symbols};
  options.seed = race.seed;
  return std::make_shared<const TrainingSet>(training_set(prepare_data(options), options));
}

TrainingOptions learning(const LengthRaceOptions& race, double peak) {
  TrainingOptions options;
  options.steps = race.steps;
  options.batch_tokens = kRaceTokens;
  options.schedule = "cosine";
  options.peak = peak;
  options.warmup = std::max(1l, race.steps / 20);
  options.clip = 1;
  options.smoothing = 0;
  options.seed = race.seed;
  options.threads = race.threads;
  options.validate_every = race.steps + 1;  // the race itself scores
  return options;
}

RecurrentConfig recurrent_config(const LengthRaceOptions& race, const TrainingSet& data,
                                 RecurrentAttention attention) {
  auto config = fitted_config(RecurrentConfig{}, data.tokenizers);
  config.width = race.width;
  config.max_length = race.source_words(race.longest) + 2;
  config.recurrent_attention = attention;
  return config;
}

Config transformer_config(const LengthRaceOptions& race, const TrainingSet& data) {
  auto config = fitted_config(Config{}, data.tokenizers);
  config.d_model = race.width;
  config.heads = 4;
  config.d_ff = 2 * race.width;
  config.encoder_layers = config.decoder_layers = 1;
  config.max_length = race.source_words(race.longest) + 2;
  config.dropout = 0;
  return config;
}

// As a model reads them.
std::vector<std::vector<int>> sources_of(const TrainingSet& data, int eos_id) {
  std::vector<std::vector<int>> sources;
  for (const EncodedPair& pair : data.validation) {
    sources.push_back(pair.source);
    sources.back().push_back(eos_id);
  }
  return sources;
}

int threads_of(const LengthRaceOptions& race) {
  return race.threads > 0 ? race.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Scores by words, by the race's own measure. Lengths longer than any that was held out have no pairs.
std::vector<LengthScore> by_length(const LengthRaceOptions& race, const std::vector<LengthScore>& by_words) {
  std::vector<LengthScore> scores;
  for (int length = race.shortest(); length <= race.longest; ++length) {
    const auto words = static_cast<std::size_t>(race.source_words(length));
    scores.push_back(words <= by_words.size() ? by_words[words - 1] : LengthScore{});
    scores.back().words = length;
  }
  return scores;
}

template <class Model>
std::vector<std::vector<int>> written_by(const Model& model, const std::vector<std::vector<int>>& sources,
                                         WorkerPool& pool, const std::function<bool()>& keep_going) {
  DecodeOptions options;
  options.alternatives = 1;
  options.pool = &pool;
  std::vector<std::vector<int>> written;
  for (DecodeResult& result : decode(model, sources, options, keep_going))
    written.push_back(std::move(result.ids));
  return written;
}

}  // namespace

int LengthRaceOptions::shortest() const {
  return task == kRecall ? 0 : 1;
}

int LengthRaceOptions::source_words(int length) const {
  return task == kRecall ? recall_words(length) : length;
}

int LengthRaceOptions::target_words(int length) const {
  return task == kRecall ? 1 : length;
}

int race_width(const std::string& task) {
  return task == kRecall ? 16 : LengthRaceOptions().width;
}

void check(const LengthRaceOptions& options) {
  if (options.task != "copy" && options.task != "reverse" && options.task != kRecall)
    throw Error("length race", "task must be copy, reverse or recall, found “" + options.task + "”");
  check_range("longest", options.longest, 1, 60);
  check_range("symbols", options.symbols, 2, 26);
  check_range("pairs", options.pairs, 20, 1'000'000);
  check_range("width", options.width, 8, 512);
  check_range("steps", options.steps, 1, 1'000'000);
  if (options.width % 4 != 0)
    throw Error("length race", "width must be a multiple of 4, found " + std::to_string(options.width));
}

LengthRace::LengthRace(const LengthRaceOptions& options)
    : options_(options),
      data_(data_of(options)),
      pool_(threads_of(options)),
      one_vector_(data_, recurrent_config(options, *data_, RecurrentAttention::none),
                  learning(options, kRecurrentPeak)),
      attention_(data_, recurrent_config(options, *data_, RecurrentAttention::additive),
                 learning(options, kRecurrentPeak)),
      transformer_(data_, transformer_config(options, *data_), learning(options, kTransformerPeak)) {
  states_[0].parameters = one_vector_.snapshot()->weights->parameter_count();
  states_[1].parameters = attention_.snapshot()->weights->parameter_count();
  states_[2].parameters = transformer_.snapshot()->weights->parameter_count();
}

void LengthRace::note(Racer racer, const StepReport& report, double seconds) {
  const auto at = static_cast<std::size_t>(racer);
  RacerState& state = states_[at];
  state.step = report.step;
  state.loss = report.loss;
  state.losses.push_back(report.loss);
  tokens_[at] += report.tokens;
  seconds_[at] += seconds;
  if (seconds_[at] > 0) state.tokens_per_s = static_cast<double>(tokens_[at]) / seconds_[at];
}

bool LengthRace::step() {
  if (one_vector_.stop() || attention_.stop() || transformer_.stop()) return false;
  for (auto* const learner : {&one_vector_, &attention_}) {
    const StepReport report = learner->step();
    note(learner == &one_vector_ ? Racer::one_vector : Racer::attention, report, report.seconds);
  }
  const StepReport report = transformer_.step();
  note(Racer::transformer, report, report.seconds);
  return true;
}

bool LengthRace::score(const std::function<bool()>& keep_going) {
  const auto weights = transformer_.snapshot();
  const std::vector<std::vector<int>> sources = sources_of(*data_, weights->config.eos_id);
  bool stopped = false;
  const std::function<bool()> asked = [&] {
    stopped = stopped || (keep_going && !keep_going());
    return !stopped;
  };
  std::array<std::vector<std::vector<int>>, kRacers> written;
  written[0] = written_by(*recurrent(Racer::one_vector), sources, pool_, asked);
  if (!stopped) written[1] = written_by(*recurrent(Racer::attention), sources, pool_, asked);
  if (!stopped) written[2] = written_by(*weights->weights, sources, pool_, asked);
  if (stopped) return false;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].scores =
        by_length(options_, length_scores(data_->validation, written[i], weights->config.eos_id));
    states_[i].scored_at = states_[i].step;
  }
  return true;
}

int LengthRace::steps_in_a_row(Racer racer) const {
  // And eos of the source, bos of the target.
  const int words = options_.source_words(options_.longest) + options_.target_words(options_.longest) + 2;
  if (racer != Racer::transformer) return one_vector_.config().layers * words;
  return transformer_.config().encoder_layers + transformer_.config().decoder_layers;
}

std::shared_ptr<const RecurrentModel<float>> LengthRace::recurrent(Racer racer) const {
  return (racer == Racer::attention ? attention_ : one_vector_).snapshot()->weights;
}

namespace {

bool is_target(std::span<const int> written, std::span<const int> target, int eos_id) {
  return !written.empty() && written.back() == eos_id &&
         std::ranges::equal(written.first(written.size() - 1), target);
}

}  // namespace

double LengthScore::share() const {
  if (pairs == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(right) / static_cast<double>(pairs);
}

std::vector<LengthScore> length_scores(std::span<const EncodedPair> pairs,
                                       std::span<const std::vector<int>> written, int eos_id) {
  if (pairs.size() != written.size())
    throw Error("scores by length", "expected what was written for each of " + std::to_string(pairs.size()) +
                                        " pairs, found " + std::to_string(written.size()));
  std::size_t longest = 0;
  for (const EncodedPair& pair : pairs) longest = std::max(longest, pair.source.size());
  std::vector<LengthScore> scores(longest);
  for (std::size_t i = 0; i < longest; ++i) scores[i].words = static_cast<int>(i) + 1;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].source.empty()) continue;
    LengthScore& score = scores[pairs[i].source.size() - 1];
    ++score.pairs;
    if (is_target(written[i], pairs[i].target, eos_id)) ++score.right;
  }
  return scores;
}

}  // namespace glassformer
