// The keyboard as Dear ImGui reports it, the same on both releases that we build against.
#pragma once

namespace glassformer::ui {

// Named keys that the program uses beside letters and digits, which arrive as typed characters.
enum class Key {
  left,
  right,
  up,
  down,
  home,
  end,
  page_up,
  page_down,
  enter,
  escape,
  backspace,
  tab,
  space,
  f2,
  f3,
  f4,
  f5,
  undo,          // Ctrl+Z
  redo,          // Ctrl+Shift+Z, Ctrl+Y
  copy,          // Ctrl+C
  open,          // Ctrl+O
  save,          // Ctrl+S
  report,        // Ctrl+R
  open_session,  // Ctrl+Shift+O
  copy_link,     // Ctrl+Shift+C
  describe,      // Ctrl+D
  find,          // Ctrl+K
  larger,        // Ctrl and plus
  smaller,       // Ctrl and minus
  quit,          // Ctrl+Q
  menu,          // the menu key, Shift+F10
  count
};

// Went down in this frame, or repeats while held. Call between NewFrame and EndFrame.
bool key_pressed(Key key);
// As printed on a keycap: "→", "Space", "PgDn".
const char* key_name(Key key);
// A letter's key is down right now.
bool letter_down(char letter);

}  // namespace glassformer::ui
