#include <charconv>
#include <cmath>

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
  double LiveSettings::*value;
  bool below_one;
};
constexpr LearningField kFields[] = {
    {"Learning rate ×", "times what the schedule gives", &LearningForm::rate, &LiveSettings::rate_scale,
     false},
    {"Dropout", "share of numbers dropped, below 1", &LearningForm::dropout, &LiveSettings::dropout, true},
    {"Label smoothing", "share of the target spread out, below 1", &LearningForm::smoothing,
     &LiveSettings::smoothing, true},
    {"Clip gradients at", "their largest length; 0: never", &LearningForm::clip, &LiveSettings::clip, false}};

// The number in a field; throws a sentence that names the field.
double number_in(const LearningForm& form, const LearningField& field) {
  const std::string& text = form.*field.text;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  if (!number || value < 0 || value > 1e6 || (field.below_one && value >= 1))
    throw Error(field.label, "“" + text + "” is no number from 0 " + (field.below_one ? "to below 1" : "on"));
  return value;
}

}  // namespace

void LearningForm::start(const LiveSettings& now) {
  for (const LearningField& field : kFields) this->*field.text = as_typed(now.*field.value);
}

bool learning_dialog(ui::Ui& ui, Session& session, LearningForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Change the learning", {520, 372});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  const Rect body = ui.begin_scroll({outer.x - 8, outer.y, outer.width + 16, outer.height - 84},
                                    "learning form", {outer.width + 16, 4 * 46});
  LiveSettings wanted = session.run().live;
  std::string error;
  float y = body.y;
  bool entered = false;
  for (const LearningField& field : kFields) {
    const float x = body.x + 8, width = 96;
    std::string problem;
    try {
      wanted.*field.value = number_in(form, field);
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
  const std::string words = !error.empty() ? error
                            : !going       ? "No run is going on: press Train first."
                                     : "From the next step on; marked on the curves and kept with the run.";
  const float foot = outer.bottom() - 34;
  paragraph(canvas, {outer.x, foot - 42}, outer.width, words,
            error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note({outer.x, foot - 42, outer.width, 32}, "learning note", words);

  const bool ready = error.empty() && going && wanted != session.run().live;
  const float change = ui.button_width("Change"), cancel = ui.button_width("Cancel");
  const bool go = ui.PrimaryButton({outer.right() - change, foot, change, 32}, "Change",
                                   {.enabled = ready, .id = "Change the learning"}) ||
                  (entered && ready);
  const bool leave = ui.Button({outer.right() - change - 8 - cancel, foot, cancel, 32}, "Cancel");
  end_dialog(ui);
  if (go)
    ui.push(SetLearning{.rate_scale = wanted.rate_scale,
                        .dropout = wanted.dropout,
                        .smoothing = wanted.smoothing,
                        .clip = wanted.clip});
  return go || leave || dialog.closed;
}

}  // namespace glassformer
