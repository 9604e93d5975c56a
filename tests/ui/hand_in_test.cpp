// What is handed in after a lesson, and the class that is made of it.
#include "app/lessons/graded_hand_in.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "app/lessons/hand_in.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/taken_lesson.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/model/weights_file.h"
#include "tests/session/session_helpers.h"
#include "tests/source_folder.h"
#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

HandIn sample() {
  return {.student = "Zoë, 2b",
          .lesson = "Heads",
          .file = "09-heads.lesson",
          .lesson_hash = hash_digits(1),
          .model = "English → French",
          .model_hash = hash_digits(2),
          .program = "glassformer 0.1.0",
          .handed_in = "2026-11-26 14:30",
          .minutes = 7.25,
          .pages = {{.title = "Four views",
                     .question = "How many?",
                     .sentence = "the cat",
                     .given = "4",
                     .engine = "4.0",
                     .tries = 2,
                     .right = true},
                    {.title = "Mute one",
                     .question = "Which?",
                     .given = "1",
                     .engine = "3",
                     .tries = 1,
                     .shown = true}}};
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("what is handed in is read as it was written") {
  const HandIn read = hand_in_from_text(hand_in_text(sample()), "a");
  CHECK(hand_in_text(read) == hand_in_text(sample()));
  CHECK(read.pages.size() == 2);
  CHECK(read.right() == 1);
  CHECK(read.pages[1].shown);
}

TEST_CASE("a file that is none is refused in one sentence") {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      hand_in_from_text(text, "x.handin");
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  for (const char* text :
       {"", "{}", "[]", "null", "{\"glassformer_hand_in\": 3}", "{\"glassformer_hand_in\": \"1\"}"})
    CHECK_MESSAGE(problem(text).starts_with("x.handin: "), text);
  // Each entry missing, of another type, or the text cut short.
  const nlohmann::json whole = nlohmann::json::parse(hand_in_text(sample()));
  for (const auto& [key, value] : whole.items()) {
    nlohmann::json less = whole, other = whole;
    const std::string left_out = key;
    less.erase(key);
    other[key] = nlohmann::json::array({nlohmann::json::array()});
    CHECK_MESSAGE(problem(less.dump()).starts_with("x.handin: "), left_out);
    CHECK_MESSAGE(problem(other.dump()).starts_with("x.handin: "), left_out);
  }
  nlohmann::json many = whole;
  for (int i = 0; i < 300; ++i) many["pages"].push_back(whole["pages"][0]);
  CHECK(problem(many.dump()) == "x.handin: expected at most 200 pages");
  nlohmann::json tries = whole;
  tries["pages"][0]["tries"] = -1;
  CHECK(contains(problem(tries.dump()), "tries"));
  nlohmann::json minutes = whole;
  minutes["minutes"] = -0.5;
  CHECK(problem(minutes.dump()) == "x.handin: minutes: expected a number from 0 on, found -0.5");
  nlohmann::json name = whole;
  for (int i = 0; i < 200; ++i) name["student"] = i == 0 ? "é" : name["student"].get<std::string>() + "é";
  CHECK(problem(name.dump()) == "taken");
  name["student"] = name["student"].get<std::string>() + "é";
  CHECK(problem(name.dump()) == "x.handin: student: expected at most 200 letters, found 201");
  const std::string text = hand_in_text(sample());
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string broken = text;
    broken[random() % broken.size()] = static_cast<char>(random() % 256);
    if (i % 3 == 0) broken.resize(random() % broken.size());
    problem(broken);  // whatever it is: no crash
  }
}

TEST_CASE("a class is a row a file, and what looks like a formula is none") {
  HandIn second = sample();
  second.student = "=cmd()";
  second.pages.pop_back();
  const std::string table = class_table({{.handed = sample(), .file = "zoe.handin"}, {.handed = second}});
  std::istringstream lines(table);
  std::string head, first, other;
  std::getline(lines, head), std::getline(lines, first), std::getline(lines, other);
  CHECK(head.ends_with(",model hash,question 1,question 2"));
  CHECK(first.starts_with("\"Zoë, 2b\",Heads,1,2,1,3,"));
  CHECK(contains(first, ",not checked,zoe.handin,09-heads.lesson,"));
  CHECK(first.ends_with(",1,0"));
  CHECK(other.starts_with("'=cmd()"));
  CHECK(other.ends_with(",1,"));
  CHECK(std::ranges::count(table, '\n') == 3);
}

TEST_CASE("one file with many pages does not widen the table of a class") {
  HandIn stray = sample();
  stray.pages.resize(150, stray.pages.front());
  const std::string table = class_table({{.handed = sample()}, {.handed = stray}});
  CHECK_FALSE(contains(table, "question 20,"));
  CHECK_FALSE(contains(table, "question 21"));
  const std::string known = class_table(
      {{.handed = sample(), .file = "", .questions = 2}, {.handed = stray, .file = "", .questions = 2}});
  CHECK_FALSE(contains(known, "question 3"));
}

namespace {

constexpr const char* kGradedLesson =
    "lesson Graded\nmodel english-french\nsource the tired girl sees a red car\nview attention\n"
    "kind cross\nlayer 2\nhead 2\n"
    "page One\nask How many?\nanswer number ±0.5 : count(pieces)\n"
    "page Two\nask Which?\nanswer word : argmax(weights[0, :])\n"
    "page Three\nask Yes?\nanswer choice yes | no : if(loss > 0, \"yes\", \"no\")\n"
    "page Four\nsource from held-out\nask How many here?\nanswer number : count(pieces)\n";

// The lesson taken by Ada with what the engine gives; the last page with a wrong answer, then the right one.
HandIn taken_by_ada(const std::string& file, std::size_t pages = 4) {
  TakenLesson taken(lesson_of_file(file).lesson, "Ada", "");
  for (std::size_t page = 0; page < pages; ++page) {
    taken.turn_to(page);
    while (!taken.ready()) taken.take_staged();
    if (page == 3) taken.give("9999");
    taken.give(taken.answer());
  }
  HandIn handed = taken.hand_in();
  handed.file = std::filesystem::path(file).filename().string();
  handed.lesson_hash = hash_digits(text_hash(text_of(file)));
  handed.program = "glassformer";
  return handed;
}

}  // namespace

TEST_CASE("every answer of a hand-in is computed anew, and what does not hold is seen") {
  const Home& home = home_of_test();
  std::ofstream(home.scratch.path("graded.lesson"), std::ios::binary) << kGradedLesson;
  const HandIn honest = taken_by_ada(home.scratch.path("graded.lesson"));
  REQUIRE(honest.right() == 4);
  HandInGrader grader(home.scratch.path(""), "");
  const auto checked = [&](const HandIn& handed) {
    return std::string(
        checked_words(grader.graded(hand_in_from_text(hand_in_text(handed), "a"), "a").checked));
  };
  CHECK(checked(honest) == "yes");
  HandIn other = honest;
  other.pages[0].given = "9999";
  CHECK(checked(other) == "other answer");
  CHECK(grader.graded(other, "a").handed.right() == 3);
  other.pages[0].engine = "9999";
  CHECK(checked(other) == "other answer");
  other = honest;
  other.pages[1].right = false;
  CHECK(checked(other) == "other answer");
  other = honest;
  other.pages[2].given = "no";
  CHECK(checked(other) == "other answer");
  other = honest;
  other.pages[2].given.clear(), other.pages[2].tries = 0;
  CHECK(checked(other) == "other answer");
  other = honest;
  other.pages.pop_back();
  CHECK(checked(other) == "other answer");
  other = honest;
  other.student = "Ben";
  CHECK(checked(other) == "other name");
  other = honest;
  other.lesson_hash = hash_digits(3);
  CHECK(checked(other) == "other lesson");
  other.file = other.lesson = "never";
  CHECK(checked(other) == "not found");
  other = honest;
  other.model_hash = hash_digits(4);
  CHECK(checked(other) == "other model");
  other = honest;
  other.format = 1;
  CHECK(grader.graded(other, "a").checked == Checked::not_checked);
}

TEST_CASE("the answer of a page that trains holds within a tenth, and says that it was trained here") {
  const Home& home = home_of_test();
  const std::string file = home.scratch.path("trains.lesson");
  std::ofstream(file, std::ios::binary)
      << "lesson Trains\nmodel english-french\nsource the cat\nview attention\n"
         "page One\ntrain small --task reverse --preset nano --steps 3\n"
         "ask How large is the loss?\nanswer number ±0.5 : run small.loss\n";
  HandIn handed = taken_by_ada(file, 1);
  REQUIRE(handed.right() == 1);
  HandInGrader grader(home.scratch.path(""), "");
  CHECK(grader.graded(handed, "a").checked == Checked::trained_here);
  const double loss = std::stod(handed.pages[0].engine);
  handed.pages[0].engine = std::to_string(1.05 * loss);  // another processor's
  CHECK(grader.graded(handed, "a").checked == Checked::trained_here);
  handed.pages[0].engine = std::to_string(1.3 * loss);
  CHECK(grader.graded(handed, "a").checked == Checked::other_answer);
}

TEST_CASE("a hand-in made with another model is checked where that model is given, alone or among others") {
  const Home& home = home_of_test();
  const std::string own = model_folder(home.scratch), file = home.scratch.path("other.lesson");
  const std::string lines =
      "\nsource the cat\nview attention\npage One\nask How large?\nanswer number ±0.01 : loss\n";
  std::ofstream(file, std::ios::binary) << "lesson Other\nmodel " + own + lines;
  HandIn handed = taken_by_ada(file, 1);
  handed.model_hash = weights_fingerprint(load_snapshot(own));
  // As if the lesson had named the model that is here, and was taken with one's own.
  std::ofstream(file, std::ios::binary) << "lesson Other\nmodel english-french" + lines;
  handed.lesson_hash = hash_digits(text_hash(text_of(file)));
  const auto checked = [&](const std::string& models) {
    return HandInGrader(home.scratch.path(""), models).graded(handed, "a").checked;
  };
  CHECK(checked("") == Checked::other_model);
  CHECK(checked(own) == Checked::yes);
  CHECK(checked(std::filesystem::path(own).parent_path()) == Checked::yes);
  CHECK_THROWS_AS(checked(home.scratch.path("absent")), const Error&);
}

TEST_CASE("the list tells what was done, a lesson goes on where it was left, and is handed in") {
  const Home& home = home_of_test();
  SettledProgram program({.threads = 1});
  click(program, "Lessons");
  click(program, "All lessons");
  REQUIRE(program.visible("lesson 2"));
  CHECK(program.text("lesson 2 state").empty());
  REQUIRE(program.click("lesson 12"));
  REQUIRE(program.wait([&] { return !program.text("lesson question").empty(); }));
  CHECK_FALSE(program.visible("lesson 2"));
  const std::string pages = program.text("lesson page");
  const auto choice = [&]() -> std::string {
    for (const std::string& label : program.labels())
      if (label.starts_with("1  ")) return label;
    return {};
  };
  // A cell that can be wrong: of the page that asks for one.
  const std::string cell = "cross layer 2 head 1 query 6 key 0";
  const auto asks_cell = [&] {
    return contains(program.text("lesson question"), "Click its cell") && program.visible(cell);
  };
  // Numbers, words and cells are given up, of choices the first is taken and, where it is wrong, the answer.
  for (int page = 0; page < 10 && !program.visible("Hand in to"); ++page) {
    REQUIRE(program.wait([&] {
      return program.visible("Hand in to") || program.find("Next page")->enabled ||
             program.visible("Your answer") || !choice().empty() || asks_cell();
    }));
    if (!program.find("Next page")->enabled) {
      if (program.visible("Your answer")) {
        const bool word = program.text("lesson page").starts_with("Page 3 of ");
        REQUIRE(program.type("Your answer", word ? "the" : "-77777"));
        REQUIRE(program.click("Answer"));
      } else {
        CAPTURE(program.text("lesson question"));
        program.frame(40);  // the page's Scene is brought to the window, its pin last
        REQUIRE(program.settle());
        REQUIRE(program.click(asks_cell() ? cell : choice()));
        CHECK(program.wait([&] { return !program.text("lesson verdict").empty(); }));
      }
      program.frame(2);
      if (program.visible("Show the answer")) REQUIRE(program.click("Show the answer"));
      program.frame(2);
    }
    if (!program.find("Next page")->enabled) break;
    click(program, "Next page");
    REQUIRE(program.settle());
  }
  if (program.visible("Hand in to")) {
    REQUIRE(program.type("Your name", "Ada"));
    const std::string file = home.scratch.path("ada.handin");
    type(program, "Hand in to", file);
    click(program, "Hand in");
    CHECK(program.text("handed in").starts_with("Written: "));
    const HandIn handed = hand_in_from_text(text_of(file), "file");
    CHECK(handed.student == "Ada");
    CHECK(handed.file == "12-from-encoder-to-decoder.lesson");
    CHECK(handed.right() <= 1);
    CHECK(handed.model_hash.size() == 16);
    CHECK(handed.pages.size() ==
          lesson_of_file(source_folder() + "/assets/lessons/" + handed.file).lesson.pages.size());
    for (const HandedPage& page : handed.pages) CHECK(page.shown != page.right);
    for (const HandedPage& page : handed.pages) CHECK_FALSE(page.engine.empty());
    // Not over what is there.
    click(program, "Hand in");
    CHECK(contains(program.text("hand in problem"), "there is something of this name"));
    click(program, "Lessons");
    click(program, "All lessons");
    CHECK(program.text("lesson 12 state").starts_with("done, "));
  } else {
    FAIL_CHECK("the lesson was not finished: ", program.text("lesson page"), " of ", pages);
  }
}

TEST_CASE("a copy of a lesson is a teacher's own, read again when it is saved, with its errors told") {
  SettledProgram program({.threads = 1});
  click(program, "Lessons");
  click(program, "All lessons");
  click(program, "Copy this lesson");
  const std::filesystem::path copy = own_lessons() / "my-01-looking-things-up.lesson";
  REQUIRE(std::filesystem::exists(copy));
  CHECK(text_of(copy) == text_of(source_folder() + "/assets/lessons/01-looking-things-up.lesson"));
  const auto later = [&](double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 60); ++i) program.frame(1);
  };
  later(1.5);
  CHECK(program.visible("own lesson my-01-looking-things-up.lesson"));
  std::ofstream(copy, std::ios::binary) << "lesson Mine\n\npage One\ntext A.\naks What?\n";
  std::filesystem::last_write_time(copy,
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  later(1.5);
  CHECK(
      contains(program.text("errors of my-01-looking-things-up.lesson"), "line 5: expected ask, got “aks”"));
}

}  // namespace glassformer
