// Views of a model of another program: sines before cosines, a start that is pad and is never written, a
// source that begins with bos.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/views/decode/decode.h"
#include "app/views/positions/positions.h"
#include "app/views/tokens/tokens.h"
#include "tests/ui/decode_scene.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/view_stage.h"

namespace glassformer::other_settings_view_test {

SampleScene scene_of_others() {
  SampleOptions options;
  options.config.start_id = options.config.pad_id;
  options.config.forbidden_ids = {options.config.pad_id};
  options.config.position_order = PositionOrder::halves;
  options.config.position_divisor = PositionDivisor::d_less_two;
  options.config.length_penalty = LengthPenalty::length;
  options.config.source_bos = true;
  return scene_to_decode(options);
}

std::string text_of(const InspectorPage& page) {
  std::string text;
  for (const InspectorSection& section : page.sections) {
    text += section.heading + "\n" + section.text + "\n";
    for (const InspectorRow& row : section.rows) text += row.label + " = " + row.value + "\n";
  }
  return text;
}

TEST_CASE("the Positions view shows the table that the model adds, and its pairs") {
  SampleScene scene = scene_of_others();
  ViewStage stage("positions", scene);
  const Plane added = scene.result->trace->plane("source.positions");
  const PositionTable table = position_table(scene.input(), PositionKind::sinusoidal, TextSide::source);
  for (int row = 0; row < static_cast<int>(scene.result->source_words.size()); ++row)
    for (int column = 0; column < added.columns; ++column)
      CHECK(table.plane()(row, column) == doctest::Approx(added(row, column)));
  // Column 9 of 16 is the cosine of pair 1, whose sine is column 1.
  CHECK(table.pair_of(9) == 1);
  CHECK(table.sine(1) == 1);
  CHECK(table.cosine(1) == 9);
  Selection selection{.key = 3, .cell = CellRef{"source.positions", {3, 9}}};
  CHECK(contains(text_of(inspector_page(stage.view(), scene.input())), "All sines"));
  scene.pin(selection);
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 5);
  CHECK(tables[3].values[1][0] == doctest::Approx(std::pow(1e4, -2.0 / 14)));  // frequency of pair 1
  for (const auto& row : tables[4].values) {
    CHECK(std::abs(row[9]) < 1e-6);  // sine apart
    CHECK(std::abs(row[10]) < 1e-6);
  }
}

TEST_CASE("Decode begins with the start's name, divides by the words, and says what is not allowed") {
  SampleScene scene = scene_of_others();
  CHECK(scene.result->target_in_words.front() == "<pad>");
  CHECK(std::ranges::count(scene.result->decoding.ids, scene.snapshot->config.pad_id) == 0);
  ViewStage stage("decode", scene);
  stage.frames(3);
  CHECK(contains(stage.state(), "α 1.00, length"));
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1200, 800}, true);
  CHECK(canvas.find("<pad>") != nullptr);
  CHECK(canvas.find("<bos>") == nullptr);

  const SamplingScene sampling = sampling_scene(scene.input(), SamplingState{}, true);
  REQUIRE(!sampling.shares.empty());
  CHECK(sampling.shares.back().id == scene.snapshot->config.pad_id);
  CHECK(sampling.shares.back().fate == ShareFate::not_allowed);
  CHECK(sampling.shares.back().before == 0);

  // Which shares these are, beside those of Output.
  const auto says_so = [](ViewStage& of, const SampleScene& shown) {
    return contains(text_of(inspector_page(of.view(), shown.input())), "among what is allowed");
  };
  CHECK(says_so(stage, scene));
  SampleScene plain = scene_to_decode({});
  ViewStage plain_stage("decode", plain);
  plain_stage.frames(3);
  CHECK_FALSE(says_so(plain_stage, plain));
}

TEST_CASE("a source that begins with bos has it before its pieces, and a piece is the word that it says") {
  SampleScene scene = scene_of_others();
  CHECK(scene.result->source_words.front() == "<bos>");
  CHECK(scene.result->source_words[1] == "the");
  scene.pin({.kind = AttentionKind::encoder, .key = 2});
  const TokenScene tokens = token_scene(scene.input(), true);
  CHECK(tokens.begins_with_bos);
  REQUIRE(tokens.chosen);
  CHECK(*tokens.chosen == 1);
  CHECK(tokens.pieces[1].text == scene.result->source_words[2]);
  CHECK(choose_piece(tokens, 1).key == 2);
}

}  // namespace glassformer::other_settings_view_test
