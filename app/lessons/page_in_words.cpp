#include "app/lessons/page_in_words.h"

namespace glassformer {

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
