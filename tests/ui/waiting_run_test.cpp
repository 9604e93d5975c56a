// A run that waits while another is prepared: it can be saved, gone back to, and is not offered once it was
// let go of.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/session/paths.h"
#include "app/session/settings.h"
#include "tests/ui/session_helpers.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

SessionOptions no_model() {
  SessionOptions options;
  options.model = "/nowhere/at/all";
  options.threads = 1;
  return options;
}

void learn(Session& session, long steps) {
  session.apply({reverse_run(), Train{}});
  REQUIRE(frames_until(session, [&] { return session.training() && session.run().step >= steps; }));
}

// More pairs than are made before the next frame.
NewRun long_preparation() {
  NewRun run = reverse_run();
  run.data.training.task = "sort";
  run.data.training.pairs = 300000;
  run.data.training.toy = {.length = 12, .symbols = 8};
  return run;
}

}  // namespace

TEST_CASE("what waits behind a run that is being prepared is what a save writes") {
  const Home home;
  Session session(no_model());
  learn(session, 20);
  session.apply({long_preparation()});
  REQUIRE(session.run().phase == RunPhase::preparing);
  const std::string folder = home.scratch.path("copy");
  session.apply({SaveModel{folder}});
  CHECK(frames_until(session, [&] { return fs::exists(fs::path(folder) / "training.json"); }));
  session.apply({CancelPreparing{}});
  REQUIRE(frames_until(session, [&] { return session.training(); }));
}

TEST_CASE("who asks for the run that waits gets it back at once, still training") {
  const Home home;
  Session session(no_model());
  learn(session, 20);
  const std::string folder = session.open_folder();
  const long step = session.run().step;
  session.apply({long_preparation()});
  REQUIRE(session.run().phase == RunPhase::preparing);
  session.apply({ContinueRun{folder}});
  CHECK(session.run().step >= step);
  CHECK(session.recipe()->data.training.task == "reverse");
  CHECK(frames_until(session, [&] { return session.training() && session.run().step > step + 5; }));
}

TEST_CASE("the folder of what waits is not deleted") {
  const Home home;
  Session session(no_model());
  learn(session, 5);
  const std::string folder = session.open_folder();
  REQUIRE(frames_until(session, [&] { return fs::exists(fs::path(folder) / "training.json"); }));
  session.apply({long_preparation(), DeleteRun{folder}});
  REQUIRE(frames_until(session, [&] { return !session.run_folder_change()->under_way; }));
  CHECK(session.run_folder_change()->problem.find("it is open") != std::string::npos);
  session.apply({CancelPreparing{}});
  CHECK(fs::exists(fs::path(folder) / "training.json"));
}

TEST_CASE("a variant that was ended by hand is not offered at the next start") {
  const Home home;
  {
    Session session(no_model());
    const NewRun run = reverse_run();
    learn(session, 5);
    session.apply({TrainVariant{{"Nothing", "the same", "", run.config, run.training}}});
    REQUIRE(
        frames_until(session, [&] { return !read_settings(settings_file()).unfinished_variant.empty(); }));
    session.apply({EndVariant{}});
    session.close();
  }
  CHECK(read_settings(settings_file()).unfinished_variant.empty());
  CHECK_FALSE(read_settings(settings_file()).unfinished_run.empty());
}
