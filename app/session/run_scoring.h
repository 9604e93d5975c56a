// Every run of a table scored on one test set, away from the screen.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/run_table.h"
#include "engine/train/sweep.h"

namespace glassformer {

class WorkerPool;
struct TestSet;

// What one run came to, or why it did not.
struct RunScore {
  std::optional<SweepScore> score;
  std::string problem;
};

// What is known of the runs of a list on the test set that was asked for last: one a run. Sentences are
// translated greedily.
struct RunScores {
  std::string test;         // "500 held-out pairs"; empty: nothing was scored
  std::string length_unit;  // "words"
  std::vector<std::optional<RunScore>> of;
};

// Over the runs of a line, of those that were scored; exact match from 0 to 1.
MeanAndDeviation exact_matches(const RunScores& scores, const RunRow& row);
MeanAndDeviation bleus(const RunScores& scores, const RunRow& row);
// Of one of them at least BLEU is left out (kBleuLeftOut).
bool bleu_left_out(const RunScores& scores);
std::vector<SweepScore> scores_in(const RunScores& scores, const RunRow& row);
// Exact match by length, or why there is none, for people; empty: it was not scored.
std::string score_words(const RunScores& scores, const RunRow& row);

class RunScoring {
 public:
  RunScoring() = default;
  ~RunScoring();
  RunScoring(const RunScoring&) = delete;
  RunScoring& operator=(const RunScoring&) = delete;

  struct Request {
    std::vector<KeptRun> runs;
    std::string file;  // a table of pairs; empty: the pairs that `held_out` was kept from
    std::optional<KeptRun> held_out;
  };
  // Ends what is under way. What is known of a run as written, on the same pairs, is kept.
  void start(Request request);
  void cancel();

  struct Progress {
    bool running = false, stopped = false;
    long done = 0, all = 0;
    std::string problem;  // why there is no test set
    std::string note;     // what is unusual in it
  };
  Progress progress() const;
  RunScores scores(const std::vector<KeptRun>& runs) const;

 private:
  void work(const Request& request);
  void score(const KeptRun& run, const TestSet& test, WorkerPool& pool);

  mutable std::mutex mutex_;
  Progress progress_;
  std::string mark_, test_, length_unit_;
  std::map<std::string, RunScore> known_;  // by folder, time written and test set
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace glassformer
