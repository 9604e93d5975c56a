#include <doctest/doctest.h>

#include <algorithm>

#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "app/widgets/formula.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

Selection at(AttentionKind kind, int layer, int head) {
  return {.kind = kind, .layer = layer, .head = head};
}

TEST_CASE("one head alone fits a stage as narrow as a phone's") {
  SampleScene scene = make_sample_scene();
  scene.pin(at(AttentionKind::cross, 1, -1));
  ViewStage stage("attention", scene, {410, 400});
  CHECK(stage.view().minimum_size(scene.input()).x <= 410);
  const auto parts = stage.find("Head as");
  REQUIRE(parts);
  CHECK(parts->rect.right() <= stage.area().right() - 16);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
  CHECK(texts_outside(canvas, stage.area()).empty());
  CHECK(overlapping_texts(canvas).empty());
  for (const RecordingCanvas::Text& text : canvas.texts)
    if (text.text.starts_with("Layer 2")) CHECK(text.box.right() <= parts->rect.x);
}

TEST_CASE("a click on a cell pins its query, key and weight, in words") {
  SampleScene scene = make_sample_scene();
  scene.pin(at(AttentionKind::cross, 1, 2));
  const auto view = make_view("attention");
  const RecordingCanvas canvas = drawn(*view, scene);
  const Selection pinned = pinned_by(canvas, "cross layer 2 head 3 query 4 key 1");
  CHECK(pinned.query == 4);
  CHECK(pinned.key == 1);
  CHECK(pinned.cell == CellRef{"decoder.layers.1.cross_attn.weights", {0, 2, 4, 1}});
  CHECK(live_part(canvas, "cross layer 2 head 3 query 4 key 1")
            ->tooltip.starts_with("query “voit”, key “tired”"));

  const Selection tile = pinned_by(canvas, "cross layer 1 head 4");
  CHECK(tile.layer == 0);
  CHECK(tile.head == 3);
  CHECK(pinned_by(canvas, "cross layer 2 head mean").head == -1);
  const Selection row = pinned_by(canvas, "cross layer 2 head 3 query 5 chip");
  CHECK(row.query == 5);
  CHECK(!row.key);
}

TEST_CASE("the pin is written on screen and the row adds up to one") {
  SampleScene scene = make_sample_scene();
  Selection selection = at(AttentionKind::cross, 1, 1);
  selection.query = 3;
  selection.key = 3;
  scene.pin(selection);
  const auto view = make_view("attention");
  const RecordingCanvas canvas = drawn(*view, scene);
  CHECK(canvas.find("Which English words each French word reads") != nullptr);
  CHECK(canvas.find("layer 2, head 2, query 3, key 3") != nullptr);
  const CellRef cell{"decoder.layers.1.cross_attn.weights", {0, 1, 3, 3}};
  CHECK(live_part(canvas, "cross layer 2 head 2 query 3 key 3")
            ->tooltip.ends_with("weight " + describe_cell(scene.input(), cell).value));
  CHECK(canvas.find("1.000") != nullptr);
  CHECK(canvas.find("Layer 2 · head 2") != nullptr);
  CHECK(view->place(scene.input()).path == std::vector<std::string>{"Decoder", "Cross-attention"});
}

TEST_CASE("the numbers behind the picture are the trace's weights, the open head first") {
  SampleScene scene = make_sample_scene();
  scene.pin(at(AttentionKind::decoder, 1, 3));
  const auto view = make_view("attention");
  const std::vector<NumberTable> tables = view->numbers(scene.input());
  REQUIRE(tables.size() == 8);
  CHECK(tables[0].title == "masked self-attention, layer 2, head 4");
  const Plane weights = scene.result->trace->plane("decoder.layers.1.self_attn.weights", 0, 3);
  for (int row = 0; row < 8; ++row) {
    double sum = 0;
    for (int column = 0; column < 8; ++column) {
      const double value = tables[0].values[static_cast<size_t>(row)][static_cast<size_t>(column)];
      CHECK(value == weights(row, column));
      sum += value;
    }
    CHECK(sum == doctest::Approx(1));
  }
}

TEST_CASE("digits choose a head, 0 the mean, letters the attention") {
  SampleScene scene = make_sample_scene();
  const auto view = make_view("attention");
  Commands commands;
  CHECK(view->key('3', scene.input(), commands));
  CHECK(view->key('0', scene.input(), commands));
  CHECK(view->key('e', scene.input(), commands));
  CHECK(!view->key('q', scene.input(), commands));
  CHECK(!view->key('9', scene.input(), commands));
  REQUIRE(commands.size() == 3);
  CHECK(commands[0].get<SetPin>().selection.head == 2);
  CHECK(commands[1].get<SetPin>().selection.head == -1);
  CHECK(commands[2].get<SetPin>().selection.kind == AttentionKind::encoder);
}

TEST_CASE("the switch turns the head into ribbons, and hovering a cell previews it") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("attention", scene);
  CHECK(stage.state() == "heatmap");
  stage.take_commands();
  REQUIRE(stage.hover("cross layer 1 head 1 query 4 key 1"));
  CHECK(asked<SetHover>(stage.take_commands())->selection.query == 4);
  REQUIRE(stage.click("cross layer 2 head 3"));
  CHECK(scene.pinned.layer == 1);
  CHECK(scene.pinned.head == 2);
  REQUIRE(stage.click("Head as: Ribbons"));
  CHECK(stage.state() == "ribbons");
}

TEST_CASE("hovering another cell leaves the pinned one marked") {
  SampleScene scene = make_sample_scene();
  Selection pinned = at(AttentionKind::cross, 1, 2);
  pinned.query = 3;
  pinned.key = 2;
  scene.pin(pinned);
  scene.shown.query = 5;
  scene.shown.key = 6;
  const RecordingCanvas canvas = drawn(*make_view("attention"), scene);
  const auto bands = [](const RecordingCanvas& picture) {
    return std::ranges::count_if(picture.strokes, [&](const Stroke& stroke) {
      return stroke.color.with_alpha(1) == picture.theme().query;
    });
  };
  const auto marks = [&](Color color, float width) {
    return std::ranges::count_if(canvas.rectangles, [&](const auto& r) {
      return r.box.outline == color && r.box.outline_width == width && !r.box.fill.visible();
    });
  };
  CHECK(marks(canvas.theme().ink, 3) == 1);    // the pinned cell
  CHECK(marks(canvas.theme().query, 2) == 1);  // and its row
  CHECK(marks(canvas.theme().ink, 2) == 2);    // the open head and the cell under the mouse

  // The ribbons below: bands of both rows.
  const auto view = make_view("attention");
  const auto both = bands(canvas);
  const auto of_one = [&](Selection selection) {
    scene.pin(selection);
    return bands(drawn(*view, scene));
  };
  CHECK(both == of_one(scene.shown) + of_one(pinned));
}

TEST_CASE("the inspector tells about the head, then about the strongest weight of a pinned row") {
  SampleScene scene = make_sample_scene();
  const auto view = make_view("attention");
  const InspectorPage page = inspector_page(*view, scene.input());
  CHECK(page.subject == "**layer 1, head 1**");
  Selection selection{.query = 2};
  scene.pin(selection);
  const InspectorPage row = inspector_page(*view, scene.input());
  CHECK(row.caption == "Strongest weight of this row");
  const Plane weights = scene.result->trace->plane("decoder.layers.0.cross_attn.weights", 0, 0);
  float largest = 0;
  for (int key = 0; key < 8; ++key) largest = std::max(largest, weights(2, key));
  CHECK(std::stod(row.full_value) == doctest::Approx(largest));
  selection.key = 5;
  scene.pin(selection);
  CHECK(!view->inspect(scene.input()));  // a single weight has its own page
}

TEST_CASE("of a difference the largest of a row is the difference, also a negative one") {
  SampleScene scene = make_sample_scene();
  SampleOptions options;
  options.seed += 1;
  const SampleScene second = make_sample_scene(options);
  int negative = 0;
  for (int query = 0; query < 5; ++query) {
    scene.pin({.query = query});
    ViewInput input = scene.input();
    input.difference_to = second.result.get();
    const auto page = make_view("attention")->inspect(input);
    REQUIRE(page);
    CHECK(page->caption == "Largest difference of this row");
    const Plane a = scene.result->trace->plane("decoder.layers.0.cross_attn.weights", 0, 0),
                b = second.result->trace->plane("decoder.layers.0.cross_attn.weights", 0, 0);
    float largest = 0;
    for (int key = 0; key < 8; ++key)
      if (std::abs(b(query, key) - a(query, key)) > std::abs(largest))
        largest = b(query, key) - a(query, key);
    negative += largest < 0;
    CHECK(page->value == value_text(static_cast<double>(largest)));
  }
  CHECK(negative > 0);
}

TEST_CASE("rows that were set by hand are not said to sum to 1") {
  Change change{.kind = ChangeKind::set_weight,
                .block = value_in(AttentionKind::cross, 0, ValueKind::whole),
                .head = 0,
                .row = 1,
                .column = 2,
                .amount = 0.9};
  SampleOptions options;
  options.what_if = {{change}};
  const auto view = make_view("attention");
  for (const auto& [scene, said] :
       {std::pair{make_sample_scene(), "sums to 1; colour"},
        std::pair{make_sample_scene(options), "sums to 1, but for 1 row set by hand"}}) {
    SampleScene shown = scene;
    shown.pin(at(AttentionKind::cross, 0, 0));
    CHECK(contains(view->caption(shown.input()), said));
  }
  // Of a difference too, whichever of the two it is.
  SampleScene first = make_sample_scene(), second = make_sample_scene(options);
  for (SampleScene* const scene : {&first, &second}) {
    scene->pin(at(AttentionKind::cross, 0, 0));
    ViewInput input = scene->input();
    input.difference_to = scene == &first ? second.result.get() : first.result.get();
    CHECK(contains(view->caption(input), "rows sum to 0, but for 1 row set by hand."));
  }
}

TEST_CASE("with nothing pinned the inspector explains the mean over heads and gives its strongest weight") {
  SampleScene scene = make_sample_scene();
  scene.pin(at(AttentionKind::cross, 1, -1));
  const auto view = make_view("attention");
  const InspectorPage page = inspector_page(*view, scene.input());
  CHECK(page.subject == "**layer 2, mean over heads**");
  CHECK(formula_as_text(page.sections.at(0).formulas.at(0)).starts_with("mean ="));
  CHECK(contains(page.meaning, "mean over heads"));

  float largest = 0;
  for (int query = 0; query < 8; ++query) {
    for (int key = 0; key < 8; ++key) {
      float mean = 0;
      for (int head = 0; head < 4; ++head)
        mean += scene.result->trace->plane("decoder.layers.1.cross_attn.weights", 0, head)(query, key) / 4;
      largest = std::max(largest, mean);
    }
  }
  const InspectorRow& strongest = page.sections.at(1).rows.at(0);
  CHECK(std::stod(strongest.value) == doctest::Approx(largest).epsilon(0.001));
  REQUIRE(strongest.link);
  CHECK(strongest.link->get<SetPin>().selection.head == -1);
}

TEST_CASE("with the padding mask off it is said where the rest of a row goes") {
  const auto notes = [](bool off) {
    SampleOptions options;
    options.what_if.set(change_of(ChangeKind::padding_mask_off), off);
    options.sharpness = 0.5f;  // every word looks everywhere, also at the padding
    SampleScene scene = make_sample_scene(options);
    Selection selection = at(AttentionKind::encoder, 0, 0);
    selection.sentence = 1;  // six tokens of eight
    selection.query = 2;
    selection.key = 1;
    scene.pin(selection);
    const RecordingCanvas canvas = drawn(*make_view("attention"), scene);
    std::string texts;
    for (const auto& text : canvas.texts) texts += text.text + "\n";
    return texts;
  };
  CHECK_FALSE(contains(notes(false), "<pad>, not drawn"));
  const std::string words = notes(true);
  const size_t sum_at = words.find("Row sum\n"), rest_at = words.find("<pad>, not drawn, takes ");
  REQUIRE(sum_at != std::string::npos);
  REQUIRE(rest_at != std::string::npos);
  const double sum = std::stod(words.substr(sum_at + 8)), rest = std::stod(words.substr(rest_at + 24));
  CHECK(sum < 0.9995);
  CHECK(sum + rest == doctest::Approx(1).epsilon(0.002));
}

TEST_CASE("the mean over heads is the mean of the heads") {
  SampleScene scene = make_sample_scene();
  scene.pin(at(AttentionKind::encoder, 0, -1));
  const std::vector<NumberTable> tables = make_view("attention")->numbers(scene.input());
  REQUIRE(tables.size() == 9);
  double mean = 0;
  for (int head = 0; head < 4; ++head)
    mean += scene.result->trace->plane("encoder.layers.0.self_attn.weights", 0, head)(2, 5) / 4.0;
  CHECK(tables[0].values[2][5] == doctest::Approx(mean));
}

}  // namespace
}  // namespace glassformer
