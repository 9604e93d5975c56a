// The Walk read back from the screen, in matrices of any size.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "app/views/walk/walk.h"
#include "engine/model/transformer.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/printed_number.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer::walk_windows_test {

// ---- Matrices too large to be shown whole: the wheel, the bars and the keys move what is seen of them.

SampleScene wide_scene() {
  return sample_scene("d_model 128 d_ff 160");
}

int first_of(const SampleScene& scene, StepKind kind) {
  const std::vector<Step> steps = training_steps(scene.snapshot->config);
  const auto found = std::ranges::find(steps, kind, &Step::kind);
  REQUIRE(found != steps.end());
  return static_cast<int>(found - steps.begin());
}

void go_to(ViewStage& stage, int step) {
  dynamic_cast<WalkView&>(stage.view()).go_to(step);
  stage.frames(3);
}

TEST_CASE("the wheel moves rows and columns of a large matrix, and the result goes along") {
  SampleScene scene = wide_scene();
  ViewStage stage("walk", scene);
  go_to(stage, first_of(scene, StepKind::project_heads));
  REQUIRE(stage.has("walk input 2 0 0"));
  // W_O is transposed above: down is along what the heads gave, across along what comes out.
  const Point weights = stage.find("walk input 2 5 5")->rect.center();
  stage.wheel(weights, 30);
  CHECK_FALSE(stage.has("walk input 2 0 0"));
  CHECK(stage.has("walk input 2 127 0"));
  CHECK(stage.has("walk input 1 0 127"));
  CHECK(stage.has("walk result 0 0"));
  stage.wheel(weights, 0, 30);
  CHECK(stage.has("walk input 2 127 127"));
  CHECK(stage.has("walk result 0 127"));
  CHECK_FALSE(stage.has("walk result 0 0"));
  CHECK(stage.has("walk input 1 0 127"));
  stage.wheel(weights, -30, -30);
  CHECK(stage.has("walk input 2 0 0"));
  CHECK(stage.has("walk result 0 0"));
}

TEST_CASE("a bar beside the matrix and the slider below it go along with each other") {
  SampleScene scene = wide_scene();
  ViewStage stage("walk", scene);
  go_to(stage, first_of(scene, StepKind::look_up));
  const std::string bar = "walk result window: scroll bar across";
  REQUIRE(stage.has(bar));
  const float before = stage.find(bar)->rect.x;
  REQUIRE(stage.click("Shown stretch of d"));  // its middle
  stage.frames(3);
  CHECK(stage.find(bar)->rect.x > before + 20);
  CHECK(stage.has("walk result 0 60"));
}

TEST_CASE("the two sides of a square weight are moved apart, on the way back as well") {
  const Config config = wide_scene().snapshot->config;
  int squares = 0;
  for (const Step& step : training_steps(config)) {
    const auto square = [](const Operand& each) {
      return each.rows == Extent::model && each.columns == Extent::model;
    };
    std::vector<Operand> all = step.inputs;
    all.push_back(step.output);
    if (std::ranges::none_of(all, square)) continue;
    CAPTURE(step.name);
    ++squares;
    // Of a product {left} {right} the inner axes are one side.
    const bool back = step.place.phase == StepPhase::backward;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      if (!square(all[i])) continue;
      const WalkSides left = walk_sides(step, all[i - 1]), weight = walk_sides(step, all[i]),
                      result = walk_sides(step, step.output);
      CHECK(left.columns == (back ? weight.rows : weight.columns));
      CHECK(result.columns == (back ? weight.columns : weight.rows));
    }
    if (square(step.output)) {
      CHECK(walk_sides(step, step.inputs[0]).columns == walk_sides(step, step.output).rows);
      CHECK(walk_sides(step, step.inputs[1]).columns == walk_sides(step, step.output).columns);
    }
  }
  CHECK(squares > 10);
}

TEST_CASE("a vocabulary begins with the words of the sentence, and the others can be moved to") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("walk", scene);
  go_to(stage, first_of(scene, StepKind::logits));
  const std::vector<int>& wanted = scene.result->trace->target_out.front();
  const int words = scene.snapshot->config.target_vocab;
  const auto shown = [&](int id) { return stage.has("walk result 0 " + std::to_string(id)); };
  std::vector<int> others;
  for (int id = 0; id < words; ++id) {
    const bool own = std::ranges::find(wanted, id) != wanted.end();
    CHECK(shown(id) == own);
    if (!own) others.push_back(id);
  }
  REQUIRE(others.size() > 10);
  CHECK(stage.has("Shown stretch of V_t"));
  for (int turn = 0; turn < 40 && !shown(others.back()); ++turn)
    stage.wheel(stage.find("walk result window: scroll bar across")->rect.center(), 0, 3);
  CHECK(shown(others.back()));
  CHECK_FALSE(shown(wanted.front()));
}

TEST_CASE("what is not seen is summed up in words: range and mean") {
  SampleScene scene = wide_scene();
  WalkView view;
  const std::vector<Step> steps = training_steps(scene.snapshot->config);
  const int at = first_of(scene, StepKind::relu);
  view.go_to(at);
  RecordingCanvas canvas;
  const Tensor& hidden = scene.result->trace->at(steps[static_cast<std::size_t>(at)].output.name);
  CHECK(hidden.columns() == 160);
  view.picture(canvas, scene.input(), {0, 0, 1600, 900});
  CHECK(std::ranges::any_of(canvas.texts, [](const RecordingCanvas::Text& text) {
    return contains(text.text, "32 of 160, all ") && contains(text.text, ", mean ");
  }));
}

TEST_CASE("however many operands a step has, all have their place, and those of one symbol are told apart") {
  SampleScene scene = sample_scene("decoder_layers 6");
  WalkCache cache;
  const auto walk = walk_scene(cache, scene.input());
  WalkView view;
  for (const Step& step : walk->steps) {
    using enum StepKind;
    if (step.kind != d_norm && step.kind != d_norm_and_stream && step.kind != d_memory &&
        step.kind != d_shared_table && step.inputs.size() < 7)
      continue;
    CAPTURE(step.name);
    view.go_to(static_cast<int>(&step - walk->steps.data()));
    for (const Point size : {Point{1000, 660}, Point{700, 500}}) {
      const Rect area = area_for(view, scene.input(), size);
      const RecordingCanvas canvas = picture_of(view, scene.input(), area);
      const Rect stage{24, 110, area.width - 48, area.height - 180};
      const WalkLayout layout = walk_layout(canvas, stage, *walk, step, {});
      CHECK(layout.parts.size() == walk_operands(step).size());
      std::vector<std::string> titles;
      for (const WalkPart& part : layout.parts) {
        CHECK(part.place.bottom() <= stage.bottom() + 0.5f);
        if (part.panel.matrix())
          CHECK(part.corner.y + part.cell.y * static_cast<float>(part.panel.rows.shown.size()) <=
                part.place.bottom());
        titles.push_back(part.panel.title() + " " + part.panel.which);
      }
      std::ranges::sort(titles);
      CHECK(std::ranges::adjacent_find(titles) == titles.end());
      for (const RecordingCanvas::Text& text : canvas.texts)
        CHECK_FALSE_MESSAGE(text.text.starts_with("and "), text.text);
    }
  }
}

// ---- Every number in the Walk is read back from the screen, for all steps, and compared with
// what the engine recorded.

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

bool is_transposed(const Step& step, const std::string& part) {
  if (step.place.phase == StepPhase::backward) return false;
  return (part == "input 2" && step.formula.starts_with("{=} = {0} {1}ᵀ")) ||
         (part == "input 1" && step.formula.starts_with("{=} = {0}ᵀ {1}"));
}

// "8 × 32, × 1 000, gradient": the factor behind the shape of the panel over these cells.
double factor_above(const RecordingCanvas& canvas, const Rect& cells) {
  const RecordingCanvas::Text* nearest = nullptr;
  for (const auto& text : canvas.texts) {
    if (text.box.bottom() > cells.y || text.box.x < cells.x - 2 || text.box.x > cells.x + 120) continue;
    const bool shape = text.style.font == Font::mono && contains(text.text, " × ");
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
        const bool turned = is_transposed(step, cell.part);
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
    const RecordingCanvas canvas = picture_of(view, scene->input(), {0, 0, 1200, 900});
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

}  // namespace glassformer::walk_windows_test
