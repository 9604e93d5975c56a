// What is run here: its progress, its verdict beside the known one, and its models.
#include <algorithm>
#include <array>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/studies/studies.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace {

constexpr const char* kOpen = "Open one of these models";

// Why a study cannot be run here: the data that its options name are not at hand.
std::string missing_data(const KeptStudy& kept) {
  const Study& study = kept.study;
  std::vector<std::pair<std::string_view, std::string>> files{{"test", study.sweep.test.file}};
  for (const SweepSetting& setting : study.sweep.settings)
    for (const std::string& option : setting.options)
      for (const std::string_view name : {"--source=", "--target=", "--corpus=", "--grammar="})
        if (option.starts_with(name)) files.emplace_back(name, option.substr(name.size()));
  for (const auto& [name, file] : files) {
    if (file.empty() || std::filesystem::exists(resolved(file))) continue;
    if (name == "--source=" || name == "--target=") return "Its pairs are not here: " + kept.run_command();
    return "Its data, " + file + ", are not there.";
  }
  return {};
}

// "trained (3 of 25, about 2 min left)"; before the first is, what has begun.
std::string progress_words(const ProgramProcess& process) {
  const std::string line = process.last_line(": trained (");
  return line.empty() ? process.last_line() : line.substr(line.find(": ") + 2);
}

std::string state_words(const StudyEntry& entry, const StudyWork& work) {
  if (work.process) return "“" + work.study + "” " + progress_words(*work.process);
  if (work.study == entry.kept.study.name && !work.problem.empty()) return work.problem;
  if (!entry.here && !entry.cannot_run.empty()) return entry.cannot_run;
  if (!entry.here)
    return entry.models.empty() ? "Run it here to get models to open." : "Not every run is done yet.";
  const std::string words = verdict_words(verdict_of_all(*entry.here));
  if (!entry.run()) return "Run here: " + words + ".";
  return entry.here == entry.verdicts() ? "Run here too, with the same verdict: " + words + "."
                                        : "Run here, with another verdict: " + words + ".";
}

}  // namespace

void look_here(StudyEntry& entry) {
  const Study& study = entry.kept.study;
  const std::string folder = studies_folder(study.name), results = folder + "/" + study.name + ".csv";
  entry.cannot_run = missing_data(entry.kept);
  try {
    if (std::filesystem::exists(results))
      if (const auto runs = read_study_runs(study, results); runs.size() == planned_runs(study.sweep).size())
        entry.here = rule_verdicts(study, runs);
  } catch (const std::exception&) {
    // They are of another form of the study.
  }
  for (const SweepRun& run : planned_runs(study.sweep))
    if (run.seed == study.sweep.seeds.front() && run.folder == run.name &&
        holds_a_model(folder + "/" + run.folder))
      entry.models.emplace_back(study.sweep.settings[run.setting].name + ", seed " + std::to_string(run.seed),
                                folder + "/" + run.folder);
}

bool run_controls(ui::Ui& ui, const Rect& row, const StudyScene& scene, StudyWork& work) {
  const StudyEntry& entry = scene.entry();
  bool ended = false;
  if (work.process) {
    ui.ask_frame(0.3);
    if (const auto end = work.process->ended()) {
      work.process.reset();
      work.problem = end->status == 0 ? "" : "Not all runs came to an end: " + end->sentence + ".";
      ended = true;
    }
  }
  float x = row.x;
  const auto place = [&](const std::string& label) {
    const Rect rect{x, row.y, ui.button_width(label), row.height};
    x = rect.right() + 8;
    return rect;
  };
  if (work.process) {
    if (Button(ui, place("Stop"), "Stop", {.id = "Stop the study"})) work.process->stop();
  } else {
    const std::string label =
        (!entry.here && !entry.models.empty() ? "Go on here" : "Run it here") +
        (entry.run() ? ", about " + format_duration(training_seconds(entry.kept.study, entry.kept.runs) / 2)
                     : std::string());
    if (Button(ui, place(label), label, {.enabled = entry.cannot_run.empty(), .id = "Run it here"})) {
      work.study = entry.kept.study.name;
      work.problem.clear();
      try {
        work.process = std::make_unique<ProgramProcess>(
            std::vector<std::string>{"study", entry.kept.file, "--run", "--at-once=2", "--threads=1"});
      } catch (const std::exception& error) {
        work.problem = std::string(error.what()) + ".";
      }
      ui.ask_frame(0);
    }
  }
  if (entry.models.empty()) {
    Button(ui, place(kOpen), kOpen, {.enabled = false});
  } else {
    std::vector<ui::MenuItem> items;
    for (const auto& [words, folder] : entry.models)
      items.push_back({.label = words, .command = OpenModel{folder}});
    if (const Rect at = place(kOpen); Button(ui, at, kOpen)) ui.popup.open_menu(kOpen, at, items);
  }
  const std::string words = state_words(entry, work);
  const TextStyle style = caption_style(ui.canvas());
  ui.canvas().text({x + 8, row.center().y}, elided(ui.canvas(), words, style, row.right() - x - 8), style);
  ui.note({x + 8, row.y, row.right() - x - 8, row.height}, "study here", words);
  return ended;
}

}  // namespace glassformer
