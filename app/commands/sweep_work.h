// The work of `sweep` and `study`: trains every run that is not trained yet, several at once, and scores each
// on one test set. A folder remembers what is done: the same work goes on where it was stopped.
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/decode_arguments.h"
#include "app/commands/sweep_results.h"
#include "app/commands/train_process.h"
#include "app/stop_signals.h"
#include "engine/files/owned_folder.h"
#include "engine/train/scoring.h"
#include "engine/train/study_measures.h"

namespace glassformer {

struct SweepPlan {
  std::string out;
  CommonOptions common;  // its threads
  DecodeArguments decode;
  int at_once = 1;
  bool json = false;
  std::vector<StudyMeasure> measures = {};  // into SweepScore::figures, beside "steps" and "seconds"
};
// --at-once and --threads.
void add_run_options(CLI::App& command, SweepPlan& plan);

class SweepWork {
 public:
  // `written`: files of the folder that are made of the results. Throws Error, before the first run, when
  // `train` does not take a setting or the folder is somebody else's.
  SweepWork(Sweep sweep, const SweepPlan& plan, std::vector<std::string> written);
  // Nothing: it was stopped by request, and said so.
  std::optional<SweepResults> run();
  OwnedFolder& home() { return home_; }

 private:
  struct Entry {
    SweepRun run;
    bool begun = false, trained = false;
    std::string mark;  // of the test set that `score` is of
    std::optional<SweepScore> score;
    std::string problem;
    std::unique_ptr<TrainProcess> process;
  };

  std::string folder_of(const Entry& entry) const { return plan_.out + "/" + entry.run.name; }
  void say(const Entry& entry, const std::string& what) const;
  void read_test_file();
  void hold_out(const Entry& entry);
  void read_state();
  void save_state();
  void begin(Entry& entry);
  void end(Entry& entry, const TrainProcess::End& end);
  std::string time_left() const;
  void train_all();
  bool is_scored(const Entry& entry) const;
  void score_all();
  void score(Entry& entry, WorkerPool& pool);
  void print_stopped();
  SweepResults results() const;

  const SweepPlan& plan_;
  const Sweep sweep_;
  StopSignals stop_;
  OwnedFolder home_;
  std::vector<Entry> runs_;
  nlohmann::json others_ = nlohmann::json::object();
  std::optional<TestSet> test_;
  long done_ = 0, done_before_ = 0;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::set<std::string> printed_notes_;
};

}  // namespace glassformer
