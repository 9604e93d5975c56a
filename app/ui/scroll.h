// What an area that scrolls both ways loses on its right and bottom to the bars beside it; and whether the
// titles of pictures scroll.
#pragma once

#include "app/ui/ui.h"

namespace glassformer::ui {

inline constexpr float kBesideScrollBars = 10;

// While it lives, titles with controls go with the picture that is scrolled; else they stand still. For where
// room is dear.
class HeadsScroll {
 public:
  explicit HeadsScroll(Ui& ui) : ui_(ui) { ui_.heads_scroll_ = true; }
  ~HeadsScroll() { ui_.heads_scroll_ = false; }
  HeadsScroll(const HeadsScroll&) = delete;
  HeadsScroll& operator=(const HeadsScroll&) = delete;

 private:
  Ui& ui_;
};

}  // namespace glassformer::ui
