#include <doctest/doctest.h>

#include "app/views/tokens/tokens.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

TEST_CASE("tokens stay inside their stage, for words, characters and unknown words") {
  for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::character}) {
    SampleOptions options;
    options.tokenizer = kind;
    SampleScene scene = make_sample_scene(options);
    Selection selection;
    selection.key = 2;
    scene.pin(selection);
    const auto view = make_view("tokens");
    // Wait for the other tokenizers, so that every picture shows them.
    RecordingCanvas file(light_theme(), true);
    view->picture(file, scene.input(), {0, 0, 1000, 660});
    CHECK(in_lines(complaints(*view, scene.input())) == "");
  }
}

TEST_CASE("pieces stand with their ids, and a click leads to the row of the embedding") {
  const SampleScene scene = make_sample_scene();
  const auto view = make_view("tokens");
  RecordingCanvas canvas(light_theme(), true);
  view->picture(canvas, scene.input(), {0, 0, 1000, 660});
  for (const Piece& piece : scene.result->source_pieces) {
    CHECK(canvas.find(piece.text) != nullptr);
    CHECK(canvas.find(std::to_string(piece.id)) != nullptr);
  }
  const Selection pinned = pinned_by(canvas, "source piece 3");
  CHECK(pinned.key == 3);
  CHECK(pinned.cell == CellRef{"source.embedding", {0, 3, 0}});
  CHECK(pinned_by(canvas, "vocabulary 5").cell == CellRef{"source_embedding.weight", {5, 0}});
}

TEST_CASE("five tokenizers cut the same text, and each puts it together again") {
  const SampleScene scene = make_sample_scene();
  const std::string text = "the tired girl sees a red car";
  const TokenComparison comparison =
      compare_tokenizers(scene.tokenizers.source, {text, "the cat sees a bird"});
  int own = 0;
  for (const ComparedTokenizer& each : comparison) {
    CAPTURE(kind_words(each.kind));
    REQUIRE(each.tokenizer);
    own += each.own;
    std::vector<int> ids;
    for (const Piece& piece : each.tokenizer->encode(text)) ids.push_back(piece.id);
    CHECK(each.tokenizer->decode(ids) == text);
  }
  CHECK(own == 1);
  CHECK(comparison[4].tokenizer->encode(text).size() == text.size());
}

TEST_CASE("the other language is one click away, and a narrow stage shows the vocabulary alone") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("tokens", scene, {560, 424});
  CHECK(stage.state() == "source");
  REQUIRE(stage.click("Side: French"));
  REQUIRE(stage.click("Show: Vocabulary"));
  CHECK(stage.state() == "target vocabulary");
  CHECK(stage.has("vocabulary 3"));
}

TEST_CASE("the numbers list the sentence and the whole vocabulary") {
  const SampleScene scene = make_sample_scene();
  const auto tables = make_view("tokens")->numbers(scene.input());
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].rows.size() == 7);
  CHECK(tables[1].rows.size() == static_cast<size_t>(scene.tokenizers.source->size()));
}

}  // namespace
}  // namespace glassformer
