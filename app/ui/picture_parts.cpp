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

// How far it is there, a step aside counting double; nothing that lies no further up (by < 0) or down.
float way_to(const Rect& from, const Rect& to, int by) {
  const float ahead = (to.center().y - from.center().y) * static_cast<float>(by);
  if (ahead < std::max(2.0f, from.height / 2)) return std::numeric_limits<float>::max();
  return ahead + 2 * std::abs(to.center().x - from.center().x);
}

}  // namespace

int Ui::scroll_with(const Rect& clip) const {
  for (size_t s = scrolls_.size(); s-- > 0;) {
    const Rect& view = scrolls_[s].view;
    if (std::abs(view.x - clip.x) < 1 && std::abs(view.y - clip.y) < 1 &&
        std::abs(view.width - clip.width) < 1 && std::abs(view.height - clip.height) < 1)
      return static_cast<int>(s);
  }
  return -1;
}

// Without what is cut off for good.
std::vector<Ui::Part> Ui::clickable_parts(bool every) const {
  std::vector<Part> all;
  if (!frame_.fonts) return all;
  const float scale = frame_.fonts->scale();
  for (size_t i = 0; i < canvases_.size(); ++i) {
    for (const ScreenCanvas::Hit& hit : canvases_[i]->hits()) {
      const Rect clip = scaled(hit.clip, 1 / scale);
      const int scroll = scroll_with(clip);
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

std::vector<Widget> Ui::parts() const {
  std::vector<Widget> all;
  std::vector<Rect> axes;  // the words beside cells
  for (const auto& canvas : canvases_)
    for (const ScreenCanvas::Hit& hit : canvas->hits())
      if (hit.grid && !hit.grid->tab_stop) axes.push_back(scaled(hit.grid->rect, 1 / frame_.fonts->scale()));
  for (const Part& part : clickable_parts(true)) {
    const bool axis =
        std::ranges::any_of(axes, [&](const Rect& rect) { return rect.contains(part.region.rect.center()); });
    all.push_back({.label = part.region.label,
                   .kind = axis ? "axis" : "picture",
                   .rect = part.region.rect,
                   .visible = intersection(part.region.rect, part.clip),
                   .layer = canvas_layers_[part.canvas],
                   .scroll = part.scroll});
  }
  return all;
}

void Ui::focus_parts() {
  int count = 0;
  std::vector<Part> rest = clickable_parts(focused_.starts_with("parts "));
  while (!rest.empty()) {
    const auto others =
        std::stable_partition(rest.begin(), rest.end(),
                              [canvas = rest.front().canvas, scroll = rest.front().scroll](const Part& part) {
                                return part.canvas == canvas && part.scroll == scroll;
                              });
    const std::vector<Part> group(rest.begin(), others);
    rest.erase(rest.begin(), others);
    const std::string label = "parts " + std::to_string(++count);
    const bool focused = focused_ == label;
    if (focused) move_in_parts(group);
    if (focused && focused_.empty()) continue;  // Esc
    const auto at = group.begin() + (focused ? cursor_.row : 0);
    building_.add({.label = label,
                   .kind = "grid",
                   .value = focused ? at->region.label : std::string(),
                   .rect = at->region.rect,
                   .visible = intersection(at->region.rect, at->clip),
                   .focused = focused,
                   .focusable = true,
                   .layer = canvas_layers_[at->canvas],
                   .scroll = at->scroll});
  }
}

void Ui::move_in_parts(const std::vector<Part>& all) {
  const auto place = [&] {
    // A label may stand twice, as a word of a strip and beside cells.
    if (cursor_.row < static_cast<int>(all.size()) &&
        all[static_cast<size_t>(cursor_.row)].region.label == cursor_.part)
      return cursor_.row;
    const auto found =
        std::ranges::find(all, cursor_.part, [](const Part& part) { return part.region.label; });
    // What had the cursor is gone: the one in its place.
    return found != all.end() ? static_cast<int>(found - all.begin())
                              : std::clamp(cursor_.row, 0, static_cast<int>(all.size()) - 1);
  };
  const bool fresh = cursor_.grid != focused_;
  if (fresh) cursor_ = {.grid = focused_, .leads = true};
  const int before = place();
  int now = before;
  for (const Key key : grid_keys_) {
    const Rect& from = all[static_cast<size_t>(now)].region.rect;
    if (key == Key::escape) {
      focused_.clear();
      return ask_frame(0);
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
  if (moved) ask_frame(0);
  if (cursor_.leads && !moved && part.region.hover) commands_.push_back(*part.region.hover);
  const auto asked = [&](Key key) { return std::ranges::find(grid_keys_, key) != grid_keys_.end(); };
  if (asked(Key::enter)) {
    commands_.push_back(control_ && part.region.add ? *part.region.add : *part.region.click);
    cursor_.pinned = true;
  }
  if (asked(Key::menu)) wish_menu(part.region.label, part.region.rect, menu_of(part.region));
  if (moved) reveal(part.region.rect, part.scroll);
  if (!grid_keys_.empty()) ask_frame(0);
  screen().push_clip(part.clip.inset(-5));
  screen().rectangle(part.region.rect.inset(-1), {.outline = theme().paper, .outline_width = 1, .radius = 5});
  screen().rectangle(part.region.rect.inset(-3), {.outline = theme().ink, .outline_width = 2, .radius = 6});
  screen().pop_clip();
}

std::vector<Rect> Ui::text_places() const {
  std::vector<Rect> places;
  for (const auto& canvas : canvases_)
    for (const Rect& place : canvas->texts())
      if (place.width > 0 && place.height > 0) places.push_back(scaled(place, 1 / canvas->scale()));
  return places;
}

}  // namespace glassformer::ui
