// The question that is asked of who leaves while a run cannot be saved.
#include <doctest/doctest.h>

#include "tests/session/unsaved_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("who leaves while a run cannot be saved is asked, and can try again or leave without") {
  BlockedRuns runs;
  OffscreenProgram program({.keep_runs = true, .threads = 1});
  Session& session = program.session();
  session.apply({short_run(20), Train{}});
  int failures = 0;  // before the end, as in train_to_the_end
  REQUIRE(program.wait(
      [&] {
        const std::vector<UnsavedRun> unsaved = session.unsaved();
        if (session.run().phase == RunPhase::paused && !unsaved.empty() &&
            unsaved[0].failed_saves > failures) {
          failures = unsaved[0].failed_saves;
          session.apply({Train{}});
        }
        return session.run().phase == RunPhase::stopped;
      },
      120));
  REQUIRE_FALSE(program.program().may_close());
  program.frame(2);
  CHECK(program.text("dialog") == "The run is not saved");
  CHECK(program.text("unsaved run").find("Trained to step 20") != std::string::npos);

  REQUIRE(program.click("Try again"));
  CHECK(program.program().wants_close());
  REQUIRE_FALSE(program.program().may_close());
  CHECK_FALSE(program.program().wants_close());
  program.frame(2);
  CHECK(program.text("unsaved run").find("failed " + std::to_string(failures + 3) + " times") !=
        std::string::npos);

  SUBCASE("there is room now") {
    runs.make_room();
    REQUIRE(program.click("Try again"));
    CHECK(program.program().wants_close());
    CHECK(program.program().may_close());
  }
  SUBCASE("another folder") {
    const ScratchFolder elsewhere;
    click(program, "Another folder…");
    REQUIRE(program.type("Folder or file", elsewhere.path("")));
    program.press(ui::Key::enter);
    REQUIRE(program.type("Name of the folder", "kept"));
    REQUIRE(program.click("Save the run"));
    CHECK(program.program().wants_close());
    CHECK(program.program().may_close());
    CHECK(step_on_disk(elsewhere.path("kept")) == 20);
  }
  SUBCASE("never mind") {
    REQUIRE(program.click("Close without saving"));
    CHECK(program.program().wants_close());
    CHECK(program.program().may_close());
    CHECK_FALSE(session.unsaved().empty());
  }
  SUBCASE("rather stay") {
    press(program, ui::Key::escape);
    CHECK_FALSE(program.visible("dialog"));
    CHECK_FALSE(program.program().wants_close());
  }
}

}  // namespace glassformer
