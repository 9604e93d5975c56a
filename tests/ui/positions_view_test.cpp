#include <doctest/doctest.h>

#include <cmath>

#include "app/format/number_format.h"
#include "engine/layers/embedding.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

SampleScene scene_with(PositionKind kind, int d_model = 32) {
  SampleOptions options;
  options.config.d_model = d_model;
  options.config.max_length = 32;
  options.config.positions = kind;
  return make_sample_scene(options);
}

Selection pinned(int position, int dimension) {
  Selection selection;
  selection.key = position;
  selection.cell = CellRef{"source.positions", {position, dimension}};
  return selection;
}

}  // namespace

TEST_CASE("the positions are drawn whole at every size, for every kind of table") {
  for (const PositionKind kind :
       {PositionKind::sinusoidal, PositionKind::learned, PositionKind::none, PositionKind::rotary}) {
    SampleScene scene = scene_with(kind);
    ViewStage stage("positions", scene);
    CHECK(picture_complaints(stage.view(), scene.input()) == "");
    scene.pin(pinned(3, 8));
    CHECK(picture_complaints(stage.view(), scene.input()) == "");
  }
  SampleScene wide = scene_with(PositionKind::sinusoidal, 128);
  ViewStage stage("positions", wide);
  CHECK(picture_complaints(stage.view(), wide.input()) == "");
}

TEST_CASE("a click on the table pins that number, and the inspector gives its formula and where it goes") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  stage.frames();
  REQUIRE(stage.click("position 3 dimension 8"));
  REQUIRE(scene.pinned.cell);
  CHECK(scene.pinned.cell->index == std::vector<int>{3, 8});
  CHECK(scene.pinned.key == 3);

  const auto page = stage.view().inspect(scene.input());
  REQUIRE(page);
  CHECK(page->value == format_pinned(std::sin(3 / std::pow(10000.0, 8.0 / 32))));
  REQUIRE(page->sections.size() == 2);
  const auto& rows = page->sections[1].rows;
  REQUIRE(rows.size() == 3);
  const Trace& trace = *scene.result->trace;
  CHECK(rows[0].value == format_pinned(trace.plane("source.embedding")(3, 8)));
  CHECK(rows[1].value == page->value);
  CHECK(rows[2].value == format_pinned(trace.plane("source.input")(3, 8)));
}

TEST_CASE("the switch shows other tables for comparison and says what this model has not") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  stage.frames();
  REQUIRE(stage.click("Positions: None"));
  CHECK(stage.state().starts_with("none"));
  REQUIRE(stage.click("Positions: Learned"));
  const auto noise = stage.view().numbers(scene.input());
  REQUIRE(noise.size() == 3);
  // Noise: a place is like itself, not like its neighbour.
  CHECK(noise[1].values[0][0] > 0.8);
  CHECK(std::abs(noise[1].values[1][0]) < 0.2);
  const auto page = stage.view().inspect(scene.input());
  REQUIRE(page);
  CHECK(page->subject == "as a table starts, for comparison");

  SampleScene learned = scene_with(PositionKind::learned);
  ViewStage other("positions", learned);
  const auto tables = other.view().numbers(learned.input());
  REQUIRE(tables.size() == 3);
  CHECK(tables[0].values[5][7] == doctest::Approx(learned.result->trace->plane("source.positions")(5, 7)));
}

TEST_CASE("a column chooses a distance, and the rotation is shown for it") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  stage.frames();
  REQUIRE(stage.click("distance 5"));
  CHECK(stage.state() == "the model's own, source, alike at 5");
  REQUIRE(stage.click("Lower picture: Shift"));
  CHECK(stage.state() == "the model's own, source, shift by 5");
  CHECK(picture_complaints(stage.view(), scene.input()) == "");
}

TEST_CASE("the numbers hold the whole table and the similarity that depends on distance alone") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 3);
  CHECK(tables[0].values.size() == 32);
  CHECK(tables[0].values[3][8] == doctest::Approx(position_wave(3, 8, 32)));
  CHECK(tables[1].values[2][0] == doctest::Approx(13.7).epsilon(0.005));
  CHECK(stage.view().caption(scene.input()) == "Positions (sinusoidal), 32 positions of 32 dimensions");
}

TEST_CASE(
    "rotary: the angle of each pair at each position, its formula, and the query and key that it turns") {
  SampleScene scene = scene_with(PositionKind::rotary);
  const Config& config = scene.input().snapshot.config;
  const int k = config.head_width();
  ViewStage stage("positions", scene);
  stage.frames();
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 3);
  REQUIRE(tables[0].columns.size() == static_cast<std::size_t>(k / 2));
  CHECK(tables[0].values[3][1] == doctest::Approx(3 / std::pow(10000.0, 2.0 / k)));
  CHECK(tables[0].values[4][0] == doctest::Approx(4 - 2 * std::acos(-1.0)));

  REQUIRE(stage.click("position 3 pair 1"));
  const auto page = stage.view().inspect(scene.input());
  REQUIRE(page);
  CHECK(page->value == format_pinned(std::sin(3 / std::pow(10000.0, 2.0 / k))));
  REQUIRE(page->sections.size() == 2);
  const Trace& trace = *scene.result->trace;
  CHECK(page->sections[1].rows[0].value ==
        format_pinned(trace.plane("encoder.layers.0.self_attn.rotated_query")(3, 2)));
  CHECK(page->sections[1].rows[1].value ==
        format_pinned(trace.plane("encoder.layers.0.self_attn.rotated_key")(3, 2)));
}

TEST_CASE("a dimension that a narrower table lacks leaves its row pinned") {
  SampleScene scene = scene_with(PositionKind::rotary);
  const Config& config = scene.input().snapshot.config;
  ViewStage stage("positions", scene);
  scene.pin(pinned(31, config.d_model - 1));  // under "sinusoidal"
  REQUIRE(config.head_width() < config.d_model);
  stage.frames();
  CHECK(picture_complaints(stage.view(), scene.input()) == "");
  CHECK(stage.view().caption(scene.input()).find("dimension ") == std::string::npos);
  const auto page = stage.view().inspect(scene.input());
  REQUIRE(page);
  CHECK(page->value.empty());
  CHECK(page->sections[0].heading == "The whole row");
}
