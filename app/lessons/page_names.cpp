#include "app/lessons/page_names.h"

#include <algorithm>
#include <utility>

#include "app/lessons/page_in_words.h"
#include "app/lessons/slots.h"
#include "app/session/run_scene.h"

namespace glassformer {

namespace {

// What is where something was found; of a number, itself.
Value found_there(const Value& value) {
  return value.place ? one_number(value.place->among[value.place->at]) : value;
}

}  // namespace

PageNames::PageNames(std::shared_ptr<const StagedPage> page)
    : page_(std::move(page)),
      input_(page_->input()),
      scene_{.input = input_,
             .other = page_->other,
             .greedy = [this] { return greedy(); },
             .of_view = [this](const std::string& key) -> Value {
               return key == "open" ? one_word(page_->view) : fact_of(page_->drawn.get(), input_, key);
             },
             .of_run = [this](const std::string& run,
                              const std::string& key) { return page_->runs.value(run, key); }} {}

Value PageNames::named(const std::string& before, const std::string& name) const {
  return lesson_value(scene_, before, name);
}

Value PageNames::answer(const LessonQuestion& asked) const {
  return fitting_answer(
      asked, asked.answer->value([&](const auto& before, const auto& name) { return named(before, name); }));
}

std::string PageNames::filled_text(const std::string& words, const Value& it, const Value& answer) const {
  return filled(words, [&](const std::string& before, const std::string& name) {
    if (name != "it" && name != "answer") return named(before, name);
    const Value& meant = name == "it" ? it : answer;
    return before == "at" ? found_there(meant) : meant;
  });
}

std::shared_ptr<const SceneResult> PageNames::greedy() const {
  Scene scene = page_->result->scene;
  scene.decode = DecodeOptions{};
  return run_scene(page_->result->untouched_snapshot, page_->model->tokenizers, scene, {}, page_->result);
}

Value answer_in(const LessonQuestion& asked, const Value& answer, const std::string& language) {
  if (asked.kind != AnswerKind::choice || asked.does) return answer;
  const std::string words = shown(answer);
  const auto choice = std::ranges::find(asked.choices, words, &LessonText::plain);
  return choice == asked.choices.end() ? answer : one_word(choice->in(language));
}

Value fitting_answer(const LessonQuestion& asked, Value answer) {
  if (asked.does || asked.kind == AnswerKind::number) {
    if (!answer.is_one() || answer.is_words()) throw Mismatch("one number", kind_of(answer));
  } else if (asked.kind == AnswerKind::choice) {
    const std::string words = shown(answer);
    if (std::ranges::none_of(asked.choices, [&](const LessonText& each) { return each.plain == words; }))
      throw Mismatch("an answer that is one of the choices", "“" + words + "”");
  } else if (asked.kind == AnswerKind::cell) {
    if (!answer.place) throw Mismatch("a column of the row (argmax or argmin) for cell", kind_of(answer));
  } else if (!answer.place && !(answer.is_one() && answer.is_words())) {
    throw Mismatch("one word", kind_of(answer));
  }
  return answer;
}

std::string page_in_words(const TakenLesson& lesson) {
  const std::string& language = lesson.language();
  const LessonPage& page = lesson.page();
  std::string words = "Lesson “" + lesson.lesson().title.in(language) + "”, page " +
                      std::to_string(lesson.open() + 1) + " of " +
                      std::to_string(lesson.lesson().pages.size()) + ": " + page.title.in(language) + "\n";
  const auto add = [&](const std::string& line) {
    if (!line.empty()) words += line + "\n";
  };
  if (lesson.needs_name() || !lesson.ready()) return words;
  for (const LessonText& text : page.texts) add(lesson.text(text));
  if (!page.question) return words;
  const LessonQuestion& asked = *page.question;
  add((asked.does ? "To do: " : "Question: ") + lesson.text(asked.text));
  std::string choices;
  for (const LessonText& choice : asked.choices)
    choices += (choices.empty() ? "Choices: " : " | ") + choice.in(language);
  add(choices);
  const PageMark& mark = lesson.mark();
  if (mark.right)
    add(asked.does ? "Done." : "Answered right: " + mark.given);
  else if (mark.shown)
    add(asked.does ? "Left as it is." : "The engine gives " + mark.given);
  else if (mark.tries > 0)
    add("Not right: " + mark.given);
  add(mark.words);
  return words;
}

}  // namespace glassformer
