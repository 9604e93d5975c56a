#include "app/lessons/taken_lesson.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/lessons/given_answer.h"
#include "app/lessons/hand_in.h"
#include "app/lessons/pin_line.h"
#include "app/lessons/slots.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"
#include "engine/math/typed_number.h"
#include "engine/text/unicode.h"

namespace glassformer {

TakenLesson::TakenLesson(Lesson lesson, std::string student, std::string language, std::size_t page)
    : lesson_(std::move(lesson)),
      student_(std::move(student)),
      language_(std::move(language)),
      open_(page < lesson_.pages.size() ? page : 0),
      marks_(lesson_.pages.size()),
      stage_(std::make_shared<LessonStage>(student_)) {
  begin_trainings();
  begin();
}

TakenLesson::~TakenLesson() {
  stage_->stop();
  ahead_->stopped = true;
}

// What some page trains is trained from the start, so that nobody waits for it there.
void TakenLesson::begin_trainings() {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  std::uint64_t seed = 1;
  for (const SceneLine& line : lesson_.scene_of(lesson_.pages.size() - 1)) {
    if (line.keyword == "seed")
      seed = static_cast<std::uint64_t>(std::max(0L, typed_whole(line.value).value_or(1)));
    if (line.keyword == "train") all.emplace_back(line.value, seed);
  }
  if (all.empty()) return;
  trained_ = std::async(std::launch::async, [all = std::move(all), ahead = ahead_] {
               LessonRuns runs;
               try {
                 for (const auto& [text, number] : all)
                   runs.train(text, number, ahead->stopped, ahead->progress);
               } catch (const std::exception&) {
                 // The page that asks for it reports what is wrong with it.
               }
               return runs;
             }).share();
}

std::optional<LessonCurve> TakenLesson::training_ahead() const {
  if (!trained_.valid() || is_ready(trained_)) return std::nullopt;
  return ahead_->progress.curve();
}

void TakenLesson::set_student(std::string student) {
  if (student == student_ || (draws_sentences() && anything_tried())) return;
  student_ = std::move(student);
  if (!draws_sentences()) return;
  stage_->stop();
  stage_ = std::make_shared<LessonStage>(student_);
  marks_.assign(lesson_.pages.size(), {});
  names_.reset();
  if (!work_.valid()) begin();  // else when what is being set up for the other one is there
}

void TakenLesson::begin_again() {
  marks_.assign(lesson_.pages.size(), {});
  begun_ = std::chrono::steady_clock::now();
  turn_to(0);
}

void TakenLesson::restore_marks(std::vector<PageMark> marks) {
  if (marks.size() == marks_.size()) marks_ = std::move(marks);
}

bool TakenLesson::anything_tried() const {
  return std::ranges::any_of(marks_, [](const PageMark& mark) { return mark.tries > 0 || mark.shown; });
}

bool TakenLesson::draws_sentences() const {
  const auto draws = [](const SceneLine& line) {
    return line.keyword == "source" && !line.literal && line.value.starts_with(kHeldOutBy);
  };
  return std::ranges::any_of(lesson_.scene, draws) ||
         std::ranges::any_of(lesson_.pages,
                             [&](const LessonPage& page) { return std::ranges::any_of(page.scene, draws); });
}

int TakenLesson::asked() const {
  return static_cast<int>(
      std::ranges::count_if(lesson_.pages, [](const LessonPage& page) { return page.question.has_value(); }));
}

int TakenLesson::right() const {
  return static_cast<int>(std::ranges::count(marks_, true, &PageMark::right));
}

bool TakenLesson::all_answered() const {
  for (std::size_t i = 0; i < marks_.size(); ++i)
    if (lesson_.pages[i].question && !marks_[i].right && !marks_[i].shown) return false;
  return true;
}

HandIn TakenLesson::hand_in() const {
  const std::chrono::duration<double, std::ratio<60>> since = std::chrono::steady_clock::now() - begun_;
  HandIn handed{.student = student_, .lesson = lesson_.title.plain, .minutes = since.count()};
  if (names_) {
    const OpenedModel& model = *names_->page().model;
    handed.model = model.title.name;
    handed.model_hash = weights_fingerprint(model.snapshot);
  }
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const auto& asked = lesson_.pages[i].question;
    if (!asked) continue;
    const PageMark& mark = marks_[i];
    handed.pages.push_back({.number = static_cast<int>(i) + 1,
                            .title = lesson_.pages[i].title.plain,
                            .question = mark.question.empty() ? asked->text.plain : mark.question,
                            .sentence = mark.sentence,
                            .given = mark.tried,
                            .engine = mark.engine,
                            .tries = mark.tries,
                            .right = mark.right,
                            .shown = mark.shown});
  }
  return handed;
}

void TakenLesson::turn_to(std::size_t page) {
  if (page >= lesson_.pages.size()) return;
  open_ = page;
  if (!work_.valid()) begin();
}

void TakenLesson::begin() {
  work_ = std::async(std::launch::async,
                     [stage = stage_, page = open_, lines = lesson_.scene_of(open_),
                      trained = trains() ? trained_ : std::shared_future<LessonRuns>()]() -> SetUp {
                       if (trained.valid()) stage->take_runs(trained.get());
                       std::vector<LessonError> errors;
                       auto staged = stage->page(lines, errors);
                       if (!staged)
                         return {page, stage, nullptr, errors.empty() ? "" : errors.front().problem};
                       return {page, stage, std::make_shared<const StagedPage>(std::move(*staged)), ""};
                     });
}

void TakenLesson::begin_reveal(std::vector<SceneLine> lines) {
  work_ = std::async(std::launch::async, [stage = stage_, page = open_, lines = std::move(lines)]() -> SetUp {
    std::vector<LessonError> errors;
    auto staged = stage->page(lines, errors);
    SetUp done{.page = page, .stage = stage, .revealed = true};
    if (staged) done.staged = std::make_shared<const StagedPage>(std::move(*staged));
    if (!errors.empty()) done.problem = errors.front().problem;
    return done;
  });
}

std::vector<SceneLine> TakenLesson::place_lines() const {
  if (reveals()) return lesson_.revealed_scene_of(open_);
  const auto place = asked_place(page(), staged(), answer_);
  if (!place) return {};
  std::vector<SceneLine> lines = lesson_.scene_of(open_);
  lines.push_back(*place);
  return lines;
}

// To the place asked when it was answered, and back when it is covered again. What was done by hand is there.
std::shared_ptr<const StagedPage> TakenLesson::turned_to_place() {
  if (!ready()) return nullptr;
  const bool wanted = page().question && (mark().shown || (mark().right && !page().question->does));
  if (wanted == at_place_) return nullptr;
  at_place_ = wanted;
  if (!wanted) return place_ ? base_ : nullptr;
  if (place_) return place_;
  if (auto lines = place_lines(); !lines.empty()) begin_reveal(std::move(lines));
  return nullptr;
}

std::shared_ptr<const StagedPage> TakenLesson::take_staged() {
  if (!work_.valid()) return turned_to_place();
  if (!is_ready(work_)) return nullptr;
  SetUp done = work_.get();
  // Turned over meanwhile: what was revealed is of another page, or of another visit to this one.
  if (done.page != open_ || done.stage != stage_ || (done.revealed && !ready())) {
    begin();
    return nullptr;
  }
  if (done.revealed) {
    if (!done.staged) problem_ = std::move(done.problem);
    place_ = done.staged;
    return mark().shown || mark().right ? place_ : nullptr;
  }
  problem_ = std::move(done.problem);
  names_.reset();
  answer_.reset();
  if (!done.staged) return nullptr;
  names_ = std::make_unique<PageNames>(done.staged);
  staged_ = done.page;
  base_ = done.staged, place_ = nullptr, at_place_ = false;
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
  try {
    const Value answer = answer_ ? answer_in(*page().question, *answer_, language_) : one_number(0);
    return names_->filled_text(text.in(language_), answer, answer);
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
  return words->empty() ? ""
                        : names_->filled_text(words->in(language_), answer_in(asked, given, language_),
                                              answer_in(asked, answer, language_));
}

void TakenLesson::give(const std::string& typed) {
  const auto& asked = page().question;
  PageMark& mark = marks_[open_];
  if (!asked || asked->does || !answer_ || !ready() || needs_name() || may_continue()) return;
  try {
    judge(*asked, given_answer(*asked, typed, *answer_));
    // A number as typed, not as the engine's are written.
    if (asked->kind == AnswerKind::number) mark.given = mark.tried = trimmed(typed);
  } catch (const std::exception& error) {
    mark.trouble = failure_words(error);
  }
}

void TakenLesson::give_place(int place) {
  const auto& asked = page().question;
  if (!asked || !answer_ || !answer_->place || !ready() || needs_name() || may_continue()) return;
  const Value::Place& found = *answer_->place;
  if (place < 0 || place >= static_cast<int>(found.among.size())) return;
  judge(*asked, found_at(static_cast<std::size_t>(place), row_of(found.among, found.axis)));
}

void TakenLesson::judge(const LessonQuestion& asked, const Value& given) {
  const bool right = is_right(asked, given, *answer_);
  PageMark& mark = marks_[open_];
  const std::string question = text(asked.text);
  mark = {.tries = mark.tries + 1,
          .right = right,
          .shown = false,
          .given = shown(given),
          .words = judged(given, *answer_, right),
          .engine = shown(*answer_),
          .sentence = staged().result->scene.sentences.front().source,
          .question = question,
          .tried = shown(given)};
}

void TakenLesson::show_answer() {
  PageMark& mark = marks_[open_];
  if (!answer_ || !ready() || needs_name() || mark.right) return;
  mark.shown = true;
  mark.trouble.clear();
  mark.given = mark.engine = shown(*answer_);
  mark.question = text(page().question->text);
  mark.sentence = staged().result->scene.sentences.front().source;
  mark.words = judged(*answer_, *answer_, true);
}

void TakenLesson::pass() {
  PageMark& mark = marks_[open_];
  if (page().question && page().question->does && !mark.right && !needs_name()) mark.shown = true;
}

void TakenLesson::cover() {
  PageMark& mark = marks_[open_];
  if (!mark.shown || mark.right) return;
  mark.shown = false;
  mark.words.clear();
}

bool TakenLesson::reveal_trains() const {
  return std::ranges::any_of(page().reveal, [](const SceneLine& line) { return line.keyword == "train"; });
}

void TakenLesson::look(const LessonScene& now) {
  const auto& asked = page().question;
  PageMark& mark = marks_[open_];
  // What is done is described with the numbers that are shown, as long as it is so.
  if (!asked || !asked->does || !ready() || needs_name() || (mark.shown && !reveals())) return;
  try {
    const Value done = fitting_answer(*asked, asked->answer->value([&](const auto& before, const auto& name) {
      return lesson_value(now, before, name);
    }));
    if (done.numbers.front() == 0) return;
    if (!mark.shown) {
      if (!mark.right) mark.sentence = now.input.result.scene.sentences.front().source;
      mark.right = true;
      mark.tries = 1;
    }
    if (asked->right.empty()) return;
    mark.words = filled(asked->right.in(language_), [&](const auto& before, const auto& name) {
      return lesson_value(now, before, name);
    });
  } catch (const std::exception&) {
    // What is not there yet is not done yet.
  }
}

std::vector<LessonCurve> TakenLesson::trainings() const {
  if (!trains()) return {};
  std::vector<LessonCurve> all;
  if (ready())
    all = staged().runs.curves();
  else
    all.push_back(training_ahead().value_or(stage_->training()));
  std::erase_if(all, [&](const LessonCurve& curve) {
    return curve.losses.empty() ||
           std::ranges::none_of(lesson_.revealed_scene_of(open_), [&](const SceneLine& line) {
             return line.keyword == "train" && line.value.starts_with(curve.run + " ");
           });
  });
  return all;
}

bool TakenLesson::trains() const {
  return std::ranges::any_of(lesson_.scene_of(open_),
                             [](const SceneLine& line) { return line.keyword == "train"; });
}

bool TakenLesson::may_continue() const {
  return !needs_name() && (!page().question || mark().right || mark().shown);
}

std::vector<std::string> TakenLesson::languages() const {
  std::set<std::string> found;
  for (const LessonPage& page : lesson_.pages)
    for (const auto& [language, words] : page.title.translated) found.insert(language);
  return {found.begin(), found.end()};
}

}  // namespace glassformer
