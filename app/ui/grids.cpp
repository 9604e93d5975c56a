// The keyboard on the cells of heatmaps and the tiles of walls: Tab reaches each of them as "grid 1",
// "grid 2"; the arrows move a cursor over rows and columns. And on planes, such as charts.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/canvas/screen_canvas.h"
#include "app/ui/ui.h"

namespace glassformer::ui {

// A button, a slider or a card with the focus keeps letters from the stage, as a text field does.
bool Focus::on_stage() const {
  if (label_.empty()) return true;
  const Widget* stop = ui_.shown_.find(label_);
  return !stop || stop->kind == "grid";
}

std::string Focus::kind() const {
  const Widget* const stop = label_.empty() ? nullptr : ui_.shown_.find(label_);
  return stop ? stop->kind : std::string();
}

// Before the panels ask for keys. A second Enter on a pinned cell is theirs: it leads deeper.
void Focus::take_keys() {
  grid_keys_.clear();
  if (ui_.mouse_moved_) cursor_.leads = false;
  if (label_.empty() || ui_.popup.is_open()) return;
  const Widget* stop = ui_.shown_.find(label_);
  const bool grid = stop && stop->kind == "grid" && stop->layer >= Ui::modal_layer(ui_.last_layers_);
  if (!grid) {
    // Esc ends on the stage, whatever else it does.
    if (ui_.keys_.contains(Key::escape) && Ui::modal_layer(ui_.last_layers_) == 0) label_.clear();
    // The blank presses what has the focus, as Enter does.
    if (stop && stop->kind != "field" && ui_.pressed(Key::space)) ui_.keys_.insert(Key::enter);
    return;
  }
  for (const Key key : {Key::left, Key::right, Key::up, Key::down, Key::enter, Key::escape, Key::menu})
    if (!(key == Key::enter && cursor_.pinned) && ui_.pressed(key)) grid_keys_.push_back(key);
}

void Focus::visit_grids() {
  const float scale = ui_.frame_.fonts->scale();
  int count = 0;
  for (size_t i = 0; i < ui_.canvases_.size(); ++i) {
    for (const ScreenCanvas::Hit& hit : ui_.canvases_[i]->hits()) {
      if (!hit.grid || !hit.grid->tab_stop) continue;
      HitGrid grid = *hit.grid;
      grid.rect = scaled(grid.rect, 1 / scale);
      const Rect clip = scaled(hit.clip, 1 / scale);
      const std::string label = "grid " + std::to_string(++count);
      const int scroll = ui_.scroll.cutting(clip);
      const bool focused = label_ == label;
      if (focused) move_in_grid(grid, clip, scroll);
      if (focused && label_.empty()) continue;  // Esc
      ui_.building_.add({.label = label,
                         .kind = "grid",
                         .value = focused ? grid.cell(cursor_.row, cursor_.column).label : std::string(),
                         .rect = grid.rect,
                         .visible = intersection(grid.rect, clip),
                         .focused = focused,
                         .focusable = true,
                         .layer = ui_.canvas_layers_[i],
                         .scroll = scroll});
    }
  }
  visit_parts();
  if (label_.empty()) cursor_.grid.clear();
}

void Focus::move_in_grid(const HitGrid& grid, const Rect& clip, int scroll) {
  const Cursor before = cursor_;
  if (cursor_.grid != label_) cursor_ = {.grid = label_, .leads = true};
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
        label_.clear();
        return ui_.ask_frame(0);
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
  if (fresh) ui_.ask_frame(0);
  if (cursor_.leads && !fresh && cell.hover) ui_.commands_.push_back(*cell.hover);
  if (std::ranges::find(grid_keys_, Key::enter) != grid_keys_.end() && cell.click) {
    ui_.commands_.push_back(ui_.control_ && cell.add ? *cell.add : *cell.click);
    cursor_.pinned = true;
  }
  const bool menu = std::ranges::find(grid_keys_, Key::menu) != grid_keys_.end();
  if (menu && cell.click) ui_.wish_menu(cell.label, cell.rect, menu_of(cell));
  if (moved) ui_.scroll.reveal(cell.rect, scroll);
  if (!grid_keys_.empty()) ui_.ask_frame(0);
  ring_cell(grid, clip);
}

std::optional<Point> Focus::place_on_plane(const Rect& rect, std::string_view label, bool hovered) {
  if (!ui_.popup.is_open()) {
    if (cursor_.grid != label)
      cursor_ = {.grid = std::string(label), .at = {rect.width / 2, rect.height / 2}, .leads = true};
    const float by = ui_.shift_ ? 1 : 8;
    const auto move = [&](Key less, Key more, float& at, float length) {
      const float way = (ui_.pressed(more) ? by : 0.0f) - (ui_.pressed(less) ? by : 0.0f);
      if (way != 0) cursor_.leads = true;
      at = std::clamp(at + way, 0.0f, std::max(0.0f, length - 1));
    };
    move(Key::left, Key::right, cursor_.at.x, rect.width);
    move(Key::up, Key::down, cursor_.at.y, rect.height);
  }
  if (hovered && !cursor_.leads) return std::nullopt;
  return Point{rect.x, rect.y} + cursor_.at;
}

// Ink and paper side by side, as a cell may have any colour.
void Focus::ring_cell(const HitGrid& grid, const Rect& clip) {
  const Rect cell = region_at(grid, cursor_.row, cursor_.column).rect;
  ui_.screen().push_clip(clip.inset(-3));
  // Round what the cells show: names are close to it, and between the tiles of a wall.
  const Rect first = region_at(grid, 0, 0).rect, last = region_at(grid, grid.rows - 1, grid.columns - 1).rect;
  focus_ring(ui_, Rect{first.x, first.y, last.right() - first.x, last.bottom() - first.y}.inset(-4), true);
  ui_.screen().rectangle(cell.inset(-2), {.outline = ui_.theme().ink, .outline_width = 2, .radius = 2});
  ui_.screen().rectangle(cell.inset(-4), {.outline = ui_.theme().paper, .outline_width = 2, .radius = 2});
  ui_.screen().rectangle(cell.inset(-5), {.outline = ui_.theme().ink, .outline_width = 1, .radius = 2});
  ui_.screen().pop_clip();
}

// Tab goes from the stage to its grids, then through the widgets in the order in which they were drawn, and
// back to the stage.
void Focus::move() {
  if (!label_.empty() && !ui_.building_.find(label_)) label_.clear();
  if (!ui_.keys_.contains(Key::tab) || ui_.popup.is_open()) return;
  ui_.pressed(Key::tab);
  const int top = Ui::modal_layer(ui_.layers_);
  std::vector<const Widget*> stops;
  size_t now = 0;
  for (const bool grids : {true, false}) {
    for (const Widget& widget : ui_.building_.all()) {
      if (!widget.focusable || !widget.enabled || widget.layer < top || (widget.kind == "grid") != grids)
        continue;
      stops.push_back(&widget);
      if (widget.focused) now = stops.size();
    }
  }
  // Stop 0 is the stage itself.
  const size_t count = stops.size() + 1;
  const size_t next = (now + (ui_.shift_ ? count - 1 : 1)) % count;
  label_ = next == 0 ? std::string() : stops[next - 1]->label;
  field_ = next != 0 && stops[next - 1]->kind == "field" ? label_ : std::string();
  release_field_ = field_.empty() && ui_.field_active_;
  if (next != 0) ui_.reveal_next_ = label_;
  ui_.ask_frame(0);
}

}  // namespace glassformer::ui
