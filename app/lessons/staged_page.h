// A page of a lesson set up without a window: its Scene run, its attention and head open, its second Scene
// beside.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_runs.h"
#include "app/lessons/lesson_values.h"
#include "app/scene/command.h"
#include "app/session/opened_model.h"
#include "app/views/common/view.h"

namespace glassformer {

// Behind "source": a sentence of the model's held-out pairs, drawn by the student's name.
constexpr std::string_view kHeldOutBy = "from held-out";

struct StagedPage {
  std::shared_ptr<const OpenedModel> model;
  std::shared_ptr<const SceneResult> result;                  // with gradients
  std::shared_ptr<const SceneResult> other;                   // null: nothing is compared
  std::optional<Other> compared;                              // what it is of
  std::shared_ptr<const OpenedModel> other_model;             // where that is another model
  std::shared_ptr<const RecurrentRunState> recurrent;         // the model beside it; null: none
  std::shared_ptr<const RecurrentReading> recurrent_reading;  // of the sentence in it
  std::string fingerprint;                                    // of the weights shown, where a line names one
  RunState run;
  Selection selection;
  std::string view;  // as `view` names it; empty: none was opened
  // Its controls, in the order in which they are set: {"Head as", "Ribbons"}.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::pair<std::string, std::string>> later;  // of other views: {"training/Loss axis", "Log"}
  std::shared_ptr<const View> drawn;  // the view with those of them that need no screen; null as above
  LessonRuns runs;                    // that the lesson had trained until here

  ViewInput input() const;  // refers to this object
  RecurrentLook recurrent_look() const;
};

// What a view answers lessons under this name, behind "view."; throws Mismatch when it has nothing of it.
Value fact_of(const View* view, const ViewInput& input, const std::string& name);

// Sets up one page after another; models are opened once, and runs trained once.
class LessonStage {
 public:
  // `student` chooses the sentence of "source from held-out by NAME". What cannot be set up is given with its
  // line; nothing then.
  explicit LessonStage(std::string student = "") : student_(std::move(student)) {}
  void set_student(std::string student) { student_ = std::move(student); }
  // `partly`: what could be set up, where its sentence at least could run.
  std::optional<StagedPage> page(const std::vector<SceneLine>& lines, std::vector<LessonError>& errors,
                                 bool partly = false);
  void take_runs(LessonRuns runs) { runs_ = std::move(runs); }  // trained elsewhere
  // From another thread: a training that is under way is aborted, and none is begun any more.
  void stop() { stopped_ = true; }
  // From another thread: the training under way, or the last one.
  LessonCurve training() const { return progress_.curve(); }
  // As a model line names it. Throws Error.
  std::shared_ptr<const OpenedModel> model_named(const std::string& name);

 private:
  std::string student_;
  std::map<std::string, std::shared_ptr<const OpenedModel>> models_;
  LessonRuns runs_;
  LessonProgress progress_;
  std::atomic<bool> stopped_ = false;
};

// Where a model line's model lies: of one that comes along by its name, else the folder. Nothing needs to be
// there.
std::string folder_of_model(const std::string& name);
// The name or folder that a model line gives this folder.
std::string model_line(const std::string& folder);

// The sentence that a name draws: the same name the same one, of any build and machine.
std::size_t drawn_by(const std::string& name, std::size_t count);

}  // namespace glassformer
