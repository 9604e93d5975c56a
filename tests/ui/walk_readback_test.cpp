// Every number that stands in the Walk is read back from the screen, for all steps, and compared with what
// the engine recorded.
#include <doctest/doctest.h>

#include <cstdlib>

#include "app/views/walk/walk.h"
#include "engine/model/transformer.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/printed_number.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

// The cell's part, row and column out of "walk input 2 7 13" and "walk value of NAME 7 13".
struct CellName {
  std::string part;
  int row = 0, column = 0;
};
CellName cell_name(const std::string& label) {
  const std::size_t last = label.rfind(' '), before = label.rfind(' ', last - 1);
  return {label.substr(5, before - 5), std::atoi(label.c_str() + before), std::atoi(label.c_str() + last)};
}

const Operand* operand_of(const Step& step, const std::string& part) {
  if (part == "result") return &step.output;
  if (part.starts_with("input "))
    return &step.inputs[static_cast<std::size_t>(std::atoi(part.c_str() + 6) - 1)];
  return nullptr;
}

// The gradient's own value, shown beside it.
std::optional<Operand> value_beside(const Step& step, const std::string& part) {
  std::vector<Operand> all = step.inputs;
  all.push_back(step.output);
  for (Operand each : all) {
    if (part != "value of " + each.name) continue;
    if (each.store == OperandStore::gradient) each.store = OperandStore::trace;
    if (each.store == OperandStore::parameter_gradient) each.store = OperandStore::parameter;
    return each;
  }
  return std::nullopt;
}

bool stands_transposed(const Step& step, const std::string& part) {
  if (step.place.phase == StepPhase::backward) return false;
  return (part == "input 2" && step.formula.starts_with("{=} = {0} {1}ᵀ")) ||
         (part == "input 1" && step.formula.starts_with("{=} = {0}ᵀ {1}"));
}

// "8 × 32, × 1 000, gradient": the factor behind the shape of the panel over these cells.
double factor_above(const RecordingCanvas& canvas, const Rect& cells) {
  const RecordingCanvas::Text* nearest = nullptr;
  for (const auto& text : canvas.texts) {
    if (text.box.bottom() > cells.y || text.box.x < cells.x - 2 || text.box.x > cells.x + 120) continue;
    const bool shape = text.style.font == Font::mono && text.text.find(" × ") != std::string::npos;
    if (shape && (nearest == nullptr || text.box.y > nearest->box.y)) nearest = &text;
  }
  if (nearest == nullptr) return 1;
  const std::size_t at = nearest->text.find(", × ");
  if (at == std::string::npos) return 1;
  std::string digits;
  for (const char letter : nearest->text.substr(at + 5)) {
    if (letter == ',') break;
    if (letter >= '0' && letter <= '9') digits += letter;
  }
  return std::strtod(digits.c_str(), nullptr);
}

TEST_CASE("every number on the Walk's screen is the engine's, for all steps of the bundled model") {
  const auto scene = bundled_scene("the tired girl sees a red car");
  REQUIRE(scene);
  WalkView view;
  WalkCache cache;
  const auto walk = walk_scene(cache, scene->input());
  REQUIRE(walk);
  const StepNumbers numbers(*scene->snapshot->weights, scene->result->gradients->trace);
  long compared = 0, steps_with_numbers = 0;
  for (std::size_t at = 0; at < walk->steps.size(); ++at) {
    const Step& step = walk->steps[at];
    CAPTURE(at);
    CAPTURE(step.name);
    view.go_to(static_cast<int>(at));
    RecordingCanvas canvas;
    // A wide stage, so that numbers fit.
    view.picture(canvas, scene->input(), {0, 0, 2400, 1500});
    long here = 0;
    for (const HitGrid& grid : canvas.hit_grids) {
      const double factor = factor_above(canvas, grid.rect);
      for (const auto& text : canvas.texts) {
        const auto region = region_in(grid, text.box.center());
        if (!region) continue;
        const auto read = read_number(text.text);
        CAPTURE(text.text);
        REQUIRE(read);
        const CellName cell = cell_name(region->label);
        CAPTURE(region->label);
        std::optional<Operand> operand;
        if (const Operand* found = operand_of(step, cell.part)) operand = *found;
        if (!operand) operand = value_beside(step, cell.part);
        REQUIRE(operand);
        const bool turned = stands_transposed(step, cell.part);
        const double value = static_cast<double>(
            numbers.of(*operand)(turned ? cell.column : cell.row, turned ? cell.row : cell.column));
        CHECK(read->agrees(value * factor));
        ++here;
      }
    }
    compared += here;
    if (here > 0) ++steps_with_numbers;
  }
  CHECK(compared > 100'000);
  CHECK(steps_with_numbers > static_cast<long>(walk->steps.size()) * 8 / 10);
}

TEST_CASE("single numbers of the Walk are printed as the engine has them") {
  const auto scene = bundled_scene("the tired girl sees a red car");
  REQUIRE(scene);
  WalkView view;
  WalkCache cache;
  const auto walk = walk_scene(cache, scene->input());
  REQUIRE(walk);
  const StepNumbers numbers = walk->numbers();
  int compared = 0;
  for (std::size_t at = 0; at < walk->steps.size(); ++at) {
    const Step& step = walk->steps[at];
    const OperandNumbers table = numbers.of(step.output);
    if (table.rows != 1 || table.columns != 1 || !table.recorded()) continue;
    CAPTURE(step.name);
    view.go_to(static_cast<int>(at));
    RecordingCanvas canvas;
    view.picture(canvas, scene->input(), {0, 0, 1200, 900});
    const auto part = live_part(canvas, "walk result 0 0");
    REQUIRE(part);
    const double value = static_cast<double>(table(0, 0));
    bool found = false;
    for (const auto& text : canvas.texts) {
      if (!part->rect.contains(text.box.center())) continue;
      const auto read = read_number(text.text);
      found = found || (read && read->agrees(value));
    }
    CHECK(found);
    ++compared;
  }
  CHECK(compared >= 4);
}

}  // namespace
}  // namespace glassformer
