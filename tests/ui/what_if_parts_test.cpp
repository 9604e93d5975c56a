// How much each part matters: tiles of heads, sub-blocks and places, on a sentence and on held-out ones.
#include <doctest/doctest.h>

#include "tests/ui/what_if_scene.h"

namespace glassformer::what_if_test {

TEST_CASE("each tile is the loss without that head less the untouched loss, and stands in it") {
  const SampleScene scene = scene_of({{mute_head(AttentionKind::encoder, 0, 0)}});
  const PlainSentence plain = plain_sentence(*scene.result);
  const auto view = make_view("what-if");
  const NumberTable parts = view->numbers(scene.input())[1];
  const std::vector<Change> heads = every_head(*plain.model);
  REQUIRE(parts.values.size() == heads.size());
  const double untouched = loss_by_hand(plain.model->cast<double>(), plain);
  const RecordingCanvas canvas = drawn(*view, scene);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    CAPTURE(parts.rows[i]);
    CHECK(parts.rows[i] == part_name(heads[i]));
    const double change = loss_by_hand(without_head(*plain.model, heads[i]), plain) - untouched;
    CHECK(parts.values[i][0] == doctest::Approx(change).epsilon(1e-3).scale(0.01));
    CHECK(canvas.find(tile_number(parts.values[i][0])) != nullptr);
  }
  CHECK(tile_number(0.2641) == "+.264");
  CHECK(tile_number(-0.0331) == "\u2212.033");
  CHECK(tile_number(0.0004) == "0");
  CHECK(tile_number(1.1379) == "+1.14");
}

TEST_CASE("over held-out sentences a tile is the mean of the differences, with its interval") {
  SampleScene scene = scene_of();
  ViewStage stage("what-if", scene);
  REQUIRE(settled(stage));
  REQUIRE(stage.click("Loss over: 4 held-out"));
  CHECK(stage.state() == "heads, by 0, held-out");
  REQUIRE(settled(stage));
  const NumberTable parts = stage.view().numbers(scene.input())[1];
  const auto batch = measuring_batch(scene.training_text->held_out, scene.tokenizers, scene.snapshot->config);
  REQUIRE(batch);
  const LossJob job{.model = *scene.snapshot->weights, .batch = *batch};
  const MeanLoss untouched = loss_with(job, {});
  const std::vector<Change> heads = every_head(*scene.snapshot->weights);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const MeanLoss with = loss_with(job, {{heads[i]}});
    double mean = 0, square = 0;
    for (std::size_t s = 0; s < 4; ++s) mean += (with.of_sentence[s] - untouched.of_sentence[s]) / 4;
    for (std::size_t s = 0; s < 4; ++s)
      square += std::pow(with.of_sentence[s] - untouched.of_sentence[s] - mean, 2) / 3;
    CHECK(parts.values[i][0] == doctest::Approx(mean));
    CHECK(parts.values[i][2] - parts.values[i][0] == doctest::Approx(1.96 * std::sqrt(square / 4)));
  }

  // By the mean, and without any sentences to take it over.
  REQUIRE(stage.click("Replaced: its mean"));
  REQUIRE(settled(stage));
  CHECK(stage.view().numbers(scene.input())[1].values[5][0] != doctest::Approx(parts.values[5][0]));
  scene.training_text = nullptr;
  stage.frames();
  RecordingCanvas canvas;
  stage.view().picture(canvas, scene.input(), stage.area());
  CHECK(canvas.find("No held-out sentences of this model can be read, so this is not known.") != nullptr);
}

TEST_CASE("a click mutes in place of others, Ctrl-click besides them, and a second click restores") {
  const Change other = mute_head(AttentionKind::encoder, 0, 2), mask = change_of(ChangeKind::causal_mask_off);
  SampleScene scene = scene_of({{other, mask}});
  ViewStage stage("what-if", scene);
  REQUIRE(settled(stage));
  REQUIRE(stage.click(tile_of(kHead)));
  WhatIf wanted;
  REQUIRE(wanted_change(stage.take_commands(), wanted));
  CHECK(wanted == WhatIf{{mask, kHead}});
  CHECK(scene.pinned.kind == AttentionKind::cross);
  CHECK(scene.pinned.layer == 1);
  CHECK(scene.pinned.head == 1);
  REQUIRE(stage.click(tile_of(other)));
  REQUIRE(wanted_change(stage.take_commands(), wanted));
  CHECK(wanted == WhatIf{{mask}});

  const WhatIfChoice choice;
  WhatIfWork aside;
  const ViewInput input = scene.input();
  const WhatIfScene shown = what_if_scene(input, choice, aside, true);
  const std::vector<Change> heads = every_head(*scene.snapshot->weights);
  const auto at = static_cast<std::size_t>(std::ranges::find(heads, kHead) - heads.begin());
  CHECK(clicked_part(shown, at, true) == WhatIf{{other, mask, kHead}});
}

TEST_CASE("sub-blocks and places are muted one by one too") {
  SampleScene scene = scene_of();
  ViewStage stage("what-if", scene);
  REQUIRE(settled(stage));
  REQUIRE(stage.click("Mute each: sub-blocks"));
  REQUIRE(settled(stage));
  const PlainSentence plain = plain_sentence(*scene.result);
  Batch batch;
  batch.source.add(plain.source);
  batch.target_in.add(plain.target_in);
  batch.target_out.add(plain.target_out);
  const LossJob job{.model = *plain.model, .batch = batch, .smoothing = plain.smoothing};
  const auto same = [&](const std::vector<Change>& changes) {
    const NumberTable parts = stage.view().numbers(scene.input())[1];
    REQUIRE(parts.values.size() == changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i)
      CHECK(parts.values[i][0] ==
            doctest::Approx(loss_with(job, {{changes[i]}}).mean - loss_with(job, {}).mean).epsilon(1e-6));
  };
  same(every_sub_block(*plain.model));
  REQUIRE(stage.click("Mute each: layer × place"));
  REQUIRE(settled(stage));
  same(every_place(*plain.model, part_blocks()[0], static_cast<int>(plain.source.size())));
  CHECK(stage.has(tile_of(every_place(*plain.model, part_blocks()[0], 3)[5])));
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("in the window arrows move over the tiles, Space mutes and restores, Enter opens the head") {
  SmallProgram program({.view = "what-if"});
  program.session().apply({SetPin{selecting_part({}, mute_head(AttentionKind::encoder, 0, 0))}});
  program.frame(2);
  program.press(ui::Key::right);
  press(program, ui::Key::down);
  CHECK(program.session().pinned().head == 1);
  CHECK(program.session().pinned().layer == 1);
  program.press(ui::Key::space);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if == WhatIf{{mute_head(AttentionKind::encoder, 1, 1)}});
  program.press(ui::Key::space);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.empty());
  REQUIRE(program.click("Scale off"));
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.has(ChangeKind::scale_off));
  press(program, ui::Key::enter);
  CHECK(program.visible("What if") == false);
}

}  // namespace glassformer::what_if_test
