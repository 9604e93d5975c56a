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

}  // namespace

bool Ui::Popup::ticks() const {
  return chosen >= 0 ||
         std::ranges::any_of(items, [](const MenuItem& item) { return item.checked || item.here; });
}

void Ui::open_popup(Popup popup) {
  popup_ = std::move(popup);
  popup_->row = popup_->chosen;
  // Opened by key, Enter takes the first line.
  constexpr int kRight = 1;
  const bool by_mouse = popup_->by_hover || went_down_ || went_up_ || right_down_ ||
                        ImGui::IsMouseDown(kRight) || ImGui::IsMouseReleased(kRight);
  if (!by_mouse && popup_->row < 0) {
    const auto first = std::ranges::find_if(popup_->items, &MenuItem::enabled);
    if (first != popup_->items.end()) popup_->row = static_cast<int>(first - popup_->items.begin());
  }
  scroll_to(popup_->owner + ": list", {});
  ask_frame(0);
}

// What was chosen from this widget's list in the last frame, once.
std::optional<Ui::PopupAnswer> Ui::popup_answer(std::string_view owner) {
  if (!popup_answer_ || popup_answer_->owner != owner) return std::nullopt;
  return std::exchange(popup_answer_, std::nullopt);
}

std::optional<MenuItem> Ui::Menu(const Rect& rect, std::string_view label, std::span<const MenuItem> items) {
  const Theme& t = theme();
  const bool open = popup_ && popup_->owner == label;
  const Response response = area(rect, label, "menu");
  if (response.hovered || open) screen().rectangle(rect, {.fill = t.hover, .radius = 6});
  screen().text(rect.center(), label,
                {.size = 14, .color = open ? t.ink : t.second_text, .x = AlignX::center});
  focus_ring(rect, response.focused);
  std::optional<MenuItem> chosen;
  if (std::optional<PopupAnswer> answer = popup_answer(label)) chosen = std::move(answer->item);
  if (chosen && chosen->command) push(*chosen->command);
  const bool next = popup_ && popup_->menu && !open && mouse_inside_ && rect.contains(mouse_);
  if (items.empty()) {  // a button among menus: its own name is what was chosen
    if (!response.clicked && !next) return std::nullopt;
    popup_.reset();
    return MenuItem{.label = std::string(label)};
  }
  if (response.clicked || next)
    open_popup({.owner = std::string(label),
                .anchor = rect,
                .items = {items.begin(), items.end()},
                .menu = true,
                .by_hover = next});
  return chosen;
}

void Ui::open_menu(std::string_view label, const Rect& at, std::vector<MenuItem> items) {
  if (!items.empty())
    open_popup({.owner = std::string(label), .anchor = at, .items = std::move(items), .sends = true});
}

bool Ui::Combo(const Rect& rect, std::string_view label, std::span<const std::string> choices, int& chosen) {
  const Theme& t = theme();
  int picked = -1;
  if (const std::optional<PopupAnswer> answer = popup_answer(label)) {
    const auto row = static_cast<size_t>(answer->row);
    const bool stays = row < choices.size() && choices[row] == answer->item.label;
    const auto place = stays ? choices.begin() + answer->row : std::ranges::find(choices, answer->item.label);
    if (place != choices.end()) picked = static_cast<int>(place - choices.begin());
  }
  if (const auto wanted = choice_to_set(label, choices)) picked = *wanted;
  const bool changed = picked >= 0 && picked != chosen;
  if (changed) {
    chosen = picked;
    ask_frame(0);  // what was drawn before it may depend on it
  }
  const Response response = area(rect, label, "combo");
  screen().rectangle(rect, {.fill = response.hovered ? t.hover : t.panel, .outline = t.control, .radius = 6});
  const TextStyle style{.size = 14, .color = t.ink};
  const bool valid = chosen >= 0 && static_cast<size_t>(chosen) < choices.size();
  const std::string text = valid ? choices[static_cast<size_t>(chosen)] : std::string();
  screen().text({rect.x + 12, rect.center().y}, elided(screen(), text, style, rect.width - 44), style);
  draw_icon(screen(), Icon::chevron_down, {rect.right() - 18, rect.center().y}, t.second_text);
  focus_ring(rect, response.focused);
  amend(label, {.kind = "combo", .value = text, .rect = rect});

  if (response.clicked) {
    Popup popup{.owner = std::string(label), .anchor = rect, .chosen = chosen};
    for (const std::string& choice : choices) popup.items.push_back({.label = choice});
    open_popup(std::move(popup));
  }
  return changed;
}

// As wide as its widest line, below its button or above it, never over the window's edge.
Rect Ui::popup_box(const Popup& popup) {
  float width = popup.anchor.width;
  for (const MenuItem& item : popup.items) {
    const float keys = item.keys.empty() ? 0 : text_width(item.keys, 12) + 32;
    const float note = item.note.empty() ? 0 : text_width(item.note, 12) + 16;
    const float ticks = popup.ticks() ? 24 : 0;
    width = std::max(width, std::ceil(text_width(item.label) + keys + note) + 32 + ticks);
  }
  const float content = static_cast<float>(popup.items.size()) * kItem + 2 * kPadding;
  const float below = frame_.window.y - popup.anchor.bottom() - 12, above = popup.anchor.y - 12;
  const bool up = content > below && above > below;
  const float height = std::min(content, up ? above : below);
  width = std::min(width + (height < content ? kBesideScrollBars : 0), frame_.window.x - 16);
  return {std::clamp(popup.anchor.x, 8.0f, std::max(8.0f, frame_.window.x - 8 - width)),
          up ? popup.anchor.y - 4 - height : popup.anchor.bottom() + 4, width, height};
}

// Arrow keys go from one enabled line to the next, which comes into sight.
void Ui::step_popup(Popup& popup) {
  const int count = static_cast<int>(popup.items.size()), before = popup.row;
  const auto step = [&](int by) {
    for (int i = 0; i < count; ++i) {
      popup.row = (popup.row + by + count) % count;
      if (popup.items[static_cast<size_t>(popup.row)].enabled) return;
    }
  };
  if (!popup.fresh && take(Key::down)) step(1);
  if (!popup.fresh && take(Key::up)) step(popup.row < 0 ? 0 : -1);
  if (popup.row < 0 || (popup.row == before && !popup.fresh)) return;
  const std::string list = popup.owner + ": list";
  const float top = static_cast<float>(popup.row) * kItem, seen = popup_box(popup).height - 2 * kPadding;
  const float at = scroll_of(list).y;
  if (top < at || top + kItem > at + seen) scroll_to(list, {0, top < at ? top : top + kItem - seen});
}

void Ui::draw_popup_item(const Popup& popup, int i, const Rect& row) {
  const Theme& t = theme();
  const MenuItem& item = popup.items[static_cast<size_t>(i)];
  if (item.divider) screen().line({row.x, row.y}, {row.right(), row.y}, {.color = t.border});
  if (popup.row == i && item.enabled)
    screen().rectangle({row.x, row.y + 1, row.width, row.height - 2}, {.fill = t.hover, .radius = 4});
  const bool ticked = item.checked || i == popup.chosen;
  amend(item.label, {.kind = "item", .rect = row, .enabled = item.enabled, .selected = ticked || item.here});
  float x = row.x + 10;
  if (popup.ticks()) {
    if (ticked) draw_icon(screen(), Icon::tick, {x + 6, row.center().y}, t.ink);
    if (item.here) draw_mark(screen(), {x + (ticked ? 18 : 6), row.center().y}, Mark::dot, t.ink, 8);
    x += 24;
  }
  float right = row.right() - 10;
  if (!item.keys.empty()) {
    screen().text({right, row.center().y}, item.keys,
                  {.size = 12, .color = t.faint_text, .x = AlignX::right});
    right -= text_width(item.keys, 12) + 16;
  }
  const TextStyle style{.size = 14, .color = item.enabled ? t.ink : t.faint_text};
  const std::string label = elided(screen(), item.label, style, right - x);
  screen().text({x, row.center().y}, label, style);
  x += text_width(label) + 12;
  if (!item.note.empty() && right > x) {
    const TextStyle note{.size = 12, .color = t.faint_text};
    screen().text({x, row.center().y}, elided(screen(), item.note, note, right - x), note);
  }
}

// Returns the line that was clicked; -1: none.
int Ui::popup_items(Popup& popup, const Rect& box) {
  const int count = static_cast<int>(popup.items.size());
  const Rect rows = begin_scroll(box.inset(kPadding), popup.owner + ": list",
                                 {box.width - 2 * kPadding, static_cast<float>(count) * kItem});
  // The bar of a long list lies beside its words.
  const float bar = rows.height > box.height - 2 * kPadding + 0.5f ? kBesideScrollBars : 0;
  const auto row_of = [&](int i) {
    return Rect{rows.x, rows.y + static_cast<float>(i) * kItem, rows.width - bar, kItem};
  };
  int chosen = -1;
  // First all: one row alone is marked.
  for (int i = 0; i < count; ++i) {
    const MenuItem& item = popup.items[static_cast<size_t>(i)];
    if (!item.enabled) continue;
    const Response response = area(row_of(i), item.label, "item", false);
    if (response.hovered && mouse_moved_ && !popup.fresh) popup.row = i;
    if (response.clicked) chosen = i;
  }
  for (int i = 0; i < count; ++i) draw_popup_item(popup, i, row_of(i));
  end_scroll();
  return chosen;
}

void Ui::draw_popup() {
  if (!popup_) return;
  Popup& popup = *popup_;
  const Rect box = popup_box(popup);
  enter_layer(kPopupLayer);
  screen().rectangle(box, {.fill = theme().panel, .outline = theme().control, .radius = 8});
  step_popup(popup);
  int chosen = popup_items(popup, box);
  end_layer();

  if (!popup.fresh && popup.row >= 0 && take(Key::enter)) chosen = popup.row;
  // Whoever goes from menu to menu and clicks means the one that has just opened.
  const bool meant = went_down_ && popup.anchor.contains(mouse_) && std::exchange(popup.by_hover, false);
  const bool outside = went_down_ && !popup.fresh && !meant && !box.contains(mouse_);
  if (chosen >= 0 && popup.sends) {
    if (const auto& command = popup.items[static_cast<size_t>(chosen)].command) push(*command);
  } else if (chosen >= 0) {
    popup_answer_ = PopupAnswer{popup.owner, chosen, popup.items[static_cast<size_t>(chosen)]};
  }
  popup.fresh = false;
  if (chosen >= 0 || outside || take(Key::escape)) {
    popup_.reset();
    ask_frame(0);
  }
}

}  // namespace glassformer::ui
