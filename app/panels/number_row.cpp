#include "app/panels/number_row.h"

#include <charconv>
#include <cmath>

#include "app/panels/styles.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

constexpr float kLabel = 128, kField = 96;

double number_in(const NumberRow& row, const std::string& text) {
  const std::optional<double> value = typed_number(text);
  const bool fits = value && (!row.whole || *value == std::floor(*value));
  if (fits && *value >= row.below) throw Error(row.label, "“" + text + "” is too large for " + range_of(row));
  if (!fits || *value < 0) throw Error(row.label, "“" + text + "” is not " + range_of(row));
  return *value;
}

}  // namespace

std::string range_of(const NumberRow& row) {
  const auto plain = [](double value) { return std::to_string(std::llround(value)); };
  if (row.whole) return "a whole number from 0 to " + plain(row.below - 1);
  return "a number from 0 to below " + plain(row.below);
}

std::string as_typed(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

TypedNumber number_row(ui::Ui& ui, const Rect& place, const NumberRow& row, std::string& text,
                       std::string& error) {
  Canvas& canvas = ui.canvas();
  const TextStyle caption = styles::caption(ui.theme());
  TypedNumber typed;
  std::string problem;
  try {
    typed.value = number_in(row, text);
  } catch (const Error& wrong) {
    problem = message_text(wrong.what());
  }
  canvas.text({place.x, place.y + 18}, row.label, caption);
  const float field = place.x + kLabel, note = field + kField + 12;
  typed.entered = TextField(ui, {field, place.y, kField, 36}, row.label, text,
                            {.error = problem, .mono = true}) == ui::FieldEvent::entered;
  canvas.text({note, place.y + 18}, elided(canvas, row.note, caption, place.right() - note), caption);
  if (error.empty()) error = problem;
  return typed;
}

}  // namespace glassformer
