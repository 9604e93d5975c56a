// The few ways in which the panels set text.
#pragma once

#include "app/canvas/canvas.h"

namespace glassformer::styles {

inline TextStyle body(const Theme& t) {
  return {.size = 14, .color = t.ink};
}
inline TextStyle body_second(const Theme& t) {
  return {.size = 14, .color = t.second_text};
}
inline TextStyle heading(const Theme& t) {
  return {.font = Font::semibold, .size = 14, .color = t.ink};
}
inline TextStyle title(const Theme& t) {
  return {.font = Font::semibold, .size = 18, .color = t.ink};
}
inline TextStyle caption(const Theme& t) {
  return {.size = 12, .color = t.second_text};
}
inline TextStyle section(const Theme& t) {
  return {.font = Font::semibold, .size = 12, .color = t.second_text};
}
inline TextStyle number(const Theme& t, float size = 12) {
  return {.font = Font::mono, .size = size, .color = t.ink};
}
inline TextStyle faint_number(const Theme& t) {
  return {.font = Font::mono, .size = 12, .color = t.second_text};
}

inline TextStyle right(TextStyle style) {
  style.x = AlignX::right;
  return style;
}
inline TextStyle center(TextStyle style) {
  style.x = AlignX::center;
  return style;
}

}  // namespace glassformer::styles
