// Model, Try settings…: what varies is typed, trained in the background, and told of.
#include <doctest/doctest.h>

#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("settings are tried from the dialog") {
  OffscreenProgram program({.threads = 1});
  Session& session = program.session();
  session.apply({reverse_run()});
  REQUIRE(program.wait([&] { return session.run().phase == RunPhase::ready; }));
  apply(program, {OpenDialog{"trials"}});
  CHECK(program.text("dialog") == "Try settings");
  CHECK(program.text("trials note") == "Type what the setting is to be: 1, 2, 4.");
  type(program, "Values 1", "1, x");
  CHECK(program.text("trials note") == "--heads: expected a whole number, found \"x\"");
  CHECK_FALSE(program.click("Train them"));
  REQUIRE(program.type("Values 1", "1, 2"));
  REQUIRE(program.type("Seeds", "1"));
  type(program, "Steps", "6");
  CHECK(program.text("trials note").find("2 runs of 6 steps") == 0);
  click(program, "Train them");
  CHECK(session.trials().all == 2);
  CHECK(program.text("trials progress").find("1 of 2: heads 1, seed 1") == 0);
  REQUIRE(program.wait([&] { return !session.trials().under_way(); }));
  program.frame(2);
  CHECK(program.text("trials progress") == "All 2 runs are trained.");
}

}  // namespace glassformer
