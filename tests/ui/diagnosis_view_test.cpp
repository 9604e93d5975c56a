// How a run learned, part by part.
#include "app/views/diagnosis/diagnosis.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/colormap.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_cases.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

// The stripes of heads: entropy first, then saturation, an attention each.
std::vector<RecordingCanvas::Grid> head_stripes(const RecordingCanvas& canvas, int heads) {
  std::vector<RecordingCanvas::Grid> stripes;
  for (const RecordingCanvas::Grid& grid : canvas.grids)
    if (grid.rows == heads && grid.columns > 64) stripes.push_back(grid);
  return stripes;
}

}  // namespace

TEST_CASE("every plot has its heading and says what to look at") {
  const SampleScene scene = diagnosed_scene(2200);
  const RecordingCanvas canvas = drawn(DiagnosisView(), scene);
  for (const char* heading : {"Gradient norm", "Update / weight", "Dead feed-forward units",
                              "Attention entropy", "Saturated attention"})
    CHECK(canvas.find(heading) != nullptr);
  CHECK(std::ranges::count_if(canvas.texts, [](const RecordingCanvas::Text& text) {
          return text.text.starts_with("What to look at:");
        }) == 5);
}

TEST_CASE("of a gated feed-forward no unit is called silent: below 0 it is as busy as above") {
  const SampleScene scene = diagnosed_scene(2200, sample_options("feed_forward swiglu"));
  const RecordingCanvas canvas = drawn(DiagnosisView(), scene);
  for (const char* heading : {"Gradient norm", "Update / weight", "Attention entropy", "Saturated attention"})
    CHECK(canvas.find(heading) != nullptr);
  CHECK(canvas.find("feed-forward units") == nullptr);
  CHECK(DiagnosisView().numbers(scene.input()).size() == 4);
}

TEST_CASE("the numbers are those of the record") {
  const SampleScene scene = diagnosed_scene(200);
  const auto tables = DiagnosisView().numbers(scene.input());
  const Diagnosis& record = scene.run.curves->diagnosis;
  REQUIRE(tables.size() == 5);
  CHECK(tables[0].rows ==
        std::vector<std::string>{"1", "2", "4", "8", "16", "32", "50", "64", "100", "128", "150", "200"});
  CHECK(tables[0].columns == diagnosed_places(scene.snapshot->config).parts);
  CHECK(tables[3].columns.front() == "encoder self-attention, layer 1, head 1");
  CHECK(tables[3].columns.back() == "cross-attention, layer 2, head 4");
  for (std::size_t look = 0; look < record.looks.size(); ++look) {
    const Look& each = record.looks[look];
    for (std::size_t i = 0; i < tables[0].columns.size(); ++i) {
      CHECK(tables[0].values[look][i] == static_cast<double>(each.gradient_norms[i]));
      CHECK(tables[1].values[look][i] == static_cast<double>(each.update_ratios[i]));
    }
    for (std::size_t i = 0; i < each.silent.size(); ++i)
      CHECK(tables[2].values[look][i] == static_cast<double>(each.silent[i]));
    for (std::size_t i = 0; i < each.heads.size(); ++i) {
      CHECK(tables[3].values[look][i] == static_cast<double>(each.heads[i].entropy));
      CHECK(tables[4].values[look][i] == static_cast<double>(each.heads[i].saturation));
    }
  }
}

TEST_CASE("the colours of the heads are those of their looks, early and late") {
  const SampleScene scene = diagnosed_scene(3200);
  const RecordingCanvas canvas = drawn(DiagnosisView(), scene);
  const auto stripes = head_stripes(canvas, scene.snapshot->config.heads);
  REQUIRE(stripes.size() == 12);  // 2 + 2 + 2 attentions, twice
  const auto columns = static_cast<std::size_t>(stripes[5].columns);
  const Look &first = scene.run.curves->diagnosis.looks.front(),
             &last = scene.run.curves->diagnosis.looks.back();
  REQUIRE(last.step == 3200);
  const auto color = [&](float value) {
    return value_color(ColorScale::weight, static_cast<double>(value), 1, canvas.theme());
  };
  for (std::size_t head = 0; head < 4; ++head) {
    // The axis begins at step 0: step 1 is a little further on.
    const auto early = static_cast<std::size_t>(std::sqrt(1.0 / 3200) * static_cast<double>(columns));
    CHECK(stripes[5].colors[head * columns + early] == color(first.heads[20 + head].entropy));
    CHECK(stripes[5].colors[head * columns + columns - 1] == color(last.heads[20 + head].entropy));
    CHECK(stripes[11].colors[head * columns + columns - 1] == color(last.heads[20 + head].saturation));
  }
  CHECK_FALSE(color(first.heads[23].entropy) == color(last.heads[23].entropy));
}

TEST_CASE("one cursor reads every plot at the last look up to the step under the mouse") {
  SampleScene scene = diagnosed_scene(3200);
  ViewStage stage("diagnosis", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
  const auto stripes = head_stripes(canvas, 4);
  REQUIRE(!stripes.empty());
  // A quarter of the square-root axis is a sixteenth of 3 200 steps.
  const Rect& stripe = stripes.front().rect;
  stage.move_to({stripe.x + stripe.width / 4 + 1, stripe.y + stripe.height * 0.4f});
  CHECK(stage.state().starts_with("early steps wide, cursor at 20"));
  CHECK(stage.state().ends_with("attention entropy row 2"));
  const RecordingCanvas read = picture_of(stage.view(), scene.input(), stage.area());
  const Diagnosis& record = scene.run.curves->diagnosis;
  const auto at = std::ranges::find(record.looks, 200L, &Look::step);
  REQUIRE(at != record.looks.end());
  CHECK(read.find(format_short(static_cast<double>(at->gradient_norms[3]))) != nullptr);
  CHECK(std::ranges::any_of(read.texts, [&](const RecordingCanvas::Text& text) {
    return text.text.starts_with("encoder self-attention, layer 1, head 2: " +
                                 format_fixed(static_cast<double>(at->heads[1].entropy), 2));
  }));

  REQUIRE(stage.click("Step axis: Even"));
  stage.move_to({0, 0});
  CHECK(stage.state() == "even");
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("a click on a head pins it for every view") {
  SampleScene scene = diagnosed_scene(3200);
  ViewStage stage("diagnosis", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
  const auto stripes = head_stripes(canvas, 4);
  REQUIRE(stripes.size() == 12);
  stage.take_commands();
  const Rect& stripe = stripes[3].rect;  // the decoder's own, layer 2
  stage.move_to({stripe.center().x, stripe.bottom() - 2});
  stage.press();
  const auto pin = asked<SetPin>(stage.take_commands());
  REQUIRE(pin);
  const Selection* const pinned = &pin->selection;
  CHECK(pinned->kind == AttentionKind::decoder);
  CHECK(pinned->layer == 1);
  CHECK(pinned->head == 3);
  CHECK_FALSE(pinned->cell);
}

TEST_CASE("without a record of this model the view looks at the open sentences and says what will come") {
  SampleScene scene = make_sample_scene();
  scene.training_text = nullptr;
  const DiagnosisView view;
  const auto tables = view.numbers(scene.input());
  REQUIRE(tables.size() == 3);
  const Look now = look_at(*scene.result->untouched, scene.snapshot->config);
  CHECK(tables[1].values[0][5] == static_cast<double>(now.heads[5].entropy));
  const RecordingCanvas canvas = drawn(view, scene);
  CHECK(says(canvas, "Press Train"));

  // With the training text at hand they are sentences of it, whatever is typed.
  const auto fixed = [&](const char* typed) {
    SampleOptions options;
    options.sentences[0] = {typed, {}, {}};
    SampleScene other = make_sample_scene(options);
    other.training_text = make_sample_scene().training_text;
    other.tokenizers = make_sample_scene().tokenizers;
    return DiagnosisView().numbers(other.input())[1].values;
  };
  CHECK(fixed("the cat sees a bird") == fixed("a small dog"));
  CHECK(view.caption(scene.input()).ends_with("reading the open sentences"));
  const SampleScene with_text = make_sample_scene();
  const auto lines = std::min<std::size_t>(4, with_text.training_text->source.lines.size());
  const std::string reads = std::to_string(lines) + " sentences of the training text";
  CHECK(view.caption(with_text.input()).ends_with(reads));
  CHECK(view.inspect(with_text.input())->subject.ends_with(reads));

  // Looks at a model of another shape are not this one's.
  SampleOptions other = sample_options("heads 8");
  scene.run = diagnosed_scene(100, other).run;
  CHECK(view.numbers(scene.input()).size() == 3);
  CHECK(view.traits().state == "early steps wide");
}
