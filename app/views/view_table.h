// All views, by name.
#pragma once

#include <span>

#include "app/views/common/view.h"

namespace glassformer {

struct ViewEntry {
  const char* name;      // on the command line and in commands: "attention"
  const char* title;     // in the View menu: "Attention"
  const char* question;  // that it answers; those of one are together
  const char* words;     // what it shows, in plain words
  const char* part;      // of its ViewTraits::panels: represents it in a lecture where none is named
  std::unique_ptr<View> (*make)();
  // Of the least to nearly all, what a page of a lesson may let it show alone; empty: it is always whole.
  const char* shows = "";
};

// Views, their pages and parts: in menu order, six questions. One line a view: adding a view is adding its
// file and its line.
std::span<const ViewEntry> view_table();

}  // namespace glassformer
