#include "app/session/run_reports.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

#include "app/format/number_format.h"
#include "app/session/change_words.h"
#include "app/session/run_record.h"

namespace glassformer {

namespace fs = std::filesystem;

std::string run_name_of(const std::string& folder) {
  return run_in_words(fs::path(folder).filename().string());
}

Notice no_recipe_notice() {
  return {
      .place = Place::training,
      .error = true,
      .text = "This model came without a record of its training data. Choose data to train a new model on.",
      .action = "New model",
      .command = OpenDialog{"new model"}};
}

std::optional<Notice> fresh_model_notice(const Run& run, const std::string& model) {
  if (run.begin.weights)
    return Notice{.place = Place::training,
                  .text = "A copy learns on from " + run.begin.from +
                          ", with Adam's moments and the schedule from the beginning. The run it comes from "
                          "stays as it was.",
                  .action = "Back to that run",
                  .command = OpenModel{run.begin.folder}};
  if (!run.begins_again()) return std::nullopt;
  const RunPhase phase = run.state().phase;
  return Notice{
      .place = Place::training,
      .text = phase == RunPhase::preparing
                  ? "The data of a fresh model are being prepared. Until its first step is there the "
                    "trained one stays in the picture."
              : phase == RunPhase::ready
                  ? "A fresh model, not trained yet, by the recipe of the one that was open. T trains it."
                  : "A fresh model learns here, from step 0, by the recipe of the one that was open.",
      .action = "Back to the trained model",
      .command = OpenModel{model}};
}

// What it cost is said when it was measured.
Notice fine_tune_notice(const OpenedModel& model, const Curves* curves) {
  std::string worse;
  const std::vector<ValidationPoint> none;
  const std::vector<ValidationPoint>& all = curves ? curves->validations : none;
  const auto after =
      std::ranges::find_if(all, [&](const ValidationPoint& point) { return point.step > model.last_step; });
  if (after != all.begin() && after != all.end()) {
    const ValidationPoint& before = *(after - 1);
    if (after->loss > before.loss)
      worse = " With fresh ones it learns worse at first: loss " + format_loss(before.loss) + " at step " +
              format_count(before.step) + ", " + format_loss(after->loss) + " at step " +
              format_count(after->step) + ".";
  }
  return {.place = Place::training,
          .text =
              "The model learns on from its weights, in a new run, at a tenth of the peak rate and with "
              "Adam's moments from 0: " +
              std::string(model.resumable ? "its plan was over." : "the moments were not kept.") + worse +
              " What was opened stays as it is.",
          .action = "Back to the trained model",
          .command = OpenModel{model.folder}};
}

Notice begun_again_notice(const std::string& before, long step) {
  return {
      .place = Place::training,
      .text = "The run begins again at step 0. The one before, of " + format_count(step) + " steps, is kept.",
      .action = "Go back to it",
      .command = ContinueRun{before}};
}

Notice stopped_notice(const std::string& folder) {
  return {.place = Place::training,
          .text = "Training of " + run_name_of(folder) + " was stopped for this. It is kept as it stood.",
          .action = "Go on with it",
          .command = ContinueRun{folder}};
}

Notice divergence_notice(const Run& run) {
  return {.place = Place::training,
          .error = true,
          .text = "At " + run.state().message + " They are shown, and Train goes on with them.",
          .action = "Go on at a lower rate",
          .command = Train{.further = true}};
}

Notice end_notice(const Run& run, const RunUpdate& update) {
  const RunState& state = run.state();
  const bool begun = update.snapshot != nullptr;
  Notice notice{.place = Place::training, .error = true, .text = state.message, .action = "", .command = {}};
  if (begun && update.ended) {
    notice.text =
        "Training was stopped by an error (" + state.message + "). The run is kept as of its last save.";
    if (!run.folder.empty()) notice.action = "Go on with it", notice.command = ContinueRun{run.folder};
  } else if (begun) {
    notice.error = false;
    notice.text =
        "Training has ended: " + state.message + ". Train goes on" + further_in_words(state.extension) + ".";
    notice.action = "Train " + more_in_words(state.extension);
    notice.command = Train{.further = true};
  }
  if (!state.unsaved.empty()) {
    notice.error = true;
    notice.text = "Training has ended: " + state.message +
                  ". The newest steps are not saved: " + state.unsaved +
                  ". Nothing is lost while the program is open.";
    notice.action = kKeepRun, notice.command = OpenDialog{"unsaved"};
  }
  return notice;
}

std::optional<Notice> failed_save_notice(const std::string& which, const RunUpdate& update) {
  if (update.save_error.empty()) return std::nullopt;
  return Notice{.place = Place::training,
                .error = true,
                .text = which + " could not be saved: " + update.save_error +
                        ". It waits, and nothing is lost while the program is open.",
                .action = kKeepRun,
                .command = OpenDialog{"unsaved"}};
}

// A run that is still there.
static bool kept(const std::string& folder) {
  std::error_code failed;
  return !folder.empty() && fs::exists(fs::path(folder) / "training.json", failed);
}

std::optional<Notice> unfinished_recurrent_notice(const Settings& settings) {
  const std::string& folder = settings.unfinished_recurrent;
  if (!kept(folder)) return std::nullopt;
  return Notice{.place = Place::model,
                .text = "The recurrent model of the run " + run_name_of(folder) +
                        " was still learning when the program ended. It is kept as of its last save.",
                .action = "Open it",
                .command = OpenModel{folder}};
}

std::optional<Notice> unfinished_notice(const Settings& settings) {
  const bool one = kept(settings.unfinished_run);
  std::vector<std::string> beside;
  std::ranges::copy_if(settings.unfinished_variants, std::back_inserter(beside), kept);
  if (!one && beside.empty()) return std::nullopt;
  const std::string folder = one ? settings.unfinished_run : beside.front();
  std::string text = std::string(one ? "The run " : "The variant ") + run_name_of(folder) +
                     " was not finished when the program ended. It is kept as of its last save.";
  if (!one) beside.erase(beside.begin());
  std::string names;
  for (const std::string& each : beside) names += (names.empty() ? "" : ", ") + run_name_of(each);
  if (beside.size() == 1)
    text += " So is the one beside it, " + names + ": Model, Runs… opens it.";
  else if (!beside.empty())
    text += " So are those beside it, " + names + ": Model, Runs… opens them.";
  return Notice{.place = Place::training,
                .text = std::move(text),
                .action = "Go on with it",
                .command = ContinueRun{folder}};
}

}  // namespace glassformer
