// Lessons are read with all that is wrong with them at once, and their texts filled with computed numbers.
#include "app/lessons/lesson_reader.h"

#include <doctest/doctest.h>

#include <random>

#include "app/lessons/answered_page.h"
#include "app/lessons/slots.h"
#include "tests/ui/text_checks.h"

using namespace glassformer;

namespace {

constexpr const char* kWhole =
    "# Week 4\n"
    "lesson From encoder to decoder\n"
    "lesson.fr De l'encodeur au décodeur\n"
    "minutes 6\n"
    "hide train, slider\n"
    "model english-french\n"
    "source the tired girl\n"
    "\n"
    "page Rows ask, columns answer\n"
    "head 2\n"
    "text Each French row asks,\n"
    "  each English column answers.\n"
    "note Ask for hands first.\n"
    "point row \"fille\"\n"
    "ask To what do the weights of this row add up?\n"
    "ask.fr Quelle est la somme des poids de cette ligne ?\n"
    "answer number ±0.01 : sum(weights[\"fille\", :])\n"
    "right Softmax made shares of one whole.\n"
    "wrong The engine adds up {answer:.3}.\n"
    "wrong \"0\" Not that little.\n"
    "wrong.fr Pas si peu.\n"
    "hint They are shares.\n"
    "\n"
    "page Change the girl\n"
    "source the tired boy\n"
    "do Écrivez boy : puis Entrée. : output[0] = \"le\"\n"
    "page Which?\n"
    "ask Is it lower?\n"
    "answer choice lower | higher : if(loss < 2, \"lower\", \"higher\")\n"
    "answer.fr plus bas | plus haut\n";

std::vector<std::string> errors(const std::string& text) {
  std::vector<std::string> lines;
  for (const LessonError& each : read_lesson(text).errors)
    lines.push_back(std::to_string(each.line) + ": " + each.problem);
  return lines;
}

std::string with(const std::string& replaced, const std::string& by, std::string text = kWhole) {
  return text.replace(text.find(replaced), replaced.size(), by);
}

}  // namespace

TEST_CASE("a lesson in another encoding is read or named, its bytes are not repeated") {
  using namespace std::string_literals;
  const std::string plain = kWhole;
  for (const bool big : {false, true}) {
    std::string wide = big ? "\xFE\xFF" : "\xFF\xFE", bare;
    const std::string ascii = "lesson A\nmodel english-french\nsource the cat\n\npage P\ntext T.\n";
    for (const char c : ascii) bare += big ? "\0"s + c : c + "\0"s;
    CHECK(read_lesson(wide + bare).errors == read_lesson(ascii).errors);
    CHECK(read_lesson(wide + bare).lesson.title.plain == "A");
    const auto errors = read_lesson(bare).errors;
    REQUIRE(errors.size() == 1);
    CHECK(contains(errors[0].problem, big ? "iconv -f UTF-16BE" : "iconv -f UTF-16LE"));
    std::string wider;
    for (const char c : ascii) wider += big ? "\0\0\0"s + c : c + "\0\0\0"s;
    const auto wide_errors = read_lesson(wider).errors;
    REQUIRE(wide_errors.size() == 1);
    CHECK(contains(wide_errors[0].problem, big ? "iconv -f UTF-32BE" : "iconv -f UTF-32LE"));
  }
  const auto errors = read_lesson(
                          "lesson D\xE9"
                          "codeur\nabout l'\xE9t\xE9\n")
                          .errors;
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].line == 1);
  CHECK(contains(errors[0].problem, "2 lines are invalid; it is probably Latin-1 or Windows-1252"));
  CHECK(read_lesson("\xEF\xBB\xBF" + plain).lesson.title.plain == "From encoder to decoder");
}

TEST_CASE("a lesson is read whole") {
  const LessonFile file = read_lesson(kWhole);
  for (const LessonError& error : file.errors) FAIL_CHECK(error.line, ": ", error.problem);
  const Lesson& lesson = file.lesson;
  CHECK(lesson.title.plain == "From encoder to decoder");
  CHECK(lesson.title.in("fr") == "De l'encodeur au décodeur");
  CHECK(lesson.title.in("de") == "From encoder to decoder");
  CHECK(lesson.minutes == 6);
  CHECK(lesson.hidden == std::vector<std::string>{"train", "slider"});
  REQUIRE(lesson.pages.size() == 3);

  const LessonPage& first = lesson.pages[0];
  CHECK(first.texts.at(0).plain == "Each French row asks, each English column answers.");
  CHECK(first.notes.at(0).plain == "Ask for hands first.");
  CHECK(first.points.at(0).kind == "row");
  CHECK(first.points.at(0).value == "\"fille\"");
  const LessonQuestion& asked = *first.question;
  CHECK_FALSE(asked.does);
  CHECK(asked.kind == AnswerKind::number);
  CHECK(asked.tolerance == 0.01);
  CHECK(asked.text.in("fr") == "Quelle est la somme des poids de cette ligne ?");
  CHECK(asked.wrong_for.at("0").plain == "Not that little.");
  CHECK(asked.wrong_for.at("0").in("fr") == "Pas si peu.");
  CHECK(asked.wrong.in("fr") == asked.wrong.plain);

  const LessonQuestion& done = *lesson.pages[1].question;
  CHECK(done.does);
  CHECK(done.text.plain == "Écrivez boy : puis Entrée.");
  CHECK(lesson.pages[2].question->choices.at(1).in("fr") == "plus haut");
}

TEST_CASE("a page is set up by the head, the pages before it and itself") {
  const Lesson lesson = read_lesson(kWhole).lesson;
  const std::vector<SceneLine> second = lesson.scene_of(1);
  REQUIRE(second.size() == 4);
  CHECK(second[0].keyword == "model");
  CHECK(second[1].value == "the tired girl");
  CHECK(second[2].keyword == "head");
  CHECK(second[3].value == "the tired boy");
  CHECK(lesson.scene_of(0).size() == 3);
}

TEST_CASE("all that is wrong is told at once, each with its line") {
  CHECK(errors(with("ask To what", "aks To what")) ==
        std::vector<std::string>{"15: expected ask, got “aks”"});
  // What leans on a word that was written wrongly is in order; what else is wrong is reported beside it.
  CHECK(errors(with("ask To what", "aks To what", with("±0.01", "0.01"))) ==
        std::vector<std::string>{"15: expected ask, got “aks”",
                                 "17: expected “±” and a number from 0 on, got “0.01”"});
  CHECK(errors(with("page Rows", "pgae Rows")) == std::vector<std::string>{"9: expected page, got “pgae”"});
  CHECK(errors(with("ask To what", "xyzzy To what")).front() ==
        "15: expected a keyword such as page, text, ask or view, got “xyzzy”");
  CHECK(errors(with("minutes 6", "minutes six")) ==
        std::vector<std::string>{"4: expected a whole number from 1 on for minutes, got “six”"});
  CHECK(
      errors(with("slider\n", "lamp\n")) ==
      std::vector<std::string>{"5: expected train, slider, decoding, target, map or inspector, got “lamp”"});
  CHECK(errors(with("head 2", "head 0")) ==
        std::vector<std::string>{"10: expected a whole number from 1 on for head, got “0”"});
  CHECK(errors(with("point row", "point line")) ==
        std::vector<std::string>{"14: expected row, column, cell, block, head, chip or control, got “line”"});
  CHECK(errors(with("±0.01", "0.01")) ==
        std::vector<std::string>{"17: expected “±” and a number from 0 on, got “0.01”"});
  CHECK(errors(with("sum(weights", "sum weights")) ==
        std::vector<std::string>{
            "17: expected an operator or the end of the expression, got “weights[\"fille\", :])”"});
  CHECK(errors(with("{answer:.3}", "{answer:.3")) ==
        std::vector<std::string>{"19: expected “}”, got the end of the text"});
  CHECK(errors(with("lower | higher :", "lower :")) ==
        std::vector<std::string>{"29: expected two to eight choices, got 1",
                                 "30: expected 0 choices between bars, got 2"});
  CHECK(errors(with("answer number", "answer figure")) ==
        std::vector<std::string>{"17: expected cell, word, number or choice, got “figure”"});
  CHECK(errors("") == std::vector<std::string>{"1: expected lesson and a title, got none",
                                               "1: expected at least one page, got none"});
  CHECK(errors("lesson A\npage One\ntext One. Two. Three. Four.\n") ==
        std::vector<std::string>{"3: expected at most 3 sentences, got 4"});
  CHECK(errors("lesson A\npage One\nask What?\n") ==
        std::vector<std::string>{"3: expected answer behind this ask, got none"});
  CHECK(errors("lesson A\nlesson B\npage One\ntext Words.\n") ==
        std::vector<std::string>{"2: expected one lesson, got another"});
}

TEST_CASE("what a lecture shows is read with its translation, and what is revealed is a Scene line") {
  const std::string lecture =
      "panel one head\n"
      "lecture Each row is one whole.\n"
      "lecture.fr Chaque ligne est un tout.\n"
      "lecture-ask What is the sum?\n"
      "lecture-ask.fr Quelle est la somme ?\n"
      "reveal pin query \"fille\"\n"
      "reveal head 1\n";
  const LessonFile file = read_lesson(with("hint They are shares.\n", "hint They are shares.\n" + lecture));
  REQUIRE(file.errors.empty());
  const LessonPage& page = file.lesson.pages[0];
  REQUIRE(page.panel);
  CHECK(page.panel->value == "one-head");
  CHECK(page.lecture.in("fr") == "Chaque ligne est un tout.");
  CHECK(page.lecture_ask.in("en") == "What is the sum?");
  CHECK(page.lecture_ask.in("fr") == "Quelle est la somme ?");
  // Of this page, once it is answered: neither the page before that nor the next one is set up by it.
  CHECK(file.lesson.scene_of(0).size() + 2 == file.lesson.revealed_scene_of(0).size());
  CHECK(file.lesson.revealed_scene_of(0).back().value == "1");
  CHECK(file.lesson.revealed_scene_of(1).size() == file.lesson.scene_of(1).size());
  const auto problem = [](const std::string& line) {
    return errors(with("hint They are shares.", line)).front();
  };
  CHECK(problem("reveal girl") ==
        "22: expected model, source, target, step, view, kind, layer, head, pin, what-if, decode, compare, "
        "set, train or seed behind reveal, got “girl”");
  CHECK(problem("reveal head 0") == "22: expected a whole number from 1 on for head, got “0”");
  CHECK(problem("reveal train a --task copy") == "22: expected train in a reveal of a do, got one of an ask");
  CHECK(problem("lecture") == "22: expected a value behind lecture, got nothing");
  CHECK(problem("panel a\npanel b") == "23: expected one panel on a page, got another");
  CHECK(problem("lectrue Words.") == "22: expected lecture, got “lectrue”");
}

TEST_CASE("a page may let its view show parts alone; another view, or parts that it has not, is an error") {
  const auto file = [](const std::string& view, const std::string& line) {
    return "lesson A\nmodel reverse\nview " + view + "\npage One\ntext Words.\n" + line + "\n";
  };
  const LessonFile read = read_lesson(file("lookup", "show dots"));
  REQUIRE(read.errors.empty());
  REQUIRE(read.lesson.pages[0].shows);
  CHECK(read.lesson.pages[0].shows->value == "dots");
  CHECK(errors(file("lookup", "show dots\nshow weights")) ==
        std::vector<std::string>{"7: expected one show on a page, got another"});
  CHECK(errors(file("lookup", "show")) ==
        std::vector<std::string>{"6: expected a value behind show, got nothing"});
  CHECK(errors(file("lookup", "shwo dots")) == std::vector<std::string>{"6: expected show, got “shwo”"});

  LessonStage stage;
  const auto checked = [&](const std::string& text) {
    std::vector<std::string> all;
    for (const LessonError& each : answered(read_lesson(text), stage, "en", {}).errors)
      all.push_back(std::to_string(each.line) + ": " + each.problem);
    return all;
  };
  for (const char* const part : {"dots", "nearest", "weights", "slopes", "temperature"})
    CHECK(checked(file("lookup", std::string("show ") + part)).empty());
  CHECK(checked(file("lookup", "show dotz")) ==
        std::vector<std::string>{
            "6: expected show and dots, nearest, weights, slopes or temperature, as the view "
            "“lookup” has them, got “dotz”"});
  CHECK(checked(file("masks", "show dots")) ==
        std::vector<std::string>{"6: expected a view that can show less than all of it, got “masks”"});
}

TEST_CASE("slots are filled by what is computed") {
  const NameValues names = [](const std::string& before, const std::string& name) {
    if (before == "at" && name == "it") return one_number(0.0701);
    if (name == "it") return one_word("the");
    if (name == "answer") return one_word("girl");
    if (name == "loss") return one_number(1.15349);
    throw Mismatch("a name", name);
  };
  CHECK(filled("no slot", names) == "no slot");
  CHECK(filled("“{it}” gets {at it:%}, the others {1 - at it:.2}.", names) ==
        "“the” gets 7 %, the others 0.93.");
  CHECK(filled("{at it:.1%}", names) == "7.0 %");
  CHECK(filled("{loss:.3} or {loss}; {2 + 2}", names) == "1.153 or 1.153; 4");
  CHECK_THROWS_WITH_AS(filled("{it:.3}", names), "expected one number for “.”, got the word “the”", Mismatch);
}

TEST_CASE("no edit of a lesson ends its reader") {
  const std::string whole = kWhole;
  const std::string signs = "\n\t {}[]()\"#:|±.,aswp\xC3\xFF";
  std::mt19937 random(11);
  std::size_t with_errors = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string text = whole;
    for (int edits = 1 + i % 5; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text.erase(at, 1 + random() % 30);
          break;
        case 1:
          text.insert(at, 1, signs[random() % signs.size()]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
      }
    }
    const LessonFile file = read_lesson(text);
    with_errors += file.errors.empty() ? 0 : 1;
    for (std::size_t page = 0; page < file.lesson.pages.size(); ++page) file.lesson.scene_of(page);
    for (std::size_t e = 1; e < file.errors.size(); ++e)
      REQUIRE(file.errors[e - 1].line <= file.errors[e].line);
  }
  CHECK(with_errors > 3000);
}
