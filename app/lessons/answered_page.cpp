#include "app/lessons/answered_page.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/lessons/name_ranges.h"
#include "app/lessons/page_names.h"
#include "app/lessons/scene_lines.h"
#include "app/lessons/slots.h"
#include "app/views/view_table.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

// What is revealed has its own view; `panel` is then a part of that one, or of the one before.
bool shows_another_view(const LessonPage& page) {
  return std::ranges::find(page.reveal, "view", &SceneLine::keyword) != page.reveal.end();
}

// Throws Mismatch where none of the pages has a view with this part.
void check_panel(const std::string& name, std::initializer_list<const StagedPage*> pages) {
  std::string known;
  for (const StagedPage* page : pages) {
    if (!page->drawn) throw Mismatch("a view before panel", "none");
    const std::vector<std::string> parts = page->drawn->traits().panels;
    if (std::ranges::find(parts, name) != parts.end()) return;
    known += (known.empty() ? "" : " or ") + ("of the view “" + page->view + "” (");
    for (const std::string& part : parts) known += (&part == parts.data() ? "" : ", ") + part;
    known += parts.empty() ? "none)" : ")";
  }
  throw Mismatch("a panel " + known, "“" + name + "”");
}

// Throws Mismatch where the page's view cannot show that little of itself.
void check_shown(const std::string& parts, const StagedPage& page) {
  if (!page.drawn) throw Mismatch("a view before show", "none");
  const auto entry = std::ranges::find(view_table(), page.view, &ViewEntry::name);
  const std::string known = entry->shows;
  if (known.empty()) throw Mismatch("a view that can show less than all of it", "“" + page.view + "”");
  if (!page.drawn->clone()->set(kShownParts, parts))
    throw Mismatch("show and " + known + ", as the view “" + page.view + "” has them", "“" + parts + "”");
}

class Answering {
 public:
  Answering(std::shared_ptr<const StagedPage> staged, const LessonPage& page, const std::string& language,
            AnsweredLesson& lesson)
      : names_(std::move(staged)),
        page_(page),
        language_(language),
        errors_(lesson.errors),
        notices_(lesson.notices) {}

  AnsweredPage all() {
    AnsweredPage done{.title = page_.title.in(language_), .value = one_number(0)};
    if (const auto& asked = page_.question; asked && asked->answer) {
      done.does = asked->does;
      try_at(asked->answer_line, [&] {
        done.value = names_.answer(*asked);
        for (const LessonText& choice : asked->choices) done.choices.push_back(choice.in(language_));
        done.answer = shown(answer_in(*asked, done.value, language_));
        if (asked->does && !can_hold(*asked->answer, names_on_stage(names_)))
          notices_.push_back({asked->answer_line, "this condition can never hold, whatever is done"});
        if (!std::ranges::all_of(done.value.numbers, [](double number) { return std::isfinite(number); }))
          throw Mismatch("an answer that is a finite number", done.answer);
        if (asked->does && done.value.numbers.front() != 0)
          throw Mismatch("something that is not yet done when the page opens", "what holds already");
      });
    }
    for (const LessonText& text : page_.texts) done.texts.push_back(with_numbers(text, done.value));
    for (const LessonText& note : page_.notes) with_numbers(note, done.value);
    if (!page_.lecture.empty()) done.lecture = with_numbers(page_.lecture, done.value);
    if (!page_.lecture_ask.empty()) done.lecture_ask = with_numbers(page_.lecture_ask, done.value);
    if (page_.panel && !shows_another_view(page_))
      try_at(page_.panel->line, [&] { check_panel(page_.panel->value, {&names_.page()}); });
    if (page_.shows) try_at(page_.shows->line, [&] { check_shown(page_.shows->value, names_.page()); });
    if (const auto& asked = page_.question; asked && asked->answer) {
      done.question = with_numbers(asked->text, done.value);
      done.right = with_numbers(asked->right, done.value);
      // Its numbers are those of after the deed.
      if (asked->does) done.right = asked->right.in(language_);
      done.wrong = with_numbers(asked->wrong, done.value);
      done.hint = with_numbers(asked->hint, done.value);
      for (const auto& [given, text] : asked->wrong_for) with_numbers(text, done.value);
    }
    for (const auto* targets : {&page_.points, &page_.covers})
      for (const LessonTarget& target : *targets) try_at(target.line, [&] { check_target(target); });
    return done;
  }

 private:
  template <class Work>
  void try_at(int line, const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      errors_.push_back({line, failure_words(error)});
    }
  }

  // In all languages, so that each is known to be complete.
  std::string with_numbers(const LessonText& text, const Value& answer) {
    std::string chosen;
    try_at(text.line, [&] {
      for (const auto& [language, words] : text.translated) names_.filled_text(words, answer, answer);
      names_.filled_text(text.plain, answer, answer);
      const Value said = page_.question ? answer_in(*page_.question, answer, language_) : answer;
      chosen = names_.filled_text(text.in(language_), said, said);
    });
    return chosen;
  }

  void check_target(const LessonTarget& target) const {
    const SceneResult& result = *names_.page().result;
    const AttentionKind kind = names_.page().selection.kind;
    const auto& rows = kind == AttentionKind::encoder ? result.source_words : result.target_in_words;
    const auto& columns = kind == AttentionKind::decoder ? result.target_in_words : result.source_words;
    const std::vector<std::string> words = words_of_line(target.value);
    if (target.kind == "row") place_in(target.value, rows, "rows");
    if (target.kind == "column") place_in(target.value, columns, "columns");
    if (target.kind == "cell" && words.size() != 2)
      throw Mismatch("a row and a column", "“" + target.value + "”");
    if (target.kind == "cell") place_in(words[0], rows, "rows"), place_in(words[1], columns, "columns");
    if (target.kind == "chip" && words.size() != 2)
      throw Mismatch("source or output and a word", "“" + target.value + "”");
    if (target.kind == "chip")
      place_in(words[1], words[0] == "source" ? result.source_words : result.target_out_words, "chips");
  }

  PageNames names_;
  const LessonPage& page_;
  const std::string& language_;
  std::vector<LessonError>&errors_, &notices_;
};

// By line, each once: several pages may lead through one line.
void in_order(std::vector<LessonError>& errors) {
  std::ranges::stable_sort(errors, {}, &LessonError::line);
  errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
}

// What is revealed can be set up, and does what is to be done. A training is not begun to see that.
void check_reveal(const Lesson& lesson, std::size_t number, LessonStage& stage, const StagedPage& before,
                  const PageCheck& check, AnsweredLesson& done) {
  const LessonPage& page = lesson.pages[number];
  if (page.reveal.empty() ||
      std::ranges::find(page.reveal, "train", &SceneLine::keyword) != page.reveal.end())
    return;
  const std::vector<SceneLine> lines = lesson.revealed_scene_of(number);
  auto found = stage.page(lines, done.errors, true);
  if (!found) return;
  const auto staged = std::make_shared<const StagedPage>(std::move(*found));
  if (page.panel && shows_another_view(page)) {
    try {
      check_panel(page.panel->value, {&before, staged.get()});
    } catch (const std::exception& error) {
      done.errors.push_back({page.panel->line, failure_words(error)});
    }
  }
  if (check) check(*staged, page, lines, done.notices);
  if (!page.question->does || !page.question->answer) return;
  try {
    if (PageNames(staged).answer(*page.question).numbers.front() == 0)
      done.notices.push_back({page.reveal.front().line, "what is revealed does not do what is asked for"});
  } catch (const std::exception&) {
    // What cannot be computed is reported with the condition.
  }
}

}  // namespace

AnsweredLesson answered(LessonFile file, LessonStage& stage, const std::string& language,
                        const PageCheck& check) {
  AnsweredLesson done{.pages = {}, .errors = std::move(file.errors), .notices = {}};
  for (std::size_t i = 0; i < file.lesson.pages.size(); ++i) {
    const std::vector<SceneLine> lines = file.lesson.scene_of(i);
    auto found = stage.page(lines, done.errors, true);
    if (!found) continue;
    const auto staged = std::make_shared<const StagedPage>(std::move(*found));
    if (check) check(*staged, file.lesson.pages[i], lines, done.notices);
    done.pages.push_back(Answering(staged, file.lesson.pages[i], language, done).all());
    done.pages.back().number = i + 1;
    check_reveal(file.lesson, i, stage, *staged, check, done);
  }
  in_order(done.errors), in_order(done.notices);
  return done;
}

}  // namespace glassformer
