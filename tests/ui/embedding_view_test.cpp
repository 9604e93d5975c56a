// Embeddings, whole pictures, and a tree of beams where there is room for a part.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/views/decode/decode.h"
#include "app/views/embedding/embedding.h"
#include "app/views/view_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_cases.h"
#include "tests/ui/view_stage.h"

namespace glassformer::embedding_view_test {

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

TEST_CASE("a piece that begins a word has a bar in the lists, and the same letters inside one have none") {
  const auto bars = [](const View& view, const SampleScene& scene) {
    const RecordingCanvas canvas = picture_of(view, scene.input(), {0, 0, 1300, 900});
    return std::ranges::count_if(canvas.rectangles, [](const RecordingCanvas::Rectangle& each) {
      return each.rect.width == 3 && each.rect.height == 14;
    });
  };
  SampleScene scene = make_sample_scene({.tokenizer = TokenizerKind::bpe});
  const Tokenizer& pieces = *scene.tokenizers.source;
  ViewStage stage("embedding", scene);
  const NumberTable alike = stage.view().numbers(scene.input())[3];
  std::ptrdiff_t begin = 0, listed = std::min<std::ptrdiff_t>(12, std::ssize(alike.rows));
  for (std::ptrdiff_t i = 0; i < listed; ++i)
    begin += pieces.starts_word(static_cast<int>(alike.values[static_cast<std::size_t>(i)][0]));
  CHECK(begin > 0);
  CHECK(begin < listed);
  CHECK(bars(stage.view(), scene) == begin);
  CHECK(bars(*make_view("output"), scene) > 0);

  const SampleScene words = make_sample_scene();  // every word is whole
  CHECK(bars(*make_view("embedding"), words) == 0);
  CHECK(bars(*make_view("output"), words) == 0);
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
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.subject == "**" + vocabulary_word(scene.input(), true, id) + "**");
  stage.press();
  stage.move_to({0, 0});
  CHECK(stage.state() == "source, word 6");
  // What the rows began as.
  CHECK(page.meaning.starts_with("At the start every row is random."));
  scene.run.source_found = 6;
  const InspectorPage given = inspector_page(stage.view(), scene.input());
  CHECK(given.meaning.starts_with("At the start 6 rows were those of a file of vectors, the others random."));
}

TEST_CASE("a frozen table is not said to be moved by training") {
  for (const std::string freeze : {"", "source"}) {
    SampleScene scene = make_sample_scene();
    scene.run.options.freeze = freeze;
    ViewStage stage("embedding", scene);
    const InspectorPage page = inspector_page(stage.view(), scene.input());
    CHECK((!contains(page.meaning, "Training moves")) == (freeze == "source"));
    CHECK((contains(page.meaning, "frozen")) == (freeze == "source"));
  }
}

// ---- Every view with short and long sentences, trained and untrained: nothing leaves its area, no words lie
// on each other or on a curve, nothing is tiny, and at the usual size nothing is cut.

TEST_CASE("at the usual size no word of a short sentence is cut") {
  SampleScene scene = marked_scene(7, 3200);
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(std::string(entry.name));
    const auto view = entry.make();
    for (const Point size : {Point{1000, 660}, Point{1400, 900}}) {
      RecordingCanvas canvas(light_theme(), true);  // as a file: nothing is still being computed
      view->picture(canvas, scene.input(), area_for(*view, scene.input(), size));
      const auto cut = cut_texts(canvas);
      CHECK_MESSAGE(cut.empty(), in_lines(cut));
    }
  }
}

TEST_CASE("the checks see words that overlap, lie on a curve, leave the area, are tiny or cut") {
  RecordingCanvas canvas;
  const TextStyle style{.size = 12};
  canvas.text({20, 20}, "first", style);
  canvas.text({25, 22}, "second", style);
  CHECK(overlapping_texts(canvas).size() == 1);
  CHECK(texts_on_curves(canvas).empty());
  std::vector<Point> curve;
  for (int x = 0; x < 20; ++x) curve.push_back({float(5 * x), 60});
  canvas.polyline(curve, {});
  canvas.text({30, 60}, "on the line", style);
  CHECK(texts_on_curves(canvas) == std::vector<std::string>{"on the line"});
  canvas.text({195, 90}, "outside", style);
  CHECK(texts_outside(canvas, {0, 0, 200, 100}) == std::vector<std::string>{"outside"});
  canvas.text({100, 20}, "small", {.size = 8});
  CHECK(texts_under(canvas, 10) == std::vector<std::string>{"small"});
  canvas.text({100, 40}, "fatigu\u2026", style);
  CHECK(cut_texts(canvas).size() == 1);
}

// ---- What of a tree of beams is drawn where there is room for a part.

TEST_CASE("a part of the tree keeps the node that it goes round, from whatever lane") {
  DecodeTree tree{.columns = 3, .folded = {0, 0, 0}};
  for (int lane = 0; lane < 4; ++lane) {
    tree.lanes = lane + 1;
    for (int step = 0; step < 3; ++step)
      tree.nodes.push_back({.place = {step, lane},
                            .parent = step == 0 ? -1 : static_cast<int>(tree.nodes.size()) - 1,
                            .lane = lane});
  }
  for (int around = 0; around < static_cast<int>(tree.nodes.size()); ++around)
    for (int lanes = 1; lanes <= 4; ++lanes) {
      const DecodeTree part = part_of_tree(tree, around, 2, lanes);
      CAPTURE(around);
      CAPTURE(lanes);
      CHECK(part.find(tree.nodes[static_cast<std::size_t>(around)].place));
      CHECK(part.lanes == lanes);
      std::vector<int> used;
      for (const TreeNode& node : part.nodes) used.push_back(node.lane);
      for (int lane = 0; lane < lanes; ++lane) CHECK(std::ranges::count(used, lane) == 2);
    }
}

TEST_CASE("a word of a large vocabulary is found by its name, else by how it begins") {
  OffscreenProgram program({.view = "embedding"});
  REQUIRE(program.settle());
  program.frame(3);
  const auto chosen = [&](const char* typed) {
    type(program, "Find a word", typed);
    return program.text("inspector subject");
  };
  CHECK(chosen("girl") == "**girl**");
  CHECK(chosen("gir") == "**girl**");
  CHECK(chosen("zzz") == "**girl**");  // there is none: the last one stays
  program.session().apply({OpenModel{program_file("models/reverse").string()}});
  REQUIRE(program.wait([&] { return program.session().snapshot()->config.target_vocab < kFewDots; }));
  REQUIRE(program.settle());
  program.frame(3);
  CHECK_FALSE(program.visible("Find a word"));  // every word of a small vocabulary is named
}

}  // namespace glassformer::embedding_view_test
