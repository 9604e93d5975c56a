#include "app/session/run_scoring.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "app/format/number_format.h"
#include "app/session/data_consent.h"
#include "app/session/priority.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/train/any_model.h"
#include "engine/train/scoring.h"

namespace glassformer {

namespace {

constexpr double kMostUnknown = 0.5;  // of the pieces: beyond it the model reads other sentences

DecodeOptions greedily(WorkerPool* pool) {
  DecodeOptions options;
  options.alternatives = 0;
  options.pool = pool;
  return options;
}

// A note or another name is no other model: what counts is when the weights were written.
std::string key_of(const KeptRun& run, const std::string& mark) {
  return run.folder + "\n" + std::to_string(run.weights_written.time_since_epoch().count()) + "\n" + mark;
}

template <class Measure>
MeanAndDeviation over_scores(const RunScores& scores, const RunRow& row, const Measure& measure) {
  std::vector<double> values;
  for (const SweepScore& score : scores_in(scores, row))
    if (std::isfinite(measure(score))) values.push_back(measure(score));
  return mean_and_deviation(values);
}

TestSet test_of(const RunScoring::Request& request, const std::atomic<bool>& stop) {
  if (!request.file.empty()) return test_set_of_file(request.file, greedily(nullptr));
  if (!request.held_out || !request.held_out->record.data)
    throw Error("held-out pairs",
                "it is not recorded what the run learned from; choose a file of pairs instead");
  const KeptRun& run = *request.held_out;
  if (!read_unasked(*run.record.data, run.folder))
    throw Error(run.name, "its data were never opened here; open them first, or choose a file of pairs");
  return held_out_set(
      *run.record.data, AnyModel::load(run.folder).tokenizers(), greedily(nullptr),
      [&](const std::string&, double) { return !stop; }, true);
}

}  // namespace

std::vector<SweepScore> scores_in(const RunScores& scores, const RunRow& row) {
  std::vector<SweepScore> found;
  for (const std::size_t i : row.runs)
    if (i < scores.of.size() && scores.of[i] && scores.of[i]->score) found.push_back(*scores.of[i]->score);
  return found;
}

MeanAndDeviation exact_matches(const RunScores& scores, const RunRow& row) {
  return over_scores(scores, row, [](const SweepScore& score) { return score.exact_match; });
}
MeanAndDeviation bleus(const RunScores& scores, const RunRow& row) {
  return over_scores(scores, row, [](const SweepScore& score) { return score.bleu; });
}

bool bleu_left_out(const RunScores& scores) {
  return std::ranges::any_of(scores.of, [](const std::optional<RunScore>& run) {
    return run && run->score && std::isnan(run->score->bleu);
  });
}

std::string score_words(const RunScores& scores, const RunRow& row) {
  for (const std::size_t i : row.runs)
    if (i < scores.of.size() && scores.of[i] && !scores.of[i]->problem.empty()) return scores.of[i]->problem;
  const std::vector<SweepScore> all = scores_in(scores, row);
  if (all.empty()) return {};
  std::string words = "Exact match by " + scores.length_unit + " of the source:";
  const char* between = " ";
  for (const LengthRange& range : length_ranges(all)) {
    std::vector<double> values;
    for (const SweepScore& score : all)
      if (const double value = exact_within(score, range); std::isfinite(value)) values.push_back(value);
    if (values.empty()) continue;
    words += between + range.words() + ": " + format_percent(mean_and_deviation(values).mean, 0);
    between = ", ";
  }
  return words;
}

RunScoring::~RunScoring() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void RunScoring::cancel() {
  stop_ = true;
}

void RunScoring::start(Request request) {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  stop_ = false;
  progress_ = {.running = true, .all = static_cast<long>(request.runs.size())};
  thread_ = std::thread([this, request = std::move(request)] { work(request); });
}

RunScoring::Progress RunScoring::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

RunScores RunScoring::scores(const std::vector<KeptRun>& runs) const {
  const std::lock_guard lock(mutex_);
  RunScores scores{.test = test_, .length_unit = length_unit_, .of = {}};
  for (const KeptRun& run : runs) {
    const auto found = known_.find(key_of(run, mark_));
    scores.of.push_back(found == known_.end() ? std::nullopt : std::optional(found->second));
  }
  return scores;
}

void RunScoring::work(const Request& request) {
  give_way(Patience::training);
  std::string problem;
  try {
    const TestSet test = test_of(request, stop_);
    {
      const std::lock_guard lock(mutex_);
      mark_ = test.mark;
      test_ = test.words;
      if (request.file.empty()) test_ += " of " + request.held_out->name;
      length_unit_ = test.in_words ? "words" : "signs";
      progress_.note = test.note;
    }
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    WorkerPool pool(cores);
    for (const KeptRun& run : request.runs) {
      if (stop_) break;
      score(run, test, pool);
    }
  } catch (const std::exception& error) {
    problem = failure_words(error);
  }
  const std::lock_guard lock(mutex_);
  if (!stop_) progress_.problem = problem;
  progress_.running = false;
  progress_.stopped = stop_ && progress_.done < progress_.all;
}

void RunScoring::score(const KeptRun& run, const TestSet& test, WorkerPool& pool) {
  const std::string key = key_of(run, test.mark);
  {
    const std::lock_guard lock(mutex_);
    const auto before = known_.find(key);
    if (before != known_.end() && before->second.score) {
      ++progress_.done;
      return;
    }
  }
  RunScore result;
  try {
    const AnyModel model = AnyModel::load(run.folder);
    const Tokenizers& tokenizers = model.tokenizers();
    const UnknownShares unknown = unknown_shares(test.pairs, tokenizers);
    if (!tokenizers.source || !tokenizers.target)
      result.problem = "It has no tokenizer: it cannot read sentences.";
    else if (unknown.source > kMostUnknown || unknown.target > kMostUnknown)
      result.problem = "Its vocabulary does not know " + format_percent(unknown.source, 0) +
                       " of the pieces of these sources and " + format_percent(unknown.target, 0) +
                       " of those of their translations: it is not scored on them.";
    else
      result.score = score_on(test, model, greedily(&pool), [this] { return !stop_; });
  } catch (const std::exception& error) {
    result.problem = failure_words(error);
  }
  if (!result.score && result.problem.empty()) return;  // aborted
  const std::lock_guard lock(mutex_);
  known_[key] = std::move(result);
  ++progress_.done;
}

}  // namespace glassformer
