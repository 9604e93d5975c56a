// A figure of a session: its Scene, with what was asked for beside it. `render --session` and a report draw
// by the same way, so that the one makes again what is in the other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/lessons/staged_page.h"

namespace glassformer {

// Options given beside the session, which win over its lines; empty, 0 or -1: not given.
struct BesideSession {
  std::string model, source, target, view, kind, what_if;
  std::string against,
      as;  // a step that is kept with the model, or another model's folder; how both are shown
  int layer = 0, head = 0;   // from 1
  int query = -1, key = -1;  // from 0
  std::optional<long> at_step = {};
};

// The lines of a file or a link text. Throws Error with all that is wrong.
std::vector<SceneLine> read_session_lines(const std::string& session);
// With these in place of its own.
std::vector<SceneLine> lines_with(std::vector<SceneLine> session, const BesideSession& beside);
// Throws Error when it cannot be set up, or the model's weights are others than it was saved with.
StagedPage staged_session(LessonStage& stage, const std::string& session,
                          const std::vector<SceneLine>& lines);

// As it is at first. Throws Error where the page names none.
std::unique_ptr<View> view_of(const StagedPage& page);
// All that a picture of the page is drawn from, but the view itself; in the light theme. `kind` is chosen as
// its key would: a view may prefer another attention until one is asked for. Throws Error where a pin has no
// place.
FigureContent figure_of(const StagedPage& page, View& view, const std::string& kind = "");
// With the view, as its controls are set by now, one part of it (empty: all) and the second Scene.
void put_view(FigureContent& content, const StagedPage& page, const View& view, const std::string& panel);
// The page's view by the page's controls. Kind and panel as `render` has them; empty: as the view chooses.
// `shown`: the view with its controls set, in place of that. Throws Error where the page has no view, or a
// pin has no place.
FigureContent session_figure(const StagedPage& page, const std::string& kind = "",
                             const std::string& panel = "", std::unique_ptr<View> shown = nullptr);

}  // namespace glassformer
