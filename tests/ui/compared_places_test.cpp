// Two models that read the same sentence: one selection means the same words of both.
#include <doctest/doctest.h>

#include "app/format/number_format.h"
#include "app/scene/compared.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("a word of the second is the same word of the first where only one of them reads <bos>") {
  const ScratchFolder scratch, elsewhere;
  SampleOptions begun = sample_options("source_bos true");
  OffscreenProgram program({.model = model_folder(scratch), .threads = 1});
  begin(program);
  program.session().apply({Compare{OtherModel{model_folder(elsewhere, begun)}}});
  REQUIRE(program.settle());
  const Compared& two = *program.session().compared();
  REQUIRE(two.second);
  REQUIRE(two.second->source_words.front() == "<bos>");
  REQUIRE(two.first->source_words[2] == two.second->source_words[3]);

  REQUIRE(program.click("cross layer 2 head 1 query 1 key 3 of the second"));
  program.move({5, 5});
  program.frame(3);
  CHECK(program.session().pinned().query == 1);
  CHECK(program.session().pinned().key == 2);
  const auto weight = [](const SceneResult& of, int key) {
    return value_text(double(of.trace->plane("decoder.layers.1.cross_attn.weights", 0, 0)(1, key)));
  };
  CHECK(program.text("inspector value") == weight(*two.second, 3));

  // Nothing of the first is the beginning of the second.
  REQUIRE(program.click("cross layer 2 head 1 query 1 key 0 of the second"));
  program.frame();
  CHECK(program.session().pinned().query == 1);
  CHECK_FALSE(program.session().pinned().key);
  REQUIRE(program.click("cross layer 2 head 1 query 1 key 2"));
  program.move({5, 5});
  program.frame(3);
  CHECK(program.text("inspector value") == weight(*two.first, 2));
  REQUIRE(program.click("Compared: Second"));
  program.frame(3);
  CHECK(program.text("inspector value") == weight(*two.second, 3));
}

TEST_CASE("places go from one sentence to the other by the letters of the pieces") {
  const SampleScene words = make_sample_scene({.sentences = {{"the cat", {}, "le chat"}}});
  SceneResult cut = *words.result;
  const auto piece = [](const char* text) { return Piece{.text = text}; };
  cut.source_pieces = {piece("the"), piece("c"), piece("at")};
  cut.source_words = {"the", "c", "at", "<eos>"};
  CHECK(source_places(*words.result, cut) == SourcePlaces{0, 1, 3});
  CHECK(source_places(cut, *words.result) == SourcePlaces{0, 1, 1, 2});
  cut.source_pieces = {piece("The"), piece("<unk>")};  // its letters are not known: one by one
  cut.source_words = {"The", "<unk>", "<eos>"};
  CHECK(source_places(*words.result, cut) == SourcePlaces{0, 1, 2});
  cut.scene.sentences.front().source = "a dog";  // another sentence: the same places
  CHECK(source_places(*words.result, cut).empty());
}

TEST_CASE("a selection goes with its words, in each value along the axes of the source") {
  const SourcePlaces places{std::nullopt, 0, 1};
  const auto cell = [&](const char* name, std::vector<int> index) {
    return in_source_places({.cell = CellRef{name, std::move(index)}}, places).cell;
  };
  using Index = std::vector<int>;
  CHECK(cell("memory", {0, 2, 7})->index == Index{0, 1, 7});
  CHECK(cell("source.sum", {0, 1, 7})->index == Index{0, 0, 7});
  CHECK(cell("encoder.layers.0.self_attn.scores", {0, 1, 2, 1})->index == Index{0, 1, 1, 0});
  CHECK(cell("encoder.layers.0.self_attn.concat", {0, 2, 5})->index == Index{0, 1, 5});
  CHECK(cell("decoder.layers.0.cross_attn.weights", {0, 1, 2, 1})->index == Index{0, 1, 2, 0});
  CHECK(cell("decoder.layers.0.cross_attn.key", {0, 1, 2, 1})->index == Index{0, 1, 1, 1});
  CHECK(cell("decoder.layers.0.cross_attn.query", {0, 1, 2, 1})->index == Index{0, 1, 2, 1});
  CHECK(cell("decoder.layers.0.self_attn.weights", {0, 1, 2, 1})->index == Index{0, 1, 2, 1});
  CHECK(cell("target.sum", {0, 1, 7})->index == Index{0, 1, 7});
  CHECK(cell("source_embedding.weight", {2, 2})->index == Index{2, 2});
  CHECK_FALSE(cell("memory", {0, 0, 7}));

  Selection many{.kind = AttentionKind::encoder, .query = 0, .key = 1, .more_queries = {2}, .more_keys = {0}};
  const Selection moved = in_source_places(many, places);
  CHECK(moved.query == 1);  // the one that led is not there
  CHECK(moved.more_queries.empty());
  CHECK(moved.key == 0);
  CHECK(moved.more_keys.empty());
  many.kind = AttentionKind::decoder;
  CHECK(in_source_places(many, places) == many);
}

}  // namespace glassformer
