// glassformer runs: lists the runs that are kept, and writes their curves and configurations to files.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/format/number_format.h"
#include "app/format/table.h"
#include "app/session/paths.h"
#include "app/session/run_table.h"
#include "engine/files/atomic_file.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

struct RunsArguments {
  std::string folder, out;
  bool json = false;
};

nlohmann::json json_of(const KeptRun& run) {
  const RunRecord& record = run.record;
  nlohmann::json result = {{"name", run.name},
                           {"folder", run.folder},
                           {"note", run.note},
                           {"step", record.last_step},
                           {"seconds", record.seconds},
                           {"resumable", record.resumable},
                           {"config", config_json(run)},
                           {"options", to_json(record.options)},
                           {"live", to_json(record.live)},
                           {"training_pairs", record.training_pairs},
                           {"validation_pairs", record.validation_pairs},
                           {"data", record.data ? to_json(*record.data) : nlohmann::json()},
                           {"command", command_of(run)},
                           {"best", nlohmann::json()},
                           {"changes", nlohmann::json::array()}};
  if (!record.curves) return result;
  if (const ValidationPoint* best = best_validation(*record.curves)) {
    result["best"] = {{"step", best->step}, {"loss", best->loss}, {"token_accuracy", best->token_accuracy}};
    if (best->exact_match >= 0) result["best"]["exact_match"] = best->exact_match;
  }
  for (const auto& mark : record.curves->marks)
    result["changes"].push_back({{"step", mark.step}, {"what", mark.text}});
  return result;
}

// A line a step; what was not measured there is left empty.
std::string csv_of(const Curves& curves) {
  Table table{.columns = {"step", "loss", "learning_rate", "gradient_norm", "tokens_per_s", "validation_loss",
                          "validation_nll", "token_accuracy", "exact_match"}};
  const double none = std::nan("");
  auto next = curves.validations.begin();
  const auto add = [&](long step, const StepPoint& point) {
    std::vector<Cell>& row = table.rows.emplace_back(1, std::to_string(step));
    for (const float value : {point.loss, point.learning_rate, point.gradient_norm, point.tokens_per_s})
      row.emplace_back(step < 1 ? none : static_cast<double>(value));
    const bool here = next != curves.validations.end() && next->step == step;
    const ValidationPoint at =
        here ? *next++ : ValidationPoint{.loss = none, .nll = none, .token_accuracy = none};
    row.insert(row.end(), {at.loss, at.nll, at.token_accuracy, at.exact_match < 0 ? none : at.exact_match});
  };
  while (next != curves.validations.end() && next->step < 1) add(next->step, {});
  for (std::size_t i = 0; i < curves.steps.size(); ++i) add(static_cast<long>(i) + 1, curves.steps[i]);
  return to_csv(table);
}

// A line a look and a column for every number of it.
std::string csv_of(const Diagnosis& diagnosis, const Config& config) {
  const DiagnosedPlaces places = diagnosed_places(config);
  Table table{.columns = {"step"}};
  for (const std::string& part : places.parts) table.columns.push_back(part + " gradient norm");
  for (const std::string& part : places.parts) table.columns.push_back(part + " update to weight");
  for (const ValueName& attention : places.attentions)
    for (int head = 1; head <= config.heads; ++head)
      for (const char* what : {" entropy", " saturation"})
        table.columns.push_back(written(attention) + " head " + std::to_string(head) + what);
  for (const ValueName& layer : places.feed_forwards)
    table.columns.push_back(written(layer) + " silent units");
  for (const Look& look : diagnosis.looks) {
    std::vector<Cell>& row = table.rows.emplace_back(1, std::to_string(look.step));
    row.insert(row.end(), look.gradient_norms.begin(), look.gradient_norms.end());
    row.insert(row.end(), look.update_ratios.begin(), look.update_ratios.end());
    for (const HeadLook& head : look.heads) row.insert(row.end(), {head.entropy, head.saturation});
    row.insert(row.end(), look.silent.begin(), look.silent.end());
  }
  return to_csv(table);
}

void write_files(const std::vector<KeptRun>& runs, const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> files;  // names, bytes
  for (const KeptRun& run : runs) {
    files.emplace_back(run.name + ".json", json_text(json_of(run), 2) + "\n");
    if (!run.record.curves) continue;
    files.emplace_back(run.name + ".csv", csv_of(*run.record.curves));
    const Diagnosis& diagnosis = run.record.curves->diagnosis;
    const Config* const config = std::get_if<Config>(&run.config);
    if (config && !diagnosis.looks.empty())
      files.emplace_back(run.name + ".diagnosis.csv", csv_of(diagnosis, *config));
  }
  create_folder(folder);
  OwnedFolder place(folder, {}, OwnedFolder::Use::beside);
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.first);
  place.check_unchanged(names);
  for (const auto& [name, bytes] : files) place.write_unless_changed(name, bytes);
}

std::string line_of(const KeptRun& run) {
  const RunRecord& record = run.record;
  std::string line =
      run.name + ": " + (run.recurrent() ? "recurrent, " : "") + "step " + std::to_string(record.last_step);
  const ValidationPoint* best = record.curves ? best_validation(*record.curves) : nullptr;
  if (best)
    line += std::string(", best ") + loss_name(has_held_out_pairs(*best)) + " " +
            format_fixed(best->loss, 4) + " at step " + std::to_string(best->step);
  if (!record.data_name.empty()) line += ", " + record.data_name;
  return line + (record.resumable ? "" : ", finished");
}

std::string command_line_of(const KeptRun& run) {
  const std::string command = command_of(run);
  return command +
         (command.empty() || !changed_on_the_way(run) ? "" : "  # without what was changed on the way");
}

int show_runs(const RunsArguments& arguments) {
  const std::string folder = arguments.folder.empty() ? runs_folder().string() : arguments.folder;
  // The window's own folder is made by the first run; one that was named is to be there.
  if (!arguments.folder.empty() && !std::filesystem::is_directory(folder))
    throw Error(folder, "there is no such folder; name one that holds runs");
  std::vector<std::string> problems;
  const std::vector<KeptRun> runs = kept_runs(folder, problems);
  for (const std::string& problem : problems) std::cerr << "note: " << message_text(problem) << "\n";
  if (!arguments.out.empty()) write_files(runs, arguments.out);
  if (arguments.json) {
    nlohmann::json all = nlohmann::json::array();
    for (const KeptRun& run : runs) all.push_back(json_of(run));
    print_json(all);
    return 0;
  }
  for (const KeptRun& run : runs) {
    std::cout << printable(to_file_text(line_of(run))) << "\n";
    if (const std::string command = command_line_of(run); !command.empty())
      std::cout << "    " << printable(command) << "\n";
  }
  if (runs.empty()) std::cout << folder << ": no run is kept there\n";
  return 0;
}

}  // namespace

void add_runs_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<RunsArguments>();
  CLI::App* command =
      app.add_subcommand("runs", "List the runs that are kept, and write their curves to files");
  command->add_option("--folder", arguments->folder, "Where they lie (default: where the window keeps them)");
  command->add_option(
      "--out", arguments->out,
      "Folder for NAME.csv (every step's curves), NAME.diagnosis.csv (how each part learns) and\n"
      "NAME.json (configuration) of each run");
  command->add_flag("--json", arguments->json, "All that is known of them as one JSON array");
  command->footer("Example: glassformer runs --out curves");
  command->callback([arguments, &chosen] { chosen = [arguments] { return show_runs(*arguments); }; });
}

}  // namespace glassformer
