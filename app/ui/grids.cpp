// The keyboard on the cells of heatmaps and the tiles of walls: Tab reaches each of them as "grid 1",
// "grid 2"; the arrows move a cursor over rows and columns. And on planes, such as charts.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/canvas/screen_canvas.h"
#include "app/ui/ui.h"

namespace glassformer::ui {

namespace {}  // namespace

int Ui::modal_layer(const std::vector<Layer>& layers) const {
  for (size_t i = layers.size(); i-- > 1;)
    if (layers[i].modal) return static_cast<int>(i);
  return 0;
}

// Before the panels ask for keys. A second Enter on a pinned cell is theirs: it leads deeper.
void Ui::take_grid_keys() {
  grid_keys_.clear();
  if (mouse_moved_) cursor_.leads = false;
  if (focused_.empty() || popup_) return;
  const Widget* stop = shown_.find(focused_);
  const bool grid = stop && stop->kind == "grid" && stop->layer >= modal_layer(last_layers_);
  if (!grid) {
    // Esc ends on the stage, whatever else it does.
    if (keys_.contains(Key::escape) && modal_layer(last_layers_) == 0) focused_.clear();
    // The blank presses what has the focus, as Enter does.
    if (stop && stop->kind != "field" && take(Key::space)) keys_.insert(Key::enter);
    return;
  }
  for (const Key key : {Key::left, Key::right, Key::up, Key::down, Key::enter, Key::escape, Key::menu})
    if (!(key == Key::enter && cursor_.pinned) && take(key)) grid_keys_.push_back(key);
}

void Ui::focus_grids() {
  const float scale = frame_.fonts->scale();
  int count = 0;
  for (size_t i = 0; i < canvases_.size(); ++i) {
    for (const ScreenCanvas::Hit& hit : canvases_[i]->hits()) {
      if (!hit.grid || !hit.grid->tab_stop) continue;
      HitGrid grid = *hit.grid;
      grid.rect = scaled(grid.rect, 1 / scale);
      const Rect clip = scaled(hit.clip, 1 / scale);
      const std::string label = "grid " + std::to_string(++count);
      const int scroll = scroll_with(clip);
      const bool focused = focused_ == label;
      if (focused) move_in_grid(grid, clip, scroll);
      if (focused && focused_.empty()) continue;  // Esc
      building_.add({.label = label,
                     .kind = "grid",
                     .value = focused ? grid.cell(cursor_.row, cursor_.column).label : std::string(),
                     .rect = grid.rect,
                     .visible = intersection(grid.rect, clip),
                     .focused = focused,
                     .focusable = true,
                     .layer = canvas_layers_[i],
                     .scroll = scroll});
    }
  }
  focus_parts();
  if (focused_.empty()) cursor_.grid.clear();
}

void Ui::move_in_grid(const HitGrid& grid, const Rect& clip, int scroll) {
  const GridCursor before = cursor_;
  if (cursor_.grid != focused_) cursor_ = {.grid = focused_, .leads = true};
  for (const Key key : grid_keys_) {
    switch (key) {
      case Key::left:
        --cursor_.column;
        break;
      case Key::right:
        ++cursor_.column;
        break;
      case Key::up:
        --cursor_.row;
        break;
      case Key::down:
        ++cursor_.row;
        break;
      case Key::escape:
        focused_.clear();
        return ask_frame(0);
      default:
        break;
    }
    cursor_.leads = true;
  }
  cursor_.row = std::clamp(cursor_.row, 0, grid.rows - 1);
  cursor_.column = std::clamp(cursor_.column, 0, grid.columns - 1);
  const bool moved =
      cursor_.row != before.row || cursor_.column != before.column || cursor_.grid != before.grid;
  if (moved) cursor_.pinned = false;

  const HitRegion cell = region_at(grid, cursor_.row, cursor_.column);
  // What the stop before showed is drawn for one frame more, and must not lead on.
  const bool fresh = cursor_.grid != before.grid;
  if (fresh) ask_frame(0);
  if (cursor_.leads && !fresh && cell.hover) commands_.push_back(*cell.hover);
  if (std::ranges::find(grid_keys_, Key::enter) != grid_keys_.end() && cell.click) {
    commands_.push_back(control_ && cell.add ? *cell.add : *cell.click);
    cursor_.pinned = true;
  }
  const bool menu = std::ranges::find(grid_keys_, Key::menu) != grid_keys_.end();
  if (menu && cell.click) wish_menu(cell.label, cell.rect, menu_of(cell));
  if (moved) reveal(cell.rect, scroll);
  if (!grid_keys_.empty()) ask_frame(0);
  ring_cell(grid, clip);
}

Response Ui::plane(const Rect& rect, std::string_view label, std::string_view kind) {
  Response response = area(rect, label, kind);
  if (response.focused && !popup_) {
    if (cursor_.grid != label)
      cursor_ = {.grid = std::string(label), .at = {rect.width / 2, rect.height / 2}, .leads = true};
    const float by = shift_ ? 1 : 8;
    const auto move = [&](Key less, Key more, float& at, float length) {
      const float way = (take(more) ? by : 0.0f) - (take(less) ? by : 0.0f);
      if (way != 0) cursor_.leads = true;
      at = std::clamp(at + way, 0.0f, std::max(0.0f, length - 1));
    };
    move(Key::left, Key::right, cursor_.at.x, rect.width);
    move(Key::up, Key::down, cursor_.at.y, rect.height);
  }
  if (response.focused && (cursor_.leads || !response.hovered)) {
    response.hovered = true;
    response.at = Point{rect.x, rect.y} + cursor_.at;
    screen().circle(*response.at, 5, theme().paper, {.color = theme().ink, .width = 2});
  } else if (response.hovered) {
    response.at = mouse();
  }
  return response;
}

// Ink and paper side by side, as a cell may have any colour.
void Ui::ring_cell(const HitGrid& grid, const Rect& clip) {
  const Rect cell = region_at(grid, cursor_.row, cursor_.column).rect;
  screen().push_clip(clip.inset(-3));
  // Round what the cells show: names stand close to it, and between the tiles of a wall.
  const Rect first = region_at(grid, 0, 0).rect, last = region_at(grid, grid.rows - 1, grid.columns - 1).rect;
  focus_ring(Rect{first.x, first.y, last.right() - first.x, last.bottom() - first.y}.inset(-4), true);
  screen().rectangle(cell.inset(-2), {.outline = theme().ink, .outline_width = 2, .radius = 2});
  screen().rectangle(cell.inset(-4), {.outline = theme().paper, .outline_width = 2, .radius = 2});
  screen().rectangle(cell.inset(-5), {.outline = theme().ink, .outline_width = 1, .radius = 2});
  screen().pop_clip();
}

}  // namespace glassformer::ui
