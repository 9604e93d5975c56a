#include <array>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/number_row.h"
#include "app/panels/styles.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

constexpr NumberRow kFactor{"Factor", "of the noam schedule"}, kPeak{"Peak rate", "of the schedule"},
    kWarmup{"Warm-up steps", "the schedule begins anew", 1e9, true},
    kSeed{"Seed", "of the order of the data and the dropout", 2e9, true};

bool is_noam(const TrainingOptions& training) {
  return training.schedule == "noam";
}

}  // namespace

// As that step was learned, so that what is not touched goes on as it was there.
void ForkForm::start(const Session& session) {
  const std::optional<NewRun> recipe = session.recipe();
  possible = recipe && session.looked_back();
  if (!possible) return;
  step = *session.looked_back();
  fork.training = recipe->training;
  const RunState& run = session.run();
  const LiveSettings now = run.curves ? settings_at(*run.curves, run.live, step) : run.live;
  fork.training.smoothing = now.smoothing;
  fork.training.clip = now.clip;
  double& top = is_noam(fork.training) ? fork.training.factor : fork.training.peak;
  top *= now.rate_scale;
  fork.dropout = now.dropout;
  rate = as_typed(top);
  warmup = as_typed(static_cast<double>(fork.training.warmup));
  dropout = as_typed(now.dropout);
  smoothing = as_typed(now.smoothing);
  clip = as_typed(now.clip);
  seed = as_typed(static_cast<double>(fork.training.seed));
}

bool fork_dialog(ui::Ui& ui, ForkForm& form, Point window) {
  const std::string title =
      form.possible ? "Train a copy from step " + format_count(form.step) : "Train a copy";
  const DialogBox dialog = begin_dialog(ui, window, title, {520, 476});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  if (!form.possible)
    return end_dialog_with(
        ui, dialog, "Drag the training slider to an earlier step of a run first: the copy begins there.");

  constexpr float kFoot = 100;
  const Rect body = ui.begin_scroll({outer.x - 8, outer.y, outer.width + 16, outer.height - kFoot},
                                    "fork form", {outer.width + 16, kNumberRow * 6});
  Rect place{body.x + 8, body.y, outer.width, kNumberRow};
  std::string error;
  bool entered = false;
  const auto typed = [&](const NumberRow& row, std::string& text, auto& into) {
    const TypedNumber number = number_row(ui, place, row, text, error);
    entered = entered || number.entered;
    if (number.value) into = static_cast<std::remove_reference_t<decltype(into)>>(*number.value);
    place.y += kNumberRow;
  };
  ForkRun& fork = form.fork;
  const bool noam = is_noam(fork.training);
  typed(noam ? kFactor : kPeak, form.rate, noam ? fork.training.factor : fork.training.peak);
  typed(kWarmup, form.warmup, fork.training.warmup);
  typed(kDropoutRow, form.dropout, fork.dropout);
  typed(kSmoothingRow, form.smoothing, fork.training.smoothing);
  typed(kClipRow, form.clip, fork.training.clip);
  typed(kSeed, form.seed, fork.training.seed);
  ui.end_scroll();
  try {
    check(fork.training);
  } catch (const std::exception& wrong) {
    if (error.empty()) error = failure_words(wrong);
  }

  const std::string words =
      !error.empty()
          ? error
          : "The copy has the weights of this step; Adam's moments and the schedule begin anew. It "
            "learns by these settings, and the run it comes from stays as it is.";
  const float foot = outer.bottom() - 34;
  paragraph(canvas, {outer.x, foot - 54}, outer.width, words,
            error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note({outer.x, foot - 54, outer.width, 44}, "fork note", words);
  const DialogAnswer answer = dialog_answer(ui, outer, "Train the copy", {.enabled = error.empty()}, entered);
  end_dialog(ui);
  if (answer == DialogAnswer::go) {
    ui.push(fork);
    ui.push(OpenView{"training"});
  }
  return answer != DialogAnswer::none || dialog.closed;
}

}  // namespace glassformer
