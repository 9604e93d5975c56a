// Reduced motion: offered in the window, and with it on nothing moves by itself in any view.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/views/view_table.h"
#include "tests/ui/small_program.h"

namespace glassformer::reduced_motion_test {

TEST_CASE("the View menu offers reduced motion, and says that it is on") {
  SmallProgram program({.size = {1440, 900}});
  CHECK_FALSE(program.session().settings().reduced_motion);
  REQUIRE(program.click("View"));
  REQUIRE(program.click("No motion"));
  CHECK(program.session().settings().reduced_motion);
  program.frame(2);
  CHECK(program.find("No motion")->selected);
  REQUIRE(program.click("No motion"));
  CHECK_FALSE(program.session().settings().reduced_motion);
}

TEST_CASE("with reduced motion no view moves by itself") {
  OffscreenProgram program({.size = {1440, 900}});
  program.session().settings().reduced_motion = true;
  begin_bundled(program);
  std::size_t compared = 0;
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(std::string(entry.name));
    program.program().shell().apply({OpenView{entry.name}}, 0);
    program.move({1, 1});
    REQUIRE(program.settle());
    // Numbers that arrive are no motion: it comes to rest as soon as they are all there.
    const bool rests = program.wait(
        [&] {
          const std::vector<Color> before = program.pixels(true);
          program.frame(90);
          return program.pixels(true) == before;
        },
        10);
    if (!rests && program.program().shell().view()->traits().busy) continue;
    ++compared;
    CHECK(rests);
  }
  CHECK(compared + 2 >= view_table().size());
}

TEST_CASE("with reduced motion what is played goes in few jumps") {
  OffscreenProgram program({.size = {1440, 900}, .view = "lookup"});
  begin_bundled(program);
  // From one place to the next, in hours.
  const auto jump = [&](bool reduced) {
    program.session().settings().reduced_motion = reduced;
    REQUIRE(program.click("Play: Lookup"));
    program.move({1, 1});
    const auto place = [&] { return std::stod(program.text("Query")); };
    const auto next = [&](double from) {
      REQUIRE(program.wait([&] { return place() != from; }));
      return place();
    };
    const double first = next(place()), second = next(first);
    REQUIRE(program.click("Pause: Lookup"));
    return std::abs(second - first);
  };
  CHECK(jump(false) == doctest::Approx(0.1));
  CHECK(jump(true) == doctest::Approx(1));
}

}  // namespace glassformer::reduced_motion_test
