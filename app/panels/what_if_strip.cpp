#include "app/panels/what_if_strip.h"

#include <cmath>
#include <string>
#include <vector>

#include "app/panels/styles.h"
#include "app/session/change_words.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

// Why a change does nothing in this model and sentence; empty: it does something.
std::string why_idle(const Change& change, const SceneResult& plain, const SceneResult& result) {
  const std::string wrong =
      misfit(change, {*plain.snapshot->weights, static_cast<int>(plain.source_words.size()),
                      static_cast<int>(plain.target_in_words.size())});
  if (!wrong.empty()) return wrong;
  const Substitutes& substitutes = result.scene.substitutes;
  if (change.by == Replacement::mean && !substitutes.means)
    return "the held-out sentences to take a mean over are not known";
  if (change.by == Replacement::other && !substitutes.other)
    return "there was no second Scene to take the value from; compare, then choose it again";
  return {};
}

}  // namespace

void draw_what_if_strip(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel, .outline = t.reference, .outline_width = 2, .radius = 6});
  const float y = rect.center().y;
  canvas.text({rect.x + 16, y}, "Changed", {.font = Font::semibold, .size = 14, .color = t.reference});
  const float undo = ui.button_width("Undo all");
  const float keycap = rect.width > 480 ? 64.0f : 0;
  float right = rect.right() - 12;
  // What the views show is of before.
  const bool computing =
      in.result && in.session.working() && in.result->scene.what_if != in.session.scene().what_if;
  if (computing) {
    const TextStyle words{.font = Font::semibold, .size = 14, .color = t.reference, .x = AlignX::right};
    canvas.text({right, y}, "computing…", words);
    const float width = std::ceil(canvas.measure("computing…", words).x);
    ui.note({right - width, y - 10, width, 20}, "what is shown", "of before the change: computing…");
    right -= width + 8;
  } else if (keycap > 0) {
    draw_keycap(canvas, {right - 50, y}, "hold O");
    ui.tooltip({right - 50, y - 10, 50, 20}, "While O is held, the untouched model is shown");
    right -= keycap;
  }
  if (ui.QuietButton({right - undo, y - 16, undo, 32}, "Undo all")) ui.push(SetWhatIf{});
  right -= undo + 8;

  float x = rect.x + 16 + ui.text_width("Changed", 14, Font::semibold) + 16;
  const WhatIf& what_if = in.session.scene().what_if;
  const std::vector<Change>& changes = what_if.changes;
  // In the words that stand there without them.
  const SceneResult* const plain = !in.result         ? nullptr
                                   : in.result->plain ? in.result->plain.get()
                                                      : in.result;
  const ChangeWords words = plain ? change_words(*plain, in.session.tokenizers()) : ChangeWords{};
  for (size_t i = 0; i < changes.size(); ++i) {
    const TextStyle style{.size = 14, .color = t.ink};
    const std::string chip_text = chip_words(changes[i], words);
    const float width = std::ceil(canvas.measure(chip_text, style).x) + 44;
    if (x + width > right) {
      canvas.text({x, y}, "+ " + std::to_string(changes.size() - i) + " more", styles::caption(t));
      break;
    }
    const Rect chip{x, y - 14, width, 28};
    canvas.rectangle(chip, {.fill = t.sunken, .outline = t.border, .radius = 6});
    const std::string idle = plain ? why_idle(changes[i], *plain, *in.result) : std::string();
    TextStyle shown = style;
    if (!idle.empty()) {
      shown.color = t.second_text;
      ui.tooltip(chip, "Does nothing here: " + idle);
      ui.note(chip, "idle: " + chip_text, idle);
    }
    canvas.text({chip.x + 12, y}, chip_text, shown);
    if (!idle.empty()) canvas.line({chip.x + 12, y}, {chip.right() - 32, y}, {.color = t.second_text});
    const Rect cross{chip.right() - 28, y - 14, 28, 28};
    const ui::Response response = ui.area(cross, "undo: " + chip_text, "button");
    ui::draw_icon(canvas, ui::Icon::close, cross.center(), response.hovered ? t.ink : t.second_text);
    if (response.clicked) ui.push(SetWhatIf{what_if.without(i)});
    x += width + 8;
  }
}

}  // namespace glassformer
