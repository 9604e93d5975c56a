// `render --session`: the Scene of a session, with what was asked for beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/lessons/staged_page.h"

namespace glassformer {

// Options given beside the session, which win over its lines; empty, 0 or -1: not given.
struct BesideSession {
  std::string model, source, target, view, kind, what_if;
  int layer = 0, head = 0;   // from 1
  int query = -1, key = -1;  // from 0
  std::optional<long> at_step = {};
};

// The lines of a file or a link text, with these in place of its own. Throws Error with all that is wrong.
std::vector<SceneLine> session_with(const std::string& session, const BesideSession& beside);
// Throws Error when it cannot be set up, or the model's weights are others than it was saved with.
StagedPage staged_session(const std::string& session, const std::vector<SceneLine>& lines);

// The controls of its view, as they were; those that are not there any more are told on standard error.
void take_settings(View& view, const ViewInput& input, Point size, const StagedPage& page);
// Its second Scene as it was shown beside the first; nothing: none was.
std::optional<FigureContent::Second> second_of(const StagedPage& page, const View& view,
                                               const std::shared_ptr<const SceneResult>& first);

}  // namespace glassformer
