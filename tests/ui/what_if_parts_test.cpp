// What parts matter: muted, taken from a second Scene, and in files.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "app/format/number_format.h"
#include "engine/layers/tap.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/what_if_scene.h"

namespace glassformer::what_if_test {

// ---- How much each part matters: tiles of heads, sub-blocks and places, on a sentence and on held-out ones.

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
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
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

// ---- Values taken from a second Scene, part by part: what that does to the loss.

// Keeps a value of one pass, or puts the columns of a head of it into another.
class ValuePatch : public Tap<double> {
 public:
  explicit ValuePatch(std::string name) : name_(std::move(name)) {}
  void operator()(const TapPoint& point, MatrixRef<double> value) override {
    if (point.name != name_ || point.gradient) return;
    if (head < 0) {
      kept_ = value;
      return;
    }
    const Eigen::Index width = value.cols() / point.heads;
    value.middleCols(head * width, width) = kept_.middleCols(head * width, width);
  }
  int head = -1;

 private:
  std::string name_;
  Matrix<double> kept_;
};

Batch batch_of(const PlainSentence& plain) {
  Batch batch;
  batch.source.add(plain.source);
  batch.target_in.add(plain.target_in);
  batch.target_out.add(plain.target_out);
  return batch;
}

double loss_of(const Matrix<double>& logits, const PlainSentence& plain) {
  double loss = 0;
  for (std::size_t place = 0; place < plain.target_out.size(); ++place) {
    const auto row = static_cast<int>(place);
    double all = 0;
    for (int id = 0; id < logits.cols(); ++id) all += log_p(logits, row, id);
    loss -= (1 - plain.smoothing) * log_p(logits, row, plain.target_out[place]) +
            plain.smoothing * all / static_cast<double>(logits.cols());
  }
  return loss / static_cast<double>(plain.target_out.size());
}

SampleScene scene_on(const char* source, const char* reference) {
  SampleOptions options;
  options.config = config_of();
  options.sentences[0] = {source, {}, reference};
  return make_sample_scene(options);
}

TEST_CASE("each head is taken from the second Scene in turn, as a pass in double with its numbers in it") {
  const SampleScene second =
      scene_on("the red girl sees a tired car", "la fille rouge voit une voiture fatiguée");
  SampleScene scene = scene_on("the tired girl sees a red car", "la fille fatiguée voit une voiture rouge");
  WhatIfWork aside;
  WhatIfChoice choice;
  choice.by = Replacement::other;
  ViewInput input = scene.input();
  input.other = second.result.get();
  const WhatIfScene shown = what_if_scene(input, choice, aside, true);
  REQUIRE(shown.trouble == "");
  const std::vector<Change> heads = every_head(*shown.plain.model);
  REQUIRE(shown.importance.parts.size() == heads.size());
  const Transformer<double> model = shown.plain.model->cast<double>();
  const PlainSentence theirs = plain_sentence(*second.result);
  const double untouched = loss_by_hand(model, shown.plain);
  double most = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    CAPTURE(part_name(heads[i]));
    ValuePatch patch(written(heads[i].block, ValueKind::context));
    Saved<double> saved;
    model.forward(batch_of(theirs), saved, patch);
    patch.head = heads[i].head;
    model.forward(batch_of(shown.plain), saved, patch);
    const double change = loss_of(saved.logits, shown.plain) - untouched;
    most = std::max(most, std::abs(change));
    CHECK(shown.importance.parts[i].mean == doctest::Approx(change).epsilon(1e-3).scale(0.01));
  }
  CHECK(most > 0.001);
  CHECK(clicked_part(shown, 3, false).changes.front().by == Replacement::other);

  // The chosen one alone says the same.
  scene.pin(selecting_part({}, kHead));
  ViewInput pinned = scene.input();
  pinned.other = second.result.get();
  const WhatIfScene chosen = what_if_scene(pinned, choice, aside, true);
  const auto known = muted_part(chosen, aside, true);
  REQUIRE(known);
  REQUIRE(known->loss_other);
  CHECK(*known->loss_other - untouched ==
        doctest::Approx(chosen.importance.parts[*chosen.part].mean).epsilon(1e-3).scale(1e-4));
}

TEST_CASE("what cannot be taken from the second says why, and without a second the choice is gone") {
  const SampleScene shorter = scene_on("the cat sees a bird", "le chat voit un oiseau");
  SampleScene scene = scene_on("the tired girl sees a red car", "la fille fatiguée voit une voiture rouge");
  WhatIfWork aside;
  WhatIfChoice choice;
  choice.by = Replacement::other;
  ViewInput input = scene.input();
  input.other = shorter.result.get();
  CHECK(what_if_scene(input, choice, aside, true).trouble ==
        "Nothing can be taken from the second: other length, 8 and 6 places: pick one place.");
  choice.parts = PartsShown::places;
  const WhatIfScene places = what_if_scene(input, choice, aside, true);
  CHECK(places.trouble == "");
  CHECK(places.importance.whole());
  choice.parts = PartsShown::heads;
  input.other = nullptr;
  const WhatIfScene alone = what_if_scene(input, choice, aside, true);
  CHECK(alone.choice.by == Replacement::zero);
  CHECK(alone.importance.whole());
}

// ---- The What if view as a file: what is around it in the window is missing there.

constexpr Rect kPage{0, 0, 1000, 704};

RecordingCanvas figure_of(const SampleScene& scene) {
  return picture_of(*make_view("what-if"), scene.input(), kPage, true);
}

TEST_CASE("a saved what-if names its changes and fills its page") {
  const RecordingCanvas canvas =
      figure_of(make_sample_scene({.what_if = {{mute_head(AttentionKind::cross, 1, 0)}}}));
  bool named = false;
  float lowest = 0;
  for (const RecordingCanvas::Text& text : canvas.texts) {
    named = named || text.text.starts_with("Changed: ");
    lowest = std::max(lowest, text.box.bottom());
  }
  CHECK(named);
  CHECK(lowest > 0.8f * kPage.height);
  for (const RecordingCanvas::Text& text : figure_of(make_sample_scene()).texts)
    CHECK_FALSE(text.text.starts_with("Changed: "));
}

TEST_CASE("both outputs with their probabilities and the loss are whole in the room of a lecture") {
  const Rect room{24, 24, 576, 256};
  for (const WhatIf& what_if : {WhatIf{}, WhatIf{{mute_head(AttentionKind::cross, 1, 0)}}}) {
    const SampleScene scene = make_sample_scene({.what_if = what_if});
    const auto view = make_view("what-if");
    RecordingCanvas canvas(light_theme(), true);
    canvas.set_least_type(12);
    view->panel("words", canvas, scene.input(), room.inset(-24));
    CHECK_MESSAGE(texts_outside(canvas, room).empty(), in_lines(texts_outside(canvas, room)));
    CHECK_MESSAGE(overlapping_texts(canvas).empty(), in_lines(overlapping_texts(canvas)));
    CHECK(cut_texts(canvas).empty());
    CHECK(canvas.find("untouched"));
    const auto loss = std::ranges::find_if(
        canvas.texts, [](const RecordingCanvas::Text& each) { return each.text.starts_with("loss "); });
    REQUIRE(loss != canvas.texts.end());
    CHECK((contains(loss->text, "→")) == !what_if.empty());
    const auto alone = view->clone();
    CHECK(alone->open_panel("words"));
    CHECK(alone->numbers(scene.input()).size() == 1);
  }
}

TEST_CASE("a probability that did not win keeps two digits") {
  CHECK(format_small_probability(0.7) == ".70");
  CHECK(format_small_probability(0.9999) == "1.0");
  CHECK(format_small_probability(0.0031) == ".0031");
  CHECK(format_small_probability(0.000999) == ".0010");
  CHECK(format_small_probability(0.00042) == ".00042");
  CHECK(format_small_probability(4.2e-5) == "4.2 × 10⁻⁵");
  CHECK(format_small_probability(0) == "0");
}

}  // namespace glassformer::what_if_test
