// One head, its entropy, and the bar over the stage.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/session/run_reports.h"
#include "app/views/head/head.h"
#include "app/widgets/wall.h"
#include "tests/session/session_helpers.h"
#include "tests/source_folder.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::head_view_test {

Selection head_of(AttentionKind kind) {
  return {.kind = kind, .layer = 1, .head = 2};
}

constexpr AttentionKind kKinds[] = {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross};

TEST_CASE("with the division left out by hand no word says that it is made") {
  for (const bool off : {false, true}) {
    SampleOptions options;
    if (off) options.what_if = {{change_of(ChangeKind::scale_off)}};
    SampleScene scene = make_sample_scene(options);
    scene.pin(head_of(AttentionKind::encoder));
    HeadView view;
    view.go_to(HeadStage::scale);
    const RecordingCanvas canvas = picture_of(view, scene.input(), {0, 0, 1200, 700});
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
  CHECK(contains(tables[0].title, "decoder.layers.1.norm1"));
  CHECK(tables[1].rows == scene.result->target_in_words);
  CHECK(contains(tables[2].title, "memory"));
  CHECK(tables[3].rows == scene.result->source_words);
  CHECK(tables[4].rows == scene.result->source_words);
}

TEST_CASE("the rows of the softmax show that they add up to one, and the hidden cells are hatched") {
  SampleScene scene = make_sample_scene();
  scene.pin(head_of(AttentionKind::decoder));
  HeadView view;
  view.go_to(HeadStage::softmax);
  const RecordingCanvas canvas = picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
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
  const RecordingCanvas canvas = picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
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

// ---- Over how many words each head spreads, as a line a head.

TEST_CASE("the entropies are those of the rows of the trace, head by head, in every attention") {
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    SampleScene scene = make_sample_scene();
    scene.pin({.kind = kind});
    const NumberTable table = make_view("entropy")->numbers(scene.input()).front();
    const int heads = scene.snapshot->config.heads;
    REQUIRE(table.values.size() == table.rows.size());
    for (std::size_t line = 0; line < table.rows.size(); ++line) {
      const int layer = static_cast<int>(line) / heads, head = static_cast<int>(line) % heads;
      CHECK(table.rows[line] == "layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1));
      const Plane weights =
          scene.result->trace->plane(written(value_in(kind, layer, ValueKind::weights)), 0, head);
      for (std::size_t word = 0; word < table.columns.size(); ++word) {
        double entropy = 0;
        for (int key = 0; key < weights.columns; ++key)
          if (const double w = weights(static_cast<int>(word), key); w > 0) entropy -= w * std::log(w);
        CHECK(table.values[line][word] == doctest::Approx(entropy).epsilon(1e-5));
      }
    }
    if (kind == AttentionKind::decoder) CHECK(table.values[0][0] == doctest::Approx(0));  // one word to read
  }
}

TEST_CASE("a row that a lesson covers has no entropy, and a click on a cell pins its head and its row") {
  SampleScene scene = make_sample_scene();
  ViewInput input = scene.input();
  input.covered = CoveredRow{AttentionKind::cross, 1, 0, 2};
  const NumberTable table = make_view("entropy")->numbers(input).front();
  const auto line = static_cast<std::size_t>(scene.snapshot->config.heads);
  CHECK(std::isnan(table.values[line][2]));
  CHECK_FALSE(std::isnan(table.values[line][1]));

  ViewStage stage("entropy", scene);
  REQUIRE(stage.click("entropy " + std::to_string(line) + " 2"));
  CHECK(scene.pinned.kind == AttentionKind::cross);
  CHECK(scene.pinned.layer == 1);
  CHECK(scene.pinned.head == 0);
  CHECK(scene.pinned.query == 2);
}

TEST_CASE("attention that reads one word alone has entropy 0, evenly shared the logarithm of its words") {
  AttentionTable table{.rows = 3, .columns = 4, .values = {0, 1, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0}, .hidden = {}};
  CHECK(row_entropy(table, 0) == 0);
  CHECK(row_entropy(table, 1) == doctest::Approx(std::log(4.0)));  // a ReLU's rows add up to other than 1
  CHECK(std::isnan(row_entropy(table, 2)));
}

// ---- The head bar: whose loss is beside the step, and what is said of a model that trains.

TEST_CASE("until a step has a loss of its own the bar says of which step the loss is") {
  OffscreenProgram program({.model = source_folder() + "/models/reverse", .threads = 1});
  Session& session = program.session();
  REQUIRE(program.settle());
  const long last = session.model()->last_step;
  CHECK(program.visible("loss"));
  REQUIRE(program.click("+1 step"));
  REQUIRE(program.wait([&] {
    return session.run().step == last + 1 && session.snapshot()->step == last + 1 &&
           session.run().phase == RunPhase::paused;
  }));
  program.frame(2);
  const ValidationPoint& newest = session.run().curves->validations.back();
  REQUIRE(newest.step <= last);
  CHECK(program.text("loss at step " + format_count(newest.step)) == format_loss(newest.loss));
  CHECK_FALSE(program.visible("loss"));
}

TEST_CASE("that a model learns worse without its moments is said when its curves show it, and not before") {
  Curves curves;
  curves.validations = {{.step = 50, .loss = 1.5}, {.step = 100, .loss = 1}};
  const auto says = [&](const char* words) {
    OpenedModel model;
    model.last_step = 100;
    return contains(fine_tune_notice(model, &curves).text, words);
  };
  CHECK(says("the moments were not kept."));
  CHECK_FALSE(says("worse"));
  curves.validations.push_back({.step = 150, .loss = 1.25});
  CHECK(says("worse at first: loss 1.000 at step 100, 1.250 at step 150."));
  curves.validations.push_back({.step = 200, .loss = 0.5});
  CHECK(says("1.250 at step 150."));
  curves.validations[2].loss = 0.75;
  CHECK_FALSE(says("worse"));
}

TEST_CASE("the keyboard's ring round a tile of a wall leaves all names free") {
  RecordingCanvas canvas;
  const WallOptions options{
      .layers = 2, .heads = 4, .hit = [](int, int) { return HitRegion{.label = "tile"}; }};
  const WallLayout layout = draw_wall(canvas, {20, 20, 500, 400}, options);
  REQUIRE(canvas.hit_grids.size() == 1);
  for (int layer = 0; layer < 2; ++layer)
    for (int head = 0; head < 4; ++head) {
      const Rect rect = region_at(canvas.hit_grids[0], layer, head).rect;
      CHECK(rect == layout.tile_rect(layer, head));
      for (const RecordingCanvas::Text& text : canvas.texts) {
        const Rect ring = rect.inset(-6);
        const bool apart = text.box.right() < ring.x || ring.right() < text.box.x ||
                           text.box.bottom() < ring.y || ring.bottom() < text.box.y;
        CHECK_MESSAGE(apart, text.text);
      }
    }
}

}  // namespace glassformer::head_view_test
