#include "app/views/cell_view.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

CellRef weight_cell() {
  return {"decoder.layers.1.cross_attn.weights", {0, 2, 3, 1}};
}

std::vector<Step> forward_steps(const SampleScene& scene) {
  return training_steps(scene.snapshot->config, {.backward = false});
}

TEST_CASE("a cell of every kind of step is drawn inside the stage without overlaps") {
  SampleScene scene = make_sample_scene();
  const CellView view;
  std::set<StepKind> seen;
  const std::vector<Step> steps = forward_steps(scene);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!seen.insert(steps[i].kind).second) continue;
    CAPTURE(steps[i].name);
    const bool row = steps[i].output.rows != Extent::one, column = steps[i].output.columns != Extent::one;
    scene.pin(view.cell_of_step(scene.input(), static_cast<int>(i), row ? 2 : 0, column ? 3 : 0));
    auto found = complaints(view, scene.input());
    // An id and the loss are one number each.
    if (!column) std::erase_if(found, [](const std::string& line) { return line.ends_with("any shape"); });
    CHECK_MESSAGE(found.empty(), joined(found));
  }
  CHECK(seen.size() > 20);
}

TEST_CASE("what a cell shows is what the pass recorded, and its terms come to it") {
  SampleScene scene = make_sample_scene();
  const CellView view;
  const std::vector<Step> steps = forward_steps(scene);
  const StepNumbers numbers(*scene.snapshot->weights, *scene.result->trace);
  int compared = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].off) continue;
    const OperandNumbers table = numbers.of(steps[i].output);
    const int row = std::min(2, table.rows - 1), column = std::min(3, table.columns - 1);
    scene.pin(view.cell_of_step(scene.input(), static_cast<int>(i), row, column));
    const std::vector<NumberTable> tables = view.numbers(scene.input());
    CAPTURE(steps[i].name);
    CHECK(tables[0].values.back()[0] == static_cast<double>(table(row, column)));
    if (tables.size() > 1 && tables[1].columns.back() == "sum") {
      double sum = tables[1].values.back().back();
      for (std::size_t line = 0; line + 1 < tables[0].values.size(); ++line) sum += tables[0].values[line][0];
      if (steps[i].kind != StepKind::mean_loss)
        CHECK(sum == doctest::Approx(static_cast<double>(table(row, column))).epsilon(1e-4));
    }
    ++compared;
  }
  CHECK(compared > 60);
}

TEST_CASE("the value stands in the picture to its printed digits") {
  SampleScene scene = make_sample_scene();
  Selection selection;
  scene.pin(selecting(selection, weight_cell()));
  const CellView view;
  RecordingCanvas canvas;
  view.picture(canvas, scene.input(), area_for(view, scene.input(), {1000, 660}));
  const auto shown = std::ranges::find_if(
      canvas.texts, [](const RecordingCanvas::Text& each) { return each.text.starts_with("recorded: "); });
  REQUIRE(shown != canvas.texts.end());
  const std::vector<int> at = {0, 2, 3, 1};
  const float wanted = scene.result->trace->at("decoder.layers.1.cross_attn.weights").at(at);
  CHECK(std::stof(shown->text.substr(10)) == wanted);
}

TEST_CASE("operands lead back step by step to a weight, and Backspace comes back the same way") {
  SampleScene scene = make_sample_scene();
  Selection selection;
  scene.pin(selecting(selection, weight_cell()));
  ViewStage stage("cell", scene);
  stage.frames();
  CHECK(stage.state() == "trail 0");
  REQUIRE(stage.click("term 1 0"));  // a masked score
  CHECK(scene.pinned.cell->name.ends_with("cross_attn.masked_scores"));
  REQUIRE(stage.click("line 0"));
  CHECK(scene.pinned.cell->name.ends_with("cross_attn.scores"));
  REQUIRE(stage.click("line 0"));
  CHECK(scene.pinned.cell->name.ends_with("cross_attn.dot_products"));
  REQUIRE(stage.click("operand 0"));
  CHECK(scene.pinned.cell->name.ends_with("cross_attn.query"));
  REQUIRE(stage.click("operand 1"));
  CHECK(scene.pinned.cell->name == "decoder.layers.1.multihead_attn.in_proj_weight");
  CHECK(stage.state() == "trail 5");
  const std::vector<std::string> path = stage.view().path(scene.input());
  CHECK(path.size() >= 6);

  Commands commands;
  REQUIRE(stage.view().up(1, scene.input(), commands));
  scene.pin(std::get<SetPin>(commands.back()).selection);
  stage.frames();
  CHECK(scene.pinned.cell->name.ends_with("cross_attn.query"));
  CHECK(stage.state() == "trail 4");
  REQUIRE(stage.view().up(4, scene.input(), commands));
  scene.pin(std::get<SetPin>(commands.back()).selection);
  stage.frames();
  CHECK(scene.pinned.cell == weight_cell());
  REQUIRE(stage.view().up(1, scene.input(), commands));
  CHECK(std::get<OpenView>(commands.back()).view == "head");
}

TEST_CASE("from any cell the first operands lead to weights and ids") {
  SampleScene scene = make_sample_scene();
  StepLists lists;
  const ViewInput input = scene.input();
  for (const char* name : {"logits", "memory", "decoder.layers.0.norm1"}) {
    CellRef cell{name, {0, 1, 2}};
    int moves = 0;
    for (; moves < 200; ++moves) {
      const CellScene at(input, lists, cell);
      REQUIRE(at.cell == cell);
      if (at.is_weight() || at.is_id()) break;
      std::optional<CellRef> next;
      const auto take = [&](const CellNumber& number) {
        if (!next) next = at.source(number);
      };
      for (const CellTerm& term : at.work.terms) std::ranges::for_each(term.numbers, take);
      for (const CellLine& line : at.work.lines) take(line.number);
      if (!next) break;  // a position signal, computed from the place
      cell = *next;
    }
    CHECK(moves > 3);
    CHECK(moves < 200);
  }
}

TEST_CASE("the running sum grows term by term, and the value lands last") {
  SampleScene scene = make_sample_scene();
  Selection selection;
  scene.pin(selecting(selection, {"decoder.layers.1.cross_attn.dot_products", {0, 2, 3, 1}}));
  StepLists lists;
  const ViewInput input = scene.input();
  const CellScene cell(input, lists, scene.pinned.cell);
  const int moments = cell_moments(cell.work);
  CHECK(cell_progress(cell.work, 0).stage == CellStage::outline);
  CHECK(cell_progress(cell.work, 1).stage == CellStage::terms);
  CHECK(cell_progress(cell.work, 2).terms == 1);
  CHECK(cell_progress(cell.work, 3).terms == 2);
  CHECK(cell_progress(cell.work, moments - 1).stage == CellStage::value);

  ViewStage stage("cell", scene);
  stage.frames();
  REQUIRE(stage.click("Cell back"));
  RecordingCanvas canvas;
  stage.view().picture(canvas, scene.input(), area_for(stage.view(), scene.input(), {1000, 660}));
  CHECK(canvas.find("not yet") != nullptr);
  REQUIRE(stage.click("Cell next"));
  RecordingCanvas after;
  stage.view().picture(after, scene.input(), area_for(stage.view(), scene.input(), {1000, 660}));
  CHECK(after.find("not yet") == nullptr);
}

}  // namespace
}  // namespace glassformer
