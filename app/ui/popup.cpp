#include "app/ui/popup.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/screen_canvas.h"
#include "app/ui/ui.h"
#include "app/widgets/marks.h"

namespace glassformer::ui {

namespace {

constexpr float kItem = 32, kPadding = 6;

// Some line has one.
bool has_ticks(const PopupList& list) {
  return list.chosen >= 0 ||
         std::ranges::any_of(list.items, [](const MenuItem& item) { return item.checked || item.here; });
}

}  // namespace

void Popup::open(PopupList list) {
  list_ = std::move(list);
  list_->row = list_->chosen;
  // Opened by key, Enter takes the first line.
  constexpr int kRight = 1;
  const bool by_mouse = list_->by_hover || ui_.went_down_ || ui_.went_up_ || ui_.right_down_ ||
                        ImGui::IsMouseDown(kRight) || ImGui::IsMouseReleased(kRight);
  if (!by_mouse && list_->row < 0) {
    const auto first = std::ranges::find_if(list_->items, &MenuItem::enabled);
    if (first != list_->items.end()) list_->row = static_cast<int>(first - list_->items.begin());
  }
  ui_.scroll.to(list_->owner + ": list", {});
  ui_.ask_frame(0);
}

// What was chosen from this widget's list in the last frame, once.
std::optional<Popup::Answer> Popup::take_answer(std::string_view owner) {
  if (!answer_ || answer_->owner != owner) return std::nullopt;
  return std::exchange(answer_, std::nullopt);
}

void Popup::open_menu(std::string_view label, const Rect& at, std::vector<MenuItem> items) {
  if (!items.empty())
    open({.owner = std::string(label), .anchor = at, .items = std::move(items), .sends = true});
}

// As wide as its widest line, below its button or above it, never over the window's edge.
Rect Popup::box() const {
  float width = list_->anchor.width;
  for (const MenuItem& item : list_->items) {
    const float keys = item.keys.empty() ? 0 : ui_.text_width(item.keys, 12) + 32;
    const float note = item.note.empty() ? 0 : ui_.text_width(item.note, 12) + 16;
    const float ticks = has_ticks(*list_) ? 24 : 0;
    width = std::max(width, std::ceil(ui_.text_width(item.label) + keys + note) + 32 + ticks);
  }
  const float content = static_cast<float>(list_->items.size()) * kItem + 2 * kPadding;
  const float below = ui_.frame_.window.y - list_->anchor.bottom() - 12, above = list_->anchor.y - 12;
  const bool up = content > below && above > below;
  const float height = std::min(content, up ? above : below);
  width = std::min(width + (height < content ? kBesideScrollBars : 0), ui_.frame_.window.x - 16);
  return {std::clamp(list_->anchor.x, 8.0f, std::max(8.0f, ui_.frame_.window.x - 8 - width)),
          up ? list_->anchor.y - 4 - height : list_->anchor.bottom() + 4, width, height};
}

// Arrow keys go from one enabled line to the next, which comes into sight.
void Popup::step() {
  const int count = static_cast<int>(list_->items.size()), before = list_->row;
  const auto go = [&](int by) {
    for (int i = 0; i < count; ++i) {
      list_->row = (list_->row + by + count) % count;
      if (list_->items[static_cast<size_t>(list_->row)].enabled) return;
    }
  };
  if (!list_->fresh && ui_.pressed(Key::down)) go(1);
  if (!list_->fresh && ui_.pressed(Key::up)) go(list_->row < 0 ? 0 : -1);
  if (list_->row < 0 || (list_->row == before && !list_->fresh)) return;
  const std::string list = list_->owner + ": list";
  const float top = static_cast<float>(list_->row) * kItem, seen = box().height - 2 * kPadding;
  const float at = ui_.scroll.of(list).y;
  if (top < at || top + kItem > at + seen) ui_.scroll.to(list, {0, top < at ? top : top + kItem - seen});
}

void Popup::draw_item(int i, const Rect& row) {
  const Theme& t = ui_.theme();
  const MenuItem& item = list_->items[static_cast<size_t>(i)];
  if (item.divider) ui_.screen().line({row.x, row.y}, {row.right(), row.y}, {.color = t.border});
  if (list_->row == i && item.enabled)
    ui_.screen().rectangle({row.x, row.y + 1, row.width, row.height - 2}, {.fill = t.hover, .radius = 4});
  const bool ticked = item.checked || i == list_->chosen;
  ui_.amend(item.label,
            {.kind = "item", .rect = row, .enabled = item.enabled, .selected = ticked || item.here});
  float x = row.x + 10;
  if (has_ticks(*list_)) {
    if (ticked) draw_icon(ui_.screen(), Icon::tick, {x + 6, row.center().y}, t.ink);
    if (item.here) draw_mark(ui_.screen(), {x + (ticked ? 18 : 6), row.center().y}, Mark::dot, t.ink, 8);
    x += 24;
  }
  float right = row.right() - 10;
  if (!item.keys.empty()) {
    ui_.screen().text({right, row.center().y}, item.keys,
                      {.size = 12, .color = t.faint_text, .x = AlignX::right});
    right -= ui_.text_width(item.keys, 12) + 16;
  }
  const TextStyle style{.size = 14, .color = item.enabled ? t.ink : t.faint_text};
  const std::string label = elided(ui_.screen(), item.label, style, right - x);
  ui_.screen().text({x, row.center().y}, label, style);
  x += ui_.text_width(label) + 12;
  if (!item.note.empty() && right > x) {
    const TextStyle note{.size = 12, .color = t.faint_text};
    ui_.screen().text({x, row.center().y}, elided(ui_.screen(), item.note, note, right - x), note);
  }
}

// Returns the line that was clicked; -1: none.
int Popup::draw_items(const Rect& box) {
  const int count = static_cast<int>(list_->items.size());
  const Rect rows = ui_.scroll.begin(box.inset(kPadding), list_->owner + ": list",
                                     {box.width - 2 * kPadding, static_cast<float>(count) * kItem});
  // The bar of a long list lies beside its words.
  const float bar = rows.height > box.height - 2 * kPadding + 0.5f ? kBesideScrollBars : 0;
  const auto row_of = [&](int i) {
    return Rect{rows.x, rows.y + static_cast<float>(i) * kItem, rows.width - bar, kItem};
  };
  int chosen = -1;
  // First all: one row alone is marked.
  for (int i = 0; i < count; ++i) {
    const MenuItem& item = list_->items[static_cast<size_t>(i)];
    if (!item.enabled) continue;
    const Response response = ui_.area(row_of(i), item.label, "item", false);
    if (response.hovered && ui_.mouse_moved_ && !list_->fresh) list_->row = i;
    if (response.clicked) chosen = i;
  }
  for (int i = 0; i < count; ++i) draw_item(i, row_of(i));
  ui_.scroll.end();
  return chosen;
}

void Popup::draw() {
  if (!list_) return;
  const Rect place = box();
  ui_.enter_layer(Ui::kPopupLayer);
  ui_.screen().rectangle(place, {.fill = ui_.theme().panel, .outline = ui_.theme().control, .radius = 8});
  step();
  int chosen = draw_items(place);
  ui_.end_layer();

  if (!list_->fresh && list_->row >= 0 && ui_.pressed(Key::enter)) chosen = list_->row;
  // Whoever goes from menu to menu and clicks means the one that has just opened.
  const bool meant =
      ui_.went_down_ && list_->anchor.contains(ui_.mouse_) && std::exchange(list_->by_hover, false);
  const bool outside = ui_.went_down_ && !list_->fresh && !meant && !place.contains(ui_.mouse_);
  if (chosen >= 0 && list_->sends) {
    if (const auto& command = list_->items[static_cast<size_t>(chosen)].command) ui_.push(*command);
  } else if (chosen >= 0) {
    answer_ = Answer{list_->owner, chosen, list_->items[static_cast<size_t>(chosen)]};
  }
  list_->fresh = false;
  if (chosen >= 0 || outside || ui_.pressed(Key::escape)) {
    list_.reset();
    ui_.ask_frame(0);
  }
}

std::optional<MenuItem> Menu(Ui& ui, const Rect& rect, std::string_view label,
                             std::span<const MenuItem> items) {
  const Theme& t = ui.theme();
  const auto& shown = ui.popup.list();
  const bool open = shown && shown->owner == label;
  const Response response = ui.area(rect, label, "menu");
  if (response.hovered || open) ui.canvas().rectangle(rect, {.fill = t.hover, .radius = 6});
  ui.canvas().text(rect.center(), label,
                   {.size = 14, .color = open ? t.ink : t.second_text, .x = AlignX::center});
  focus_ring(ui, rect, response.focused);
  std::optional<MenuItem> chosen;
  if (std::optional<Popup::Answer> answer = ui.popup.take_answer(label)) chosen = std::move(answer->item);
  if (chosen && chosen->command) ui.push(*chosen->command);
  const bool next = shown && shown->menu && !open && rect.contains(ui.mouse_anywhere());
  if (items.empty()) {  // a button among menus: its own name is what was chosen
    if (!response.clicked && !next) return std::nullopt;
    ui.popup.close();
    return MenuItem{.label = std::string(label)};
  }
  if (response.clicked || next)
    ui.popup.open({.owner = std::string(label),
                   .anchor = rect,
                   .items = {items.begin(), items.end()},
                   .menu = true,
                   .by_hover = next});
  return chosen;
}

bool Combo(Ui& ui, const Rect& rect, std::string_view label, std::span<const std::string> choices,
           int& chosen) {
  const Theme& t = ui.theme();
  int picked = -1;
  if (const std::optional<Popup::Answer> answer = ui.popup.take_answer(label)) {
    const auto row = static_cast<size_t>(answer->row);
    const bool stays = row < choices.size() && choices[row] == answer->item.label;
    const auto place = stays ? choices.begin() + answer->row : std::ranges::find(choices, answer->item.label);
    if (place != choices.end()) picked = static_cast<int>(place - choices.begin());
  }
  if (const auto wanted = ui.by_name.take_choice(label, choices)) picked = *wanted;
  const bool changed = picked >= 0 && picked != chosen;
  if (changed) {
    chosen = picked;
    ui.ask_frame(0);  // what was drawn before it may depend on it
  }
  const Response response = ui.area(rect, label, "combo");
  ui.canvas().rectangle(rect,
                        {.fill = response.hovered ? t.hover : t.panel, .outline = t.control, .radius = 6});
  const TextStyle style{.size = 14, .color = t.ink};
  const bool valid = chosen >= 0 && static_cast<size_t>(chosen) < choices.size();
  const std::string text = valid ? choices[static_cast<size_t>(chosen)] : std::string();
  ui.canvas().text({rect.x + 12, rect.center().y}, elided(ui.canvas(), text, style, rect.width - 44), style);
  draw_icon(ui.canvas(), Icon::chevron_down, {rect.right() - 18, rect.center().y}, t.second_text);
  focus_ring(ui, rect, response.focused);
  ui.amend(label, {.kind = "combo", .value = text, .rect = rect});

  if (response.clicked) {
    PopupList list{.owner = std::string(label), .anchor = rect, .chosen = chosen};
    for (const std::string& choice : choices) list.items.push_back({.label = choice});
    ui.popup.open(std::move(list));
  }
  return changed;
}

}  // namespace glassformer::ui
