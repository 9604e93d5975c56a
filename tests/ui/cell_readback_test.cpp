// The cell view on the bundled model, for all steps, forward and backward: what it works out is what the pass
// recorded, and what is printed is what it worked out.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "app/views/cell/cell.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/printed_number.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

// The number that a live part of the table stands for: "term 3 1", "line 0".
std::optional<double> number_behind(const CellWork& work, const std::string& label) {
  if (label.starts_with("line ")) {
    const auto at = static_cast<std::size_t>(std::atoi(label.c_str() + 5));
    return work.lines[at].number.value;
  }
  if (!label.starts_with("term ")) return std::nullopt;
  const std::size_t last = label.rfind(' ');
  const auto term = static_cast<std::size_t>(std::atoi(label.c_str() + 5)),
             number = static_cast<std::size_t>(std::atoi(label.c_str() + last + 1));
  return work.terms[term].numbers[number].value;
}

TEST_CASE("every cell worked out is what the pass recorded, for all steps of the bundled model") {
  const auto found = bundled_scene("the tired girl sees a red car");
  REQUIRE(found);
  const SampleScene& scene = *found;
  const StepNumbers numbers(*scene.snapshot->weights, scene.result->gradients->trace);
  long compared = 0;
  for (const Step& step : training_steps(scene.snapshot->config)) {
    CAPTURE(step.name);
    for (int also = -1; also < static_cast<int>(step.also.size()); ++also) {
      const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
      const OperandNumbers table = numbers.of(made);
      REQUIRE(table.recorded());
      double largest = 0;
      for (int row = 0; row < table.rows; ++row) {
        for (int column = 0; column < table.columns; ++column)
          if (std::isfinite(table(row, column)))
            largest = std::max(largest, std::abs(static_cast<double>(table(row, column))));
      }
      // About 300 of each, spread over rows and columns.
      const int all = table.rows * table.columns, stride = std::max(1, all / 300);
      for (int at = 0; at < all; at += stride, ++compared) {
        const int row = at / table.columns, column = at % table.columns;
        const CellWork work = cell_work(step, also, row, column, numbers, scene.result->scene.smoothing);
        const auto recorded = static_cast<double>(table(row, column));
        double size = largest;
        for (const CellTerm& term : work.terms)
          if (work.headings.back() == "sum") size = std::max(size, std::abs(term.numbers.back().value));
        if (work.result != recorded && !(std::abs(work.result - recorded) <= 3e-5 * size))
          FAIL_CHECK(made.name << " " << row << " " << column << ": " << work.result << ", not " << recorded);
      }
    }
  }
  CHECK(compared > 60'000);
}

TEST_CASE("every number printed in the cell view is the one worked out, for all steps of the bundled model") {
  auto found = bundled_scene("the tired girl sees a red car");
  REQUIRE(found);
  SampleScene& scene = *found;
  CellCaches caches;
  const CellView view;
  long in_table = 0, in_matrices = 0, values = 0;
  const std::vector<Step> steps = training_steps(scene.snapshot->config);
  for (int at = 0; at < static_cast<int>(steps.size()); ++at) {
    const Step& step = steps[static_cast<std::size_t>(at)];
    if (step.off) continue;
    CAPTURE(step.name);
    const int row = step.output.rows == Extent::one ? 0 : 2,
              column = step.output.columns == Extent::one ? 0 : 3;
    scene.pin(view.cell_of_step(scene.input(), at, row, column));
    const ViewInput input = scene.input();
    const CellScene cell(input, caches, scene.pinned.cell);
    RecordingCanvas canvas;
    view.picture(canvas, input, {0, 0, 1600, 1000});
    const auto check = [&](const RecordingCanvas::Text& text, double value, long& counted) {
      const auto read = read_number(text.text);
      if (!read) return;
      CAPTURE(text.text);
      CHECK(read->agrees(value));
      ++counted;
    };
    for (const auto& text : canvas.texts) {
      if (text.style.font != Font::mono) continue;
      // The value at the top of the panel.
      if (text.style.size == 28) check(text, cell.value, values);
      for (const HitRegion& region : canvas.regions) {
        if (!region.rect.contains(text.box.center())) continue;
        if (const auto number = number_behind(cell.work(), region.label)) check(text, *number, in_table);
      }
      for (const HitGrid& grid : canvas.hit_grids) {
        const auto region = region_in(grid, text.box.center());
        const auto* pin = region && region->click ? region->click->get_if<SetPin>() : nullptr;
        const auto read = read_number(text.text);
        if (pin == nullptr || !read) continue;
        const double value = CellScene(input, caches, pin->selection.cell).value;
        // A gradient's cells are multiplied by a power of ten that their heading names.
        double factor = 1;
        while (pin->selection.cell->gradient && value != 0 && factor < 1e12 && !read->agrees(value * factor))
          factor *= 10;
        CHECK(read->agrees(value * factor));
        ++in_matrices;
      }
    }
  }
  CHECK(values > 300);
  CHECK(in_table > 5'000);
  CHECK(in_matrices > 10'000);
}

}  // namespace
}  // namespace glassformer
