// The lines of a session brought to a Scene, or why they cannot be and what would help.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/staged_page.h"

namespace glassformer {

// Why a session was not opened. Nothing was changed; its lines are kept for another try.
struct SessionProblem {
  std::string name;         // of its file: "tired-girl"
  std::string text;         // what is wrong, a sentence or some
  bool of_model = false;    // another model may do
  bool of_weights = false;  // the model has other weights than it was saved with
  std::vector<SceneLine> lines = {};
};

struct SessionSetUp {
  std::shared_ptr<const StagedPage> page;  // null: see the problem
  std::optional<SessionProblem> problem;
};

// "model ./NAME" and "compare model ./NAME" are folders beside the session's file: whole paths from here on.
void find_model_beside(std::vector<SceneLine>& lines, const std::string& file);
// The other way, of the copies that were saved with this file, so that they move together.
void name_model_beside(std::vector<SceneLine>& lines, const std::string& file);

// Runs the Scene, on a worker. `name` is the session's, `file` what errors call it. Weights with another
// fingerprint are a problem, unless any will do.
SessionSetUp set_up_session(LessonStage& stage, const std::vector<SceneLine>& lines, bool any_weights,
                            const std::string& name, const std::string& file);

}  // namespace glassformer
