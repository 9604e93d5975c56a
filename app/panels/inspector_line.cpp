#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "app/widgets/rich_text.h"

namespace glassformer {

// The small window's form: one line under the stage.
void Shell::inspector_line(const Rect& rect) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  canvas.line({rect.x, rect.y + 0.5f}, {rect.right(), rect.y + 0.5f}, {.color = t.border});
  const float y = rect.center().y;
  float right = rect.right() - kPadding;
  const std::string words = inspector_open_ ? "closes the inspector" : "opens the inspector";
  const float width = ui.text_width(words, 12) + 34;
  if (ui.area({right - width, rect.y, width, rect.height}, "opens the inspector", "button").clicked)
    inspector_open_ = !inspector_open_;
  canvas.text({right, y}, words, styles::right(styles::caption(t)));
  draw_keycap(canvas, {right - width, y}, "I");
  right -= width + 24;

  const auto shown = page();
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
  const std::string& subject = shown->subject.empty() ? shown->caption : shown->subject;
  float subject_width = 0;
  std::string plain;
  for (size_t at = 0; at < subject.size(); ++at) {
    if (subject.compare(at, 2, "**") == 0) {
      ++at;
      continue;
    }
    plain += subject[at];
  }
  subject_width = ui.text_width(plain, 14, Font::semibold);
  const float value_width = canvas.measure(shown->value, styles::number(t, 14)).x;
  if (x + subject_width + 24 + value_width < right) {
    draw_rich_text(canvas, {x, y - 0.775f * 14 * 1.0f}, subject_width + 40, subject,
                   {.plain = styles::caption(t), .bold_size = 14});
    x += subject_width + 24;
  }
  ui.note({x, rect.y, value_width, rect.height}, "inspector subject", subject);
  canvas.text({x, y}, shown->value, styles::number(t, 14));
  ui.note({x, rect.y, value_width, rect.height}, "inspector value", shown->value);
  x += value_width + 24;
  // The last formula that fits: the one with the numbers.
  std::string best;
  for (const InspectorSection& section : shown->sections)
    for (const Formula& formula : section.formulas) {
      const std::string text = formula_as_text(formula);
      if (canvas.measure(text, styles::faint_number(t)).x < right - x &&
          text.find_first_of("0123456789") != std::string::npos) {
        best = text;
        break;
      }
    }
  if (!best.empty()) canvas.text({x, y}, best, styles::faint_number(t));
}

}  // namespace glassformer
