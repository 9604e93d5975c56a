#include <algorithm>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/number_row.h"
#include "app/panels/styles.h"
#include "app/session/trials.h"
#include "engine/math/error.h"
#include "engine/train/run_command.h"

namespace glassformer {

namespace {

constexpr float kTrialRow = 44, kTrialLabel = 200;

// By the last steps that were learned.
double pace_of(const RunState& run, const TrainingOptions& training) {
  if (!run.curves || run.curves->steps.empty()) return 0;
  constexpr std::size_t kLast = 100;
  const StepSeries& steps = run.curves->steps;
  double tokens_per_s = 0;
  const std::size_t count = std::min(kLast, steps.size());
  for (std::size_t i = steps.size() - count; i < steps.size(); ++i)
    tokens_per_s += static_cast<double>(steps[i].tokens_per_s) / static_cast<double>(count);
  return tokens_per_s > 0 ? training.batch_tokens / tokens_per_s : 0;
}

// As a sweep file has them. An empty row is passed over; its number stays that of the row.
std::string lines_of(const TrialsForm& form) {
  std::string lines;
  for (const TrialsForm::Row& row : form.rows) {
    const bool empty = row.setting == 0 && row.values.empty();
    const std::string name = row.setting == 0 ? "" : form.settings[static_cast<std::size_t>(row.setting)];
    lines += empty ? "\n" : "vary " + name + " = " + row.values + "\n";
  }
  return lines + "seeds = " + form.seeds + "\n";
}

// Throws Error that says what is wrong.
std::vector<Trial> trials_of(const TrialsForm& form) {
  NewRun base = form.base;
  const Recipe with_steps =
      with_options({base.config, base.training, base.data}, {"--steps=" + form.steps, "--total-steps=0"});
  base.training = with_steps.training;
  return planned_trials(base, lines_of(form));
}

std::string words_about(const TrialsForm& form, const std::vector<Trial>& trials) {
  double steps = 0;
  for (const Trial& trial : trials) steps += static_cast<double>(trial.training.steps);
  std::string words = format_count(static_cast<long long>(trials.size())) +
                      (trials.size() == 1 ? " run" : " runs") + " of " +
                      format_count(trials.front().training.steps) + " steps";
  if (form.seconds_per_step > 0)
    words += ", about " + format_duration(steps * form.seconds_per_step / (form.at_once + 1)) +
             " at the pace of the open run";
  return words +
         ". Each differs from the others in one setting and its seed, and learns on one core beside what "
         "else goes on.";
}

}  // namespace

NewRun with_vocabularies(NewRun recipe, const Session& session) {
  const Snapshot* const snapshot = session.snapshot();
  Config& config = recipe.config;
  if (!snapshot || config.source_vocab != 0) return recipe;
  const Config& fitted = snapshot->config;
  config.source_vocab = fitted.source_vocab;
  config.target_vocab = fitted.target_vocab;
  config.pad_id = fitted.pad_id, config.unk_id = fitted.unk_id;
  config.bos_id = fitted.bos_id, config.eos_id = fitted.eos_id;
  return recipe;
}

void TrialsForm::start(const Session& session) {
  const std::optional<NewRun> recipe = session.recipe();
  possible = recipe.has_value();
  if (!possible) return;
  base = with_vocabularies(*recipe, session);
  seconds_per_step = pace_of(session.run(), base.training);
  if (!settings.empty()) return;  // what was typed stays
  settings = recipe_settings();
  for (const char* const own : {"steps", "epochs", "minutes", "total-steps"}) std::erase(settings, own);
  settings.insert(settings.begin(), "choose…");
  rows[0] = {static_cast<int>(std::ranges::find(settings, "heads") - settings.begin()), ""};
  seeds = "1, 2, 3";
  steps = std::to_string(base.training.steps > 0 ? base.training.steps : 2000);
}

bool trials_dialog(ui::Ui& ui, Session& session, TrialsForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Try settings", {620, 560});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  if (!form.possible) return end_dialog_with(ui, dialog, kNothingToVary);

  // What varies.
  constexpr float kFoot = 150;
  // The fields end as far from the scroll bar as they begin from the edge.
  constexpr float kBarRoom = 12;
  const Rect list = ui.scroll.begin({body.x - 8, body.y, body.width + 16 + kBarRoom, body.height - kFoot},
                                    "trials form", {body.width + 16 + kBarRoom, kTrialRow * 7 + 28});
  float y = list.y;
  const float left = list.x + 8, values = left + kTrialLabel;
  const Rect field{values, 0, body.width - kTrialLabel, 36};
  canvas.text({left, y + 10}, "Setting", styles::caption(t));
  canvas.text({values, y + 10}, "Values, with commas between them", styles::caption(t));
  y += 24;
  for (std::size_t i = 0; i < form.rows.size(); ++i, y += kTrialRow) {
    const std::string number = " " + std::to_string(i + 1);
    Combo(ui, {left, y, kTrialLabel - 16, 36}, "Setting" + number, form.settings, form.rows[i].setting);
    TextField(ui, {field.x, y, field.width, 36}, "Values" + number, form.rows[i].values, {.mono = true});
  }
  const auto named = [&](const char* label, std::string& text) {
    canvas.text({left, y + 18}, label, styles::caption(t));
    TextField(ui, {field.x, y, field.width, 36}, label, text, {.mono = true});
    y += kTrialRow;
  };
  named("Seeds", form.seeds);
  named("Steps", form.steps);
  canvas.text({left, y + 16}, "At once", styles::caption(t));
  Segmented(ui, {values, y, ui.segmented_width({"1", "2"}), 32}, "At once", {"1", "2"}, form.at_once);
  ui.scroll.end();

  // What it comes to, and how far it is.
  std::vector<Trial> trials;
  std::string words, error;
  try {
    trials = trials_of(form);
    words = words_about(form, trials);
  } catch (const std::exception& wrong) {
    error = failure_words(wrong);
  }
  const bool typed = std::ranges::any_of(form.rows, [](const auto& row) { return !row.values.empty(); });
  if (!typed) error.clear(), words = "Type what the setting is to be: 1, 2, 4.";
  const float about = body.bottom() - kFoot + 12;
  paragraph(canvas, {body.x, about}, body.width, error.empty() ? words : error,
            error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note({body.x, about, body.width, 40}, "trials note", error.empty() ? words : error);
  const TrialsState& state = session.trials();
  const std::string progress = trials_in_words(state);
  canvas.text({body.x, body.bottom() - 62}, elided(canvas, progress, styles::caption(t), body.width),
              styles::caption(t));
  ui.note({body.x, body.bottom() - 72, body.width, 20}, "trials progress", progress);
  const float foot = body.bottom() - 34;
  const bool under_way = state.under_way();
  if (under_way && Button(ui, {body.x, foot, ui.button_width("Stop trying"), 32}, "Stop trying",
                          {.tooltip = "What they have learned is kept"}))
    ui.push(CancelTrials{});
  const DialogAnswer answer =
      dialog_answer(ui, body, "Train them",
                    {.enabled = !trials.empty() && error.empty() && !under_way,
                     .tooltip = under_way ? "The settings that are being tried come first" : ""});
  end_dialog(ui);
  if (answer == DialogAnswer::go) ui.push(TrySettings{trials, form.at_once + 1});
  return answer == DialogAnswer::leave || dialog.closed;
}

}  // namespace glassformer
