#include "app/panels/lecture_picture.h"

#include <algorithm>

#include "app/canvas/zoomed_canvas.h"
#include "app/panels/comparing.h"
#include "app/panels/styles.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/view_table.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr float kCompareHead = 24, kCompareLine = 20, kCompareGap = 24, kBelowGap = 14;

// A view whose parts are low and wide: of two the second is below the first. One view draws both, as nothing
// of them is computed in the background.
bool one_below(const std::string& view) {
  return view == "tokens";
}

bool has_part(const View& view, const std::string& part) {
  const std::vector<std::string> parts = view.traits().panels;
  return std::ranges::find(parts, part) != parts.end();
}

// All of the view without its title, for which the question is.
void draw_all(Canvas& canvas, const View& view, const ViewInput& input, const Rect& room) {
  const float zoom = lecture_zoom(view, input, room);
  const Point least = view.minimum_size(input);
  const Rect area{0, 0, std::max(least.x, room.width / zoom + 2 * kStagePadding),
                  std::max(least.y, room.height / zoom + kStageTopBare)};
  ZoomedCanvas dry(canvas, {}, zoom, false);
  view.picture(dry, input, area);
  const float title = dry.title_y() >= 0 && dry.title_y() < kStageTopBare ? kStageTopBare : 0;
  ZoomedCanvas drawn(canvas, {room.x - kStagePadding * zoom, room.y - title * zoom}, zoom);
  view.picture(drawn, input, area);
}

void draw_one(ui::Ui& ui, const View& view, const ViewInput& input, const Rect& room,
              const std::string& part) {
  Canvas& canvas = ui.canvas();
  canvas.push_clip(room.inset(-6));  // a frame round what is at its edge is whole
  try {
    if (has_part(view, part))
      view.panel(part, canvas, input, room.inset(-kStagePadding));
    else
      draw_all(canvas, view, input, room);
    if (view.traits().busy) ui.ask_frame(0.05);
  } catch (const std::exception& error) {
    const std::string words = failure_words(error);
    paragraph(canvas, {room.x, room.y}, room.width, words, styles::body(ui.theme()));
    ui.note(room, "stage error", words);
  }
  canvas.pop_clip();
}

void draw_side(ui::Ui& ui, const View& view, const ViewInput& input, const Rect& room,
               const std::string& part, const std::string& name, const std::string& translation,
               const char* label) {
  const TextStyle style = styles::heading(ui.theme());
  const auto say = [&](const std::string& line, float y) {
    ui.canvas().text({room.x, y}, elided(ui.canvas(), line, style, room.width), style);
  };
  const std::string whole = name + ": " + translation;
  const bool fits = ui.canvas().measure(whole, style).x <= room.width;
  const float head = fits ? kCompareHead : kCompareHead + kCompareLine, first = room.y + kCompareHead / 2 - 2;
  say(fits ? whole : name + ":", first);
  if (!fits) say(translation, first + kCompareLine);
  ui.note({room.x, room.y, room.width, head}, label, whole);
  draw_one(ui, view, input, {room.x, room.y + head, room.width, room.height - head}, part);
}

}  // namespace

std::string lecture_part(const std::string& view) {
  const auto entry = std::ranges::find(view_table(), view, &ViewEntry::name);
  return entry == view_table().end() ? "" : entry->part;
}

void draw_unseen_controls(ui::Ui& ui, View& view, const ViewInput& input) {
  // Where it fails the picture fails in the same way, and says so.
  Point least;
  try {
    least = view.minimum_size(input);
  } catch (const std::exception&) {
    return;
  }
  const float width = std::max(least.x, 1000.0f), height = std::max(least.y, 704.0f);
  const Rect room = ui.scroll.begin({-2 * width, -2 * height, width, height}, "lecture unseen", {});
  ui.of_view(true);
  try {
    view.controls(ui, input, room);
  } catch (const std::exception&) {
    ui.ask_frame(0.5);
  }
  ui.of_view(false);
  ui.scroll.end();
}

float lecture_zoom(const View& view, const ViewInput& input, const Rect& room) {
  const Point least = view.minimum_size(input);
  return std::min({1.0f, room.width / std::max(1.0f, least.x - 2 * kStagePadding),
                   room.height / std::max(1.0f, least.y - kStageTopBare)});
}

void draw_lecture_picture(ui::Ui& ui, const PanelInput& in, const Rect& room, const std::string& panel) {
  const std::string part = has_part(*in.view, panel) ? panel : lecture_part(in.view_name);
  const Compared* const compared = in.session.compared();
  const bool two = compared && compared->second, below = one_below(in.view_name);
  const View* const beside = !two ? nullptr : below ? in.view : in.comparing.second_view(in);
  if (!beside) return draw_one(ui, *in.view, *in.input, room, part);
  Rect first = room, second = room;
  if (below) {
    first.height = second.height = (room.height - kBelowGap) / 2;
    second.y = first.bottom() + kBelowGap;
  } else {
    first.width = second.width = (room.width - kCompareGap) / 2;
    second.x = first.right() + kCompareGap;
  }
  draw_side(ui, *in.view, *in.input, first, part, compared->first_name, compared->first->translation,
            "first of two");
  ui.alter_hits(hits_of_second(*compared, " of the second"));
  draw_side(ui, *beside, second_input(*in.input, *compared), second, part, compared->second_name,
            compared->second->translation, "second of two");
  ui.alter_hits({});
}

}  // namespace glassformer
