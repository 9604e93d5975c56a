#include "app/views/cell/cell.h"

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

TEST_CASE("what a cell shows is what the pass recorded, and its terms come to it") {
  SampleScene scene = make_sample_scene();
  const CellView view;
  const std::vector<Step> steps = training_steps(scene.snapshot->config);
  const StepNumbers forward(*scene.snapshot->weights, *scene.result->trace),
      backward(*scene.snapshot->weights, scene.result->gradients->trace);
  int compared = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].off) continue;
    const bool back = steps[i].place.phase == StepPhase::backward;
    const OperandNumbers table = (back ? backward : forward).of(steps[i].output);
    const int row = std::min(2, table.rows - 1), column = std::min(3, table.columns - 1);
    scene.pin(view.cell_of_step(scene.input(), static_cast<int>(i), row, column));
    const std::vector<NumberTable> tables = view.numbers(scene.input());
    CAPTURE(steps[i].name);
    CHECK(tables[0].values.back()[0] == static_cast<double>(table(row, column)));
    // A sum is all there is, but for what is added to it.
    const auto& lines = tables[0].rows;
    const bool plain = std::all_of(lines.begin(), lines.end() - 1,
                                   [](const std::string& line) { return line.starts_with("+ "); });
    if (plain && tables.size() > 1 && tables[1].columns.back() == "sum") {
      double sum = tables[1].values.back().back(), size = 0;
      for (const std::vector<double>& term : tables[1].values) size = std::max(size, std::abs(term.back()));
      for (std::size_t line = 0; line + 1 < tables[0].values.size(); ++line) sum += tables[0].values[line][0];
      CHECK(std::abs(sum - static_cast<double>(table(row, column))) <= 1e-4 * size);
    }
    ++compared;
  }
  CHECK(compared > 150);
}

TEST_CASE("a row that is read whole leads on from the cell's own place in it") {
  const SampleScene scene = make_sample_scene();
  CellCaches caches;
  const CellRef weight{"decoder.layers.0.self_attn.weights", {0, 1, 3, 2}};
  const ViewInput input = scene.input();
  const CellScene cell(input, caches, weight);
  REQUIRE(cell.sheet().reads.size() == 1);
  const CellReads& scores = cell.sheet().reads.front();
  CHECK_FALSE(scores.one_column);
  CHECK(scores.first.row == 3);
  CHECK(scores.first.column == 2);
}

TEST_CASE("the value stands in the picture to its printed digits") {
  SampleScene scene = make_sample_scene();
  Selection selection;
  scene.pin(selecting(selection, weight_cell()));
  const CellView view;
  const RecordingCanvas canvas = picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
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
  const std::vector<std::string> path = stage.view().place(scene.input()).path;
  CHECK(path.size() >= 6);

  Commands commands;
  REQUIRE(stage.view().key({ViewKey::backspace, 1}, scene.input(), commands));
  scene.pin(commands.back().get<SetPin>().selection);
  stage.frames();
  CHECK(scene.pinned.cell->name.ends_with("cross_attn.query"));
  CHECK(stage.state() == "trail 4");
  REQUIRE(stage.view().key({ViewKey::backspace, 4}, scene.input(), commands));
  scene.pin(commands.back().get<SetPin>().selection);
  stage.frames();
  CHECK(scene.pinned.cell == weight_cell());
  REQUIRE(stage.view().key({ViewKey::backspace, 1}, scene.input(), commands));
  CHECK(commands.back().get<OpenView>().view == "head");
}

TEST_CASE("Enter follows the operand that weighs most, down to a weight or an id") {
  SampleScene scene = make_sample_scene();
  scene.pin(selecting(Selection{}, CellRef{"decoder.layers.1.cross_attn.dot_products", {0, 2, 3, 1}}));
  ViewStage stage("cell", scene);
  Commands commands;
  std::vector<std::string> names;
  for (int depth = 0; depth < 60; ++depth) {
    commands.clear();
    REQUIRE(stage.view().key(ViewKey::enter, scene.input(), commands));
    if (commands.empty()) break;
    scene.pin(commands.back().get<SetPin>().selection);
    names.push_back(scene.pinned.cell->name);
    stage.frames();
  }
  REQUIRE(names.size() > 2);
  CHECK((names[0].ends_with("cross_attn.query") || names[0].ends_with("cross_attn.key")));
  CHECK(commands.empty());  // a weight or an id: nothing lies below
  CHECK(stage.state() == "trail " + std::to_string(names.size()));
}

TEST_CASE("a gradient is followed back to where it came from, and the trail ends in the Walk") {
  SampleScene scene = make_sample_scene();
  const CellRef start{"decoder.layers.1.cross_attn.scores", {0, 2, 3, 1}, true};
  scene.pin(selecting({}, start));
  ViewStage stage("cell", scene);
  CHECK(stage.view().traits().wants_gradients);
  REQUIRE(stage.click("line 0"));
  CHECK(scene.pinned.cell == CellRef{"decoder.layers.1.cross_attn.masked_scores", {0, 2, 3, 1}, true});
  REQUIRE(stage.click("term 4 1"));
  CHECK(scene.pinned.cell == CellRef{"decoder.layers.1.cross_attn.weights", {0, 2, 3, 4}, true});
  REQUIRE(stage.click("operand 0"));
  CHECK(scene.pinned.cell->name == "decoder.layers.1.cross_attn.context");
  CHECK(scene.pinned.cell->gradient);
  REQUIRE(stage.click("line 0"));
  CHECK(scene.pinned.cell->name == "decoder.layers.1.cross_attn.concat");
  REQUIRE(stage.click("operand 1"));
  CHECK(scene.pinned.cell->name == "decoder.layers.1.multihead_attn.out_proj.weight");
  CHECK_FALSE(scene.pinned.cell->gradient);
  CHECK(stage.state() == "trail 5");
  Commands commands;
  REQUIRE(stage.view().key({ViewKey::backspace, 6}, scene.input(), commands));
  CHECK(commands.back().get<OpenStep>().cell == start);
}

TEST_CASE("the gradient of a shared row shows each of its products, and the table goes along") {
  SampleScene scene = make_sample_scene();
  const CellView view;
  const std::vector<Step> steps = training_steps(scene.snapshot->config);
  const auto of_three = std::ranges::find_if(
      steps, [](const Step& step) { return step.kind == StepKind::d_attention_input_and_stream; });
  REQUIRE(of_three != steps.end());
  scene.pin(view.cell_of_step(scene.input(), static_cast<int>(of_three - steps.begin()), 2, 3));
  ViewStage stage("cell", scene);
  const auto above = [&] { return picture_of(stage.view(), scene.input()); };
  CHECK(above().find("dQ WQ") != nullptr);
  CHECK(stage.has("term 0 0"));
  REQUIRE(stage.click("Product shown: dV WV"));
  const int width = scene.snapshot->config.d_model;
  CHECK(stage.has("term " + std::to_string(2 * width) + " 0"));
  CHECK_FALSE(stage.has("term 0 0"));
}

TEST_CASE("without its gradients the view says that they are being made") {
  SampleScene scene = make_sample_scene();
  auto bare = std::make_shared<SceneResult>(*scene.result);
  bare->gradients = bare->untouched_gradients = nullptr;
  scene.result = bare;
  scene.pin(selecting({}, {"logits", {0, 1, 2}, true}));
  ViewStage stage("cell", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input());
  CHECK(canvas.find("Running the sentence forward and backward") != nullptr);
  CHECK(stage.view().traits().wants_gradients);
}

TEST_CASE("the inspector explains a gradient with a swatch, a check, and links that stay in the view") {
  SampleScene scene = make_sample_scene();
  scene.pin(selecting({}, {"logits", {0, 1, 2}, true}));
  ViewStage stage("cell", scene);
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.swatch.has_value());
  CHECK(page.caption.starts_with("Gradient"));
  bool check = false, pins = false;
  for (const InspectorSection& section : page.sections) {
    check = check || section.heading.starts_with("Check it");
    for (const InspectorRow& row : section.rows) pins = pins || (row.link && row.link->is<SetPin>());
  }
  CHECK(check);
  CHECK(pins);
}

TEST_CASE("of a sum that is too long for its table every term can be brought in sight") {
  SampleScene scene = make_sample_scene({.config = {.d_model = 64, .heads = 4, .d_ff = 128}});
  scene.pin(selecting({}, {"decoder.layers.0.feed_forward.output", {0, 2, 3}}));
  ViewStage stage("cell", scene);
  CHECK(stage.has("term 0 0"));
  CHECK(stage.has("term 127 0"));  // the last ones are always there
  CHECK_FALSE(stage.has("term 60 0"));
  std::set<std::string> seen;
  const Point table = stage.find("term 2 0")->rect.center();
  for (int turn = 0; turn < 40; ++turn) {
    for (const std::string& label : stage.labels())
      if (label.starts_with("term ")) seen.insert(label);
    stage.wheel(table, 2);
  }
  for (int term = 0; term < 128; ++term) CHECK(seen.count("term " + std::to_string(term) + " 0") == 1);
}

TEST_CASE("from any cell the first operands lead to weights and ids") {
  SampleScene scene = make_sample_scene();
  CellCaches caches;
  const ViewInput input = scene.input();
  const std::vector<CellRef> starts = {{"logits", {0, 1, 2}},
                                       {"memory", {0, 1, 2}},
                                       {"decoder.layers.0.norm1", {0, 1, 2}},
                                       {"source.embedding", {0, 1, 2}, true},
                                       {"encoder.layers.0.linear1.weight", {1, 2}, true}};
  for (CellRef cell : starts) {
    int moves = 0;
    for (; moves < 200; ++moves) {
      const CellScene at(input, caches, cell);
      REQUIRE(at.cell == cell);
      if (at.is_weight() || at.is_id()) break;
      std::optional<CellRef> next;
      const auto take = [&](const CellNumber& number) {
        if (!next) next = at.source(number);
      };
      for (const CellTerm& term : at.work().terms) std::ranges::for_each(term.numbers, take);
      for (const CellLine& line : at.work().lines) take(line.number);
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
  CellCaches caches;
  const ViewInput input = scene.input();
  const CellScene cell(input, caches, scene.pinned.cell);
  const int moments = cell_moments(cell.work());
  CHECK(cell_progress(cell.work(), 0).stage == CellStage::outline);
  CHECK(cell_progress(cell.work(), 1).stage == CellStage::terms);
  CHECK(cell_progress(cell.work(), 2).terms == 1);
  CHECK(cell_progress(cell.work(), 3).terms == 2);
  CHECK(cell_progress(cell.work(), moments - 1).stage == CellStage::value);

  ViewStage stage("cell", scene);
  REQUIRE(stage.click("Cell back"));
  const RecordingCanvas canvas =
      picture_of(stage.view(), scene.input(), area_for(stage.view(), scene.input(), {1000, 660}));
  CHECK(canvas.find("not yet") != nullptr);
  REQUIRE(stage.click("Cell next"));
  const RecordingCanvas after =
      picture_of(stage.view(), scene.input(), area_for(stage.view(), scene.input(), {1000, 660}));
  CHECK(after.find("not yet") == nullptr);
}

}  // namespace
}  // namespace glassformer
