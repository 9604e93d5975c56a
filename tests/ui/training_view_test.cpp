#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/training_curves.h"
#include "app/views/training/training.h"
#include "app/widgets/label_place.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/view_cases.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

TEST_CASE("before training the view says what will be here, and its button starts it") {
  SampleScene scene = make_sample_scene();
  {
    ViewStage stage("training", scene);  // nobody knows what it was trained on
    CHECK_FALSE(stage.find("Train here"));
    const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 900, 600});
    CHECK(canvas.find("No training is recorded") != nullptr);
  }
  scene.run.data_name = "pairs";
  ViewStage stage("training", scene);
  REQUIRE(stage.click("Train here"));
  bool asked = false;
  for (const Command& command : stage.take_commands()) asked = asked || command.is<Train>();
  CHECK(asked);
}

TEST_CASE("one cursor reads all curves at the step under the mouse") {
  SampleScene scene = trained_scene(2200);
  ViewStage stage("training", scene);
  const auto charts = stage.find("training charts");
  REQUIRE(charts);
  // A quarter of the square-root axis is a sixteenth of 3 200 steps.
  stage.move_to({charts->rect.x + charts->rect.width / 4, charts->rect.center().y});
  CHECK(stage.state() == "linear, early steps wide, cursor at 200");
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
  CHECK(canvas.find("validation loss") != nullptr);
  CHECK(canvas.find(format_loss(0.7 + 3.0 / 3)) != nullptr);
  CHECK(canvas.find("60 %") != nullptr);

  REQUIRE(stage.click("Loss axis: Log"));
  REQUIRE(stage.click("Step axis: Even"));
  stage.move_to({0, 0});
  CHECK(stage.state() == "log, even");
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("where no sentences are held out, no picture and no table speaks of validation") {
  for (const char* name : {"training", "forming"}) {
    CAPTURE(name);
    for (const bool held_out : {true, false}) {
      SampleScene scene = trained_scene(2200);
      auto curves = std::make_shared<Curves>(*scene.run.curves);
      if (!held_out)
        for (ValidationPoint& point : curves->validations)
          point.nll = point.token_accuracy = std::nan(""), point.exact_match = -1;
      scene.run.curves = curves;
      ViewStage stage(name, scene);
      const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
      std::vector<std::string> words;
      for (const auto& each : canvas.texts) words.push_back(each.text);
      for (const NumberTable& table : stage.view().numbers(scene.input())) words.push_back(table.title);
      const bool said =
          std::ranges::any_of(words, [](const std::string& text) { return contains(text, "validation"); });
      CHECK(said == held_out);
    }
  }
}

TEST_CASE("the numbers under the cursor do not hide the validation curve where there is room beside it") {
  SampleScene scene = trained_scene(3200);
  auto curves = std::make_shared<Curves>(*scene.run.curves);
  for (ValidationPoint& point : curves->validations) point.loss = 3.4;  // high to the very end
  scene.run.curves = curves;
  const TrainingView view;
  const RecordingCanvas canvas = picture_of(view, scene.input());
  const auto* label = canvas.find("validation loss");
  REQUIRE(label != nullptr);
  const RecordingCanvas::Rectangle* box = nullptr;
  for (const auto& each : canvas.rectangles)
    if (each.box.radius == 6 && each.rect.contains({label->box.x, label->box.y})) box = &each;
  REQUIRE(box != nullptr);
  for (std::size_t i = 0; i < canvas.lines.size(); ++i) {
    if (canvas.strokes[i].width != 2 || canvas.lines[i].size() < 20) continue;
    for (std::size_t p = 1; p < canvas.lines[i].size(); ++p)
      CHECK_FALSE(crosses(box->rect, canvas.lines[i][p - 1], canvas.lines[i][p]));
  }
}

TEST_CASE("held-out sentences show the attempt at the cursor and start again asks for the same seed") {
  SampleScene scene = trained_scene(2200);
  ViewStage stage("training", scene);
  const auto newest = stage.find("attempt 1");
  REQUIRE(newest);
  CHECK(newest->value == "la fille fatiguée voit une voiture rouge");
  const auto charts = stage.find("training charts");
  stage.move_to({charts->rect.x + charts->rect.width * 0.15f, charts->rect.center().y});  // step 72
  CHECK(stage.find("attempt 1")->value == "la fille voit une voiture");

  REQUIRE(stage.click("Start again"));
  REQUIRE(stage.click("New seed"));
  std::vector<bool> seeds;
  for (const Command& command : stage.take_commands())
    if (const auto* reset = command.get_if<ResetTraining>()) seeds.push_back(reset->new_seed);
  CHECK(seeds == std::vector<bool>{false, true});
}

TEST_CASE("a long curve keeps its smallest and largest values") {
  StepSeries steps;
  for (int i = 0; i < 100000; ++i)
    steps.push_back({.loss = i == 54321   ? 9.0f
                             : i == 77777 ? -9.0f
                                          : static_cast<float>(std::sin(double(i) * 0.01))});
  const Axis axis = step_axis(0, 100000);
  const CurveColumns curve = step_curve(steps, &StepPoint::loss, axis, 500);
  CHECK(curve.x.size() <= 1000);
  CHECK(std::find(curve.y.begin(), curve.y.end(), 9.0) != curve.y.end());
  CHECK(std::find(curve.y.begin(), curve.y.end(), -9.0) != curve.y.end());
  CHECK(std::is_sorted(curve.x.begin(), curve.x.end()));
  CHECK(curve.x.back() > 99000);
}

TEST_CASE("many validations are reduced to what a screen shows, with their smallest and largest") {
  std::vector<ValidationPoint> points;
  for (int i = 0; i < 20000; ++i)
    points.push_back({.step = 50L * (i + 1),
                      .loss = i == 4321    ? 9.0
                              : i == 17777 ? -9.0
                                           : std::sin(double(i) * 0.1)});
  points[9000].loss = std::nan("");
  for (const bool even : {false, true}) {
    const Axis axis = step_axis(0, 1000000, even);
    const CurveColumns curve = validation_curve(points, &ValidationPoint::loss, axis, 500);
    CHECK(curve.x.size() <= 1004);
    CHECK(std::ranges::count(curve.y, 9.0) == 1);
    CHECK(curve.x[static_cast<std::size_t>(std::ranges::find(curve.y, -9.0) - curve.y.begin())] ==
          50.0 * 17778);
    CHECK(std::ranges::count_if(curve.y, [](double y) { return std::isnan(y); }) == 1);
    CHECK(std::ranges::is_sorted(curve.x));
    CHECK(curve.x.back() > 995000);
    // Few are shown each.
    CHECK(validation_curve(std::span(points).first(900), &ValidationPoint::loss, axis, 500).x.size() == 900);
  }
}

TEST_CASE("the lowest loss is the entropy of the smoothed target") {
  SampleScene scene = make_sample_scene();
  scene.run.options.smoothing = 0.1;
  const double classes = scene.snapshot->config.target_vocab;
  const double right = 0.9 + 0.1 / classes, other = 0.1 / classes;
  CHECK(lowest_loss(scene.input()) ==
        doctest::Approx(-right * std::log(right) - (classes - 1) * other * std::log(other)));
  scene.run.options.smoothing = 0;
  CHECK(lowest_loss(scene.input()) == doctest::Approx(0));
}

TEST_CASE("the numbers are every step and every validation") {
  SampleScene scene = trained_scene(200);
  ViewStage stage("training", scene);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].rows == std::vector<std::string>{"50", "100", "150", "200"});
  CHECK(tables[1].values.size() == 200);
  CHECK(tables[1].values[99][0] == doctest::Approx(0.7 + 1.5));
}

TEST_CASE("a run that was opened at its best step is shown at that step") {
  SampleScene scene = trained_scene(2200);
  REQUIRE(scene.run.curves->steps.size() > 10);
  scene.run.step = 10;
  ViewStage stage("training", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1000, 800});
  CHECK(canvas.find("You are here · step 10") != nullptr);
}
