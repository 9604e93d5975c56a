#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/format/number_format.h"
#include "tests/ui/lookup_helpers.h"

namespace glassformer {
namespace {

TEST_CASE("the facts stay whole at every hour and temperature") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  for (const double logarithm : {-2.0, 0.0, 3.0}) {
    set_slider(stage, "Temperature", warmth_share(logarithm));
    for (const double hour : {6.0, 9.0, 13.0, 16.4, 20.5, 24.0}) {
      CAPTURE(hour);
      CAPTURE(logarithm);
      set_slider(stage, "Query", hour_share(hour));
      CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
    }
  }
}

TEST_CASE("at both ends of the day query and slopes stay inside the chart") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const Rect plot = stage.find("facts chart")->rect.inset(-1);
  for (const double logarithm : {-1.0, 1.0}) {
    set_slider(stage, "Temperature", warmth_share(logarithm));
    for (const double hour : {kFirstHour, 11.5, 20.5, kLastHour}) {
      set_slider(stage, "Query", hour_share(hour));
      RecordingCanvas canvas;
      stage.view().picture(canvas, scene.input(), stage.area());
      int seen = 0;
      for (std::size_t i = 0; i < canvas.lines.size(); ++i) {
        if (canvas.strokes[i].color != canvas.theme().query) continue;
        ++seen;
        for (const Point point : canvas.lines[i]) CHECK(plot.contains(point));
      }
      CHECK(seen == 3);  // the query, and a slope on each curve
    }
  }
}

TEST_CASE("moving the query makes argmax jump without a slope and softmax slide with one") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const auto ask = [&](double hour) {
    set_slider(stage, "Query", hour_share(hour));
    CHECK(stage.state() == "facts, hour " + format_fixed(hour, 1) + ", temperature 1");
    return stage.view().numbers(scene.input()).at(1).values;  // answer and slope of argmax, of softmax
  };
  const auto before = ask(11.4), after = ask(11.6);
  CHECK(before[0][0] == 14);
  CHECK(after[0][0] == 48);
  CHECK(before[0][1] == 0);
  CHECK(after[0][1] == 0);
  CHECK((after[1][0] - before[1][0]) / 0.2 == doctest::Approx(ask(11.5)[1][1]).epsilon(0.01));
  CHECK(after[1][1] > 1);
}

TEST_CASE("the temperature goes from the nearest fact to the mean of all, and says both slopes") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const auto answer = [&] { return stage.view().numbers(scene.input()).at(1).values[1][0]; };
  set_slider(stage, "Temperature", 0);
  CHECK(answer() == doctest::Approx(48));
  set_slider(stage, "Temperature", 1);
  CHECK(answer() == doctest::Approx(160.0 / 6).epsilon(0.02));
  set_slider(stage, "Temperature", warmth_share(0));
  CHECK(stage.state() == "facts, hour 11.7, temperature 1");
  RecordingCanvas canvas;
  stage.view().picture(canvas, scene.input(), stage.area());
  CHECK(canvas.find("slope 0 here") != nullptr);
  const FactsAnswer engine = ask_facts(11.7, 1);
  CHECK(canvas.find("slope " + format_signed(engine.soft.slope(0, 0), 2)) != nullptr);
  CHECK(canvas.find(facts_sum(engine)) != nullptr);
  CHECK(facts_sum(engine).ends_with(" ≈ 35.9"));
}

TEST_CASE("the sum below the table gives what it says, from the weights as they are printed") {
  for (int tenth = 60; tenth <= 240; ++tenth) {
    CAPTURE(tenth);
    const std::string text = facts_sum(ask_facts(tenth / 10.0, 1));
    const std::size_t end = text.find(" ≈ ");
    double sum = 0;
    std::istringstream terms(text.substr(0, end));
    std::string weight, sign, guests;
    while (terms >> weight >> sign >> guests) {
      sum += std::stod(weight) * std::stod(guests);
      terms >> sign;
    }
    CHECK(std::abs(sum - std::stod(text.substr(end + std::string(" ≈ ").size()))) < 0.051);
  }
}

TEST_CASE("the query follows the mouse in the chart, and a link leads on to the sentence") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const Rect plot = stage.find("facts chart")->rect;
  stage.move_to({plot.x + plot.width * static_cast<float>(hour_share(19)), plot.center().y});
  stage.press();
  CHECK(stage.state() == "facts, hour 19.0, temperature 1");
  REQUIRE(stage.click("The same table with your sentence"));
  CHECK(stage.state() == "row, temperature 1");
}

TEST_CASE("playing moves the query on from where it stands until it is paused") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  REQUIRE(stage.click("Play: Lookup"));
  CHECK(stage.state().ends_with(", playing"));
  CHECK(stage.state() != "facts, hour 11.7, temperature 1, playing");
  REQUIRE(stage.click("Pause: Lookup"));
  const std::string there = stage.state();
  stage.frames(10);
  CHECK(stage.state() == there);
}

TEST_CASE("a fact under the mouse is explained from query to weight") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  CHECK(stage.view().inspect(scene.input())->caption == "Soft lookup");
  REQUIRE(stage.hover("fact coffee"));
  const auto page = stage.view().inspect(scene.input());
  REQUIRE(page);
  CHECK(page->subject == "**coffee** at hour **10**");
  CHECK(page->value == format_pinned(ask_facts(11.7, 1).soft.weights[1]));
}

}  // namespace
}  // namespace glassformer
