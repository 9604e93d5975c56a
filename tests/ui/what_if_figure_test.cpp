// The What if view as a file: what stands around it in the window is missing there.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "app/format/number_format.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

constexpr Rect kPage{0, 0, 1000, 704};

RecordingCanvas figure_of(const SampleScene& scene) {
  RecordingCanvas canvas(light_theme(), true);
  make_view("what-if")->picture(canvas, scene.input(), kPage);
  return canvas;
}

}  // namespace

TEST_CASE("a saved what-if names its changes and fills its page") {
  SampleOptions options;
  options.what_if = {{mute_head(AttentionKind::cross, 1, 0)}};
  const RecordingCanvas canvas = figure_of(make_sample_scene(options));
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
    SampleOptions options;
    options.what_if = what_if;
    const SampleScene scene = make_sample_scene(options);
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
    CHECK((loss->text.find("→") != std::string::npos) == !what_if.empty());
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

}  // namespace glassformer
