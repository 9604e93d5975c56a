// The program in a window of 1024 x 768: what stands in columns elsewhere comes in drawers.
#include <doctest/doctest.h>

#include "app/reading/run_schedule.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("a choice of a list stands in its field at once") {
  SmallProgram program;
  REQUIRE(program.click("File"));
  REQUIRE(program.click("New model…"));
  REQUIRE(program.find("Learns from"));
  REQUIRE(program.click("Learns from"));
  REQUIRE(program.click("Task: sort"));
  CHECK(program.text("Learns from") == "Task: sort");
}

TEST_CASE("at the largest font in a small window bars lie beside the picture and the translation has room") {
  SmallProgram program({.size = {1024, 768}, .scale = 2.5});
  click(program, "Head as: All heads");
  const auto down = program.find("stage: scroll bar"), across = program.find("stage: scroll bar across");
  REQUIRE(down);
  REQUIRE(across);
  for (const std::string& label : program.labels()) {
    const auto widget = program.find(label);
    if (!widget || widget->kind != "segment" || widget->visible.width <= 0) continue;
    CAPTURE(label);
    CHECK(widget->visible.right() <= down->rect.x);
    CHECK(widget->visible.bottom() <= across->rect.y);
  }
  click(program, "Head as: Heatmap");
  CHECK_FALSE(program.find("stage: scroll bar across"));
  CHECK(program.find("translation")->rect.width >= 100);
}

TEST_CASE("at font scale 2 in a small window no view but a wall of heads scrolls sideways") {
  OffscreenProgram program({.size = {1024, 768}, .scale = 2});
  REQUIRE(program.settle());
  for (const char* const view : {"masks", "schedule", "embedding", "block", "walk", "training"}) {
    CAPTURE(std::string(view));
    program.program().shell().apply({OpenView{view}}, 0);
    settle(program);
    CHECK_FALSE(program.find("stage: scroll bar across"));
  }
}

TEST_CASE("chart and sliders of the schedule fit the stage of small windows") {
  for (const auto& [size, scale] : {std::pair{Point{1024, 768}, 1.0}, std::pair{Point{1600, 1000}, 1.5}}) {
    CAPTURE(scale);
    OffscreenProgram program({.size = size, .scale = scale, .view = "schedule"});
    settle(program);
    CHECK_FALSE(program.visible("stage: scroll bar"));
    CHECK_FALSE(program.find("stage: scroll bar across"));
    CHECK(program.visible("Add a curve"));
    CHECK(program.visible("width d"));
    CHECK(program.visible("Train this curve beside"));
  }
}

TEST_CASE("in a small window M shows the run's data and settings over the Training view") {
  SmallProgram program({.size = {1024, 768}, .view = "training"});
  CHECK_FALSE(program.visible("New seed"));
  program.press('m');
  CHECK(program.visible("New seed"));
  CHECK(program.visible("Start again"));
  CHECK(program.visible("Change data"));
  program.press('m');
  CHECK_FALSE(program.visible("New seed"));
}

TEST_CASE("the drawer of the inspector closes by its cross, also where a view fills it") {
  ScratchFolder scratch;
  for (const char* view : {"attention", "training"}) {
    CAPTURE(std::string(view));
    OffscreenProgram program({.model = model_folder(scratch), .size = {1024, 768}, .view = view});
    begin(program);
    program.press('i');
    REQUIRE(program.visible("Close the inspector"));
    REQUIRE(program.click("Close the inspector"));
    CHECK_FALSE(program.visible("Close the inspector"));
  }
}

TEST_CASE("the slider ends where the charts end") {
  SmallProgram program({.view = "training"});
  NewRun run;
  run.config = program.session().snapshot()->config;
  run.data.training.task = "reverse";
  run.data.training.pairs = 200;
  run.data.training.toy = {.length = 4, .symbols = 4};
  run.training.steps = 0;  // no end
  run.training.threads = 1;
  program.session().apply({run, Train{}});
  REQUIRE(program.wait([&] { return program.session().run().step >= 3; }));
  program.session().apply({PauseTraining{}});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::paused; }));
  program.frame(2);
  CHECK(program.text("last step of the slider") == std::to_string(chart_steps(program.session().run())));
}

TEST_CASE("the arrows bring every line of a long menu into sight") {
  SmallProgram program({.size = {1024, 768}, .scale = 2});
  const auto in_sight = [&](const char* line) {
    const auto widget = program.find(line);
    return widget && widget->visible.height >= 0.9f * widget->rect.height;
  };
  click(program, "Menu");
  CHECK(in_sight("New model…"));
  CHECK_FALSE(in_sight("About Glassformer"));
  program.press(ui::Key::up);  // from none to the last
  program.frame(2);
  CHECK(in_sight("About Glassformer"));
  CHECK_FALSE(in_sight("New model…"));
  program.press(ui::Key::down);  // round to the first
  program.frame(2);
  CHECK(in_sight("New model…"));
  program.press(ui::Key::up);
  press(program, ui::Key::enter);
  CHECK_FALSE(program.find("New model…"));
}
