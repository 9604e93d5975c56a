#include <charconv>
#include <cmath>
#include <iterator>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

std::string as_typed(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// What may be typed into a field, and what is said otherwise.
struct LearningField {
  const char* label;
  const char* note;
  std::string LearningForm::*text;
  double LiveSettings::*value;  // null: not of the run but of how it is kept
  double below = 1e6;
  const char* range = "no number from 0 on";
};
constexpr LearningField kFields[] = {
    {"Learning rate ×", "times what the schedule gives", &LearningForm::rate, &LiveSettings::rate_scale},
    {"Dropout", "share of numbers dropped, below 1", &LearningForm::dropout, &LiveSettings::dropout, 1,
     "no number from 0 to below 1"},
    {"Label smoothing", "share of the target spread out, below 1", &LearningForm::smoothing,
     &LiveSettings::smoothing, 1, "no number from 0 to below 1"},
    {"Clip gradients at", "their largest length; 0: never", &LearningForm::clip, &LiveSettings::clip},
    {"Look back, MB", "for the steps of each run; 0: no more", &LearningForm::history, nullptr,
     kMostHistory + 1.0, "no whole number from 0 to 1048576"}};

// The number in a field; throws a sentence that names the field.
double number_in(const LearningForm& form, const LearningField& field) {
  const std::string& text = form.*field.text;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  const bool fits = field.value || value == std::floor(value);
  if (!number || !fits || value < 0 || value >= field.below)
    throw Error(field.label, "“" + text + "” is " + field.range);
  return value;
}

}  // namespace

void LearningForm::start(Session& session) {
  const LiveSettings& now = session.run().live;
  for (const LearningField& field : kFields)
    this->*field.text = as_typed(field.value ? now.*field.value : session.settings().history_mb);
}

bool learning_dialog(ui::Ui& ui, Session& session, LearningForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Change the learning", {520, 418});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  const Rect body =
      ui.begin_scroll({outer.x - 8, outer.y, outer.width + 16, outer.height - 84}, "learning form",
                      {outer.width + 16, 46 * static_cast<float>(std::size(kFields))});
  LiveSettings wanted = session.run().live;
  int history = session.settings().history_mb;
  std::string error;
  float y = body.y;
  bool entered = false;
  for (const LearningField& field : kFields) {
    const float x = body.x + 8, width = 96;
    std::string problem;
    try {
      const double number = number_in(form, field);
      if (field.value)
        wanted.*field.value = number;
      else
        history = static_cast<int>(number);
    } catch (const Error& wrong) {
      problem = wrong.what();
    }
    canvas.text({x, y + 18}, field.label, styles::caption(t));
    const auto event = ui.TextField({x + 128, y, width, 36}, field.label, form.*field.text,
                                    {.error = problem, .mono = true});
    entered = entered || event == ui::FieldEvent::entered;
    canvas.text({x + 128 + width + 12, y + 18},
                elided(canvas, field.note, styles::caption(t), outer.right() - x - 140 - width),
                styles::caption(t));
    if (error.empty()) error = problem;
    y += 46;
  }
  ui.end_scroll();

  const bool going = can_be_changed(session.run());
  const std::string words =
      !error.empty() ? error
      : !going       ? "No run is going on: press Train first."
               : "From the next step on; marked on the curves and kept with the run. The memory counts at "
                 "once, for every run.";
  const float foot = outer.bottom() - 34;
  paragraph(canvas, {outer.x, foot - 42}, outer.width, words,
            error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note({outer.x, foot - 42, outer.width, 32}, "learning note", words);

  const bool learns = wanted != session.run().live, keeps = history != session.settings().history_mb;
  const bool ready = error.empty() && going && (learns || keeps);
  const float change = ui.button_width("Change"), cancel = ui.button_width("Cancel");
  const bool go = ui.PrimaryButton({outer.right() - change, foot, change, 32}, "Change",
                                   {.enabled = ready, .id = "Change the learning"}) ||
                  (entered && ready);
  const bool leave = ui.Button({outer.right() - change - 8 - cancel, foot, cancel, 32}, "Cancel");
  end_dialog(ui);
  if (go && keeps) ui.push(KeepHistory{history});
  if (go && learns)
    ui.push(SetLearning{.rate_scale = wanted.rate_scale,
                        .dropout = wanted.dropout,
                        .smoothing = wanted.smoothing,
                        .clip = wanted.clip});
  return go || leave || dialog.closed;
}

}  // namespace glassformer
