// A SwiGLU in the views, where it is another thing than a plain feed-forward.
#include <doctest/doctest.h>

#include "app/panels/new_model_form.h"
#include "app/reading/change_offers.h"
#include "app/views/block/block.h"
#include "engine/model/what_if/change_text.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {

namespace {

SampleScene gated_scene() {
  SampleOptions options;
  options.config.feed_forward = FeedForwardKind::swiglu;
  return make_sample_scene(options);
}

}  // namespace

TEST_CASE("a gated feed-forward has gate, value and their product, one under the other, and no unit fires") {
  SampleScene scene = gated_scene();
  scene.pin(Selection{.kind = AttentionKind::encoder, .layer = 0});
  StepLists lists;
  const ViewInput input = scene.input();
  const BlockScene block(input, lists);
  std::vector<std::string> all;
  for (const BlockStage& stage : block.stages) all.push_back(name_in_layer(stage.value));
  CHECK(std::vector(all.begin() + 3, all.begin() + 7) ==
        std::vector<std::string>{"feed_forward.gate", "feed_forward.value", "feed_forward.hidden",
                                 "feed_forward.output"});
  BlockView view;
  view.open_cell({"encoder.layers.0.feed_forward.hidden", {0, 0, 0}});
  RecordingCanvas canvas;
  view.picture(canvas, scene.input(), area_for(view, scene.input(), {1000, 660}));
  float above = 0;
  for (const char* symbol : {"G", "Z", "H"}) {
    const auto part = live_part(canvas, std::string("block ") + symbol + " 1 3");
    REQUIRE(part);
    CHECK(part->rect.y > above);
    above = part->rect.y;
  }
  CHECK_FALSE(live_part(canvas, "unit 3"));
  CHECK(view.numbers(scene.input()).size() == 3);
  view.open_cell({"encoder.layers.0.feed_forward.gate", {0, 0, 0}});
  CHECK(view.inspect(scene.input())->subject == "**Gate**");
}

TEST_CASE("gate, value and their product are one unit, which can be muted from each of them") {
  const SampleScene scene = gated_scene();
  for (const char* name : {"gate", "value", "hidden"}) {
    Selection unit;
    unit.cell = CellRef{std::string("decoder.layers.1.feed_forward.") + name, {0, 2, 4}};
    CHECK(text_of(change_offers(scene.input(), unit).front().what_if, {}) == "mute unit decoder 2.5");
  }
}

TEST_CASE("the form of a new model proposes a hidden width of about as many weights for a SwiGLU") {
  NewModelForm form;
  form.start(nullptr);
  const auto choose = [&](int kind) {
    form.choices[kFeedForwardChoice] = kind;
    form.fit_to_feed_forward();
    return config_of(form);
  };
  const Config plain = config_of(form);
  CHECK(plain.feed_forward == FeedForwardKind::plain);
  const Config gated = choose(1);
  CHECK(gated.feed_forward == FeedForwardKind::swiglu);
  CHECK(gated.d_ff % 8 == 0);
  CHECK(std::abs(gated.d_ff - plain.d_ff * 2 / 3) <= 4);
  CHECK(choose(0) == plain);
  // Another size proposes what suits the kind that is chosen; what is no number stays as it was typed.
  choose(1);
  form.preset = 0;
  form.take_preset();
  const int of_gated = config_of(form).d_ff;
  const int of_plain = choose(0).d_ff;
  CHECK(std::abs(of_gated - of_plain * 2 / 3) <= 4);
  form.numbers["d_ff"] = "wide";
  form.choices[kFeedForwardChoice] = 1;
  form.fit_to_feed_forward();
  CHECK(form.numbers["d_ff"] == "wide");
}

}  // namespace glassformer
