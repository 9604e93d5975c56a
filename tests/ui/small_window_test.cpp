// Small windows: drawers, a stage that scrolls, and what can be met there.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/reading/run_schedule.h"
#include "app/views/view_table.h"
#include "tests/ui/small_program.h"

namespace glassformer::small_window_test {

// ---- The program in a window of 1024 x 768: what is in columns elsewhere comes in drawers.

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
  SettledProgram program({.size = {1024, 768}, .scale = 2});
  for (const char* const view : {"masks", "schedule", "embedding", "block", "walk", "training"}) {
    CAPTURE(std::string(view));
    program.program().shell().apply({OpenView{view}}, 0);
    settle(program);
    CHECK_FALSE(program.find("stage: scroll bar across"));
  }
}

TEST_CASE("chart and sliders of the schedule fit the stage of small windows") {
  for (const auto& [size, scale] : {std::pair{Point{1024, 768}, 1.0}, std::pair{Point{1600, 1000}, 1.5}}) {
    const double enlarged = scale;
    CAPTURE(enlarged);
    SettledProgram program({.size = size, .scale = scale, .view = "schedule"});
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

// ---- Small windows, where the stage scrolls: the buttons that step on stay in sight, and of areas that
// scroll within each other the wheel moves the inner one.

TEST_CASE("Next stays in sight and works where the stage is scrolled") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  struct Case {
    const char* view;
    const char* back;
    Point size;
    double scale;
  };
  for (const Case& each :
       {Case{"walk", "Walk back", {1024, 768}, 1}, Case{"head", "Head back", {1024, 640}, 1},
        Case{"cell", "Cell back", {1024, 768}, 1}, Case{"cell", "Cell back", {1600, 1000}, 2}}) {
    CAPTURE(std::string(each.view));
    OffscreenProgram program({.model = folder, .size = each.size, .scale = each.scale, .view = each.view});
    begin(program);
    press(program, ui::Key::end);
    REQUIRE(program.find("stage: scroll bar"));
    const auto button = program.find(each.back);
    REQUIRE(button);
    CHECK(button->visible.height == button->rect.height);
    // What the foot covers does not answer in its place.
    const std::string before = program.program().shell().view()->traits().state;
    click(program, each.back);
    if (std::string(each.view) != "cell") CHECK(program.program().shell().view()->traits().state != before);
  }
}

TEST_CASE("a row of controls that is wider than the stage begins in sight") {
  ScratchFolder scratch;
  OffscreenProgram program(
      {.model = model_folder(scratch), .size = {1024, 768}, .scale = 2, .view = "bottleneck"});
  begin(program);
  const auto train = program.find("Train the three");
  REQUIRE(train);
  CHECK(train->visible.width == doctest::Approx(train->rect.width));
}

TEST_CASE("another page of a view begins at its top") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  struct Turn {
    const char *view, *there, *back;
  };
  for (const Turn& each : {Turn{"masks", "Page: Batch", "Page: Masks"},
                           Turn{"decode", "Decode: Computed anew", "Decode: Beam"}}) {
    CAPTURE(std::string(each.view));
    OffscreenProgram program({.model = folder, .size = {1024, 768}, .scale = 2, .view = each.view});
    begin(program);
    program.program().ui().scroll.to("stage", {0, 400});
    program.frame(2);
    REQUIRE(program.program().ui().scroll.of("stage").y > 20);
    click(program, each.there);
    CHECK(program.program().ui().scroll.of("stage").y == 0);
    program.program().ui().scroll.to("stage", {0, 400});
    program.frame(2);
    click(program, each.back);
    CHECK(program.program().ui().scroll.of("stage").y == 0);
  }
}

TEST_CASE("the switch of the Masks view stands still, whatever is shown and however it is scrolled") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  for (const double scale : {1.0, 2.0}) {
    SettledProgram program({.model = folder, .size = {1024, 768}, .scale = scale, .view = "masks"});
    // The longer the sentence, the larger the matrix, until it scrolls both ways.
    std::string sentence = "the tired girl sees a red car";
    std::optional<Rect> first;
    for (int i = 0; i < 3; ++i, sentence += " " + sentence) {
      translate(program, sentence);
      for (const char* kind : {"Masks of: Encoder", "Masks of: Decoder", "Masks of: Cross"}) {
        // Where there is no room for it keys choose, and the pages are there alone.
        if (scale == 1) REQUIRE(program.click(kind));
        REQUIRE(program.settle());
        for (const float lines : {-4.0f, 0.0f}) {
          program.scroll({200, 200}, lines);
          program.frame(2);
          const auto found = program.find(scale == 1 ? "Masks of" : "Page");
          REQUIRE(found);
          if (!first) first = found->rect;
          CHECK(found->rect == *first);
          CHECK(found->visible == found->rect);
        }
      }
    }
    CHECK(program.find("stage: scroll bar"));
  }
}

TEST_CASE("the wheel over a long table moves the table and not the stage") {
  ScratchFolder scratch;
  SampleOptions wide = sample_options("d_model 128");
  OffscreenProgram program({.model = model_folder(scratch, wide), .size = {1024, 768}, .view = "cell"});
  begin(program);
  program.session().apply({SetPin{selecting({}, {"decoder.layers.0.norm1", {0, 1, 2}})}});
  REQUIRE(program.settle());
  program.session().apply({SetPin{selecting({}, {"decoder.layers.0.self_attn.query", {0, 0, 1, 2}})}});
  program.frame(3);
  REQUIRE(program.find("term 0 0"));
  const auto bar = program.find("stage: scroll bar");
  REQUIRE(bar);
  program.scroll(program.find("term 1 0")->rect.center(), -6);
  program.frame(3);
  CHECK_FALSE(program.find("term 0 0"));
  CHECK(program.find("stage: scroll bar")->rect.y == bar->rect.y);
}

// ---- What is clicked is large enough to be met, in every view and at two sizes of the window: 24 x 24 px,
// or with so much room round it that a circle of 24 px about its centre meets no other target
// (WCAG 2.2, 2.5.8).

constexpr float kLeast = 24, kRounding = 0.6f;

bool is_under_24(const Rect& rect) {
  return rect.width < kLeast - kRounding || rect.height < kLeast - kRounding;
}

float way_from(Point from, const Rect& to) {
  const float x = std::max({to.x - from.x, 0.0f, from.x - to.right()});
  const float y = std::max({to.y - from.y, 0.0f, from.y - to.bottom()});
  return std::hypot(x, y);
}

bool lies_inside(const Rect& inner, const Rect& outer) {
  return inner.x >= outer.x - 1 && inner.y >= outer.y - 1 && inner.right() <= outer.right() + 1 &&
         inner.bottom() <= outer.bottom() + 1;
}

// The same is offered elsewhere, large enough: "Open the map" opens the blocks of the rail, and the View menu
// leads where a layer's name on the map does.
bool is_offered_larger(const ui::Widget& each) {
  return (each.kind == "block" && !each.focusable) || each.label.ends_with(" by layer");
}

// Scroll bars are left out: the wheel moves the whole area, and so do the arrows.
// Marks of data, whose pitch is that of the table or chart they are in, as with cells: the words beside the
// maps of rows, terms of a sum, shares of one word, bars of a chart.
bool is_mark_of_data(const ui::Widget& each) {
  for (const char* const begins : {"row ", "term ", "choice “", "distance "})
    if (each.label.starts_with(begins)) return true;
  return false;
}

// The cells of heatmaps are left out, and the words beside them, which have their pitch: how small they are
// is how long the sentence is (what WCAG calls essential, as with the pins of a map). The arrows go over
// them.
std::vector<ui::Widget> targets_of(const ui::Ui& ui) {
  static const std::set<std::string> kNoTargets{"text", "segmented", "grid", "scroll"};
  std::vector<ui::Widget> all;
  const auto add = [&](const ui::Widget& each) {
    // Half scrolled away it is met after the next turn of the wheel.
    if (each.visible.width < each.rect.width * 0.9f || each.visible.height < each.rect.height * 0.9f) return;
    if (is_offered_larger(each) || is_mark_of_data(each)) return;
    if (each.rect.width > 0) all.push_back(each);
  };
  for (const ui::Widget& each : ui.registry().all())
    if (each.enabled && each.layer == 0 && !kNoTargets.contains(each.kind)) add(each);
  for (const ui::Widget& each : ui.focus.parts())
    if (each.layer == 0 && each.kind != "axis") add(each);
  return all;
}

std::string too_small(const std::vector<ui::Widget>& all) {
  std::ostringstream found;
  for (const ui::Widget& each : all) {
    if (!is_under_24(each.rect)) continue;
    for (const ui::Widget& other : all) {
      if (&other == &each || lies_inside(each.rect, other.rect) || lies_inside(other.rect, each.rect))
        continue;
      const float room = is_under_24(other.rect) ? std::hypot(each.rect.center().x - other.rect.center().x,
                                                              each.rect.center().y - other.rect.center().y) -
                                                       kLeast / 2
                                                 : way_from(each.rect.center(), other.rect);
      if (room >= kLeast / 2 - kRounding) continue;
      found << each.kind << " “" << each.label << "” " << each.rect.width << " x " << each.rect.height << ", "
            << room << " px from “" << other.label << "”\n";
      break;
    }
  }
  return found.str();
}

TEST_CASE("every target of every view is 24 px large or has room round it") {
  for (const Point size : {Point{1600, 1000}, Point{1024, 768}}) {
    OffscreenProgram program({.size = size});
    begin_bundled(program);
    for (const ViewEntry& entry : view_table()) {
      program.program().shell().apply({OpenView{entry.name}}, 0);
      program.move({1, 1});
      settle(program);
      const std::vector<ui::Widget> all = targets_of(program.program().ui());
      CHECK(all.size() > 15);
      const std::string found = too_small(all);
      CHECK_MESSAGE(found.empty(), entry.name << " at " << size.x << "\n" << found);
    }
  }
}

TEST_CASE("small targets side by side are found, and one with room is not") {
  const auto at = [](float x, float width, const char* label) {
    return ui::Widget{.label = label, .kind = "button", .rect = {x, 0, width, 18}};
  };
  CHECK(too_small({at(0, 18, "a"), at(40, 18, "b")}).empty());
  CHECK_FALSE(too_small({at(0, 18, "a"), at(20, 18, "b")}).empty());
}

}  // namespace glassformer::small_window_test
