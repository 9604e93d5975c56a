#include <doctest/doctest.h>

#include "app/format/number_format.h"
#include "app/views/embedding/embedding.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

TEST_CASE("the embedding is drawn whole at every size, with and without positions, for both sides") {
  for (const PositionKind kind : {PositionKind::sinusoidal, PositionKind::none}) {
    SampleOptions options;
    options.config.positions = kind;
    SampleScene scene = make_sample_scene(options);
    ViewStage stage("embedding", scene);
    CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
    stage.frames();
    REQUIRE(stage.click("Side: French"));
    CHECK(stage.state() == "target");
    CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
  }
}

TEST_CASE("rows looked up, positions and their sum are the trace's, and a click pins a number") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("embedding", scene);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 5);
  for (std::size_t c = 0; c < tables[0].values[2].size(); ++c)
    CHECK(tables[0].values[2][c] + tables[1].values[2][c] ==
          doctest::Approx(tables[2].values[2][c]).epsilon(1e-4));

  stage.frames();
  REQUIRE(stage.click("source.input row 2 column 5"));
  REQUIRE(scene.pinned.cell);
  CHECK(scene.pinned.cell->name == "source.input");
  CHECK(scene.pinned.cell->index == std::vector<int>{0, 2, 5});
  CHECK(scene.pinned.key == 2);
}

TEST_CASE("the nearest words are those of the pinned word, best first") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("embedding", scene);
  REQUIRE(stage.click("row 3 sees"));
  const auto tables = stage.view().numbers(scene.input());
  CHECK(tables[3].title == "most alike sees");
  for (std::size_t i = 1; i < tables[3].values.size(); ++i)
    CHECK(tables[3].values[i - 1][1] >= tables[3].values[i][1]);
}

TEST_CASE("the mouse over the map names the word under it, a click keeps it") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("embedding", scene);
  const auto map = stage.find("vocabulary map");
  REQUIRE(map);
  const VocabularyKey key = vocabulary_key(scene.input(), true);
  const auto dots = map_dots(principal_components(vocabulary_rows(key)), map->rect);
  const int id = 6;
  stage.move_to(dots[id].at);
  CHECK(stage.state() == "source, over 6");
  const auto page = stage.view().inspect(scene.input());
  REQUIRE(page);
  CHECK(page->subject == "**" + vocabulary_word(scene.input(), true, id) + "**");
  stage.press();
  stage.move_to({0, 0});
  CHECK(stage.state() == "source, word 6");
  // What the rows began as.
  CHECK(page->meaning.starts_with("At the start every row is random."));
  scene.run.source_found = 6;
  const auto given = stage.view().inspect(scene.input());
  REQUIRE(given);
  CHECK(
      given->meaning.starts_with("At the start 6 rows were those of a file of vectors, the others random."));
}

TEST_CASE("a frozen table is not said to be moved by training") {
  for (const std::string freeze : {"", "source"}) {
    SampleScene scene = make_sample_scene();
    scene.run.options.freeze = freeze;
    ViewStage stage("embedding", scene);
    const auto page = stage.view().inspect(scene.input());
    REQUIRE(page);
    CHECK((page->meaning.find("Training moves") == std::string::npos) == (freeze == "source"));
    CHECK((page->meaning.find("frozen") != std::string::npos) == (freeze == "source"));
  }
}
