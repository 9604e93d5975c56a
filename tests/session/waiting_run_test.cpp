// A run that waits while another is prepared: it can be saved, gone back to, and is not offered once it was
// given up.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/session/paths.h"
#include "app/session/settings.h"
#include "tests/session/session_helpers.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

// More pairs than are made before the next frame.
NewRun long_preparation() {
  NewRun run = reverse_run();
  run.data.training.task = "sort";
  run.data.training.pairs = 300000;
  run.data.training.toy = {.length = 12, .symbols = 8};
  return run;
}

NewRun bad_run(const Home& home) {
  NewRun bad = reverse_run();
  bad.data.training = {.corpus = home.scratch.path("nowhere.tsv")};
  return bad;
}

}  // namespace

TEST_CASE("data that cannot be prepared leave the open run as it was") {
  const Home& home = home_of_test();
  Session session(nothing_open());
  train_for(session, 40);
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::paused; }));
  const long step = session.run().step;
  session.apply({bad_run(home)});
  CHECK(session.run().phase == RunPhase::preparing);
  REQUIRE(frames_until(session, [&] { return notice(session, Place::training) != nullptr; }));
  CHECK(notice(session, Place::training)->error);
  CHECK(notice(session, Place::training)->text.find("nowhere.tsv") != std::string::npos);
  CHECK(session.run().phase == RunPhase::paused);
  CHECK(session.run().step == step);
  CHECK(session.snapshot()->step == step);
  CHECK(session.run().history.size() > 3);
  CHECK(session.run().held_out.front().attempts.size() > 1);
  CHECK(session.recipe()->data.training.task == "reverse");

  session.apply({Train{}});
  CHECK(frames_until(session, [&] { return session.training() && session.run().step > step; }));
  CHECK(session.run().curves->steps.size() >= static_cast<size_t>(step));
  CHECK(fs::directory_iterator(runs_folder())->path().string() == session.open_folder());
}

TEST_CASE("a run that was training, and the variant beside it, go on when other data cannot be prepared") {
  const Home& home = home_of_test();
  Session session(nothing_open());
  const NewRun run = reverse_run();
  train_for(session, 5);
  session.apply({TrainVariant{{"Nothing", "the same", "The same curve.", run.config, run.training}}});
  REQUIRE(frames_until(session,
                       [&] { return !session.beside().empty() && session.beside().back()->run.step > 5; }));
  const long step = session.run().step, beside = session.beside().back()->run.step;
  session.apply({bad_run(home), Train{}});
  REQUIRE(frames_until(session, [&] { return session.run().step > step && session.training(); }));
  REQUIRE(frames_until(
      session, [&] { return !session.beside().empty() && session.beside().back()->run.step > beside; }));
  CHECK(notice(session, Place::training)->text.find("nowhere.tsv") != std::string::npos);
}

TEST_CASE("a run that has not begun is still there when other data cannot be prepared") {
  const Home& home = home_of_test();
  Session session(nothing_open());
  train_for(session, 5);
  session.apply({ResetTraining{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  session.apply({bad_run(home)});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  CHECK(session.run().step == 0);
  session.apply({TrainOneStep{}});
  CHECK(frames_until(session, [&] { return session.run().step == 1; }));
}

TEST_CASE("what waits behind a run that is being prepared is what a save writes") {
  const Home& home = home_of_test();
  Session session(nothing_open());
  train_for(session, 20);
  session.apply({long_preparation()});
  REQUIRE(session.run().phase == RunPhase::preparing);
  const std::string folder = home.scratch.path("copy");
  session.apply({SaveModel{folder}});
  CHECK(frames_until(session, [&] { return fs::exists(fs::path(folder) / "training.json"); }));
  session.apply({CancelPreparing{}});
  REQUIRE(frames_until(session, [&] { return session.training(); }));
}

TEST_CASE("who asks for the run that waits gets it back at once, still training") {
  Session session(nothing_open());
  train_for(session, 20);
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
  Session session(nothing_open());
  train_for(session, 5);
  const std::string folder = session.open_folder();
  REQUIRE(frames_until(session, [&] { return fs::exists(fs::path(folder) / "training.json"); }));
  session.apply({long_preparation(), DeleteRun{folder}});
  REQUIRE(frames_until(session, [&] { return !session.run_folder_change()->under_way; }));
  CHECK(session.run_folder_change()->problem.find("it is open") != std::string::npos);
  session.apply({CancelPreparing{}});
  CHECK(fs::exists(fs::path(folder) / "training.json"));
}

TEST_CASE("a variant that was ended by hand is not offered at the next start") {
  {
    Session session(nothing_open());
    const NewRun run = reverse_run();
    train_for(session, 5);
    session.apply({TrainVariant{{"Nothing", "the same", "", run.config, run.training}}});
    REQUIRE(
        frames_until(session, [&] { return !read_settings(settings_file()).unfinished_variants.empty(); }));
    session.apply({EndVariant{}});
    session.close();
  }
  CHECK(read_settings(settings_file()).unfinished_variants.empty());
  CHECK_FALSE(read_settings(settings_file()).unfinished_run.empty());
}
