#include "app/offscreen_keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace glassformer {

Chord chord_of(ui::Key key) {
  using ui::Key;
  switch (key) {
    case Key::left:
      return {GLFW_KEY_LEFT};
    case Key::right:
      return {GLFW_KEY_RIGHT};
    case Key::up:
      return {GLFW_KEY_UP};
    case Key::down:
      return {GLFW_KEY_DOWN};
    case Key::home:
      return {GLFW_KEY_HOME};
    case Key::end:
      return {GLFW_KEY_END};
    case Key::page_up:
      return {GLFW_KEY_PAGE_UP};
    case Key::page_down:
      return {GLFW_KEY_PAGE_DOWN};
    case Key::enter:
      return {GLFW_KEY_ENTER};
    case Key::escape:
      return {GLFW_KEY_ESCAPE};
    case Key::backspace:
      return {GLFW_KEY_BACKSPACE};
    case Key::tab:
      return {GLFW_KEY_TAB};
    case Key::space:
      return {GLFW_KEY_SPACE};
    case Key::f2:
      return {GLFW_KEY_F2};
    case Key::f3:
      return {GLFW_KEY_F3};
    case Key::f4:
      return {GLFW_KEY_F4};
    case Key::f5:
      return {GLFW_KEY_F5};
    case Key::undo:
      return {GLFW_KEY_Z, true};
    case Key::redo:
      return {GLFW_KEY_Z, true, true};
    case Key::copy:
      return {GLFW_KEY_C, true};
    case Key::open:
      return {GLFW_KEY_O, true};
    case Key::describe:
      return {GLFW_KEY_D, true};
    case Key::find:
      return {GLFW_KEY_K, true};
    case Key::save:
      return {GLFW_KEY_S, true};
    case Key::report:
      return {GLFW_KEY_R, true};
    case Key::open_session:
      return {GLFW_KEY_O, true, true};
    case Key::copy_link:
      return {GLFW_KEY_C, true, true};
    case Key::larger:
      return {GLFW_KEY_EQUAL, true};
    case Key::smaller:
      return {GLFW_KEY_MINUS, true};
    case Key::quit:
      return {GLFW_KEY_Q, true};
    case Key::menu:
      return {GLFW_KEY_MENU, false};
    case Key::count:
      break;
  }
  return {};
}

}  // namespace glassformer
