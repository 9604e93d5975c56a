// Ctrl+K, which a text field does not know either.
#pragma once

namespace glassformer::ui {

bool find_key_pressed();  // in this frame

}  // namespace glassformer::ui
