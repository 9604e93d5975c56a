#include "app/commands/render_names.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/commands/render_screen.h"
#include "app/views/view_table.h"

namespace glassformer {

bool is_screen(const std::string& name) {
  return std::ranges::find(kScreens, name) != kScreens.end();
}

std::string view_names() {
  std::string names = kWindow;
  for (const char* const screen : kScreens) names += std::string(", ") + screen;
  for (const ViewEntry& entry : view_table()) names += std::string(", ") + entry.name;
  return names;
}

std::string panel_names() {
  std::string names;
  for (const ViewEntry& entry : view_table()) {
    std::string gap = (names.empty() ? "" : "; ") + std::string(entry.name) + ": ";
    for (const std::string& panel : entry.make()->traits().panels) {
      names += gap + panel;
      gap = ", ";
    }
  }
  return names;
}

std::unique_ptr<View> view_named(const std::string& name) {
  for (const ViewEntry& entry : view_table()) {
    if (name == entry.name) return entry.make();
  }
  throw CLI::ValidationError("--view", "“" + name + "” is none of: " + view_names());
}

}  // namespace glassformer
