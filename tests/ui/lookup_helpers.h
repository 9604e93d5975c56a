// What the tests of the Lookup view share: its pages, its sliders, a row of attention to look at.
#pragma once

#include <doctest/doctest.h>

#include <memory>

#include "app/views/lookup/lookup.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_stage.h"

namespace glassformer {

// Presses on a slider where its value is `share` of the way.
inline void set_slider(ViewStage& stage, const char* label, double share) {
  const auto slider = stage.find(label);
  REQUIRE(slider);
  const Rect rect{slider->rect.x + 8, slider->rect.y, slider->rect.width - 16, slider->rect.height};
  stage.move_to({rect.x + static_cast<float>(share) * rect.width, rect.center().y});
  stage.press();
  stage.move_to({5, 5});
}

inline double hour_share(double hour) {
  return (hour - kFirstHour) / (kLastHour - kFirstHour);
}

inline double warmth_share(double logarithm) {
  return (logarithm - kColdest) / (kHottest - kColdest);
}

inline std::unique_ptr<LookupView> lookup_page(LookupPage page) {
  auto view = std::make_unique<LookupView>();
  view->go_to(page);
  return view;
}

inline Selection selected_row(AttentionKind kind, int layer, int head, int query) {
  return {.kind = kind, .layer = layer, .head = head, .query = query};
}

}  // namespace glassformer
