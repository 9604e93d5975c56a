// The page of the Masks view that shows zeros behind the softmax beside a mask where it belongs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

SampleScene late_scene(const WhatIf& what_if = {}, AttentionActivation activation = {}) {
  SampleOptions options;
  options.what_if = what_if;
  options.config.attention_activation = activation;
  SampleScene scene = make_sample_scene(options);
  scene.pin({.kind = AttentionKind::decoder, .layer = 1, .head = 1});
  return scene;
}

NumberTable late_table(const View& view, const SampleScene& scene, const std::string& title) {
  return titled(view.numbers(scene.input()), title);
}

TEST_CASE("a mask before the softmax leaves rows of 1, zeros behind it rows of less, and the page says so") {
  SampleScene scene = late_scene();
  ViewStage stage("masks", scene);
  REQUIRE(stage.set("Page", "Mistake"));
  CHECK(stage.state() == "mistake");
  const NumberTable right = late_table(stage.view(), scene, "weights, −∞ before the softmax"),
                    late = late_table(stage.view(), scene, "weights, 0 after the softmax"),
                    scores = late_table(stage.view(), scene, "scores before any mask");
  const size_t words = scores.columns.size();
  REQUIRE(words == 8);
  REQUIRE(right.columns.back() == "sum");

  // Both from the scores of this pass.
  const Plane traced = scene.result->trace->plane("decoder.layers.1.self_attn.scores", 0, 1);
  const Plane weights = scene.result->trace->plane("decoder.layers.1.self_attn.weights", 0, 1);
  for (size_t row = 0; row < words; ++row) {
    double whole = 0;
    for (size_t key = 0; key < words; ++key) whole += std::exp(scores.values[row][key]);
    double kept = 0;
    for (size_t key = 0; key < words; ++key) {
      const int r = static_cast<int>(row), k = static_cast<int>(key);
      CHECK(scores.values[row][key] == doctest::Approx(traced(r, k)).epsilon(1e-5));
      CHECK(right.values[row][key] == doctest::Approx(weights(r, k)).epsilon(1e-5));
      const double wanted = key > row ? 0 : std::exp(scores.values[row][key]) / whole;
      CHECK(late.values[row][key] == doctest::Approx(wanted).epsilon(1e-4));
      kept += wanted;
    }
    CHECK(right.values[row].back() == doctest::Approx(1).epsilon(1e-5));
    CHECK(late.values[row].back() == doctest::Approx(kept).epsilon(1e-4));
  }

  // The row that is pinned.
  Selection pinned = scene.pinned;
  pinned.query = 3;
  scene.pin(pinned);
  const double kept = late.values[3].back();
  const std::string said = "Row “" + scores.rows[3] + "” keeps " + format_probability(kept) + "; " +
                           format_probability(1 - kept) + " went to the four words to come";
  CHECK_MESSAGE(contains(stage.view().caption(scene.input()), said), stage.view().caption(scene.input()));
  const RecordingCanvas canvas = drawn(stage.view(), scene);
  CHECK(canvas.find("−∞ before the softmax"));
  CHECK(canvas.find("0 after the softmax"));
  CHECK(canvas.find(format_probability(kept)));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  REQUIRE(page.sections.size() == 2);
  CHECK(page.sections[0].rows[1].value == format_probability(kept));
  CHECK(page.sections[1].rows[0].value == format_loss(scene.result->trace->loss));
  CHECK(page.sections[1].rows[1].value != page.sections[1].rows[0].value);

  // The last row has nothing to come.
  pinned.query = 7;
  scene.pin(pinned);
  CHECK(contains(stage.view().caption(scene.input()), "is the last one: there is nothing to come"));
}

TEST_CASE("a row that a lesson asks for is told neither by the maps nor by words, numbers or the inspector") {
  SampleScene scene = late_scene();
  ViewStage stage("masks", scene);
  REQUIRE(stage.set("Page", "Mistake"));
  Selection pinned = scene.pinned;
  pinned.query = 3;
  scene.pin(pinned);
  const NumberTable late = late_table(stage.view(), scene, "weights, 0 after the softmax");
  const std::string kept = format_probability(late.values[3].back());
  const View& view = stage.view();
  const auto picture = [&](const ViewInput& input) {
    return picture_of(view, input, area_for(view, input, {1000, 660}));
  };
  const auto unknown_sums = [](const RecordingCanvas& canvas) {
    return std::ranges::count_if(canvas.texts, [](const auto& text) { return text.text == "?"; });
  };

  ViewInput input = scene.input();
  input.covered = CoveredRow{AttentionKind::decoder, 1, 1, 3};
  const std::string said = "Row “" + late.rows[3] + "” keeps ?; ? went to the four words to come";
  CHECK_MESSAGE(contains(view.caption(input), said), view.caption(input));
  const RecordingCanvas canvas = picture(input);
  CHECK(unknown_sums(canvas) == 2);
  CHECK(canvas.find("rows sum to 1"));
  CHECK(canvas.find("rows that looked ahead no longer do"));
  for (const std::string side : {"right", "mistaken"}) {
    for (int key = 0; key < 8; ++key) {
      const auto cell = live_part(canvas, side + " weights query 3 key " + std::to_string(key));
      REQUIRE(cell);
      CHECK(contains(cell->tooltip, "is covered until the question is answered"));
    }
    CHECK(contains(live_part(canvas, side + " row 3")->tooltip, said));
    CHECK_FALSE(contains(live_part(canvas, side + " weights query 4 key 1")->tooltip, "covered"));
  }
  const InspectorPage page = inspector_page(view, input);
  CHECK(page.sections[0].rows[0].value == "?");
  CHECK(page.sections[0].rows[1].value == "?");
  CHECK_FALSE(page.sections[0].rows[1].wrong);
  CHECK_FALSE(contains(page.sections[0].text, kept));
  int tables = 0;
  for (const NumberTable& each : view.numbers(input)) {
    if (each.title != "scores before any mask" && !each.title.ends_with(" the softmax")) continue;
    ++tables;
    CHECK(std::ranges::all_of(each.values[3], [](double value) { return std::isnan(value); }));
    CHECK(std::ranges::none_of(each.values[2], [](double value) { return std::isnan(value); }));
  }
  CHECK(tables == 3);
  CHECK(in_lines(complaints(view, input)) == "");

  // Where nothing is pinned, the page is about another row.
  pinned.query.reset();
  scene.pin(pinned);
  input.covered->query = 1;
  CHECK_FALSE(contains(view.caption(input), "?"));

  // Another head, layer or attention, and another sentence, have all their rows.
  for (const CoveredRow other :
       {CoveredRow{AttentionKind::decoder, 1, 2, 3}, CoveredRow{AttentionKind::decoder, 0, 1, 3},
        CoveredRow{AttentionKind::cross, 1, 1, 3}}) {
    input.covered = other;
    CHECK(unknown_sums(picture(input)) == 0);
  }
  input.covered = CoveredRow{AttentionKind::decoder, 1, 1, 3};
  pinned.sentence = 1;
  scene.pin(pinned);
  CHECK(unknown_sums(picture(input)) == 0);
}

TEST_CASE("a cell of the right weights pins its number, one of the mistake its row alone") {
  SampleScene scene = late_scene();
  ViewStage stage("masks", scene);
  REQUIRE(stage.set("Page", "Mistake"));
  const RecordingCanvas canvas = drawn(stage.view(), scene);
  const Selection right = pinned_by(canvas, "right weights query 4 key 2");
  CHECK(right.cell == CellRef{"decoder.layers.1.self_attn.weights", {0, 1, 4, 2}});
  const Selection late = pinned_by(canvas, "mistaken weights query 4 key 6");
  CHECK(late.query == 4);
  CHECK(!late.key);
  CHECK(!late.cell);
  CHECK(pinned_by(canvas, "right row 6").query == 6);
  CHECK(contains(live_part(canvas, "mistaken weights query 4 key 6")->tooltip, "set to 0"));
  REQUIRE(stage.click("mistaken weights query 5 key 1"));
  CHECK(scene.pinned.query == 5);
  CHECK(stage.view().inspect(scene.input())->sections[0].heading.starts_with("Row "));
}

TEST_CASE("whoever comes from another attention sees the decoder's own, where this mistake can be made") {
  SampleScene scene = late_scene();
  ViewStage stage("masks", scene);
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::cross}) {
    Selection selection = scene.pinned;
    selection.kind = kind;
    scene.pin(selection);
    stage.frames();
    REQUIRE(stage.set("Page", "Mistake"));
    CHECK(stage.view().place(scene.input()).path.at(2) == "Masked self-attention");
    CHECK(late_table(stage.view(), scene, "scores before any mask").rows.front() == "<bos>");
    CHECK(stage.view().place(scene.input()).attention == AttentionKind::decoder);
  }
}

TEST_CASE("without a causal mask the page says why there is nothing to compare") {
  WhatIf off;
  off.changes = {change_of(ChangeKind::causal_mask_off)};
  SampleScene scene = late_scene(off);
  ViewStage stage("masks", scene);
  REQUIRE(stage.set("Page", "Mistake"));
  CHECK(contains(stage.view().caption(scene.input()), "The causal mask is off"));
  CHECK(drawn(stage.view(), scene).find("The causal mask is off"));
  CHECK(stage.view().inspect(scene.input())->sections.empty());
  CHECK(in_lines(complaints(stage.view(), scene.input(), Shapes::few)) == "");
}

TEST_CASE("with padding seen, a row set by hand or a ReLU the page says what is so then") {
  WhatIf seen;
  seen.changes = {change_of(ChangeKind::padding_mask_off)};
  WhatIf by_hand;
  by_hand.changes = {edit_row(AttentionKind::decoder, 1, 1, 2, {0.5f, 0, 0})};
  struct Case {
    WhatIf what_if;
    AttentionActivation activation;
    int sentence;
    const char* says;
  };
  for (const Case& each : {Case{seen, AttentionActivation::softmax, 1, " and the padding"},
                           Case{by_hand, AttentionActivation::softmax, 0, "what it was given"},
                           Case{{}, AttentionActivation::relu, 0, "divided by all keys"}}) {
    CAPTURE(each.says);
    SampleScene scene = late_scene(each.what_if, each.activation);
    Selection selection = scene.pinned;
    selection.sentence = each.sentence;
    selection.query = 2;
    scene.pin(selection);
    ViewStage stage("masks", scene);
    REQUIRE(stage.set("Page", "Mistake"));
    CHECK(says(drawn(stage.view(), scene), each.says));
    CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
  }
}

}  // namespace
}  // namespace glassformer
