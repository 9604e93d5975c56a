// The first lesson page by page: what its view shows so far, and what waits.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/widgets/explained_words.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/lookup_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer::lesson_parts_shown_test {
namespace {

// Words on the stage that are no plain English: each says under the mouse what it is.
std::set<std::string> field_words(OffscreenProgram& program) {
  std::set<std::string> words;
  for (const std::string& label : program.labels())
    if (label.starts_with("what is ")) words.insert(label.substr(8, label.find(" at ") - 8));
  return words;
}

void open_page(OffscreenProgram& program, int page) {
  if (page > 1) {
    if (program.visible("Go on without it"))
      REQUIRE(program.click("Go on without it"));
    else if (!program.find("Next page")->enabled)
      FAIL("the page is neither answered nor left");
    program.frame(3);
    REQUIRE(program.click("Next page"));
  }
  REQUIRE(
      program.wait([&] { return program.text("lesson page") == "Page " + std::to_string(page) + " of 6"; }));
  REQUIRE(program.wait([&] { return program.visible("lesson question"); }));
  REQUIRE(program.settle());
  program.frame(8);
}

void answer_page(OffscreenProgram& program, int page) {
  if (page == 1) REQUIRE(program.click("3  the guests at lunch"));
  if (page == 3) {
    REQUIRE(program.type("Your answer", "34"));
    program.press(ui::Key::enter);
  }
  program.frame(4);
}

bool shows(OffscreenProgram& program, const char* word) {
  return field_words(program).contains(word);
}

}  // namespace

TEST_CASE("lesson 1 shows six dots first, and each page what its text has introduced") {
  for (const Point size : {Point{1024, 768}, Point{1600, 1000}}) {
    renew_home();
    OffscreenProgram program({.size = size, .lesson = "1", .threads = 1});
    REQUIRE(program.settle());
    const std::set<std::string> none, argmax{"Q", "argmax"}, softmax{"Q", "argmax", "softmax", "weight"},
        slopes{"Q", "argmax", "softmax", "weight", "slope"}, words{"Q", "score", "weight"},
        warm{"Q", "argmax", "softmax", "weight", "slope", "temperature"};
    const std::array pages{none, argmax, softmax, slopes, warm, words};
    for (int page = 1; page <= 6; ++page) {
      CAPTURE(page);
      CAPTURE(size.x);
      open_page(program, page);
      CHECK(program.visible("Query") == (page < 6));
      CHECK(program.visible("facts chart") == (page < 6));
      CHECK(program.visible("fact coffee") == (page >= 3 && page < 6));
      CHECK(program.visible("Temperature") == (page == 5));
      for (const char* const control : {"Lookup", "Whose attention", "English sentence"})
        CHECK_FALSE(program.visible(control));
      CHECK(program.visible("Show all of it"));
      std::string found;
      for (const std::string& word : field_words(program)) found += word + " ";
      CAPTURE(found);
      CHECK(field_words(program) == pages[static_cast<std::size_t>(page - 1)]);
      answer_page(program, page);
    }
  }
}

TEST_CASE("the last page shows a score and a weight of each word, and what is behind them a click later") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  REQUIRE(program.settle());
  for (int page = 1; page <= 6; ++page) {
    open_page(program, page);
    if (page < 6) answer_page(program, page);
  }
  CHECK(program.text("lookup row") == "la");
  REQUIRE(program.click("Next word"));
  REQUIRE(program.settle());
  CHECK(program.text("lookup row") == "fille");
  CHECK(program.visible("lookup word 0"));
  CHECK_FALSE(program.visible("lookup key 0"));
  REQUIRE(program.click("Show all of it"));
  program.frame(4);
  for (const char* const shown : {"Lookup", "Whose attention", "English sentence", "Temperature"})
    CHECK(program.visible(shown));
  for (const char* const word : {"Q", "K", "V", "key", "value", "score", "softmax"})
    CHECK(shows(program, word));
}

TEST_CASE("at its end a lesson says what there was to learn, and Page Up leads to its last page") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  REQUIRE(program.settle());
  for (int page = 1; page <= 6; ++page) {
    open_page(program, page);
    if (page < 6) answer_page(program, page);
  }
  REQUIRE(program.type("Your answer", "tired"));
  program.press(ui::Key::enter);
  program.frame(4);
  program.press(ui::Key::page_down);
  REQUIRE(program.wait([&] { return program.visible("learned"); }));
  CHECK(program.text("learned").starts_with("To look up softly is to blend all facts"));
  program.press(ui::Key::page_up);
  program.frame(4);
  CHECK(program.text("lesson page") == "Page 6 of 6");
  CHECK_FALSE(program.visible("learned"));
}

TEST_CASE("the dots of the first page can be asked by hand, and nothing moves while that is done") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  REQUIRE(program.settle());
  open_page(program, 1);
  const Rect chart = program.find("facts chart")->rect;
  CHECK(program.program().shell().view()->traits().state.starts_with("facts, hour 11.0"));
  REQUIRE(program.click("facts chart"));  // at its middle
  program.frame(2);
  CHECK(program.program().shell().view()->traits().state.starts_with("facts, hour 15.0"));
  CHECK(program.find("facts chart")->rect == chart);
}

TEST_CASE("all of the view is one click away on its page, and outside of lessons it is whole") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  REQUIRE(program.settle());
  open_page(program, 1);
  REQUIRE(program.click("Show all of it"));
  program.frame(4);
  for (const char* const word : {"Q", "K", "V", "score", "softmax", "temperature"})
    CHECK(shows(program, word));
  for (const char* const control : {"Query", "Temperature", "Lookup", "English sentence", "fact coffee"})
    CHECK(program.visible(control));
  CHECK_FALSE(program.visible("Show all of it"));
  answer_page(program, 1);
  open_page(program, 2);
  CHECK_FALSE(shows(program, "softmax"));
  CHECK(program.visible("Show all of it"));
  REQUIRE(program.click("Leave the lesson"));
  REQUIRE(program.settle());
  program.program().shell().apply({OpenView{"lookup"}}, 0);
  program.frame(4);
  CHECK(program.visible("Lookup"));
  CHECK(shows(program, "softmax"));
}

TEST_CASE("words of the field have an explanation of one or two lines") {
  for (const char* const word : {"query", "key", "value", "score", "softmax", "argmax", "temperature",
                                 "slope", "gradient", "loss", "head", "<eos>"}) {
    CAPTURE(word);
    CHECK_FALSE(explained(word).empty());
    CHECK(std::ranges::count(explained(word), '\n') <= 1);
  }
  CHECK(explained("coffee").empty());
}

}  // namespace glassformer::lesson_parts_shown_test
