#include <algorithm>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

constexpr float kVariantRow = 30, kAboutLeft = 262;

bool was_changed(const RunState& run) {
  return run.curves &&
         std::ranges::any_of(run.curves->marks, [](const RunMark& mark) { return mark.change.has_value(); });
}

// Which of those that learn is to end, where there is no place for another.
void draw_those_to_end(ui::Ui& ui, const Rect& body, const RunsBeside& beside) {
  const Theme& t = ui.theme();
  const float button = ui.button_width("End it");
  float y = body.y;
  for (const RunBeside* const each : beside) {
    ui.canvas().text({body.x, y + 16},
                     elided(ui.canvas(), each->title(), styles::body(t), body.width - button - 140),
                     styles::body(t));
    TextStyle step = styles::caption(t);
    step.x = AlignX::right;
    ui.canvas().text({body.right() - button - 16, y + 16}, "step " + format_count(each->run.step), step);
    if (ui.Button({body.right() - button, y, button, 32}, "End it",
                  {.id = "End " + each->title(), .tooltip = "It stays among the runs"}))
      ui.push(EndVariant{each->id});
    y += 44;
  }
}

}  // namespace

void VariantForm::start(const Session& session) {
  const std::optional<NewRun> recipe = session.recipe();
  all = recipe ? variations(recipe->config, recipe->training) : std::vector<Variation>();
  chosen = 0;
  typed.clear();
  if (!recipe) return;
  const NewRun base = with_vocabularies(*recipe, session);
  config = base.config;
  training = base.training;
}

bool variant_dialog(ui::Ui& ui, Session& session, VariantForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Train a variant beside this run", {780, 620});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  if (form.all.empty()) return end_dialog_with(ui, dialog, kNothingToVary);

  if (const RunsBeside beside = session.beside(); all_places_taken(beside)) {
    const std::string refused = session.why_no_variant();
    paragraph(canvas, {body.x, body.y}, body.width, refused + " It stays among the runs.",
              styles::body_second(t));
    ui.note({body.x, body.y, body.width, 24}, "variant note", refused);
    draw_those_to_end(ui, {body.x, body.y + 56, body.width, body.height - 56}, beside);
    end_dialog(ui);
    return dialog.closed;
  }

  // One thing each; what it is about stands once.
  constexpr float kFoot = 160;
  const Rect list{body.x, body.y, body.width, body.height - kFoot};
  canvas.rectangle(list, {.fill = t.paper, .outline = t.border, .radius = 6});
  const Rect rows = ui.begin_scroll(list.inset(1), "variations",
                                    {list.width - 2, kVariantRow * static_cast<float>(form.all.size()) + 8});
  for (size_t i = 0; i < form.all.size(); ++i) {
    const Variation& one = form.all[i];
    const Rect row{rows.x + 4, rows.y + 4 + kVariantRow * static_cast<float>(i), rows.width - 16,
                   kVariantRow};
    const std::string label = "variation: " + one.about + ": " + one.name;
    const ui::Response response = ui.area(row, label, "item");
    const bool chosen = static_cast<int>(i) == form.chosen;
    if (chosen || response.hovered) canvas.rectangle(row.inset(1), {.fill = t.hover, .radius = 4});
    if (chosen) ui.mark_selected(label);
    if (response.clicked) form.chosen = static_cast<int>(i);
    if (i == 0 || form.all[i - 1].about != one.about)
      canvas.text({row.x + 12, row.center().y}, one.about, styles::body_second(t));
    canvas.text(
        {row.x + kAboutLeft, row.center().y},
        elided(canvas, one.name, chosen ? styles::heading(t) : styles::body(t), row.width - kAboutLeft - 8),
        chosen ? styles::heading(t) : styles::body(t));
  }
  ui.end_scroll();

  ui.TextField({body.x, list.bottom() + 12, body.width, 36}, "Settings of one's own", form.typed,
               {.hint = "or several, with any value: layers = 3, dropout = 0.3", .mono = true});
  Variation one = form.all[static_cast<size_t>(form.chosen)];
  std::string refused = session.why_no_variant();
  if (!form.typed.empty()) {
    try {
      one = variation_by(form.config, form.training, form.typed);
    } catch (const std::exception& wrong) {
      refused = failure_words(wrong);
    }
  }
  std::string words =
      one.shows +
      " It starts from step 0, on the same data, and shares the machine with what learns already." +
      (was_changed(session.run()) ? " What was changed on the way of this run is changed there at the same "
                                    "steps."
                                  : "");
  if (!refused.empty()) words = refused;
  const float about = list.bottom() + 60;
  paragraph(canvas, {body.x, about}, body.width, words, styles::caption(t));
  ui.note({body.x, about, body.width, 50}, "variant note", words);
  const bool recurrent = ui.LinkButton({body.x, body.bottom() - 28}, "A recurrent model…",
                                       {.tooltip = "On the same data, beside the Transformer"});
  if (recurrent) ui.push(OpenDialog{"new recurrent model"});
  const DialogAnswer answer =
      dialog_answer(ui, body, "Train it beside",
                    {.enabled = refused.empty(), .id = "Train the variant", .tooltip = refused});
  end_dialog(ui);
  if (answer == DialogAnswer::go) {
    ui.push(TrainVariant{one});
    ui.push(OpenView{"training"});
  }
  return recurrent || answer != DialogAnswer::none || dialog.closed;
}

}  // namespace glassformer
