#include <algorithm>
#include <filesystem>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/run_name.h"

namespace glassformer {

namespace {

std::string how_far(const UnsavedRun& run) {
  std::string words = "Trained to step " + format_count(run.step) + "; ";
  words += run.saved_step > 0 ? "on disk as of step " + format_count(run.saved_step) + "."
                              : "what it has learned here is not on disk.";
  if (run.failed_saves > 1) words += " Saving failed " + format_count(run.failed_saves) + " times.";
  return words;
}

}  // namespace

UnsavedAnswer unsaved_dialog(ui::Ui& ui, const Session& session, bool closing, Point window) {
  const std::vector<UnsavedRun> runs = session.unsaved();
  if (runs.empty()) return UnsavedAnswer::leave;
  const std::string title = runs.size() == 1 ? "The run is not saved" : "The runs are not saved";
  const DialogBox dialog = begin_dialog(ui, window, title, {620, 300});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  constexpr float kFoot = 100;

  constexpr float kEach = 116;
  const float needed = kEach * static_cast<float>(runs.size());
  const Rect list = ui.begin_scroll({body.x - 8, body.y, body.width + 16, body.height - kFoot},
                                    "unsaved runs", {body.width + 16, needed});
  float y = list.y;
  for (const UnsavedRun& run : runs) {
    const float width = body.width - 8, left = list.x + 8;
    const std::string name = run_in_words(std::filesystem::path(run.folder).filename().string());
    const float top = y;
    y += paragraph(canvas, {left, y}, width, name, styles::heading(t)) + 4;
    y += paragraph(canvas, {left, y}, width, how_far(run), styles::body(t)) + 4;
    const std::string why = run.why + "." +
                            (run.not_moved.empty() || run.not_moved == run.why
                                 ? ""
                                 : " The other folder could not be taken: " + run.not_moved + ".");
    y += paragraph(canvas, {left, y}, width, why, {.size = 12, .color = t.wrong}) + 12;
    ui.note({left, top, width, y - top}, "unsaved run", name + ". " + how_far(run) + " " + why);
  }
  ui.end_scroll();

  const float foot = body.bottom() - 34;
  const std::string words =
      "Mend what is said above and try again, or choose a folder on another disk. Nothing is lost while the "
      "program is open.";
  paragraph(canvas, {body.x, foot - 50}, body.width, words, styles::caption(t));

  const float again = ui.button_width("Try again"), other = ui.button_width("Another folder…");
  UnsavedAnswer answer = dialog.closed ? UnsavedAnswer::leave : UnsavedAnswer::none;
  if (ui.PrimaryButton({body.right() - again, foot, again, 32}, "Try again"))
    answer = UnsavedAnswer::try_again;
  if (ui.Button({body.right() - again - 8 - other, foot, other, 32}, "Another folder…"))
    ui.push(OpenDialog{"keep run"});
  const std::string leave = closing ? "Close without saving" : "Later";
  if (ui.Button({body.x, foot, ui.button_width(leave), 32}, leave))
    answer = closing ? UnsavedAnswer::close_anyway : UnsavedAnswer::leave;
  end_dialog(ui);
  return answer;
}

}  // namespace glassformer
