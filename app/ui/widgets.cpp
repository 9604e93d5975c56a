#include <imgui.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/canvas/screen_canvas.h"
#include "app/ui/ui.h"
#include "engine/math/typed_number.h"

namespace glassformer::ui {

namespace {

constexpr float kIconWidth = 20;  // icon and the gap behind it

std::string name_of(std::string_view label, const ButtonOptions& options) {
  return options.id.empty() ? std::string(label) : options.id;
}

std::string short_number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  return {text, end};
}

}  // namespace

void Ui::focus_ring(const Rect& rect, bool focused) {
  if (focused) screen().rectangle(rect.inset(-3), {.outline = theme().ink, .outline_width = 2, .radius = 8});
}

float Ui::text_width(std::string_view text, float size, Font font) {
  return screen().measure(text, {.font = font, .size = size}).x;
}

float Ui::button_width(std::string_view label, Icon icon) {
  return std::ceil(text_width(label, 14, Font::semibold)) + 32 + (icon == Icon::none ? 0 : kIconWidth);
}

// Fill, outline, icon and label in the middle.
bool Ui::draw_button(const Rect& rect, std::string_view label, const ButtonOptions& options, bool primary) {
  const std::string name = name_of(label, options);
  const Theme& t = theme();
  Response response;
  if (options.enabled) {
    response = area(rect, name, "button");
  } else {
    record(name, "button", rect, {.enabled = false});
  }
  tooltip(rect, options.tooltip);

  Color text = primary ? t.on_ink : t.ink;
  Box box{.fill = primary ? t.ink : t.panel, .outline = primary ? t.ink : t.control, .radius = 6};
  if (!options.enabled) {
    text = t.faint_text;
    box = {.fill = t.sunken, .outline = t.border, .radius = 6};
  } else if (response.hovered) {
    if (primary)
      box.fill = t.second_text, box.outline = t.second_text;
    else
      box.fill = t.hover;
  }
  if (options.selected) box.outline = t.ink, box.outline_width = 2;
  screen().rectangle(rect, box);

  const TextStyle style{.font = primary ? Font::semibold : Font::regular, .size = 14, .color = text};
  const float icon = options.icon == Icon::none ? 0 : kIconWidth;
  const std::string shown = elided(screen(), label, style, rect.width - icon - 12);
  const float left = rect.center().x - (screen().measure(shown, style).x + icon) / 2;
  if (icon > 0) draw_icon(screen(), options.icon, {std::round(left + 6), rect.center().y}, text);
  screen().text({left + icon, rect.center().y}, shown, style);
  focus_ring(rect, response.focused);
  return response.clicked;
}

bool Ui::Button(const Rect& rect, std::string_view label, const ButtonOptions& options) {
  return draw_button(rect, label, options, false);
}

bool Ui::PrimaryButton(const Rect& rect, std::string_view label, const ButtonOptions& options) {
  return draw_button(rect, label, options, true);
}

bool Ui::IconButton(const Rect& rect, Icon icon, std::string_view label, const ButtonOptions& options) {
  const std::string name = name_of(label, options);
  const Theme& t = theme();
  Response response;
  if (options.enabled) {
    response = area(rect, name, "button");
  } else {
    record(name, "button", rect, {.enabled = false});
  }
  tooltip(rect, options.tooltip.empty() ? label : std::string_view(options.tooltip));
  screen().rectangle(rect, {.fill = !options.enabled   ? t.sunken
                                    : response.hovered ? t.hover
                                                       : t.panel,
                            .outline = options.enabled ? t.control : t.border,
                            .radius = 6});
  draw_icon(screen(), icon, {std::round(rect.center().x), std::round(rect.center().y)},
            options.enabled ? t.ink : t.faint_text);
  focus_ring(rect, response.focused);
  return response.clicked;
}

bool Ui::QuietButton(const Rect& rect, std::string_view label, const ButtonOptions& options) {
  const std::string name = name_of(label, options);
  const Theme& t = theme();
  Response response;
  if (options.enabled) {
    response = area(rect, name, "button");
  } else {
    record(name, "button", rect, {.enabled = false});
  }
  tooltip(rect, options.tooltip);
  if (response.hovered) screen().rectangle(rect, {.fill = t.hover, .radius = 6});
  const TextStyle style{
      .size = 14, .color = options.enabled ? t.second_text : t.faint_text, .x = AlignX::center};
  screen().text(rect.center(), elided(screen(), label, style, rect.width), style);
  focus_ring(rect, response.focused);
  return response.clicked;
}

bool Ui::LinkButton(Point top_left, std::string_view label, const ButtonOptions& options) {
  const Theme& t = theme();
  const TextStyle style{.size = 12, .color = options.enabled ? t.ink : t.faint_text};
  const float width = std::ceil(screen().measure(label, style).x);
  const Rect rect{top_left.x, top_left.y, width, 20};
  const std::string name = name_of(label, options);
  Response response;
  if (options.enabled) {
    response = area({rect.x, rect.y - 2, width, 24}, name, "button");
  } else {
    record(name, "button", rect, {.enabled = false});
  }
  screen().text({rect.x, rect.center().y}, label, style);
  if (options.enabled)
    screen().line({rect.x, rect.bottom() - 1}, {rect.right(), rect.bottom() - 1},
                  {.color = response.hovered ? t.ink : t.second_text});
  focus_ring(rect, response.focused);
  return response.clicked;
}

float Ui::segmented_width(std::span<const std::string> choices) {
  float width = 6;
  for (const std::string& choice : choices) width += std::ceil(text_width(choice, 14)) + 28;
  return width;
}

float Ui::segmented_width(std::initializer_list<const char*> choices) {
  return segmented_width(std::vector<std::string>(choices.begin(), choices.end()));
}

bool Ui::Segmented(const Rect& rect, std::string_view label, std::initializer_list<const char*> choices,
                   int& chosen) {
  return Segmented(rect, label, std::vector<std::string>(choices.begin(), choices.end()), chosen);
}

bool Ui::Segmented(const Rect& rect, std::string_view label, std::span<const std::string> choices,
                   int& chosen) {
  if (choices.empty()) return false;
  const Theme& t = theme();
  screen().rectangle(rect, {.fill = t.sunken, .outline = t.border, .radius = 8});

  // Each choice as wide as its word asks, stretched or squeezed to the whole.
  const float natural = segmented_width(choices) - 6, stretch = (rect.width - 6) / natural;
  float x = rect.x + 3;
  bool changed = false;
  if (const auto wanted = choice_to_set(label, choices)) changed = std::exchange(chosen, *wanted) != *wanted;
  // Where a word would touch its frame all are set smaller.
  const bool tight = std::ranges::any_of(choices, [&](const std::string& choice) {
    const float word = text_width(choice, 14);
    return (std::ceil(word) + 28) * stretch - word < 14;
  });
  for (size_t i = 0; i < choices.size(); ++i) {
    const float end = x + (std::ceil(text_width(choices[i], 14)) + 28) * stretch;
    const Rect part{std::round(x), rect.y + 3, std::round(end) - std::round(x), rect.height - 6};
    x = end;
    const std::string name = std::string(label) + ": " + choices[i];
    const bool selected = chosen == static_cast<int>(i);
    Response response = area(part, name, "segment");
    if (selected) {
      screen().rectangle(part, {.fill = t.panel, .outline = t.control, .radius = 6});
    }
    const TextStyle style{.size = tight || rect.height < 30 ? 12.0f : 14.0f,
                          .color = selected || response.hovered ? t.ink : t.second_text,
                          .x = AlignX::center};
    screen().text(part.center(), elided(screen(), choices[i], style, part.width - 4), style);
    focus_ring(part, response.focused);
    if (response.clicked && !selected) {
      chosen = static_cast<int>(i);
      changed = true;
    }
  }
  const size_t index = static_cast<size_t>(std::clamp(chosen, 0, static_cast<int>(choices.size()) - 1));
  record(label, "segmented", rect, {.value = choices[index]});
  return changed;
}

bool Ui::Switch(Point top_left, std::string_view label, bool& on, bool draw_label, bool enabled) {
  const Theme& t = theme();
  const Rect track{top_left.x, top_left.y, 32, 18};
  Rect rect = track;
  const TextStyle style{.size = 14, .color = enabled ? t.ink : t.faint_text};
  if (draw_label) rect.width = 42 + std::ceil(screen().measure(label, style).x);
  Response response;
  if (enabled) response = area({rect.x, rect.y - 3, rect.width, 24}, label, "switch");
  bool changed = response.clicked;
  if (const auto wanted = to_set_.find(label);
      enabled && wanted != to_set_.end() && (wanted->second == "on" || wanted->second == "off"))
    changed = (*take_to_set(label) == "on") != on;
  if (changed) on = !on;
  screen().rectangle(track, {.fill = on ? (enabled ? t.ink : t.faint_text) : t.sunken,
                             .outline = on ? Color{} : t.control,
                             .radius = 9});
  screen().circle({on ? track.right() - 9 : track.x + 9, track.center().y}, on ? 6.5f : 6,
                  on ? t.panel : t.faint_text, {});
  if (draw_label) screen().text({track.right() + 10, track.center().y}, label, style);
  focus_ring(track, response.focused);
  amend(label,
        {.kind = "switch", .value = on ? "on" : "off", .rect = rect, .enabled = enabled, .selected = on});
  return changed;
}

bool Ui::Slider(const Rect& rect, std::string_view label, double& value, const SliderOptions& options) {
  const Theme& t = theme();
  const bool logarithmic = options.logarithmic && options.minimum > 0;
  const auto place = [&](double v) {
    const double share = logarithmic
                             ? std::log(v / options.minimum) / std::log(options.maximum / options.minimum)
                             : (v - options.minimum) / (options.maximum - options.minimum);
    return static_cast<float>(std::clamp(share, 0.0, 1.0));
  };
  const auto value_at = [&](double share) {
    double v = logarithmic ? options.minimum * std::pow(options.maximum / options.minimum, share)
                           : options.minimum + share * (options.maximum - options.minimum);
    if (options.step > 0)
      v = options.minimum + std::round((v - options.minimum) / options.step) * options.step;
    return std::clamp(v, options.minimum, options.maximum);
  };
  Response response;
  if (options.enabled)
    response = area({rect.x - 8, rect.center().y - 16, rect.width + 16, 32}, label, "slider");
  const double before = value;
  if (const auto wanted = to_set_.find(label); options.enabled && wanted != to_set_.end())
    if (const auto number = typed_number(wanted->second)) {
      take_to_set(label);
      value = value_at(place(*number));
    }
  if (response.held) {
    value = value_at(std::clamp((mouse_.x - rect.x) / std::max(1.0f, rect.width), 0.0f, 1.0f));
    ask_frame(0);
  }
  if (response.focused) {
    // A hundredth of the way, or one step.
    const double by = std::max(0.01, options.step / (options.maximum - options.minimum));
    if (take(Key::left)) value = value_at(std::max(0.0, place(value) - by));
    if (take(Key::right)) value = value_at(std::min(1.0, place(value) + by));
  }

  const float y = std::round(rect.center().y), at = rect.x + place(value) * rect.width;
  const Color done = options.enabled ? t.ink : t.faint_text;
  screen().rectangle({rect.x, y - 2, rect.width, 4}, {.fill = t.control, .radius = 2});
  screen().rectangle({rect.x, y - 2, at - rect.x, 4}, {.fill = done, .radius = 2});
  screen().circle({at, y}, 8, response.hovered || response.held ? t.hover : t.panel,
                  {.color = done, .width = 2});
  focus_ring({at - 8, y - 8, 16, 16}, response.focused);
  amend(label, {.kind = "slider", .value = short_number(value), .rect = rect, .enabled = options.enabled});
  return value != before;
}

}  // namespace glassformer::ui
