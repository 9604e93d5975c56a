// The keys that a person holds down for what the program knows by one name.
#pragma once

#include "app/ui/keys.h"

namespace glassformer {

struct Chord {
  int key = 0;  // as GLFW numbers it
  bool control = false, shift = false;
};
Chord chord_of(ui::Key key);

}  // namespace glassformer
