// The runs that are kept, side by side: what each came to and what differs among them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/session/run_record.h"
#include "engine/model/config.h"
#include "engine/recurrent/config.h"
#include "engine/train/sweep.h"

namespace glassformer {

struct KeptRun {
  std::string name, folder;
  std::string note;     // a line of the person's own
  bool in_use = false;  // a window or a command trains it: it can be neither renamed nor deleted
  std::filesystem::file_time_type written = {};  // when something in the folder was, last
  std::filesystem::file_time_type weights_written = {};
  std::variant<Config, RecurrentConfig> config;
  RunRecord record;

  bool recurrent() const { return std::holds_alternative<RecurrentConfig>(config); }
};
nlohmann::json config_json(const KeptRun& run);  // as in its config.json

// Every run in the folder, by name: those made later come later. What cannot be read is left out and reported
// in `problems`, a sentence each. Those that did not change since they were read for `before` are taken from
// there. Throws Error when the folder cannot be read; none is an empty list.
std::vector<KeptRun> kept_runs(const std::string& folder, std::vector<std::string>& problems,
                               const std::vector<KeptRun>& before = {});

// Where its first plan ended, of a run that was extended.
std::optional<long> steps_as_planned(const KeptRun& run);
// The `glassformer train` line that makes the run again, for a shell, as before anything was changed
// on the way or its plan extended; empty when it is not recorded what it learned from.
std::string command_of(const KeptRun& run);
bool changed_on_the_way(const KeptRun& run);  // the command leaves that out

// A setting that is not the same in all that can have it. Where one is recurrent the first is "architecture".
struct RunDifference {
  std::string name;                 // "warmup", "heads"
  std::vector<std::string> values;  // one a run; empty where its kind of model has none
};
std::vector<RunDifference> differences(const std::vector<KeptRun>& runs);

// A line of the table: a run, or all those of one recipe that differ in their seeds alone.
struct RunRow {
  std::string name;
  std::vector<std::size_t> runs;  // of the list
};
// The runs whose name, note, data or settings hold every word of `filter`, capitals or not.
std::vector<RunRow> run_rows(const std::vector<KeptRun>& runs, const std::string& filter, bool grouped);

// What all runs of the line have; "…" where they differ.
std::string value_in(const RunDifference& difference, const RunRow& row);

// Over the runs of a line, of those that were validated.
MeanAndDeviation best_losses(const std::vector<KeptRun>& runs, const RunRow& row);
MeanAndDeviation best_accuracies(const std::vector<KeptRun>& runs, const RunRow& row);

// The validation loss of several runs at the steps at which all were validated.
struct LossBand {
  std::vector<double> step, mean, deviation;
};
LossBand loss_band(const std::vector<KeptRun>& runs, const RunRow& row);

// Another name for the run in `folder`, or its end. Throw Error, and change nothing, when the name is none or
// taken, when a window or a command is training the run, or when other things than a run lie there.
void rename_run(const std::string& folder, const std::string& name);
void delete_run(const std::string& folder);

// A line about the run, kept in its folder; an empty one is taken away. Throws Error when it cannot be
// written.
void write_note(const std::string& folder, const std::string& note);

}  // namespace glassformer
