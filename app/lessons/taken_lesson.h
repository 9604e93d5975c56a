// A lesson that somebody takes in the window: its open page, what was tried there, and what the engine says
// to that. Pages are set up in the background, so that the screen never waits for one.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/hand_in.h"
#include "app/lessons/lesson.h"
#include "app/lessons/page_names.h"

namespace glassformer {

// What became of a page's question.
struct PageMark {
  int tries = 0;
  bool right = false;        // by oneself
  bool shown = false;        // the answer was asked for
  std::string given;         // the last answer as shown: "girl"
  std::string words;         // what the lesson says to it, with numbers
  std::string trouble = {};  // why it is no answer: "expected a number, got “abc”"
  // Of the last answer: what the engine gave, and the sentence that it read.
  std::string engine = {}, sentence = {};
  std::string question = {}, tried = {};  // with its numbers; the last answer of one's own
};

class TakenLesson {
 public:
  // `student` draws the sentences; `language` of the texts, where they are translated.
  TakenLesson(Lesson lesson, std::string student, std::string language, std::size_t page = 0);
  ~TakenLesson();

  const Lesson& lesson() const { return lesson_; }
  const LessonPage& page() const { return lesson_.pages[open_]; }
  std::size_t open() const { return open_; }
  void turn_to(std::size_t page);

  // To be called once a frame. What the window is to be brought to since the last call: the page that is
  // open, once it was set up, or the place that it asked for, once it is answered; else null.
  std::shared_ptr<const StagedPage> take_staged();
  bool ready() const { return names_ != nullptr && staged_ == open_; }
  const StagedPage& staged() const { return names_->page(); }  // when it is ready
  const std::string& problem() const { return problem_; }      // why it could not be set up; empty: it could
  // A text of the open page with its numbers, as soon as it is ready.
  std::string text(const LessonText& text) const;
  // What the engine answers, as shown; empty: nothing is asked, or it is not ready.
  std::string answer() const;

  const std::optional<Value>& engine_answer() const { return answer_; }  // nothing as answer()

  const PageMark& mark() const { return marks_[open_]; }
  const std::vector<PageMark>& marks() const { return marks_; }
  // Answers of an earlier time, one a page; left unchanged where the lesson has other pages.
  void restore_marks(std::vector<PageMark> marks);
  // An answer typed or chosen, or clicked where the engine's was found: a place among the words there.
  void give(const std::string& typed);
  void give_place(int place);
  void show_answer();
  // A page where something is to be done is left unchanged, or done by its reveal lines; does not count as
  // right.
  void pass();
  void cover();  // takes back show_answer() and pass(): the page is as asked
  // The page as asked, while the window is at the place that it asked for; else null.
  const StagedPage* before_place() const { return at_place_ && place_ && ready() ? base_.get() : nullptr; }
  bool reveals() const { return !page().reveal.empty(); }
  bool reveal_trains() const;
  // A page where something is to be done asks the window whether it is.
  void look(const LessonScene& now);
  bool trains() const;  // setting up the open page trains models
  // What the open page trained, or is training.
  std::vector<LessonCurve> trainings() const;
  // That a page is to come to, while it trains.
  std::optional<LessonCurve> training_ahead() const;
  bool may_continue() const;  // nothing is asked, or it is answered or shown
  int asked() const;          // pages that ask something
  int right() const;          // of them
  bool all_answered() const;
  // Some sentence is drawn by the student's name.
  bool draws_sentences() const;
  // A sentence is drawn by a name that nobody gave yet: nothing is asked before it is given.
  bool needs_name() const { return student_.empty() && draws_sentences(); }
  void begin_again();  // at the first page, as if nothing had been answered
  const std::string& student() const { return student_; }
  // Whose sentences are drawn; the pages are set up again where that changes some, as long as nothing was
  // answered.
  void set_student(std::string student);
  bool anything_tried() const;
  // The current answers, without the names of files; of the model of the page that is open, once it is ready.
  HandIn hand_in() const;

  const std::string& language() const { return language_; }
  void set_language(std::string language) { language_ = std::move(language); }
  std::vector<std::string> languages() const;  // of its translations

 private:
  struct SetUp {
    std::size_t page = 0;
    std::shared_ptr<LessonStage> stage;
    std::shared_ptr<const StagedPage> staged;
    std::string problem;
    bool revealed = false;
  };
  struct Ahead {
    std::atomic<bool> stopped = false;
    LessonProgress progress;
  };
  void begin_trainings();
  void begin();
  void begin_reveal(std::vector<SceneLine> lines);
  std::shared_ptr<const StagedPage> turned_to_place();
  std::vector<SceneLine> place_lines() const;  // that reveal it; empty: none do
  void judge(const LessonQuestion& asked, const Value& given);
  std::string judged(const Value& given, const Value& answer, bool right) const;

  Lesson lesson_;
  std::string student_, language_;
  std::size_t open_ = 0;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::vector<PageMark> marks_;  // one a page

  std::shared_ptr<LessonStage> stage_;  // of one thread at a time
  std::future<SetUp> work_;
  std::shared_ptr<Ahead> ahead_ = std::make_shared<Ahead>();
  std::shared_future<LessonRuns> trained_;  // of all pages; not valid: none trains
  std::unique_ptr<PageNames> names_;        // of the page `staged_`
  std::size_t staged_ = 0;
  std::optional<Value> answer_;
  std::string problem_;
  std::shared_ptr<const StagedPage> base_, place_;  // the page as asked, and with its place revealed
  bool at_place_ = false;                           // what the window was brought to last
};

}  // namespace glassformer
