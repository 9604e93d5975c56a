#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/diagnosis/diagnosis.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

namespace {

constexpr double kSteadyUpdate = 1e-3;  // of a weight, each step: a rule of thumb
constexpr float kSteps = 32;            // the steps under a plot
constexpr float kColumn = 2;            // width of a cell

// Thin for the encoder, thick for the decoder, dashed for the rest; darker further up.
Stroke stroke_of(const FindingRow& row, const Theme& theme) {
  const auto alpha = static_cast<float>(0.3 + 0.7 * row.height);
  const Color color = theme.ink.with_alpha(alpha);
  switch (row.stack) {
    case FindingRow::Stack::encoder:
      return {.color = color, .width = 1.25f};
    case FindingRow::Stack::decoder:
      return {.color = color, .width = 2.75f};
    case FindingRow::Stack::none:
      break;
  }
  return {.color = color, .width = 1.25f, .dashed = true};
}

// "encoder 1": one attention's heads, in a narrow column.
std::string group_name(const FindingRow& row) {
  const char* names[] = {"encoder ", "decoder ", "cross "};
  return names[static_cast<std::size_t>(row.kind)] + std::to_string(row.layer + 1);
}

// Which look each column of cells shows: the nearest one; -1 before the first and after the last.
std::vector<int> looks_across(const Findings& found, const Axis& axis, int columns) {
  if (!found.recorded) return std::vector<int>(static_cast<std::size_t>(columns), 0);
  const auto at = [&](std::size_t look) { return axis.share(found.steps[look]) * columns; };
  std::vector<int> across;
  std::size_t look = 0;
  for (int column = 0; column < columns; ++column) {
    const double x = column + 0.5;
    while (look + 1 < found.steps.size() && std::abs(at(look + 1) - x) <= std::abs(at(look) - x)) ++look;
    const bool outside = x < at(0) - 1.5 || x > at(found.steps.size() - 1) + 1.5;
    across.push_back(outside ? -1 : static_cast<int>(look));
  }
  return across;
}

Axis log_axis(const std::vector<Series>& series, bool with_steady) {
  std::vector<Series> all = series;
  const std::array<double, 1> at{0}, steady{kSteadyUpdate};
  if (with_steady) all.push_back({.x = at, .y = steady});
  Axis axis = fit_axis(all, AxisKind::log, false);
  // At most four labels, a line each.
  const double decades = std::log10(axis.high / axis.low), each = std::max(1.0, std::ceil(decades / 3));
  for (double power = 0; power <= decades + 0.01; power += each) {
    const double value = axis.low * std::pow(10.0, power);
    axis.ticks.push_back({value, format_short(value)});
  }
  return axis;
}

}  // namespace

void DiagnosisView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Shown now = shown(input);
  if (now.found.recorded)
    draw_stage_title(canvas, area, kTitle,
                     "After early steps and at each validation: how the step moved each layer, and how the "
                     "same few pairs are read.",
                     canvas.is_file() ? 0 : 230);
  else
    draw_stage_title(canvas, area, "What the heads and units of this model do",
                     "One look at " + now.read_words() + ", by the model as it is now.");

  for (const Panel& panel : panels(canvas, area, now)) draw_panel(canvas, input, now, panel);
}

void DiagnosisView::draw_panel(Canvas& canvas, const ViewInput& input, const Shown& now,
                               const Panel& panel) const {
  const TextStyle heading{.font = Font::semibold, .size = 14, .color = canvas.theme().ink};
  canvas.text({panel.rect.x, panel.rect.y + 10}, panel.table->heading, heading);
  TextStyle advice = caption_style(canvas);
  advice.y = AlignY::top;
  paragraph(canvas, {panel.rect.x, panel.rect.y + 24}, panel.rect.width, panel.table->advice, advice);
  if (panel.table->heads > 0) {
    draw_color_bar_across(canvas, {panel.rect.right() - 92, panel.rect.y + 6, 72, 8}, ColorScale::weight, 1);
    draw_reading(canvas, input, now, panel);
    draw_heads(canvas, input, now, panel);
    return;
  }
  if (now.found.recorded) draw_curves(canvas, now, panel);
  draw_legend(canvas, now, panel);
  if (!now.found.recorded)
    paragraph(canvas, {panel.rect.x, panel.row(panel.table->rows.size()).y + 32}, panel.rect.width,
              "Press Train, and what is seen here is looked at again and again while the model learns, with "
              "the gradient and the update of every layer.",
              {.size = 14, .color = canvas.theme().second_text, .y = AlignY::top});
}

void DiagnosisView::draw_curves(Canvas& canvas, const Shown& shown, const Panel& panel) const {
  const FindingTable& table = *panel.table;
  const Findings& found = shown.found;
  std::vector<Series> series;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Stroke stroke = stroke_of(table.rows[i], canvas.theme());
    series.push_back({.x = found.steps,
                      .y = table.rows[i].values,
                      .kind = stroke.dashed ? CurveKind::reference : CurveKind::raw,
                      .color = is_hovered(panel, i) ? canvas.theme().ink : stroke.color,
                      .width = is_hovered(panel, i) ? stroke.width + 1.5f : stroke.width});
  }
  ChartOptions options{.x = shown.axis};
  options.x.title.clear();  // no room: the switch over the charts names the scale
  options.cursor = static_cast<double>(shown.cursor);
  options.bottom = panel.last ? kSteps : 0;
  options.x_labels = panel.last;
  if (panel.last) options.cursor_flag = "after step " + format_count(shown.cursor);
  const bool update = table.finding == Finding::update;
  if (table.finding == Finding::silent)
    options.y = {.low = 0, .high = 1.02, .ticks = {{0, ""}, {0.5, "50 %"}, {1, "100 %"}}};
  else
    options.y = log_axis(series, update);
  const std::array<double, 2> ends{shown.axis.low, shown.axis.high}, steady{kSteadyUpdate, kSteadyUpdate};
  if (update)
    series.push_back(
        {.label = "a thousandth", .x = ends, .y = steady, .kind = CurveKind::reference, .label_at = 0.85});
  Rect room = panel.plot;
  if (panel.last) room.height += kSteps;
  draw_line_chart(canvas, room, series, options);
}

void DiagnosisView::draw_legend(Canvas& canvas, const Shown& shown, const Panel& panel) const {
  for (std::size_t i = 0; i < panel.table->rows.size(); ++i) {
    const FindingRow& row = panel.table->rows[i];
    const Rect place = panel.row(i);
    const float y = place.center().y;
    const bool hovered = is_hovered(panel, i);
    const TextStyle value{.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right};
    const std::string text = panel.table->value(i, shown.look);
    canvas.text({place.right(), y}, text, value);
    float left = place.x;
    if (shown.found.recorded) {
      canvas.line({left, y}, {left + 14, y}, stroke_of(row, canvas.theme()));
      left += 20;
    }
    TextStyle name = caption_style(canvas);
    if (hovered) name = {.font = Font::semibold, .size = 12, .color = canvas.theme().ink};
    canvas.text({left, y},
                elided(canvas, row.name, name, place.right() - canvas.measure(text, value).x - 8 - left),
                name);
  }
}

void DiagnosisView::draw_reading(Canvas& canvas, const ViewInput& input, const Shown& shown,
                                 const Panel& panel) const {
  const FindingTable& table = *panel.table;
  const auto head = chosen_head(panel, input);
  std::string text = "mean of all heads " + finding_text(table.finding, table.mean(shown.look));
  if (head) text = table.rows[*head].name + ": " + table.value(*head, shown.look) + " · " + text;
  TextStyle style = caption_style(canvas);
  style.color = canvas.theme().ink;
  canvas.text({panel.rect.x, panel.plot.y - 13}, elided(canvas, text, style, panel.rect.width), style);
}

void DiagnosisView::draw_heads(Canvas& canvas, const ViewInput& input, const Shown& shown,
                               const Panel& panel) const {
  const Theme& theme = canvas.theme();
  const FindingTable& table = *panel.table;
  const std::size_t heads = table.heads;
  const auto chosen = chosen_head(panel, input);

  // The steps below the last one, and the cursor's flag.
  if (panel.last && shown.found.recorded) {
    ChartOptions options{.x = shown.axis, .y = {.ticks = {{0, ""}}, .grid = false}};
    options.bottom = kSteps;
    options.cursor = static_cast<double>(shown.cursor);
    options.cursor_flag = "after step " + format_count(shown.cursor);
    draw_line_chart(canvas, {panel.plot.x, panel.plot.bottom() - 26, panel.plot.width, 26 + kSteps}, {},
                    options);
  }

  // A stripe for each attention.
  const int columns = std::max(1, static_cast<int>(panel.plot.width / kColumn));
  const float width = kColumn * static_cast<float>(columns);
  const std::vector<int> across = looks_across(shown.found, shown.axis, columns);
  float free_from = panel.plot.y - 20;
  for (std::size_t first = 0; first < table.rows.size(); first += heads) {
    std::vector<Color> colors;
    for (std::size_t row = first; row < first + heads; ++row)
      for (const int look : across) {
        const double value = look < 0 ? 0 : table.rows[row].values[static_cast<std::size_t>(look)];
        colors.push_back(look < 0 ? theme.sunken : value_color(ColorScale::weight, value, 1, theme));
      }
    Rect stripe = panel.row(first);
    stripe.width = width;
    stripe.height *= static_cast<float>(heads);
    canvas.grid(stripe, static_cast<int>(heads), columns, colors);
    const float y = stripe.center().y;
    if (y - 14 < free_from) continue;
    const bool open = chosen && *chosen >= first && *chosen < first + heads;
    TextStyle style = caption_style(canvas);
    if (open) style = {.font = Font::semibold, .size = 12, .color = theme.ink};
    style.x = AlignX::right;
    canvas.text({stripe.x - 8, y}, group_name(table.rows[first]), style);
    free_from = y;
  }
  if (chosen) {
    const Rect row = panel.row(*chosen);
    const Rect frame{row.x - 2, row.y - 2, width + 4, row.height + 4};
    canvas.rectangle(frame.inset(1), {.outline = theme.paper, .outline_width = 1.5f});
    canvas.rectangle(frame, {.outline = theme.ink, .outline_width = 1.5f});
  }
  if (!shown.found.recorded) return;
  const float x =
      std::round(panel.plot.x +
                 panel.plot.width * static_cast<float>(shown.axis.share(static_cast<double>(shown.cursor))));
  canvas.line({x, panel.plot.y}, {x, panel.plot.bottom()}, {.color = theme.paper, .width = 4});
  canvas.line({x, panel.plot.y}, {x, panel.plot.bottom()}, {.color = theme.ink, .width = 1.5f});
}

}  // namespace glassformer
