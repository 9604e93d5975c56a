// A hand-in beside the answers that the engine gives anew: what a teacher's table says of it. A file is only
// text, which anybody can write; the lesson and the model that its hashes name are what it is held against.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/hand_in.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/staged_page.h"

namespace glassformer {

enum class Checked {
  yes,           // every answer is the engine's
  trained_here,  // so are they, those of a page that trains within 10 %: two machines' trainings differ
  other_answer,  // what is said of some answer does not hold
  other_name,    // some sentence is not the one that this name draws
  other_lesson,  // a lesson of this name is here, with another text
  other_model,   // the lesson's model is here, with other weights
  not_found,     // the lesson or its model is not here
  not_checked    // of a program that did not number its pages
};
const char* checked_words(Checked checked);  // "yes", "trained here", "other answer" ...

struct GradedHandIn {
  HandIn handed;     // with the verdicts that the engine's answers give, where they could be computed
  std::string file;  // it was read from
  Checked checked = Checked::not_checked;
  int questions = 0;  // of the lesson; 0: it is not known
};

// Pages are set up once for all files that ask the same of the same sentence.
class HandInGrader {
 public:
  // Lessons of `lessons` (a folder; empty: none) and all that the window lists; models as the lessons name
  // them, or in `models`, a model's folder or one of such. Throws Error where a folder is none.
  HandInGrader(const std::string& lessons, const std::string& models);
  GradedHandIn graded(HandIn handed, std::string file);

 private:
  struct Computed {
    std::string problem;   // why there is no answer; empty: there is
    std::string sentence;  // that the model read
    std::optional<Value> answer;
    bool of_run = false;  // the answer is of what the lesson trains
  };
  struct FoundModel {
    std::optional<Checked> problem;
    std::string folder;  // of `models`; empty: the lesson's own are meant
  };
  FoundModel model_for(const HandIn& handed, const Lesson& lesson);
  const Computed& computed(const HandIn& handed, const Lesson& lesson, std::size_t page,
                           const std::string& model);
  Computed compute(const HandIn& handed, const Lesson& lesson, std::size_t page, const std::string& model);
  Checked verdict(HandIn& handed, const Lesson& lesson);
  const std::string& fingerprint(const std::string& model);

  std::vector<std::pair<std::string, ListedLesson>> lessons_;  // by the hashes of their texts
  std::vector<std::string> folders_;                           // of models
  std::map<std::string, std::string> fingerprints_;            // by name or folder
  LessonStage stage_;
  std::map<std::string, Computed> computed_;
};

// The class as a table, a row a file: who, which lesson, how many right, tries, minutes, whether the answers
// hold, hashes; then 1 or 0 a question. Cells of questions that a lesson does not have stay empty.
std::string class_table(const std::vector<GradedHandIn>& all);

}  // namespace glassformer
