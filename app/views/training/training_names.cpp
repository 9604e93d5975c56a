// The names of the runs that the charts hold: one list for all of them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/views/common/chart_height.h"
#include "app/views/common/run_events.h"
#include "app/views/common/stage_text.h"
#include "app/views/training/training_view.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

// Of four runs, as the charts name them over their curves.
struct NamesGrid {
  std::size_t columns = 1, rows = 0;
};
NamesGrid names_grid(const ViewInput& input, float width) {
  constexpr float kNarrowest = 220;
  if (input.beside.size() < 2) return {};  // the one has its name at its curve
  const std::size_t count = input.beside.size() + 1;
  const auto fitting = static_cast<std::size_t>(std::max(1.0f, width / kNarrowest));
  const std::size_t rows = (count + fitting - 1) / fitting;
  return {(count + rows - 1) / rows, rows};
}

}  // namespace

Stroke beside_stroke(const Theme& theme, const RunBeside& run) {
  switch (run.place) {
    case 0:
      return {.color = theme.reference, .width = 2, .dashed = true, .dash = 18};
    case 1:
      return {.color = theme.query, .width = 2, .dashed = true, .dash = 7};
    default:
      return {.color = theme.value, .width = 2, .dashed = true, .dash = 2};
  }
}

float TrainingView::names_height(const ViewInput& input, float width) {
  const std::size_t rows = names_grid(input, width).rows;
  return rows > 0 ? kNameRow * static_cast<float>(rows) + 4 : 0;
}

// One list for all charts: so many names have no room at the curves.
void TrainingView::draw_names(Canvas& canvas, const ViewInput& input, const Rect& area) {
  constexpr float kSample = 24;
  const NamesGrid grid = names_grid(input, area.width);
  if (grid.rows == 0) return;
  constexpr float kAround = kSample + 24;  // the sample, and room to the next name
  const TextStyle style = caption_style(canvas);
  // Columns as wide as their names, where all of those fit; else equally wide.
  std::vector<float> widths(grid.columns, 0);
  const auto widen = [&](std::size_t i, const std::string& words) {
    float& width = widths[i % grid.columns];
    width = std::max(width, std::ceil(canvas.measure(words, style).x) + kAround);
  };
  widen(0, "this run");
  for (std::size_t i = 0; i < input.beside.size(); ++i) widen(i + 1, input.beside[i]->title());
  const float equal = std::floor(area.width / static_cast<float>(grid.columns));
  if (std::accumulate(widths.begin(), widths.end(), 0.0f) > area.width) widths.assign(grid.columns, equal);
  std::size_t at = 0;
  const auto name = [&](const std::string& words, const Stroke& stroke) {
    const std::size_t column = at % grid.columns;
    const float x =
        std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(column), area.x);
    const float y = area.y + kNameRow * (static_cast<float>(at / grid.columns) + 0.5f);
    canvas.line({x, y}, {x + kSample, y}, stroke);
    canvas.text({x + kSample + 8, y}, elided(canvas, words, style, widths[column] - kSample - 24), style);
    ++at;
  };
  name("this run", {.color = canvas.theme().ink, .width = 2});
  for (const RunBeside* const each : input.beside) name(each->title(), beside_stroke(canvas.theme(), *each));
}

}  // namespace glassformer
