// The panels that are open, in words and in the settings.
#include <algorithm>

#include "app/lessons/scene_lines.h"
#include "app/panels/layout.h"
#include "app/session/settings.h"

namespace glassformer {

namespace {

struct PanelName {
  const char* name;  // in the settings and in a session
  bool OpenPanels::*open;
};

constexpr PanelName kPanels[] = {{"map", &OpenPanels::map},
                                 {"inspector", &OpenPanels::inspector},
                                 {"training", &OpenPanels::training},
                                 {"words", &OpenPanels::words}};

}  // namespace

std::string window_words(const OpenPanels& panels) {
  std::string words = panels.quiet ? "quiet" : "whole";
  bool all = true;
  for (const PanelName& panel : kPanels) {
    all = all && panels.*panel.open;
    if (panels.*panel.open) words += std::string(" ") + panel.name;
  }
  return all && !panels.quiet ? "" : words;
}

OpenPanels panels_of_words(const std::string& words) {
  if (words.empty()) return {};
  const std::vector<std::string> all = words_of_line(words);
  const auto has = [&](const char* word) { return std::ranges::find(all, word) != all.end(); };
  OpenPanels panels = OpenPanels::none();
  panels.quiet = has("quiet");
  for (const PanelName& panel : kPanels) panels.*panel.open = has(panel.name);
  return panels;
}

OpenPanels kept_panels(const Settings& kept) {
  OpenPanels panels = OpenPanels::none();
  panels.quiet = kept.quiet;
  for (const PanelName& panel : kPanels)
    panels.*panel.open = std::ranges::find(kept.open, panel.name) != kept.open.end();
  return panels;
}

void keep_panels(const OpenPanels& panels, Settings& kept) {
  kept.quiet = panels.quiet;
  kept.open.clear();
  for (const PanelName& panel : kPanels)
    if (panels.*panel.open) kept.open.emplace_back(panel.name);
}

}  // namespace glassformer
