// What `render` can draw, by the names on the command line.
#pragma once

#include <memory>
#include <string>

#include "app/views/common/view.h"

namespace glassformer {

inline constexpr const char* kWindow = "window";

bool is_screen(const std::string& name);  // start, watch, view-menu, lesson
std::string view_names();                 // all, between commas
std::string panel_names();                // "attention: all heads, one head; head: step"
// Throws CLI::ValidationError that names them all.
std::unique_ptr<View> view_named(const std::string& name);

}  // namespace glassformer
