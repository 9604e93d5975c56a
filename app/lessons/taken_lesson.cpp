#include "app/lessons/taken_lesson.h"

#include <chrono>
#include <set>
#include <utility>

#include "app/lessons/given_answer.h"
#include "app/lessons/slots.h"
#include "engine/math/failure.h"

namespace glassformer {

TakenLesson::TakenLesson(Lesson lesson, std::string student, std::string language)
    : lesson_(std::move(lesson)),
      language_(std::move(language)),
      marks_(lesson_.pages.size()),
      stage_(std::make_shared<LessonStage>(std::move(student))) {
  begin();
}

void TakenLesson::turn_to(std::size_t page) {
  if (page >= lesson_.pages.size()) return;
  open_ = page;
  if (!work_.valid()) begin();
}

void TakenLesson::begin() {
  work_ = std::async(std::launch::async,
                     [stage = stage_, page = open_, lines = lesson_.scene_of(open_)]() -> SetUp {
                       std::vector<LessonError> errors;
                       auto staged = stage->page(lines, errors);
                       if (!staged) return {page, nullptr, errors.empty() ? "" : errors.front().problem};
                       return {page, std::make_shared<const StagedPage>(std::move(*staged)), ""};
                     });
}

std::shared_ptr<const StagedPage> TakenLesson::take_staged() {
  if (!work_.valid() || work_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nullptr;
  SetUp done = work_.get();
  if (done.page != open_) {  // turned over meanwhile
    begin();
    return nullptr;
  }
  problem_ = std::move(done.problem);
  names_.reset();
  answer_.reset();
  if (!done.staged) return nullptr;
  names_ = std::make_unique<PageNames>(done.staged);
  staged_ = done.page;
  if (const auto& asked = page().question; asked && !asked->does) {
    try {
      answer_ = names_->answer(*asked);
    } catch (const std::exception& error) {
      problem_ = failure_words(error);
    }
  }
  return done.staged;
}

std::string TakenLesson::text(const LessonText& text) const {
  if (!ready()) return {};
  const Value nothing = one_number(0);
  try {
    return names_->filled_text(text.in(language_), answer_.value_or(nothing), answer_.value_or(nothing));
  } catch (const std::exception& error) {
    return failure_words(error);
  }
}

std::string TakenLesson::answer() const {
  return answer_ && ready() ? shown(*answer_) : std::string();
}

// The lesson's own words for this answer, else for any wrong one.
std::string TakenLesson::judged(const Value& given, const Value& answer, bool right) const {
  const LessonQuestion& asked = *page().question;
  const LessonText* words = right ? &asked.right : &asked.wrong;
  if (!right)
    if (const auto own = asked.wrong_for.find(shown(given)); own != asked.wrong_for.end())
      words = &own->second;
  return words->empty() ? "" : names_->filled_text(words->in(language_), given, answer);
}

void TakenLesson::give(const std::string& typed) {
  const auto& asked = page().question;
  PageMark& mark = marks_[open_];
  if (!asked || asked->does || !answer_ || !ready() || may_go_on()) return;
  try {
    judge(*asked, given_answer(*asked, typed, *answer_));
  } catch (const std::exception& error) {
    mark.trouble = failure_words(error);
  }
}

void TakenLesson::give_place(int place) {
  const auto& asked = page().question;
  if (!asked || !answer_ || !answer_->place || !ready() || may_go_on()) return;
  const Value::Place& found = *answer_->place;
  if (place < 0 || place >= static_cast<int>(found.among.size())) return;
  judge(*asked, found_at(static_cast<std::size_t>(place), row_of(found.among, found.axis)));
}

void TakenLesson::judge(const LessonQuestion& asked, const Value& given) {
  const bool right = is_right(asked, given, *answer_);
  PageMark& mark = marks_[open_];
  mark = {.tries = mark.tries + 1,
          .right = right,
          .shown = false,
          .given = shown(given),
          .words = judged(given, *answer_, right)};
}

void TakenLesson::show_answer() {
  PageMark& mark = marks_[open_];
  if (!answer_ || !ready() || mark.right) return;
  mark.shown = true;
  mark.trouble.clear();
  mark.given = shown(*answer_);
  mark.words = judged(*answer_, *answer_, true);
}

void TakenLesson::look(const LessonScene& now) {
  const auto& asked = page().question;
  PageMark& mark = marks_[open_];
  if (!asked || !asked->does || !ready() || mark.right) return;
  try {
    const Value done = fitting_answer(*asked, asked->answer->value([&](const auto& before, const auto& name) {
      return lesson_value(now, before, name);
    }));
    if (done.numbers.front() == 0) return;
    mark.right = true;
    mark.tries = 1;
    if (asked->right.empty()) return;
    mark.words = filled(asked->right.in(language_), [&](const auto& before, const auto& name) {
      return lesson_value(now, before, name);
    });
  } catch (const std::exception&) {
    // What is not there yet is not done yet.
  }
}

bool TakenLesson::may_go_on() const {
  return !page().question || mark().right || mark().shown;
}

std::vector<std::string> TakenLesson::languages() const {
  std::set<std::string> found;
  for (const LessonPage& page : lesson_.pages)
    for (const auto& [language, words] : page.title.translated) found.insert(language);
  return {found.begin(), found.end()};
}

}  // namespace glassformer
