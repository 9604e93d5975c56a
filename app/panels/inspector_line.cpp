#include "app/panels/inspector_panel.h"
#include "app/panels/styles.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "app/widgets/rich_text.h"

namespace glassformer {

// The small window's form: one line under the stage.
void InspectorPanel::line(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.line({rect.x, rect.y + 0.5f}, {rect.right(), rect.y + 0.5f}, {.color = t.border});
  const float y = rect.center().y;
  float right = rect.right() - kPadding;
  const std::string words = in.opened.inspector ? "closes the inspector" : "opens the inspector";
  const float width = ui.text_width(words, 12) + 34;
  if (ui.area({right - width, rect.y, width, rect.height}, "opens the inspector", "button").clicked)
    in.opened.inspector = !in.opened.inspector;
  canvas.text({right, y}, words, styles::right(styles::caption(t)));
  draw_keycap(canvas, {right - width, y}, "I");
  right -= width + 24;

  const auto shown = page(in);
  if (!shown) {
    canvas.text({rect.x + kPadding, y},
                elided(canvas, "Point at any number: its name, value and formula stand here.",
                       styles::caption(t), right - rect.x - kPadding),
                styles::caption(t));
    return;
  }
  float x = rect.x + kPadding;
  if (shown->swatch) {
    canvas.rectangle({x, y - 8, 16, 16}, {.fill = *shown->swatch, .outline = t.border, .radius = 2});
    x += 28;
  }
  const bool named = !shown->subject.empty();
  const std::string& subject = named ? shown->subject : shown->caption;
  std::string plain;
  for (size_t at = 0; at < subject.size(); ++at) {
    if (subject.compare(at, 2, "**") == 0) {
      ++at;
      continue;
    }
    plain += subject[at];
  }
  const float subject_width = ui.text_width(plain, 14, Font::semibold);
  const float value_width = canvas.measure(shown->value, styles::number(t, 14)).x;
  const float needed = subject_width + 24 + value_width;
  // What kind of thing it is, where that leaves room for the rest.
  const float kind = ui.text_width(shown->caption, 12);
  if (named && !shown->caption.empty() && x + kind + 12 + needed < right) {
    canvas.text({x, y}, shown->caption, styles::caption(t));
    x += kind + 12;
  }
  if (x + needed < right) {
    draw_rich_text(canvas, {x, y - 0.775f * 14}, subject_width + 40, subject,
                   {.plain = styles::caption(t), .bold_size = 14});
    x += subject_width + 24;
  }
  ui.note({x, rect.y, value_width, rect.height}, "inspector subject", subject);
  if (!shown->value.empty()) {
    canvas.text({x, y}, shown->value, styles::number(t, 14));
    x += value_width + 24;
  }
  ui.note({x, rect.y, value_width, rect.height}, "inspector value", shown->value);
  if (right - x < 60) return;
  // The first formula with numbers that fits; what has no number says what it means.
  for (const InspectorSection& section : shown->sections) {
    for (const Formula& formula : section.formulas) {
      const std::string text = formula_as_text(formula);
      if (canvas.measure(text, styles::faint_number(t)).x >= right - x ||
          text.find_first_of("0123456789") == std::string::npos)
        continue;
      return canvas.text({x, y}, text, styles::faint_number(t));
    }
  }
  if (shown->value.empty())
    canvas.text({x, y}, elided(canvas, shown->meaning, styles::caption(t), right - x), styles::caption(t));
}

}  // namespace glassformer
