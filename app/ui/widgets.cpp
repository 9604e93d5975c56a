#include <imgui.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/canvas/canvas.h"
#include "app/ui/ui.h"
#include "engine/math/typed_number.h"

namespace glassformer::ui {

namespace {

std::string name_of(std::string_view label, const ButtonOptions& options) {
  return options.id.empty() ? std::string(label) : options.id;
}

std::string short_number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  return {text, end};
}

// Fill, outline, icon and label in the middle.
bool draw_button(Ui& ui, const Rect& rect, std::string_view label, const ButtonOptions& options,
                 bool primary) {
  const std::string name = name_of(label, options);
  const Theme& t = ui.theme();
  Response response;
  if (options.enabled) {
    response = ui.area(rect, name, "button");
  } else {
    ui.record(name, "button", rect, {.enabled = false});
  }
  ui.tooltip(rect, options.tooltip);

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
  ui.canvas().rectangle(rect, box);

  const TextStyle style{.font = primary ? Font::semibold : Font::regular, .size = 14, .color = text};
  const float icon = options.icon == Icon::none ? 0 : kButtonIcon;
  const std::string shown = elided(ui.canvas(), label, style, rect.width - icon - 12);
  const float left = rect.center().x - (ui.canvas().measure(shown, style).x + icon) / 2;
  if (icon > 0) draw_icon(ui.canvas(), options.icon, {std::round(left + 6), rect.center().y}, text);
  ui.canvas().text({left + icon, rect.center().y}, shown, style);
  focus_ring(ui, rect, response.focused);
  return response.clicked;
}

}  // namespace

void focus_ring(Ui& ui, const Rect& rect, bool focused) {
  if (focused)
    ui.canvas().rectangle(rect.inset(-3), {.outline = ui.theme().ink, .outline_width = 2, .radius = 8});
}

bool Button(Ui& ui, const Rect& rect, std::string_view label, const ButtonOptions& options) {
  return draw_button(ui, rect, label, options, false);
}

bool PrimaryButton(Ui& ui, const Rect& rect, std::string_view label, const ButtonOptions& options) {
  return draw_button(ui, rect, label, options, true);
}

bool IconButton(Ui& ui, const Rect& rect, Icon icon, std::string_view label, const ButtonOptions& options) {
  const std::string name = name_of(label, options);
  const Theme& t = ui.theme();
  Response response;
  if (options.enabled) {
    response = ui.area(rect, name, "button");
  } else {
    ui.record(name, "button", rect, {.enabled = false});
  }
  ui.tooltip(rect, options.tooltip.empty() ? label : std::string_view(options.tooltip));
  ui.canvas().rectangle(rect, {.fill = !options.enabled   ? t.sunken
                                       : response.hovered ? t.hover
                                                          : t.panel,
                               .outline = options.enabled ? t.control : t.border,
                               .radius = 6});
  draw_icon(ui.canvas(), icon, {std::round(rect.center().x), std::round(rect.center().y)},
            options.enabled ? t.ink : t.faint_text);
  focus_ring(ui, rect, response.focused);
  return response.clicked;
}

bool QuietButton(Ui& ui, const Rect& rect, std::string_view label, const ButtonOptions& options) {
  const std::string name = name_of(label, options);
  const Theme& t = ui.theme();
  Response response;
  if (options.enabled) {
    response = ui.area(rect, name, "button");
  } else {
    ui.record(name, "button", rect, {.enabled = false});
  }
  ui.tooltip(rect, options.tooltip);
  if (response.hovered) ui.canvas().rectangle(rect, {.fill = t.hover, .radius = 6});
  const TextStyle style{
      .size = 14, .color = options.enabled ? t.second_text : t.faint_text, .x = AlignX::center};
  ui.canvas().text(rect.center(), elided(ui.canvas(), label, style, rect.width), style);
  focus_ring(ui, rect, response.focused);
  return response.clicked;
}

bool LinkButton(Ui& ui, Point top_left, std::string_view label, const ButtonOptions& options) {
  const Theme& t = ui.theme();
  const TextStyle style{.size = 12, .color = options.enabled ? t.ink : t.faint_text};
  const float width = std::ceil(ui.canvas().measure(label, style).x);
  const Rect rect{top_left.x, top_left.y, width, 20};
  const std::string name = name_of(label, options);
  Response response;
  if (options.enabled) {
    response = ui.area({rect.x, rect.y - 2, width, 24}, name, "button");
  } else {
    ui.record(name, "button", rect, {.enabled = false});
  }
  ui.canvas().text({rect.x, rect.center().y}, label, style);
  if (options.enabled)
    ui.canvas().line({rect.x, rect.bottom() - 1}, {rect.right(), rect.bottom() - 1},
                     {.color = response.hovered ? t.ink : t.second_text});
  focus_ring(ui, rect, response.focused);
  return response.clicked;
}

bool Segmented(Ui& ui, const Rect& rect, std::string_view label, std::initializer_list<const char*> choices,
               int& chosen) {
  return Segmented(ui, rect, label, std::vector<std::string>(choices.begin(), choices.end()), chosen);
}

bool Segmented(Ui& ui, const Rect& rect, std::string_view label, std::span<const std::string> choices,
               int& chosen) {
  if (choices.empty()) return false;
  const Theme& t = ui.theme();
  ui.canvas().rectangle(rect, {.fill = t.sunken, .outline = t.border, .radius = 8});

  // Each choice as wide as its word asks, stretched or squeezed to the whole.
  const float natural = ui.segmented_width(choices) - 6, stretch = (rect.width - 6) / natural;
  float x = rect.x + 3;
  bool changed = false;
  if (const auto wanted = ui.by_name.take_choice(label, choices))
    changed = std::exchange(chosen, *wanted) != *wanted;
  // Where a word would touch its frame all are set smaller.
  const bool tight = std::ranges::any_of(choices, [&](const std::string& choice) {
    const float word = ui.text_width(choice, 14);
    return (std::ceil(word) + 28) * stretch - word < 14;
  });
  for (size_t i = 0; i < choices.size(); ++i) {
    const float end = x + (std::ceil(ui.text_width(choices[i], 14)) + 28) * stretch;
    const Rect part{std::round(x), rect.y + 3, std::round(end) - std::round(x), rect.height - 6};
    x = end;
    const std::string name = std::string(label) + ": " + choices[i];
    const bool selected = chosen == static_cast<int>(i);
    Response response = ui.area(part, name, "segment");
    if (selected) {
      ui.canvas().rectangle(part, {.fill = t.panel, .outline = t.control, .radius = 6});
    }
    const TextStyle style{.size = tight || rect.height < 30 ? 12.0f : 14.0f,
                          .color = selected || response.hovered ? t.ink : t.second_text,
                          .x = AlignX::center};
    ui.canvas().text(part.center(), elided(ui.canvas(), choices[i], style, part.width - 4), style);
    focus_ring(ui, part, response.focused);
    if (response.clicked && !selected) {
      chosen = static_cast<int>(i);
      changed = true;
    }
  }
  const size_t index = static_cast<size_t>(std::clamp(chosen, 0, static_cast<int>(choices.size()) - 1));
  ui.record(label, "segmented", rect, {.value = choices[index]});
  return changed;
}

bool Switch(Ui& ui, Point top_left, std::string_view label, bool& on, bool draw_label, bool enabled) {
  const Theme& t = ui.theme();
  const Rect track{top_left.x, top_left.y, 32, 18};
  Rect rect = track;
  const TextStyle style{.size = 14, .color = enabled ? t.ink : t.faint_text};
  if (draw_label) rect.width = 42 + std::ceil(ui.canvas().measure(label, style).x);
  Response response;
  if (enabled) response = ui.area({rect.x, rect.y - 3, rect.width, 24}, label, "switch");
  bool changed = response.clicked;
  if (const auto wanted = ui.by_name.left().find(label);
      enabled && wanted != ui.by_name.left().end() && (wanted->second == "on" || wanted->second == "off"))
    changed = (*ui.by_name.take(label) == "on") != on;
  if (changed) on = !on;
  ui.canvas().rectangle(track, {.fill = on ? (enabled ? t.ink : t.faint_text) : t.sunken,
                                .outline = on ? Color{} : t.control,
                                .radius = 9});
  ui.canvas().circle({on ? track.right() - 9 : track.x + 9, track.center().y}, on ? 6.5f : 6,
                     on ? t.panel : t.faint_text, {});
  if (draw_label) ui.canvas().text({track.right() + 10, track.center().y}, label, style);
  focus_ring(ui, track, response.focused);
  ui.amend(label,
           {.kind = "switch", .value = on ? "on" : "off", .rect = rect, .enabled = enabled, .selected = on});
  return changed;
}

bool Slider(Ui& ui, const Rect& rect, std::string_view label, double& value, const SliderOptions& options) {
  const Theme& t = ui.theme();
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
    response = ui.area({rect.x - 8, rect.center().y - 16, rect.width + 16, 32}, label, "slider");
  const double before = value;
  if (const auto wanted = ui.by_name.left().find(label); options.enabled && wanted != ui.by_name.left().end())
    if (const auto number = typed_number(wanted->second)) {
      ui.by_name.take(label);
      value = value_at(place(*number));
    }
  if (response.held) {
    value = value_at(std::clamp((ui.mouse_anywhere().x - rect.x) / std::max(1.0f, rect.width), 0.0f, 1.0f));
    ui.ask_frame(0);
  }
  if (response.focused) {
    // A hundredth of the way, or one step.
    const double by = std::max(0.01, options.step / (options.maximum - options.minimum));
    if (ui.pressed(Key::left)) value = value_at(std::max(0.0, place(value) - by));
    if (ui.pressed(Key::right)) value = value_at(std::min(1.0, place(value) + by));
  }

  const float y = std::round(rect.center().y), at = rect.x + place(value) * rect.width;
  const Color done = options.enabled ? t.ink : t.faint_text;
  ui.canvas().rectangle({rect.x, y - 2, rect.width, 4}, {.fill = t.control, .radius = 2});
  ui.canvas().rectangle({rect.x, y - 2, at - rect.x, 4}, {.fill = done, .radius = 2});
  ui.canvas().circle({at, y}, 8, response.hovered || response.held ? t.hover : t.panel,
                     {.color = done, .width = 2});
  focus_ring(ui, {at - 8, y - 8, 16, 16}, response.focused);
  ui.amend(label, {.kind = "slider", .value = short_number(value), .rect = rect, .enabled = options.enabled});
  return value != before;
}

}  // namespace glassformer::ui
