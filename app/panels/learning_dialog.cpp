#include <iterator>

#include "app/panels/dialogs.h"
#include "app/panels/number_row.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

struct LearningField {
  NumberRow row;
  std::string LearningForm::*text;
  double LiveSettings::*value;  // null: not of the run but of how it is kept
};
constexpr LearningField kFields[] = {
    {{"Learning rate ×", "times what the schedule gives"}, &LearningForm::rate, &LiveSettings::rate_scale},
    {kDropoutRow, &LearningForm::dropout, &LiveSettings::dropout},
    {kSmoothingRow, &LearningForm::smoothing, &LiveSettings::smoothing},
    {kClipRow, &LearningForm::clip, &LiveSettings::clip},
    {{"Look back, MB", "for the steps of each run; 0: no more", kMostHistory + 1.0, true},
     &LearningForm::history,
     nullptr}};

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
                      {outer.width + 16, kNumberRow * static_cast<float>(std::size(kFields))});
  LiveSettings wanted = session.run().live;
  int history = session.settings().history_mb;
  std::string error;
  bool entered = false;
  Rect place{body.x + 8, body.y, outer.width, kNumberRow};
  for (const LearningField& field : kFields) {
    const TypedNumber typed = number_row(ui, place, field.row, form.*field.text, error);
    entered = entered || typed.entered;
    if (typed.value && field.value)
      wanted.*field.value = *typed.value;
    else if (typed.value)
      history = static_cast<int>(*typed.value);
    place.y += kNumberRow;
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
  const DialogAnswer answer =
      dialog_answer(ui, outer, "Change", {.enabled = ready, .id = "Change the learning"}, entered);
  end_dialog(ui);
  if (answer == DialogAnswer::go && keeps) ui.push(KeepHistory{history});
  if (answer == DialogAnswer::go && learns)
    ui.push(SetLearning{.rate_scale = wanted.rate_scale,
                        .dropout = wanted.dropout,
                        .smoothing = wanted.smoothing,
                        .clip = wanted.clip});
  return answer != DialogAnswer::none || dialog.closed;
}

}  // namespace glassformer
