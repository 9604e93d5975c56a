// What a page of a lecture trains, before it begins: how many steps of how large a model, and how long that
// takes as measured beside the screen.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_runs.h"
#include "app/panels/step_timing.h"

namespace glassformer {

class LectureTraining {
 public:
  // Of the `train` lines among these; a line that cannot be trained says why.
  std::string words(const std::vector<SceneLine>& lines, const std::string& language);

 private:
  struct Run {
    AskedTraining asked;
    StepTiming timing;
  };
  std::vector<std::string> asked_;
  std::list<Run> runs_;
  std::string problem_;
};

}  // namespace glassformer
