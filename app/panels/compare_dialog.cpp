#include <algorithm>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

// A step as typed, or copied from the screen, where thin spaces part its thousands.
std::optional<long> typed_step(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || static_cast<unsigned char>(c) > 127; });
  const std::optional<long> step = typed_whole(text);
  return step && *step >= 0 ? step : std::nullopt;
}

constexpr float kBesideRow = 34;

// A line that says which variant the step is of; true after a click.
bool beside_row(ui::Ui& ui, const Rect& line, const RunBeside& run, bool chosen) {
  const Theme& t = ui.theme();
  const float button = ui.button_width("Compare");
  const Rect row{line.x, line.y, line.width - button - 12, line.height};
  const std::string label = "variant: " + run.title();
  const ui::Response response = ui.area(row, label, "item");
  if (chosen || response.hovered) ui.canvas().rectangle(row.inset(1), {.fill = t.hover, .radius = 4});
  if (chosen) ui.mark_selected(label);
  const TextStyle style = chosen ? styles::heading(t) : styles::body(t);
  ui.canvas().text({row.x + 12, row.center().y}, elided(ui.canvas(), run.title(), style, row.width - 24),
                   style);
  return response.clicked;
}

}  // namespace

void CompareForm::start(Session& session) {
  const History::Kept& kept = session.run().history;
  step = kept.empty() ? "" : std::to_string(kept[kept.size() / 4]->step());
  sentence = session.scene().sentences.size() > 1 ? session.scene().sentences[1].source : "";
  variant_step.clear();
  if (const RunsBeside beside = session.beside(); !beside.empty()) choose(*beside.back());
  models.start(FileBrowser::Purpose::open_model, session.settings());
}

void CompareForm::choose(const RunBeside& run) {
  variant = run.id;
  const History::Kept& kept = run.run.history;
  variant_step = kept.empty() ? "" : std::to_string(kept[kept.size() / 2]->step());
}

bool compare_dialog(ui::Ui& ui, Session& session, CompareForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Compare with…", {620, 600});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  bool close = dialog.closed;
  const auto choose = [&](Other other) {
    ui.push(Compare{std::move(other)});
    close = true;
  };
  float y = body.y;
  const float button = ui.button_width("Compare");
  // A field, what it means, and the button that takes it.
  const auto row = [&](const char* label, std::string& text, const std::string& note, bool usable,
                       const std::string& error) {
    canvas.text({body.x, y + 8}, label, styles::section(t));
    y += 22;
    const float width = body.width - button - 12;
    const auto event =
        TextField(ui, {body.x, y, width, 36}, label, text, {.error = error, .enabled = usable});
    const bool ready = usable && error.empty() && !text.empty();
    const bool pressed = Button(ui, {body.right() - button, y + 2, button, 32}, "Compare",
                                {.enabled = ready, .id = std::string("Compare: ") + label});
    const TextStyle style = error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong};
    canvas.text({body.x, y + 48}, elided(canvas, error.empty() ? note : error, style, body.width), style);
    y += 70;
    return ready && (pressed || event == ui::FieldEvent::entered);
  };

  const History::Kept& kept = session.run().history;
  const auto step = typed_step(form.step);
  const std::string steps = kept.empty()
                                ? "No earlier step of this model is kept: train one."
                                : "Kept: " + format_count(static_cast<long>(kept.size())) + " steps up to " +
                                      format_count(kept.back()->step()) + "; the nearest one is taken.";
  if (row("An earlier step of the training", form.step, steps, !kept.empty(),
          !kept.empty() && !step ? "A step is a whole number, such as 120." : ""))
    choose(OtherStep{*step});
  const RunsBeside beside = session.beside();
  if (beside.size() > 1) {
    canvas.text({body.x, y + 8}, "A variant beside this run", styles::section(t));
    y += 22;
    for (const RunBeside* const each : beside) {
      const Rect line{body.x, y, body.width, kBesideRow};
      if (beside_row(ui, line, *each, each->id == form.variant)) form.choose(*each);
      if (Button(ui, {line.right() - button, line.y + 3, button, 28}, "Compare",
                 {.id = "Compare: " + each->title()}))
        choose(OtherRun{.variant = each->id});
      y += kBesideRow;
    }
    y += 8;
  }
  const auto chosen = std::ranges::find(beside, form.variant, &RunBeside::id);
  if (chosen != beside.end()) {
    const History::Kept& theirs = (*chosen)->run.history;
    const auto at = typed_step(form.variant_step);
    if (row("A step of the variant", form.variant_step, "It stays there while the slider moves the first.",
            !theirs.empty(), !theirs.empty() && !at ? "A step is a whole number, such as 120." : ""))
      choose(OtherRun{*at, form.variant});
  }
  if (row("Another sentence", form.sentence, "Read by the same model.", true, ""))
    choose(OtherSentence{form.sentence});
  canvas.text({body.x, y + 8}, "Another run or model, on the same sentence", styles::section(t));
  y += 22;
  const bool changed = !session.scene().what_if.empty();
  const float foot = beside.size() == 1 || changed ? 44 : 0;
  const std::string folder =
      model_lines(ui, form.models, {body.x, y, body.width, std::max(60.0f, body.bottom() - y - foot)});
  if (!folder.empty()) choose(OtherModel{folder});
  float right = body.right();
  const auto choice = [&](const char* words) {
    right -= ui.button_width(words);
    const Rect rect{std::exchange(right, right - 8), body.bottom() - 32, ui.button_width(words), 32};
    return Button(ui, rect, words);
  };
  if (beside.size() == 1 && choice("The variant beside it")) choose(OtherRun{});
  if (changed && choice("This one without the changes")) choose(OtherUntouched{});
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
