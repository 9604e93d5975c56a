// A lesson taken in the window: answers judged, pages turned, the Scene brought up.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "app/lessons/given_answer.h"
#include "app/lessons/slots.h"
#include "app/lessons/taken_lesson.h"
#include "app/panels/lesson_card.h"
#include "app/reading/attention_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

LessonQuestion question(const std::string& lines) {
  const LessonFile file = read_lesson("lesson A\npage One\nask What?\n" + lines + "\n");
  for (const LessonError& error : file.errors) FAIL_CHECK(error.line, ": ", error.problem);
  return *file.lesson.pages.front().question;
}

bool right(const LessonQuestion& asked, const std::string& typed, const Value& answer) {
  return is_right(asked, given_answer(asked, typed, answer), answer);
}

bool set_up(TakenLesson& lesson) {
  for (int i = 0; i < 5000 && !lesson.ready() && lesson.problem().empty(); ++i) {
    lesson.take_staged();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return lesson.ready();
}

}  // namespace

TEST_CASE("a number is right within its tolerance, however people write it") {
  const LessonQuestion asked = question("answer number ±0.01 : 1");
  const Value answer = one_number(-1234.5);
  for (const char* typed : {"-1234.5", "−1234.5", "−1 234,5", " -1234,505 ", "-1.2345e3"})
    CHECK_MESSAGE(right(asked, typed, answer), typed);
  for (const char* typed : {"1234.5", "-1234.52", "0"})
    CHECK_FALSE_MESSAGE(right(asked, typed, answer), typed);
  for (const char* typed : {"", "abc", "1 2 x", "nan", "1,2,3"})
    CHECK_THROWS_AS(given_answer(asked, typed, answer), Mismatch);
}

TEST_CASE("a word is right where it stands, and one that stands nowhere is no answer") {
  const LessonQuestion asked = question("answer word : argmax(weights[0, :])");
  const Value answer = found_at(2, row_of({0.1, 0.2, 0.7, 0}, {.words = {"the", "cat", "Sees", "the"}}));
  CHECK(right(asked, "Sees", answer));
  CHECK(right(asked, " sees ", answer));
  CHECK_FALSE(right(asked, "the", answer));
  CHECK_THROWS_WITH_AS(given_answer(asked, "dog", answer),
                       "expected one of “the”, “cat”, “Sees”, “the”, got “dog”", Mismatch);
  // Heads are counted from 1.
  const Value head = found_at(1, row_of({1, 3, 2}, {.counted = true}));
  CHECK(right(asked, "2", head));
  CHECK_FALSE(right(asked, "1", head));
  // The signs round a token that is no word may be left out, and are not taken off where there is no pair.
  const Value token = found_at(0, row_of({1, 0, 0}, {.words = {"<bos>", "<", "bo"}}));
  for (const char* typed : {"<bos>", "bos", "BOS"}) CHECK_MESSAGE(right(asked, typed, token), typed);
  CHECK_FALSE(right(asked, "<", token));
  CHECK_THROWS_AS(given_answer(asked, "<bos", token), Mismatch);
  CHECK(right(question("answer word : reads[0]"), "eos", one_word("<eos>")));
  // The same word twice is the same answer.
  const Value last = found_at(3, row_of({0, 0, 0, 1}, {.words = {"the", "cat", "sees", "the"}}));
  CHECK(right(asked, "the", last));
}

TEST_CASE("a page waits for its answer, judges it in its own words, and keeps its mark") {
  const LessonFile file = read_lesson(
      "lesson A\nmodel reverse\nsource a b c\n"
      "page One\nask How many?\nanswer number : count(pieces)\nright Yes, {answer}.\nwrong No, {it} is not "
      "{answer}.\nwrong \"7\" Seven is for dwarfs.\n"
      "page Two\ntext Nothing is asked here, of {count(pieces)} pieces.\n"
      "page Three\ndo Turn it round. : output[0] = \"c\"\nright Now {output[0]} comes first.\n");
  REQUIRE(file.errors.empty());
  TakenLesson lesson(file.lesson, "", "");
  REQUIRE(set_up(lesson));
  CHECK_FALSE(lesson.may_continue());
  lesson.give("4");
  CHECK(lesson.mark().words == "No, 4 is not 3.");
  lesson.give("seven");
  CHECK(lesson.mark().trouble == "expected a number, got “seven”");
  CHECK(lesson.mark().tries == 1);
  lesson.give("7");
  CHECK(lesson.mark().words == "Seven is for dwarfs.");
  CHECK_FALSE(lesson.may_continue());
  lesson.give("3");
  CHECK(lesson.mark().right);
  CHECK(lesson.mark().tries == 3);
  CHECK(lesson.mark().words == "Yes, 3.");
  REQUIRE(lesson.may_continue());
  lesson.turn_to(1);
  REQUIRE(set_up(lesson));
  CHECK(lesson.may_continue());
  CHECK(lesson.text(lesson.page().texts.front()) == "Nothing is asked here, of 3 pieces.");
  lesson.turn_to(2);
  REQUIRE(set_up(lesson));
  CHECK_FALSE(lesson.may_continue());
  const ViewInput input = lesson.staged().input();
  REQUIRE(shown(lesson_value({.input = input}, "", "output")).starts_with("c"));
  lesson.look({.input = input});
  CHECK(lesson.mark().right);
  CHECK(lesson.mark().words == "Now c comes first.");
  lesson.turn_to(0);
  CHECK(lesson.mark().right);
}

TEST_CASE("the answer that was asked for does not count as right") {
  const LessonFile file = read_lesson(
      "lesson A\nmodel reverse\nsource a b c\npage One\nask How many?\nanswer number : count(pieces)\n");
  TakenLesson lesson(file.lesson, "", "");
  REQUIRE(set_up(lesson));
  lesson.give("5");
  lesson.show_answer();
  CHECK(lesson.mark().given == "3");
  CHECK(lesson.may_continue());
  CHECK_FALSE(lesson.mark().right);
  lesson.give("3");
  CHECK_FALSE(lesson.mark().right);
}

TEST_CASE("no picture of attention tells a row that is asked for") {
  SampleScene scene = make_sample_scene();
  scene.pin({.kind = AttentionKind::cross, .layer = 1, .head = 1, .query = 2});
  ViewInput input = scene.input();
  input.covered = CoveredRow{AttentionKind::cross, 1, 1, 2};
  const AttentionTable covered = shown_attention(input, AttentionKind::cross, 1, 1, 0),
                       mean = shown_attention(input, AttentionKind::cross, 1, -1, 0),
                       other = shown_attention(input, AttentionKind::cross, 1, 2, 0);
  for (int key = 0; key < covered.columns; ++key) {
    CHECK(covered.is_hidden(2, key));
    CHECK(mean.is_hidden(2, key));
    CHECK_FALSE(other.is_hidden(2, key));
    CHECK_FALSE(covered.is_hidden(1, key));
  }
  for (const Point size : {Point{1000, 700}, Point{560, 420}}) {
    const RecordingCanvas canvas = picture_of(*make_view("attention"), input, {0, 0, size.x, size.y});
    CHECK(canvas.find("0.000") == nullptr);
    CHECK(canvas.find("Row sum 0.000") == nullptr);
  }
}

TEST_CASE("a lesson brings the window to its Scene, takes answers, and is left") {
  SettledProgram program({.threads = 1});
  const auto lesson_line = [&]() -> std::string {
    for (const std::string& label : program.labels())
      if (contains(label, "From encoder to decoder")) return label;
    return {};
  };
  click(program, "Lessons");
  REQUIRE(!lesson_line().empty());
  REQUIRE(program.click(lesson_line()));
  REQUIRE(program.wait([&] { return !program.text("lesson question").empty(); }));
  CHECK(program.text("lesson page") == "Page 1 of 6");
  REQUIRE(program.wait(
      [&] { return program.session().scene().sentences.front().source == "the tired girl sees a red car"; }));
  REQUIRE(program.settle());
  CHECK_FALSE(program.find("Next page")->enabled);
  REQUIRE(program.type("Your answer", "1"));
  click(program, "Answer");
  CHECK(program.text("lesson verdict") == "Not 1");
  click(program, "Show the answer");
  CHECK(program.text("lesson verdict").starts_with("The engine gives "));
  REQUIRE(program.click("Next page"));
  REQUIRE(program.wait([&] { return program.text("lesson page") == "Page 2 of 6"; }));
  REQUIRE(program.wait([&] { return program.visible("Your answer"); }));
  REQUIRE(program.type("Your answer", "1"));
  click(program, "Answer");
  CHECK(program.text("lesson verdict") == "Right: 1");

  // A word is answered by a click into its row.
  REQUIRE(program.click("Next page"));
  REQUIRE(program.wait(
      [&] { return program.text("lesson page") == "Page 3 of 6" && program.visible("Your answer"); }));
  REQUIRE(program.settle());
  CHECK(program.program().shell().open_view() == "attention");
  CHECK(program.visible("covered: row"));
  CHECK(program.visible("pointed at: row"));
  click(program, "cross layer 2 head 1 query 2 key 1");
  CHECK(program.text("lesson verdict") == "Right: “tired”");
  CHECK(program.text("lesson answer").find("“tired” gets ") == 0);
  CHECK_FALSE(program.visible("covered: row"));

  // The page after it mutes a head.
  REQUIRE(program.click("Next page"));
  REQUIRE(program.wait([&] { return !program.session().scene().what_if.empty(); }));
  // The card has the keyboard: digits are its choices, not heads; after a click on the stage they are heads.
  REQUIRE(program.wait([&] { return program.visible("1  yes"); }));
  REQUIRE(program.settle());
  const int head = program.session().pinned().head;
  program.press('9');
  press(program, '2');
  CHECK(program.session().pinned().head == head);
  CHECK(program.text("lesson verdict") == "Not “no”");
  press(program, ui::Key::escape);
  press(program, '2');
  CHECK(program.session().pinned().head == 1);
  REQUIRE(program.click("Lesson card"));
  press(program, '1');
  CHECK(program.text("lesson verdict") == "Right: “yes”");
  CHECK(program.session().pinned().head == 1);
  click(program, "Right column: Inspector");
  CHECK(program.text("lesson page").empty());
  click(program, "Right column: Lesson");
  click(program, "Français");
  CHECK(program.text("lesson heading") == "Enlevez une tête");
  CHECK(program.text("lesson verdict") == "Juste : « oui »");
  CHECK(program.text("lesson page") == "Page 4 sur 6");
  CHECK(program.visible("Right column: Inspecteur"));
  click(program, "Leave the lesson");
  CHECK(program.text("lesson page").empty());
}

TEST_CASE("a lesson goes on with the answers it was left with, and the own sentence comes back next time") {
  const auto open_page = [](OffscreenProgram& program, const std::string& page) {
    return program.wait(
        [&] { return program.text("lesson page") == page && program.visible("lesson question"); });
  };
  const auto take_lesson_12 = [](OffscreenProgram& program) {
    press(program, 'l');
    REQUIRE(program.find("lesson 1")->focused);
    for (int i = 0; i < 11; ++i) {
      press(program, ui::Key::down);
    }
    REQUIRE(program.find("lesson 12")->focused);
    program.press(ui::Key::enter);
  };
  {
    SettledProgram program({.keep_settings = true, .threads = 1});
    REQUIRE(program.type("English sentence", "the boy likes the dog"));
    program.press(ui::Key::enter);
    program.press(ui::Key::escape);
    REQUIRE(program.settle());
    take_lesson_12(program);
    REQUIRE(open_page(program, "Page 1 of 6"));
    REQUIRE(program.wait([&] { return program.visible("Your answer"); }));
    REQUIRE(program.type("Your answer", "7"));
    click(program, "Answer");
    click(program, "Show the answer");
    program.press(ui::Key::page_down);
    REQUIRE(open_page(program, "Page 2 of 6"));
    REQUIRE(program.settle());
  }
  SettledProgram program({.keep_settings = true, .threads = 1});
  CHECK(program.session().scene().sentences.front().source == "the boy likes the dog");
  take_lesson_12(program);
  REQUIRE(open_page(program, "Page 2 of 6"));
  program.press(ui::Key::page_up);
  REQUIRE(open_page(program, "Page 1 of 6"));
  program.frame(3);
  CHECK(program.text("lesson verdict").starts_with("The engine gives "));
}

TEST_CASE("what is no answer is told in the language of the lesson") {
  CHECK(lesson_trouble("expected a number, got “abc”", "fr") == "Il faut un nombre ; reçu : “abc”.");
  CHECK(lesson_trouble("expected one of the, cat, got “dog”", "fr") ==
        "Il faut l’un de ces mots : the, cat ; reçu : “dog”.");
  CHECK(lesson_trouble("expected an answer, got nothing", "fr") == "Il faut une réponse ; reçu : rien.");
  CHECK(lesson_trouble("expected a number, got “abc”", "en") == "expected a number, got “abc”");
  CHECK(lesson_trouble("no file", "fr") == "no file");
}

}  // namespace glassformer
