// Model, Start over…: the same recipe from step 0, and what is kept of what there is.
#include <filesystem>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/run_name.h"

namespace glassformer {

namespace {

std::string what_is_kept(const Session& session) {
  const std::string folder = session.open_folder(), name = std::filesystem::path(folder).filename().string();
  if (session.run().step == 0) return "Nothing was learned yet that could be lost.";
  const std::string step = "step " + format_count(session.run().step);
  if (session.run().phase == RunPhase::none)
    return "“" + name + "”, of " + step + ", stays as it is; File opens it again.";
  if (folder.empty())
    return "This run, of " + step + ", is kept nowhere: save it first, by File, Save model.";
  return "This run, of " + step + ", is kept: Model, Runs… opens “" + run_in_words(name) + "” again.";
}

}  // namespace

bool start_over_dialog(ui::Ui& ui, Session& session, StartOverForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Start over", {520, 304});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  float y = body.y;
  y += paragraph(canvas, {body.x, y}, body.width,
                 "From random weights at step 0, by the same recipe: data, pieces, sizes, learning. Train "
                 "then takes "
                 "the first steps.",
                 styles::body(t)) +
       12;
  ui.Segmented({body.x, y, std::min(260.0f, body.width), 32}, "Seed", {"Same seed", "New seed"}, form.seed);
  y += 44;
  const char* const about =
      form.seed == 0 ? "The same random weights and the same order of the data: the same curve again."
                     : "Other random weights and another order: what differs is chance.";
  y += paragraph(canvas, {body.x, y}, body.width, about, styles::caption(t)) + 8;
  const std::string kept = what_is_kept(session);
  paragraph(canvas, {body.x, y}, body.width, kept, styles::caption(t));
  ui.note({body.x, y, body.width, 32}, "what is kept", kept);
  const DialogAnswer answer = dialog_answer(ui, body, "Start over", {.id = "Start over from step 0"});
  end_dialog(ui);
  if (answer == DialogAnswer::go) ui.push(ResetTraining{.new_seed = form.seed == 1});
  return answer != DialogAnswer::none || dialog.closed;
}

}  // namespace glassformer
