// A lesson as read from its file (assets/lessons): pages that lead through views of a Scene, and questions
// whose answers the engine computes. No answer is in the file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/expression.h"

namespace glassformer {

// Words for the person, in the lesson's language and in others ("ask.fr").
struct LessonText {
  int line = 0;  // of the file, from 1
  std::string plain;
  std::map<std::string, std::string> translated;  // by language: "fr"

  bool empty() const { return plain.empty(); }
  // In this language where it is there, else plain.
  const std::string& in(const std::string& language) const;
};

// One line that sets up the Scene or what is shown of it: "source the tired girl", "what-if mute head
// cross 2.4".
struct SceneLine {
  int line = 0;
  std::string keyword, value;
  bool literal = false;  // the value verbatim, whatever words it begins with
};

// What a page points at or covers: "row "fille"", "block cross 2", "chip output 0", "control source".
struct LessonTarget {
  int line = 0;
  std::string kind;
  std::string value;  // behind it, verbatim
};

enum class AnswerKind {
  cell,    // a click in the row that is pointed at: the expression gives its column
  word,    // a click or typing
  number,  // typed, right within a tolerance
  choice   // one of a few
};

struct LessonQuestion {
  bool does = false;  // something is to be done until `answer` is true; else asked for
  LessonText text;
  int answer_line = 0;
  std::optional<Expression> answer;
  AnswerKind kind = AnswerKind::number;
  double tolerance = 0;                         // of a number
  std::vector<LessonText> choices;              // of a choice
  LessonText right, wrong, hint;                // right and hint may be missing
  std::map<std::string, LessonText> wrong_for;  // by what was answered
};

struct LessonPage {
  LessonText title;
  std::vector<SceneLine> scene;  // its own; those of the head and of the pages before it hold too
  std::vector<LessonText> texts;
  std::vector<LessonText> notes;  // for teachers, hidden by default
  std::vector<LessonTarget> points, covers;
  std::optional<LessonQuestion> question;
  std::vector<SceneLine> reveal;  // brings the picture to the place asked, once the answer is there
  // The page of a lecture: the part of the view that it shows, what it says in one line, and what it asks.
  std::optional<SceneLine> panel;
  LessonText lecture, lecture_ask;
  std::optional<SceneLine> shows;  // the parts that its view shows of itself; nothing: all of it
};

struct Lesson {
  LessonText title;
  LessonText about;    // a line under its title in the list; may be missing
  LessonText learned;  // what there was to learn, in one or two sentences at its end; may be missing
  int minutes = 0;     // 0: not said
  std::string language = "en";
  std::vector<std::string> hidden;  // "train", "slider", "decoding", "target", "map", "inspector"
  std::vector<SceneLine> scene;     // of all pages
  std::vector<LessonPage> pages;

  // What sets up a page: the lines of the head, of the pages before it, and its own.
  std::vector<SceneLine> scene_of(std::size_t page) const;
  // The same once its answer is there.
  std::vector<SceneLine> revealed_scene_of(std::size_t page) const;
};

// Something wrong with a lesson, reported as "week-4.lesson:14: expected ask, got “aks”".
struct LessonError {
  int line = 0;
  std::string problem;  // "expected ask, got “aks”"
  bool operator==(const LessonError&) const = default;
};

}  // namespace glassformer
