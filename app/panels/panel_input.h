// What a panel draws from; the shell fills it once a frame. What a panel is asked for goes out as Commands,
// but for what panels share: what is open beside them, the comparison on the stage, messages that were read.
#pragma once

#include <optional>
#include <string>

#include "app/panels/layout.h"
#include "app/reading/view_input.h"
#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/views/common/view.h"

namespace glassformer {

class Comparing;    // app/panels/comparing.h: two Scenes on the stage
class LessonGuide;  // app/panels/lesson_guide.h: the lesson that is taken

// What several panels and the keyboard open and shut.
struct Opened {
  bool map = false, inspector = false;  // the drawers of a small window
  bool decoding = false;                // the options over the decode controls
  bool source_strip = false;            // the one strip of a low window shows the source
  bool views = false;                   // the View menu
};

// Said for a moment at the right end of the breadcrumb: "Copied".
struct Said {
  std::string text;
  double until = 0;     // s
  bool saving = false;  // a figure is on its way to a file
};

// The session that is open, by its file's name.
struct NamedSession {
  std::string name;          // empty: none
  bool changed = false;      // since it was saved or opened
  bool can_go_back = false;  // to what was there before it was opened
};

struct PanelInput {
  Session& session;
  const Layout& layout;
  const Theme& theme;
  double time = 0;  // s
  double scale = 1;
  const SceneResult* result = nullptr;  // shown in this frame; null: there is none yet
  std::optional<ViewInput> input;       // of it; nothing: no trace, or no weights
  View* view = nullptr;                 // the open one; null: there are no views
  const std::string& view_name;
  const std::string& before_cell;  // the view that led to the cell view
  const std::string& computing;    // the value whose making the stage shows; empty: none
  const Said& said;
  Opened& opened;
  Comparing& comparing;
  LessonGuide& lessons;
  NamedSession named = {};
};

}  // namespace glassformer
