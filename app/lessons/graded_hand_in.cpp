#include "app/lessons/graded_hand_in.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/format/table.h"
#include "app/lessons/counting_lines.h"
#include "app/lessons/given_answer.h"
#include "app/lessons/hand_in.h"
#include "app/lessons/page_names.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualModel = "english-french";
// Four digits of a number are written; another processor's differ less.
constexpr double kSameNumber = 1e-3, kSameTraining = 0.1;
constexpr int kMostQuestionColumns = 20;  // where the lesson is not known

fs::path folder_given(const std::string& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) throw Error(folder, "expected a folder, found none");
  return folder;
}

template <class Wanted>
std::vector<std::string> entries_of(const fs::path& folder, const Wanted& wanted) {
  std::vector<std::string> found;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed))
    if (wanted(each->path())) found.push_back(each->path().string());
  std::ranges::sort(found);
  return found;
}

bool is_model(const fs::path& folder) {
  std::error_code failed;
  return fs::exists(folder / "config.json", failed);
}

int questions_of(const Lesson& lesson) {
  return static_cast<int>(
      std::ranges::count_if(lesson.pages, [](const LessonPage& page) { return page.question.has_value(); }));
}

bool draws_by_name(const std::vector<SceneLine>& lines) {
  const SceneLine* const source = CountingLines(lines).find("source");
  return source && !source->literal && source->value.starts_with(kHeldOutBy);
}

// What the file calls the engine's answer is that.
bool same_answer(const LessonQuestion& asked, const Value& said, const Value& answer, bool of_run) {
  if (asked.kind != AnswerKind::number || answer.place) return is_right(asked, said, answer);
  const double number = answer.numbers.front();
  return std::abs(said.numbers.front() - number) <=
         std::abs(number) * (of_run ? kSameTraining : kSameNumber) + 1e-9;
}

// The verdict of one page with an answer; `page` gets the one that the engine's answer gives.
bool verdict_holds(HandedPage& page, const LessonQuestion& asked, const Value& answer, bool of_run) {
  const bool claimed = page.right;
  page.right = false;
  try {
    const Value said = given_answer(asked, page.engine, answer);
    const bool same = same_answer(asked, said, answer, of_run);
    if (page.given.empty()) return same && !claimed && page.tries == 0;
    const Value given = given_answer(asked, page.given, answer);
    page.right = is_right(asked, given, answer) && !page.shown;
    // At the edge of a tolerance the numbers of the student's machine decide.
    if (same && page.right != claimed && !page.shown && is_right(asked, given, said) == claimed)
      page.right = claimed;
    return same && page.right == claimed && page.tries > 0;
  } catch (const Mismatch&) {
    return false;  // neither is an answer to this question
  }
}

}  // namespace

const char* checked_words(Checked checked) {
  static constexpr const char* kWords[] = {"yes",          "trained here", "other answer", "other name",
                                           "other lesson", "other model",  "not found",    "not checked"};
  return kWords[static_cast<std::size_t>(checked)];
}

HandInGrader::HandInGrader(const std::string& lessons, const std::string& models) {
  const auto add = [&](ListedLesson lesson) {
    if (!lesson.read.errors.empty()) return;
    const std::string hash = hash_digits(text_hash(read_unpacked(lesson.file, kMostLessonBytes)));
    lessons_.emplace_back(hash, std::move(lesson));
  };
  if (!lessons.empty())
    for (const std::string& file : entries_of(
             folder_given(lessons), [](const fs::path& path) { return path.extension() == ".lesson"; }))
      add({.file = file, .read = lesson_of_file(file)});
  for (ListedLesson& each : listed_lessons()) add(std::move(each));
  if (models.empty()) return;
  if (is_model(folder_given(models)))
    folders_ = {models};
  else
    folders_ = entries_of(models, is_model);
}

const std::string& HandInGrader::fingerprint(const std::string& model) {
  std::string& known = fingerprints_[model];
  if (known.empty()) known = weights_fingerprint(stage_.model_named(model)->snapshot);
  return known;
}

// The file names the model of one page, which was open when it was handed in.
HandInGrader::FoundModel HandInGrader::model_for(const HandIn& handed, const Lesson& lesson) {
  bool here = false;
  const auto fits = [&](const std::string& model) {
    try {
      const bool same = fingerprint(model) == handed.model_hash;
      here = true;
      return same;
    } catch (const std::exception&) {
      return false;  // it cannot be opened
    }
  };
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    const std::vector<SceneLine> lines = lesson.scene_of(i);
    const SceneLine* const model = CountingLines(lines).find("model");
    if (fits(model ? model->value : kUsualModel)) return {};
  }
  const bool own_here = here;
  for (const std::string& folder : folders_)
    if (fits(folder)) return {.problem = std::nullopt, .folder = folder};
  return {.problem = own_here ? Checked::other_model : Checked::not_found, .folder = {}};
}

HandInGrader::Computed HandInGrader::compute(const HandIn& handed, const Lesson& lesson, std::size_t page,
                                             const std::string& model) {
  std::vector<SceneLine> lines = lesson.scene_of(page);
  if (!model.empty()) lines.push_back({.line = 0, .keyword = "model", .value = model});
  stage_.set_student(handed.student);
  std::vector<LessonError> errors;
  auto staged = stage_.page(lines, errors);
  Computed done;
  if (!staged) {
    done.problem = errors.empty() ? "it cannot be set up" : errors.front().problem;
    return done;
  }
  done.sentence = staged->result->scene.sentences.front().source;
  const LessonQuestion& asked = *lesson.pages[page].question;
  const PageNames names(std::make_shared<const StagedPage>(std::move(*staged)));
  try {
    done.answer =
        fitting_answer(asked, asked.answer->value([&](const std::string& before, const std::string& name) {
          done.of_run = done.of_run || before == "run";
          return names.named(before, name);
        }));
  } catch (const std::exception& error) {
    done.problem = failure_words(error);
  }
  return done;
}

const HandInGrader::Computed& HandInGrader::computed(const HandIn& handed, const Lesson& lesson,
                                                     std::size_t page, const std::string& model) {
  std::string key = handed.lesson_hash + " " + std::to_string(page) + " " + model;
  if (draws_by_name(lesson.scene_of(page))) key += " of " + handed.student;
  const auto known = computed_.find(key);
  return known != computed_.end()
             ? known->second
             : computed_.emplace(key, compute(handed, lesson, page, model)).first->second;
}

Checked HandInGrader::verdict(HandIn& handed, const Lesson& lesson) {
  const FoundModel model = model_for(handed, lesson);
  if (model.problem) return *model.problem;
  bool trained = false, other_name = false, other_answer = false;
  std::size_t at = 0;
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    if (!lesson.pages[i].question) continue;
    if (at == handed.pages.size()) return Checked::other_answer;  // pages are missing
    HandedPage& page = handed.pages[at++];
    if (page.number != static_cast<int>(i) + 1) return Checked::other_answer;
    const LessonQuestion& asked = *lesson.pages[i].question;
    if (asked.does) continue;  // what was done on the stage leaves nothing to compute
    if (page.tries == 0 && !page.shown && !page.right) continue;
    const Computed& now = computed(handed, lesson, i, model.folder);
    if (!now.answer) return Checked::not_found;
    trained = trained || now.of_run;
    if (page.sentence != now.sentence) (draws_by_name(lesson.scene_of(i)) ? other_name : other_answer) = true;
    if (!verdict_holds(page, asked, *now.answer, now.of_run)) other_answer = true;
  }
  if (other_name) return Checked::other_name;
  if (other_answer || at != handed.pages.size()) return Checked::other_answer;
  return trained ? Checked::trained_here : Checked::yes;
}

GradedHandIn HandInGrader::graded(HandIn handed, std::string file) {
  GradedHandIn done{.handed = std::move(handed), .file = std::move(file)};
  HandIn& hand_in = done.handed;
  if (hand_in.format < kHandInFormat) return done;
  const auto same = [&](const auto& each) { return each.first == hand_in.lesson_hash; };
  const auto lesson = std::ranges::find_if(lessons_, same);
  if (lesson == lessons_.end()) {
    const bool named = std::ranges::any_of(lessons_, [&](const auto& each) {
      return each.second.name() == hand_in.file || each.second.read.lesson.title.plain == hand_in.lesson;
    });
    done.checked = named ? Checked::other_lesson : Checked::not_found;
    return done;
  }
  const Lesson& found = lesson->second.read.lesson;
  done.questions = questions_of(found);
  if (hand_in.lesson != found.title.plain) {
    done.checked = Checked::other_lesson;  // under the name of another one
    return done;
  }
  done.checked = verdict(hand_in, found);
  return done;
}

std::string class_table(const std::vector<GradedHandIn>& all) {
  std::size_t most = 0;
  for (const GradedHandIn& each : all)
    most = std::max(most, static_cast<std::size_t>(
                              each.questions > 0 ? each.questions
                                                 : std::min(kMostQuestionColumns,
                                                            static_cast<int>(each.handed.pages.size()))));
  Table table{.columns = {"student", "lesson", "right", "questions", "shown", "tries", "minutes", "handed in",
                          "checked", "file", "lesson file", "lesson hash", "model", "model hash"}};
  for (std::size_t i = 0; i < most; ++i) table.columns.push_back("question " + std::to_string(i + 1));
  for (const auto& [handed, file, checked, questions] : all) {
    int shown_answers = 0, tries = 0;
    for (const HandedPage& page : handed.pages) shown_answers += page.shown, tries += page.tries;
    std::vector<Cell>& row = table.rows.emplace_back(std::vector<Cell>{
        handed.student, handed.lesson, std::to_string(handed.right()),
        std::to_string(questions > 0 ? questions : std::ssize(handed.pages)), std::to_string(shown_answers),
        std::to_string(tries), std::round(handed.minutes * 10) / 10, handed.handed_in,
        std::string(checked_words(checked)), file, handed.file, handed.lesson_hash, handed.model,
        handed.model_hash});
    for (std::size_t i = 0; i < most; ++i)
      row.emplace_back(i >= handed.pages.size() ? "" : handed.pages[i].right ? "1" : "0");
  }
  return to_csv(table);
}

}  // namespace glassformer
