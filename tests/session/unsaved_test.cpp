// Runs that cannot be saved: they wait, it is said, and the person is asked.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "app/session/paths.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "tests/session/unsaved_helpers.h"

namespace glassformer {

namespace fs = std::filesystem;

TEST_CASE("a run that ends where it cannot be saved says so, waits, and is saved when there is room") {
  BlockedRuns runs;
  Session session(nothing_open());
  train_to_the_end(session, 20);
  const Notice* shown = notice(session, Place::training);
  REQUIRE(shown);
  CHECK(shown->error);
  CHECK(shown->text.find("not saved") != std::string::npos);
  REQUIRE(shown->command);
  CHECK(shown->command->get<OpenDialog>().name == "unsaved");
  REQUIRE(session.unsaved().size() == 1);
  CHECK(session.unsaved()[0].step == 20);
  CHECK(session.unsaved()[0].saved_step == 0);
  const int failed = session.unsaved()[0].failed_saves;
  CHECK_FALSE(session.finish_saving());
  CHECK(session.unsaved()[0].failed_saves > failed);

  runs.make_room();
  session.apply({SaveRuns{}});
  REQUIRE(frames_until(session, [&] { return session.unsaved().empty(); }));
  CHECK(session.run().saved_step == 20);
  CHECK(session.finish_saving());
  const std::string folder = session.open_folder();
  CHECK(session.close() == "");
  CHECK(step_on_disk(folder) == 20);
}

TEST_CASE("a run that cannot be saved moves to a folder that is free, and is kept there from then on") {
  BlockedRuns runs;
  const ScratchFolder elsewhere;
  fs::create_directories(elsewhere.path("mine"));
  std::ofstream(elsewhere.path("mine/letter.txt")) << "dear";
  Session session(nothing_open());
  train_to_the_end(session, 20);

  session.apply({KeepRunsIn{elsewhere.path("mine")}});
  REQUIRE(frames_until(session, [&] {
    return session.unsaved()[0].why.find("other things are kept there") != std::string::npos;
  }));
  CHECK(std::distance(fs::directory_iterator(elsewhere.path("mine")), {}) == 1);

  session.apply({KeepRunsIn{elsewhere.path("run")}});
  REQUIRE(frames_until(session, [&] { return session.unsaved().empty(); }));
  CHECK(session.open_folder() == elsewhere.path("run"));
  session.apply({TrainOneStep{}});
  REQUIRE(frames_until(session, [&] { return session.run().step == 21; }));
  CHECK(session.finish_saving());
  CHECK(session.close() == "");
  CHECK(step_on_disk(elsewhere.path("run")) == 21);
  CHECK(read_file(runs_folder().string()) == "in the way");
}

TEST_CASE("where an attempt was cut short it can be tried again, an older program's run with a letter not") {
  BlockedRuns runs;
  const ScratchFolder elsewhere;
  Session session(nothing_open());
  train_to_the_end(session, 20);
  {
    OwnedFolder begun(elsewhere.path("begun"));
    begun.write("last-20.weights.safetensors", "half");
  }
  const std::string older = elsewhere.path("older");
  std::filesystem::create_directories(older);
  elsewhere.write("older/training.json", R"({"program": "glassformer 0.0.1", "step": 3})");
  elsewhere.write("older/weights.safetensors", "weights");
  elsewhere.write("older/letter.txt", "dear");
  session.apply({KeepRunsIn{older}});
  REQUIRE(frames_until(session, [&] { return !session.unsaved()[0].not_moved.empty(); }));
  CHECK(read_file(older + "/weights.safetensors") == "weights");
  CHECK(std::distance(std::filesystem::directory_iterator(older), {}) == 3);

  session.apply({KeepRunsIn{elsewhere.path("begun")}});
  REQUIRE(frames_until(session, [&] { return session.unsaved().empty(); }));
  CHECK(session.close() == "");
  CHECK(step_on_disk(elsewhere.path("begun")) == 20);

  // The next start resumes in that folder, not in one of its own.
  SessionOptions options = nothing_open();
  Session next(options);
  next.apply({ContinueRun{elsewhere.path("begun")}});
  REQUIRE(frames_until(next, [&] { return next.run().step > 20; }));
  CHECK(next.finish_saving());
  CHECK(next.open_folder() == elsewhere.path("begun"));
}

TEST_CASE("a run that is left for another one and cannot be saved waits, too") {
  BlockedRuns runs;
  Session session(nothing_open());
  train_to_the_end(session, 20);
  const std::string left = session.open_folder();
  NewRun other = short_run(30);
  other.data.training.task = "copy";
  session.apply({other});
  REQUIRE(frames_until(session, [&] {
    return session.run().phase == RunPhase::ready && session.open_folder() != left &&
           !session.unsaved().empty();
  }));
  CHECK(session.unsaved()[0].folder == left);
  CHECK(session.unsaved()[0].step == 20);

  runs.make_room();
  session.apply({SaveRuns{}});
  REQUIRE(frames_until(session, [&] { return session.unsaved().empty(); }));
  CHECK(session.close() == "");
  CHECK(step_on_disk(left) == 20);
}

}  // namespace glassformer
