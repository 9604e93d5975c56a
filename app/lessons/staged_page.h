// A page of a lesson set up without a window: its Scene run, its attention and head open, its second Scene
// beside.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_values.h"
#include "app/session/opened_model.h"

namespace glassformer {

struct StagedPage {
  std::shared_ptr<const OpenedModel> model;
  std::shared_ptr<const SceneResult> result;  // with gradients
  std::shared_ptr<const SceneResult> other;   // null: nothing is compared
  RunState run;
  Selection selection;
  std::string view;  // as `view` names it; empty: none was opened

  ViewInput input() const;  // refers to this object
};

// Sets up one page after another; models are opened once.
class LessonStage {
 public:
  // `student` chooses the sentence of "source from held-out by NAME". What cannot be set up is told with its
  // line; nothing then.
  explicit LessonStage(std::string student = "") : student_(std::move(student)) {}
  std::optional<StagedPage> page(const std::vector<SceneLine>& lines, std::vector<LessonError>& errors);

 private:
  std::shared_ptr<const OpenedModel> model_named(const std::string& name);

  std::string student_;
  std::map<std::string, std::shared_ptr<const OpenedModel>> models_;
};

// The sentence that a name draws: the same name the same one, of any build and machine.
std::size_t drawn_by(const std::string& name, std::size_t count);

}  // namespace glassformer
