#include "app/views/head/head.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/reading/attention_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

Selection head_of(AttentionKind kind) {
  Selection selection;
  selection.kind = kind;
  selection.layer = 1;
  selection.head = 2;
  return selection;
}

constexpr AttentionKind kKinds[] = {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross};

TEST_CASE("every stage of every kind of attention is drawn inside the stage without overlaps") {
  SampleScene scene = make_sample_scene();
  HeadView view;
  for (const AttentionKind kind : kKinds) {
    Selection selection = head_of(kind);
    selection.query = 2, selection.key = 1;
    scene.pin(selection);
    for (int stage = 0; stage < kHeadStages; ++stage) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(stage);
      view.go_to(static_cast<HeadStage>(stage));
      CHECK(in_lines(complaints(view, scene.input())) == "");
    }
  }
}

TEST_CASE("with rotary positions the match is drawn for every kind of attention") {
  SampleOptions options;
  options.config.positions = PositionKind::rotary;
  SampleScene scene = make_sample_scene(options);
  HeadView view;
  for (const AttentionKind kind : kKinds) {
    scene.pin(head_of(kind));
    view.go_to(HeadStage::match);
    CHECK(in_lines(complaints(view, scene.input())) == "");
  }
}

TEST_CASE("with the division left out by hand no word says that it is made") {
  for (const bool off : {false, true}) {
    SampleOptions options;
    if (off) options.what_if = {{change_of(ChangeKind::scale_off)}};
    SampleScene scene = make_sample_scene(options);
    scene.pin(head_of(AttentionKind::encoder));
    HeadView view;
    view.go_to(HeadStage::scale);
    RecordingCanvas canvas;
    view.picture(canvas, scene.input(), {0, 0, 1200, 700});
    CHECK((canvas.find("÷ √k") == nullptr) == off);
    CHECK((canvas.find("scores") != nullptr) == off);
  }
}

TEST_CASE("the numbers of every stage are the trace's, of the head that is open") {
  SampleScene scene = make_sample_scene();
  const Trace& trace = *scene.result->trace;
  HeadView view;
  int compared = 0;
  for (const AttentionKind kind : kKinds) {
    scene.pin(head_of(kind));
    const std::string name = written(value_in(kind, 1, ValueKind::whole));
    const auto check = [&](HeadStage stage, const std::string& part, bool has_heads) {
      view.go_to(stage);
      const NumberTable table = view.numbers(scene.input()).back();
      const Plane plane = trace.plane(name + part, 0, has_heads ? 2 : 0);
      for (std::size_t row = 0; row < table.values.size(); ++row) {
        for (std::size_t column = 0; column < table.values[row].size(); ++column, ++compared) {
          const auto wanted = static_cast<double>(plane(static_cast<int>(row), static_cast<int>(column)));
          if (table.values[row][column] != wanted) FAIL_CHECK(name << part << " " << row << " " << column);
        }
      }
    };
    check(HeadStage::project, ".value", true);
    check(HeadStage::match, ".dot_products", true);
    check(HeadStage::scale, ".scores", true);
    check(HeadStage::mask, ".masked_scores", true);
    check(HeadStage::softmax, ".weights", true);
    check(HeadStage::sum, ".context", true);
    check(HeadStage::concat, ".concat", false);
    check(HeadStage::output, ".output", false);
  }
  CHECK(compared > 2000);
}

TEST_CASE("cross-attention takes its queries from the decoder and its keys and values from the memory") {
  SampleScene scene = make_sample_scene();
  HeadView view;
  view.go_to(HeadStage::project);
  scene.pin(head_of(AttentionKind::cross));
  const auto tables = view.numbers(scene.input());
  REQUIRE(tables.size() == 5);
  CHECK(tables[0].title.find("decoder.layers.1.norm1") != std::string::npos);
  CHECK(tables[1].rows == scene.result->target_in_words);
  CHECK(tables[2].title.find("memory") != std::string::npos);
  CHECK(tables[3].rows == scene.result->source_words);
  CHECK(tables[4].rows == scene.result->source_words);
}

TEST_CASE("the rows of the softmax show that they add up to one, and the hidden cells are hatched") {
  SampleScene scene = make_sample_scene();
  scene.pin(head_of(AttentionKind::decoder));
  HeadView view;
  view.go_to(HeadStage::softmax);
  RecordingCanvas canvas;
  view.picture(canvas, scene.input(), area_for(view, scene.input(), {1000, 660}));
  const auto sums = std::ranges::count_if(canvas.texts, [](const auto& each) { return each.text == "1.00"; });
  CHECK(sums == static_cast<long>(scene.result->target_in_words.size()));
  const auto hatched =
      std::ranges::count_if(canvas.rectangles, [](const auto& each) { return each.box.hatch.visible(); });
  CHECK(hatched > 0);
}

TEST_CASE("Next, Back and a click on the pipeline go through the stages") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("head", scene);
  CHECK(stage.state() == "step 5");
  REQUIRE(stage.click("Head next"));
  CHECK(stage.state() == "step 6");
  REQUIRE(stage.click("Head back"));
  REQUIRE(stage.click("Head back"));
  CHECK(stage.state() == "step 4");
  REQUIRE(stage.click("pipeline Q Kᵀ"));
  CHECK(stage.state() == "step 2");
}

TEST_CASE("a cell of the pipeline pins its query, key and number; Enter goes on to that cell") {
  SampleScene scene = make_sample_scene();
  scene.pin(head_of(AttentionKind::cross));
  HeadView view;
  view.go_to(HeadStage::softmax);
  RecordingCanvas canvas;
  view.picture(canvas, scene.input(), area_for(view, scene.input(), {1000, 660}));
  const Selection pinned = pinned_by(canvas, "head A 3 1");
  CHECK(pinned.query == 3);
  CHECK(pinned.key == 1);
  CHECK(pinned.cell == CellRef{"decoder.layers.1.cross_attn.weights", {0, 2, 3, 1}});

  Commands commands;
  REQUIRE(view.key(ViewKey::enter, scene.input(), commands));
  REQUIRE(commands.size() == 2);
  CHECK(commands[0].get<SetPin>().selection.cell->name == "decoder.layers.1.cross_attn.weights");
  CHECK(commands[1].get<OpenView>().view == "cell");
  commands.clear();
  REQUIRE(view.key({ViewKey::backspace, 1}, scene.input(), commands));
  CHECK(commands[0].get<OpenView>().view == "attention");
}

}  // namespace
}  // namespace glassformer
