// Every view by the keyboard alone: what the mouse can click on the screen, Tab and the arrows reach, and it
// shows that it has the focus. A new view is tested by itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/views/view_table.h"
#include "tests/ui/small_program.h"

namespace glassformer::keyboard_test {
namespace {

constexpr Point kAside{1, 1};  // where the mouse touches nothing
constexpr int kMostStops = 400, kMostParts = 1500;

void show_view(OffscreenProgram& program, const char* view) {
  program.press(ui::Key::escape);
  program.program().shell().apply({OpenView{view}}, 0);
  program.move(kAside);
  settle(program);
}

std::optional<ui::Widget> stop_with_focus(OffscreenProgram& program) {
  for (const ui::Widget& widget : program.program().ui().registry().all())
    if (widget.focused && widget.kind != "segmented") return widget;
  return std::nullopt;
}

bool is_seen(const ui::Widget& widget) {
  return widget.visible.width >= 1 && widget.visible.height >= 1;
}

// Other keys do what a click on it does, and each has its own test.
bool has_keys_of_its_own(const std::string& label) {
  // The arrows go over the tiles of What if and the blank mutes; they go through the steps of a walk; what is
  // dragged in the charts of Lookup is a slider above them as well.
  for (const char* const each :
       {"mute ", "step ", "steps of ", "facts chart", "alike by index", "alike by waves"})
    if (label.starts_with(each)) return true;
  return false;
}

// What the mouse can do something with now.
std::set<std::string> all_clickable(OffscreenProgram& program) {
  static const std::set<std::string> kNoControls{"text", "segmented", "grid", "row", "section"};
  std::set<std::string> all;
  for (const ui::Widget& widget : program.program().ui().registry().all())
    if (widget.enabled && is_seen(widget) && !kNoControls.contains(widget.kind) &&
        !has_keys_of_its_own(widget.label))
      all.insert(widget.label);
  for (const ui::Widget& part : program.program().ui().focus.parts())
    if (is_seen(part)) all.insert(part.label);
  return all;
}

// Pixels that differ in and round a place.
int changed_round(const std::vector<Color>& before, const std::vector<Color>& after, const Rect& place,
                  Point size) {
  int count = 0;
  const Rect round = place.inset(-6);
  for (int y = std::max(0, int(round.y)); y < std::min(int(size.y), int(round.bottom())); ++y)
    for (int x = std::max(0, int(round.x)); x < std::min(int(size.x), int(round.right())); ++x) {
      const auto at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(x);
      count += before[at] == after[at] ? 0 : 1;
    }
  return count;
}

struct Walked {
  std::set<std::string> reached;
  std::string without_ring;
};

// All stops of Tab, and what the arrows lead to on each; rings are looked for where `with_rings`.
Walked walk_all_stops(OffscreenProgram& program, bool with_rings) {
  Walked walked;
  std::vector<Color> before = with_rings ? program.pixels() : std::vector<Color>();
  for (int i = 0; i < kMostStops; ++i) {
    program.press(ui::Key::tab);
    auto stop = stop_with_focus(program);
    if (!stop) return walked;
    walked.reached.insert(stop->label);
    if (with_rings && (stop->of_view || stop->kind == "grid" || stop->kind == "text")) {
      program.frame(2);  // it was scrolled into sight
      stop = stop_with_focus(program);
      REQUIRE(stop);
      std::vector<Color> after = program.pixels();
      if (changed_round(before, after, stop->visible, program.size()) < 20)
        walked.without_ring += stop->label + "\n";
      before = std::move(after);
    }
    if (!stop->label.starts_with("parts ")) continue;
    walked.reached.insert(stop->value);
    // Two in a row may have one label.
    for (int part = 0, same = 0; part < kMostParts && stop && same < 3; ++part) {
      const std::string last = stop->value;
      program.press(ui::Key::right);
      stop = stop_with_focus(program);
      same = stop && stop->value == last ? same + 1 : 0;
      if (stop) walked.reached.insert(stop->value);
    }
    REQUIRE(stop);
  }
  FAIL("Tab comes to no end");
  return walked;
}

void tab_to_stop(OffscreenProgram& program, const std::string& label) {
  for (int i = 0; i < kMostStops; ++i) {
    program.press(ui::Key::tab);
    const auto stop = stop_with_focus(program);
    if (stop && stop->label == label) return;
  }
  FAIL("Tab does not reach " << label);
}

// On whichever stop of parts it lies.
void go_to_part(OffscreenProgram& program, const std::string& label) {
  for (int i = 0; i < kMostStops; ++i) {
    program.press(ui::Key::tab);
    auto stop = stop_with_focus(program);
    if (!stop || !stop->label.starts_with("parts ")) continue;
    for (int part = 0, same = 0; part < kMostParts && stop && same < 3; ++part) {
      if (stop->value == label) return;
      const std::string last = stop->value;
      program.press(ui::Key::right);
      stop = stop_with_focus(program);
      same = stop && stop->value == last ? same + 1 : 0;
    }
  }
  FAIL("the arrows do not reach " << label);
}

}  // namespace

TEST_CASE("Tab and the arrows reach whatever the mouse can click, in every view") {
  OffscreenProgram program({.size = {1440, 900}});
  begin_bundled(program);
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(std::string(entry.name));
    show_view(program, entry.name);
    const std::set<std::string> wanted = all_clickable(program);
    CHECK(wanted.size() > 20);  // the list itself is no empty one
    const Walked walked = walk_all_stops(program, true);
    // The list of pieces goes along with the piece that the arrows are on: other rows of it are reached.
    const bool in_list = std::ranges::any_of(
        walked.reached, [](const std::string& label) { return label.starts_with("vocabulary "); });
    std::string missed;
    for (const std::string& label : wanted)
      if (!walked.reached.contains(label) && !(in_list && label.starts_with("vocabulary ")))
        missed += label + "\n";
    CHECK_MESSAGE(missed.empty(), missed);
    CHECK_MESSAGE(walked.without_ring.empty(), walked.without_ring);
  }
}

TEST_CASE("Enter and the blank do what a click does, on one thing of each kind") {
  SmallProgram program({.size = {1600, 1000}});
  show_view(program, "attention");

  SUBCASE("the tile of a head and a cell") {
    // tests/ui/grid_keys_test.cpp compares both with the click.
    tab_to_stop(program, "grid 1");
    program.press(ui::Key::right);
    program.press(ui::Key::enter);
    CHECK(program.session().pinned().head == 1);
  }
  SUBCASE("a chip and a row") {
    for (const char* const kind : {"source chip 2", "chip"}) {
      CAPTURE(std::string(kind));
      std::string label;
      for (const ui::Widget& part : program.program().ui().focus.parts())
        if (kind == std::string("chip") ? part.kind == "axis" : part.label == kind) label = part.label;
      CAPTURE(label);
      REQUIRE_FALSE(label.empty());
      for (int i = 0; i < 3; ++i) program.press(ui::Key::escape);
      const Selection before = program.session().pinned();
      go_to_part(program, label);
      program.press(ui::Key::enter);
      const Selection by_key = program.session().pinned();
      CHECK_FALSE(by_key == before);
      program.press(ui::Key::escape);  // the stop
      program.press(ui::Key::escape);  // the pin
      program.frame(30);
      REQUIRE(program.click(label));
      CHECK(program.session().pinned() == by_key);
      program.move(kAside);
    }
  }
  SUBCASE("a button and a choice") {
    tab_to_stop(program, "Save figure");
    press(program, ui::Key::space);
    CHECK(program.visible("dialog"));
    for (int i = 0; i < 3; ++i) program.press(ui::Key::escape);  // the field, the dialog, the button
    CHECK_FALSE(program.visible("dialog"));
    const std::string before = program.text("Head as");
    std::string other;
    for (const ui::Widget& each : program.program().ui().registry().all())
      if (each.label.starts_with("Head as: ") && each.label != "Head as: " + before) other = each.label;
    REQUIRE_FALSE(other.empty());
    tab_to_stop(program, other);
    press(program, ui::Key::enter);
    CHECK("Head as: " + program.text("Head as") == other);
  }
  SUBCASE("a menu and its lines") {
    tab_to_stop(program, "View");
    press(program, ui::Key::enter);
    REQUIRE(program.visible("Lookup"));
    for (int i = 0; i < 2; ++i) program.press(ui::Key::down);
    press(program, ui::Key::enter);
    CHECK(program.program().shell().open_view() != "attention");
  }
  SUBCASE("a slider") {
    show_view(program, "lookup");
    tab_to_stop(program, "Query");
    const std::string before = program.text("Query");
    program.press(ui::Key::right);
    CHECK(program.text("Query") != before);
  }
}

TEST_CASE("the arrows move the point that is read on a chart") {
  OffscreenProgram program({.size = {1440, 900}});
  begin_bundled(program);
  show_view(program, "training");
  const auto state = [&] { return program.program().shell().view()->traits().state; };
  CHECK_FALSE(contains(state(), "cursor at"));
  tab_to_stop(program, "training charts");
  program.frame(2);
  const std::string middle = state();
  CHECK(contains(middle, "cursor at"));
  for (int i = 0; i < 10; ++i) program.press(ui::Key::right);
  CHECK(state() != middle);
}

TEST_CASE("tiles of What if and steps of a walk are worked by the arrows") {
  OffscreenProgram program({.size = {1440, 900}});
  begin_bundled(program);
  show_view(program, "what-if");
  program.press(ui::Key::right);
  program.press(ui::Key::right);
  CHECK(program.session().scene().what_if.empty());
  program.press(ui::Key::space);
  REQUIRE(program.settle());
  CHECK_FALSE(program.session().scene().what_if.empty());
  program.press(ui::Key::space);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.empty());
  show_view(program, "walk");
  const std::vector<Color> before = program.pixels();
  press(program, ui::Key::right);
  CHECK(program.pixels() != before);
}

TEST_CASE("every stop of Tab is seen on the screen") {
  SettledProgram program({.size = {1600, 1000}, .threads = 1});
  const auto columns = static_cast<int>(program.size().x), rows = static_cast<int>(program.size().y);
  for (const char* const view : {"attention", "walk", "training"}) {
    CAPTURE(view);
    show_view(program, view);
    std::vector<Color> before = program.pixels();
    std::set<std::string> stops;
    for (;;) {
      program.press(ui::Key::tab);
      program.frame(4);
      const std::optional<ui::Widget> stop = stop_with_focus(program);
      if (!stop || !stops.insert(stop->label).second) break;
      CAPTURE(stop->label);
      const std::vector<Color> now = program.pixels();
      const Rect round = stop->visible.inset(-6);
      int changed = 0;
      for (int y = std::max(0, int(round.y)); y < std::min(rows, int(round.bottom())); ++y)
        for (int x = std::max(0, int(round.x)); x < std::min(columns, int(round.right())); ++x) {
          const auto at = static_cast<std::size_t>(y * columns + x);
          changed += now[at] == before[at] ? 0 : 1;
        }
      CHECK(changed > 40);
      before = now;
    }
    CHECK(stops.size() > 20);
    CHECK(stops.contains("training slider"));
  }
}

}  // namespace glassformer::keyboard_test
