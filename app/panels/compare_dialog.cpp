#include <algorithm>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

// A step as it is typed, or copied from the screen, where thin spaces part its thousands.
std::optional<long> typed_step(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || static_cast<unsigned char>(c) > 127; });
  const std::optional<long> step = typed_whole(text);
  return step && *step >= 0 ? step : std::nullopt;
}

}  // namespace

void CompareForm::start(Session& session) {
  const History::Kept& kept = session.run().history;
  step = kept.empty() ? "" : std::to_string(kept[kept.size() / 4]->step());
  sentence = session.scene().sentences.size() > 1 ? session.scene().sentences[1].source : "";
  if (const RunBeside* beside = session.beside(); beside && !beside->run.history.empty())
    variant_step = std::to_string(beside->run.history[beside->run.history.size() / 2]->step());
  models.start(FileBrowser::Purpose::open_model, session.settings());
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
    const auto event = ui.TextField({body.x, y, width, 36}, label, text, {.error = error, .enabled = usable});
    const bool ready = usable && error.empty() && !text.empty();
    const bool pressed = ui.Button({body.right() - button, y + 2, button, 32}, "Compare",
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
  if (const RunBeside* beside = session.beside()) {
    const History::Kept& theirs = beside->run.history;
    const auto at = typed_step(form.variant_step);
    if (row("A step of the variant", form.variant_step, "It stays there while the slider moves the first.",
            !theirs.empty(), !theirs.empty() && !at ? "A step is a whole number, such as 120." : ""))
      choose(OtherRun{*at});
  }
  if (row("Another sentence", form.sentence, "Read by the same model.", true, ""))
    choose(OtherSentence{form.sentence});
  canvas.text({body.x, y + 8}, "Another run or model, on the same sentence", styles::section(t));
  y += 22;
  const bool changed = !session.scene().what_if.empty();
  const float foot = session.beside() || changed ? 44 : 0;
  const std::string folder =
      model_lines(ui, form.models, {body.x, y, body.width, std::max(60.0f, body.bottom() - y - foot)});
  if (!folder.empty()) choose(OtherModel{folder});
  float right = body.right();
  const auto choice = [&](const char* words) {
    right -= ui.button_width(words);
    const Rect rect{std::exchange(right, right - 8), body.bottom() - 32, ui.button_width(words), 32};
    return ui.Button(rect, words);
  };
  if (session.beside() && choice("The variant beside it")) choose(OtherRun{});
  if (changed && choice("This one without the changes")) choose(OtherUntouched{});
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
