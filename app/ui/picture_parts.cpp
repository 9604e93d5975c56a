// The keyboard on the single parts of pictures: chips, blocks, nodes, the words beside cells. Tab reaches
// those of one picture together, as "parts 1", "parts 2"; left and right go through them in the order drawn,
// so that none is missed, up and down to the nearest one there.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "app/canvas/screen_canvas.h"
#include "app/ui/ui.h"

namespace glassformer::ui {

namespace {

// How far it is there, a step sideways counting double; nothing that lies no further up (by < 0) or down.
float way_to(const Rect& from, const Rect& to, int by) {
  const float ahead = (to.center().y - from.center().y) * static_cast<float>(by);
  if (ahead < std::max(2.0f, from.height / 2)) return std::numeric_limits<float>::max();
  return ahead + 2 * std::abs(to.center().x - from.center().x);
}

}  // namespace

// Without what can never be scrolled to.
std::vector<Focus::Part> Focus::clickable_parts(bool every) const {
  std::vector<Part> all;
  if (!ui_.frame_.fonts) return all;
  const float scale = ui_.frame_.fonts->scale();
  for (size_t i = 0; i < ui_.canvases_.size(); ++i) {
    for (const ScreenCanvas::Hit& hit : ui_.canvases_[i]->hits()) {
      const Rect clip = scaled(hit.clip, 1 / scale);
      const int scroll = ui_.scroll.cutting(clip);
      const auto add = [&](HitRegion region) {
        if (!region.click) return;
        region.rect = scaled(region.rect, 1 / scale);
        const Rect seen = intersection(region.rect, clip);
        if (scroll < 0 && (seen.width <= 0 || seen.height <= 0)) return;
        all.push_back({std::move(region), clip, i, scroll});
      };
      if (hit.region) add(*hit.region);
      if (!hit.grid || hit.grid->tab_stop) continue;
      const int rows = every ? hit.grid->rows : 1, columns = every ? hit.grid->columns : 1;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) add(region_at(*hit.grid, row, column));
    }
  }
  return all;
}

std::vector<Widget> Focus::parts() const {
  std::vector<Widget> all;
  std::vector<Rect> axes;  // the words beside cells
  for (const auto& canvas : ui_.canvases_)
    for (const ScreenCanvas::Hit& hit : canvas->hits())
      if (hit.grid && !hit.grid->tab_stop)
        axes.push_back(scaled(hit.grid->rect, 1 / ui_.frame_.fonts->scale()));
  for (const Part& part : clickable_parts(true)) {
    const bool axis =
        std::ranges::any_of(axes, [&](const Rect& rect) { return rect.contains(part.region.rect.center()); });
    all.push_back({.label = part.region.label,
                   .kind = axis ? "axis" : "picture",
                   .rect = part.region.rect,
                   .visible = intersection(part.region.rect, part.clip),
                   .layer = ui_.canvas_layers_[part.canvas],
                   .scroll = part.scroll});
  }
  return all;
}

void Focus::visit_parts() {
  int count = 0;
  std::vector<Part> rest = clickable_parts(label_.starts_with("parts "));
  while (!rest.empty()) {
    const auto others =
        std::stable_partition(rest.begin(), rest.end(),
                              [canvas = rest.front().canvas, scroll = rest.front().scroll](const Part& part) {
                                return part.canvas == canvas && part.scroll == scroll;
                              });
    const std::vector<Part> group(rest.begin(), others);
    rest.erase(rest.begin(), others);
    const std::string label = "parts " + std::to_string(++count);
    const bool focused = label_ == label;
    if (focused) move_in_parts(group);
    if (focused && label_.empty()) continue;  // Esc
    const auto at = group.begin() + (focused ? cursor_.row : 0);
    ui_.building_.add({.label = label,
                       .kind = "grid",
                       .value = focused ? at->region.label : std::string(),
                       .rect = at->region.rect,
                       .visible = intersection(at->region.rect, at->clip),
                       .focused = focused,
                       .focusable = true,
                       .layer = ui_.canvas_layers_[at->canvas],
                       .scroll = at->scroll});
  }
}

void Focus::move_in_parts(const std::vector<Part>& all) {
  const auto place = [&] {
    // A label may appear twice, as a word of a strip and beside cells.
    if (cursor_.row < static_cast<int>(all.size()) &&
        all[static_cast<size_t>(cursor_.row)].region.label == cursor_.part)
      return cursor_.row;
    const auto found =
        std::ranges::find(all, cursor_.part, [](const Part& part) { return part.region.label; });
    // What had the cursor is gone: the one in its place.
    return found != all.end() ? static_cast<int>(found - all.begin())
                              : std::clamp(cursor_.row, 0, static_cast<int>(all.size()) - 1);
  };
  const bool fresh = cursor_.grid != label_;
  if (fresh) cursor_ = {.grid = label_, .leads = true};
  const int before = place();
  int now = before;
  for (const Key key : grid_keys_) {
    const Rect& from = all[static_cast<size_t>(now)].region.rect;
    if (key == Key::escape) {
      label_.clear();
      return ui_.ask_frame(0);
    }
    if (key == Key::left) now = std::max(0, now - 1);
    if (key == Key::right) now = std::min(static_cast<int>(all.size()) - 1, now + 1);
    if (key == Key::up || key == Key::down) {
      const int by = key == Key::up ? -1 : 1;
      const auto way = [&](const Part& part) { return way_to(from, part.region.rect, by); };
      const auto nearest = std::ranges::min_element(all, {}, way);
      if (way(*nearest) < std::numeric_limits<float>::max()) now = static_cast<int>(nearest - all.begin());
    }
    cursor_.leads = true;
  }
  const Part& part = all[static_cast<size_t>(now)];
  const bool moved = fresh || now != before;
  if (moved) cursor_.pinned = false;
  cursor_.row = now;
  cursor_.part = part.region.label;

  // Just come to: what the one before showed is drawn for one frame more, and must not lead on.
  if (moved) ui_.ask_frame(0);
  if (cursor_.leads && !moved && part.region.hover) ui_.commands_.push_back(*part.region.hover);
  const auto asked = [&](Key key) { return std::ranges::find(grid_keys_, key) != grid_keys_.end(); };
  if (asked(Key::enter)) {
    ui_.commands_.push_back(ui_.control_ && part.region.add ? *part.region.add : *part.region.click);
    cursor_.pinned = true;
  }
  if (asked(Key::menu)) ui_.wish_menu(part.region.label, part.region.rect, menu_of(part.region));
  if (moved) ui_.scroll.reveal(part.region.rect, part.scroll);
  if (!grid_keys_.empty()) ui_.ask_frame(0);
  ui_.screen().push_clip(part.clip.inset(-5));
  ui_.screen().rectangle(part.region.rect.inset(-1),
                         {.outline = ui_.theme().paper, .outline_width = 1, .radius = 5});
  ui_.screen().rectangle(part.region.rect.inset(-3),
                         {.outline = ui_.theme().ink, .outline_width = 2, .radius = 6});
  ui_.screen().pop_clip();
}

}  // namespace glassformer::ui
