// Between a wish to pause and the end of the step that is under way.
#include <doctest/doctest.h>

#include "tests/session/session_helpers.h"

using namespace glassformer;

namespace pausing_test {
namespace {

SessionOptions alone() {
  SessionOptions options;
  options.model = "/nowhere/at/all";
  options.threads = 1;
  options.keep_settings = options.keep_runs = false;
  return options;
}

}  // namespace

TEST_CASE("a run that is asked to pause is said to be pausing until it has, and not when it goes on") {
  Session session(alone());
  train_for(session, 2);
  CHECK_FALSE(session.pausing());
  session.apply({PauseTraining{}});
  CHECK(session.pausing() == session.training());
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::paused; }));
  session.begin_frame();
  CHECK_FALSE(session.pausing());
  session.apply({Train{}});
  REQUIRE(frames_until(session, [&] { return session.training(); }));
  CHECK_FALSE(session.pausing());
  session.apply({PauseTraining{}, Train{}});
  CHECK_FALSE(session.pausing());
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return !session.training(); }));
}

}  // namespace pausing_test
