// Every page of a lesson with the answer that the engine gives: what `glassformer lesson` prints and tests
// run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/lessons/lesson_reader.h"
#include "app/lessons/staged_page.h"

namespace glassformer {

struct AnsweredPage {
  std::size_t number = 0;  // in the lesson, from 1
  std::string title;
  std::vector<std::string> texts;    // with their numbers
  std::string question;              // empty: nothing is asked
  std::vector<std::string> choices;  // of a choice, in the language
  std::string lecture, lecture_ask;  // of the page of a lecture; empty: it has none
  bool does = false;                 // something is to be done
  Value value;                       // of the answer, or of the condition as the page begins
  std::string answer;                // as shown
  std::string right, wrong, hint;    // as after that answer; right of something to be done as the file has it
};

struct AnsweredLesson {
  std::vector<AnsweredPage> pages;   // those that could be set up
  std::vector<LessonError> errors;   // of the file, and of what cannot be computed; by line
  std::vector<LessonError> notices;  // what is no error and yet hardly meant
};

// What somebody knows who has a screen: notices of one page.
using PageCheck = std::function<void(const StagedPage& staged, const LessonPage& page,
                                     const std::vector<SceneLine>& lines, std::vector<LessonError>& notices)>;

// Of a file with errors, what can be computed all the same: its other errors are found at once.
AnsweredLesson answered(LessonFile file, LessonStage& stage, const std::string& language,
                        const PageCheck& check = {});

}  // namespace glassformer
