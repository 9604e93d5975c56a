// What is clicked is large enough to be met, in every view and at two sizes of the window: 24 x 24 px, or
// with so much room round it that a circle of 24 px about its centre meets no other target (WCAG 2.2, 2.5.8).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/views/view_table.h"
#include "tests/ui/small_program.h"

namespace glassformer::targets_test {
namespace {

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
// Marks of data, whose pitch is that of the table or chart they stand in, as with cells: the words beside the
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

}  // namespace

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

}  // namespace glassformer::targets_test
