// A homework from the first screen to its report: train, see which heads can go, hand in.
#include <doctest/doctest.h>

#include <filesystem>

#include "engine/files/read_file.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace homework_test {
namespace {

// A press of mouse or key outside a field is one, one typed text is one, waiting none.
struct Counted {
  OffscreenProgram& program;
  int presses = 0;

  void click(const std::string& label) {
    CAPTURE(label);
    ++presses;
    glassformer::click(program, label);
  }
  void press(ui::Key key) {
    ++presses;
    glassformer::press(program, key);
  }
  void type(const std::string& field, const std::string& text) {
    CAPTURE(field);
    ++presses;
    glassformer::type(program, field, text);
  }
};

}  // namespace

TEST_CASE("training add, which of its heads can go and a report of it take at most twelve presses") {
  const Home& home = home_of_test();
  setenv("HOME", home.scratch.path("").c_str(), 1);
  OffscreenProgram program({.quiet = true, .keep_runs = true, .threads = 1});
  settle(program);
  Counted hand{program};
  hand.click("File");
  hand.click("New model…");
  hand.click("Learns from");
  hand.click("Task: add");
  // The usual size has two layers a side and four heads; fewer steps than usual, for this test alone.
  hand.click("Every option…");
  CHECK(program.text("Encoder layers") == "2");
  CHECK(program.text("Decoder layers") == "2");
  CHECK(program.text("Heads") == "4");
  hand.type("Steps (0: no end)", "60");
  hand.click("Train it");
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::stopped; }, 120));
  REQUIRE(program.settle());
  hand.press(ui::Key::find);
  hand.type("Find", "head rep");
  hand.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.find("All columns").has_value(); }, 240));
  hand.press(ui::Key::report);
  hand.click("Write the report");
  REQUIRE(program.wait([&] { return !program.text("report done").empty(); }, 240));
  CHECK(hand.presses <= 12);
  const std::string folder = home.scratch.path("report");
  const std::string page = read_file(folder + "/report.md");
  CHECK(page.find("24 heads") != std::string::npos);  // which of them can go
  const std::string numbers = read_file(folder + "/numbers/1-heads.csv");
  CHECK(numbers.find("cross 1, head 1") != std::string::npos);
}

}  // namespace homework_test
