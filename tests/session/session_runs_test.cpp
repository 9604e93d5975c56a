// Runs over several starts of the program: what is kept, offered and resumed.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "app/session/model_list.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

std::string only_run() {
  if (!fs::exists(runs_folder())) return {};
  for (const auto& entry : fs::directory_iterator(runs_folder())) return entry.path().string();
  return {};
}

}  // namespace

TEST_CASE("a run that closing interrupted is offered at the next start and goes on from there") {
  long closed_at = 0;
  {
    Session session(nothing_open());
    train_for(session, 30);
    CHECK(session.keeps_run());
    closed_at = session.run().step;
    CHECK(session.close() == "");
  }
  const std::string folder = only_run();
  REQUIRE_FALSE(folder.empty());
  {
    Session session(nothing_open());
    const Notice* offer = notice(session, Place::training);
    REQUIRE(offer);
    CHECK(offer->text.find(run_in_words(fs::path(folder).filename().string())) != std::string::npos);
    CHECK(offer->action == "Go on with it");
    REQUIRE(offer->command);
    session.apply({*offer->command});
    session.dismiss(Place::training);
    REQUIRE(frames_until(session, [&] { return session.training() && session.run().step > closed_at; }));
    CHECK(session.run().curves->steps.size() > static_cast<size_t>(closed_at));
    CHECK(session.model()->folder == folder);
  }
  // It was resumed in its own folder.
  CHECK(std::distance(fs::directory_iterator(runs_folder()), {}) == 1);
}

TEST_CASE("a run is kept soon after its start and noted in the settings, so that a kill finds both") {
  Session session(nothing_open());
  train_for(session, 5);
  REQUIRE(frames_until(session, [&] {
    const std::string folder = only_run();
    return !folder.empty() && fs::exists(fs::path(folder) / "training.json") &&
           read_settings(settings_file()).unfinished_run == folder;
  }));
  CHECK(session.training());
}

TEST_CASE("who opens something else is told of the training that it ends, and can go back to it") {
  Session session(nothing_open());
  train_for(session, 5);
  const std::string folder = session.open_folder();
  NewRun other = reverse_run();
  other.data.training.task = "copy";
  session.apply({other});
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text.find("was stopped") != std::string::npos);
  const Command back = *notice(session, Place::training)->command;
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  CHECK(session.open_folder() != folder);
  session.apply({back});
  CHECK(frames_until(session, [&] { return session.training() && session.open_folder() == folder; }));
}

TEST_CASE("a variant that went on alone is offered after a kill") {
  std::string folder;
  {
    Session session(nothing_open());
    NewRun run = reverse_run();
    run.training.steps = 20;
    session.apply({run, Train{}});
    REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::stopped; }));
    session.apply({TrainVariant{{"Steps", "more", "", run.config, reverse_run().training}}});
    REQUIRE(frames_until(session, [&] {
      const std::vector<std::string> variants = read_settings(settings_file()).unfinished_variants;
      folder = variants.empty() ? "" : variants.front();
      return !folder.empty() && fs::exists(fs::path(folder) / "training.json");
    }));
    CHECK(read_settings(settings_file()).unfinished_run.empty());
  }
  Session session(nothing_open());
  REQUIRE(notice(session, Place::training));
  session.apply({*notice(session, Place::training)->command});
  CHECK(frames_until(session, [&] { return session.training() && session.open_folder() == folder; }));
}

TEST_CASE("a run that diverges waits with its last good weights, says why, and goes on with all its curves") {
  Session session(nothing_open());
  train_for(session, 40);
  session.apply({SetLearning{.rate_scale = 1e6, .clip = 0}});
  REQUIRE(frames_until(session, [&] { return session.run().diverged; }));
  CHECK(session.run().phase == RunPhase::paused);
  const long step = session.run().step;
  CHECK(session.snapshot()->step < step);
  REQUIRE(notice(session, Place::training));
  const Notice shown = *notice(session, Place::training);
  CHECK(shown.error);
  CHECK(shown.text.find("diverged") != std::string::npos);
  REQUIRE(shown.command);
  session.apply({*shown.command});
  REQUIRE(frames_until(session, [&] { return session.run().step > step; }));
  CHECK_FALSE(session.run().diverged);
  CHECK(session.run().live.rate_scale <= 0.5);
  CHECK(session.run().curves->steps.size() > static_cast<size_t>(step));
  CHECK(session.run().curves->steps[30].learning_rate > 0);
}

TEST_CASE("a run begins again by another schedule") {
  Session session(nothing_open());
  train_for(session, 5);
  session.apply({ResetTraining{.schedule = Schedule{.kind = ScheduleKind::constant, .peak = 0.002}}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  CHECK(session.run().options.schedule == "constant");
  session.apply({TrainOneStep{}});
  REQUIRE(frames_until(session, [&] { return session.run().step == 1; }));
  CHECK(session.run().curves->steps[0].learning_rate == 0.002f);
}

TEST_CASE("a run that came to its end is not offered again") {
  {
    Session session(nothing_open());
    NewRun run = reverse_run();
    run.training.steps = 40;
    session.apply({run, Train{}});
    REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::stopped; }));
  }
  const Session session(nothing_open());
  CHECK(notice(session, Place::training) == nullptr);
}

TEST_CASE("a run that another window trains is neither offered nor gone on with") {
  Session first(nothing_open());
  train_for(first, 5);
  REQUIRE(frames_until(first, [&] {
    return !read_settings(settings_file()).unfinished_run.empty() &&
           fs::exists(fs::path(only_run()) / "training.json");
  }));
  const std::string folder = only_run();
  Session second(nothing_open());
  CHECK(notice(second, Place::training) == nullptr);
  second.apply({ContinueRun{folder}});
  REQUIRE(frames_until(second, [&] {
    const Notice* shown = notice(second, Place::training);
    return shown && shown->error;
  }));
  CHECK(second.run().phase == RunPhase::none);
  CHECK(notice(second, Place::training)->text.find("another window") != std::string::npos);
  CHECK(first.training());

  // Once the other window has closed it, Train resumes it.
  first.close();
  second.apply({Train{}});
  REQUIRE(frames_until(second, [&] { return second.training(); }));
  CHECK(second.run().step >= 5);
}

TEST_CASE("settings are written while the program runs, and what another window wrote stays") {
  Session session(nothing_open());
  Session other(nothing_open());
  session.settings().dark = true;
  other.settings().last_folder = "/somewhere";
  REQUIRE(frames_until(session, [&] { return read_settings(settings_file()).dark; }));
  REQUIRE(frames_until(other, [&] { return read_settings(settings_file()).last_folder == "/somewhere"; }));
  CHECK(read_settings(settings_file()).dark);
}

TEST_CASE("saving over a model asks, replaces it whole, and refuses other people's things") {
  const Home& home = home_of_test();
  Session session(nothing_open());
  train_for(session, 5);
  const std::string folder = home.scratch.path("mine");
  session.apply({SaveModel{.folder = folder}});
  const auto said = [&](const std::string& words) {
    return frames_until(session, [&] {
      const Notice* found = notice(session, Place::model);
      return found && found->text.find(words) != std::string::npos;
    });
  };
  REQUIRE(said("Saved to " + folder));
  CHECK(fs::exists(folder + "/training.json"));

  fs::remove(home.scratch.path("mine") + "/weights.safetensors");
  session.apply({SaveModel{.folder = folder}});
  REQUIRE(said("a model already"));
  CHECK_FALSE(fs::exists(folder + "/weights.safetensors"));
  REQUIRE(notice(session, Place::model)->command);
  const Command replace = *notice(session, Place::model)->command;
  session.apply({replace});
  REQUIRE(said("Saved to " + folder));
  CHECK(fs::exists(folder + "/weights.safetensors"));
  for (const auto& entry : fs::directory_iterator(home.scratch.path(".")))
    CHECK(entry.path().string().find(".writing-") == std::string::npos);

  write_atomically(folder + "/thesis.txt", "do not lose me");
  session.apply({SaveModel{.folder = folder, .replace = true}});
  REQUIRE(said("other things"));
  CHECK(read_file(folder + "/thesis.txt") == "do not lose me");
}

TEST_CASE("a model that is saved elsewhere keeps the record of its training, at the step that is saved") {
  const Home& home = home_of_test();
  SessionOptions options;
  options.model = program_file("models/reverse").string();
  options.threads = 1;
  Session session(options);
  REQUIRE(frames_until(session, [&] { return session.result() != nullptr; }));
  const OpenedModel& open = *session.model();
  const auto saved = [&](const std::string& name) {
    const std::string folder = home.scratch.path(name);
    session.apply({SaveModel{.folder = folder}});
    REQUIRE(frames_until(session, [&] {
      const Notice* found = notice(session, Place::model);
      return found && found->text.find("Saved to " + folder) != std::string::npos;
    }));
    return open_model(folder);
  };
  const OpenedModel newest = saved("newest");
  CHECK(newest.snapshot.step == open.snapshot.step);
  CHECK(newest.data == open.data);
  REQUIRE(newest.curves);
  CHECK(newest.curves->steps.size() == open.curves->steps.size());
  CHECK(newest.held_out.size() == open.held_out.size());
  CHECK_FALSE(newest.resumable);  // the state of the training stays where it was

  const long earlier = open.history[open.history.size() / 2]->step();
  REQUIRE(earlier != open.snapshot.step);
  session.apply({ShowStep{earlier}});
  REQUIRE(frames_until(session, [&] { return session.result()->snapshot->step == earlier; }));
  const OpenedModel back = saved("earlier");
  CHECK(back.snapshot.step == earlier);
  CHECK(back.data == open.data);
  CHECK(back.examples.size() == open.examples.size());
}

TEST_CASE("runs are listed with what they learned from, how far they came, and when") {
  const Home& home = home_of_test();
  {
    Session session(nothing_open());
    train_for(session, 20);
  }
  const std::vector<ListedModel> listed = list_models(runs_folder(), {home.scratch.path("gone")});
  REQUIRE_FALSE(listed.empty());
  CHECK(listed.front().kind == ListedModel::Kind::run);
  CHECK(listed.front().folder == only_run());
  CHECK(listed.front().name == "Task: reverse");
  CHECK(listed.front().details.starts_with("task reverse · step "));
  CHECK(listed.front().date.find(" 20") != std::string::npos);
  for (const ListedModel& model : listed) CHECK(model.folder != home.scratch.path("gone"));
}

TEST_CASE("a model without a run that replaces one leaves nothing of the old run behind") {
  const Home& home = home_of_test();
  const std::string folder = home.scratch.path("mine");
  {
    Session session(nothing_open());
    train_for(session, 5);
    session.apply({SaveModel{.folder = folder}});
    REQUIRE(frames_until(session, [&] { return fs::exists(folder + "/training.json"); }));
  }
  Session session(nothing_open());  // the bundled model opens when the one that was asked for is not there
  REQUIRE(frames_until(session, [&] { return session.model() != nullptr; }));
  session.apply({SaveModel{.folder = folder, .replace = true}});
  REQUIRE(frames_until(session, [&] {
    const Notice* found = notice(session, Place::model);
    return found && found->text == "Saved to " + folder + ".";
  }));
  CHECK(open_model(folder).data == session.model()->data);
  CHECK(fs::exists(folder + "/weights.safetensors"));
  for (const auto& entry : fs::directory_iterator(folder))
    CHECK_FALSE(entry.path().filename().string().starts_with("last-"));
}

TEST_CASE("a copy that was asked for is written when the window closes at once") {
  const Home& home = home_of_test();
  const std::string folder = home.scratch.path("mine");
  Session session(nothing_open());
  train_for(session, 5);
  session.apply({SaveModel{.folder = folder}});
  CHECK(session.close() == "");
  CHECK(fs::exists(folder + "/weights.safetensors"));
  CHECK(fs::exists(folder + "/training.json"));  // by the run, with the state to resume from
}

TEST_CASE("closing tells of every copy that could not be written") {
  const Home& home = home_of_test();
  const std::string theirs = home.scratch.path("thesis"), mine = home.scratch.path("mine");
  fs::create_directories(theirs);
  write_atomically(theirs + "/thesis.txt", "do not lose me");
  Session session(nothing_open());
  train_for(session, 5);
  session.apply({SaveModel{.folder = mine}});
  REQUIRE(frames_until(session, [&] { return fs::exists(mine + "/training.json"); }));
  session.apply({SaveModel{.folder = theirs}, SaveModel{.folder = mine}});
  const std::string problem = session.close();
  CHECK(problem.find(theirs + ": ") != std::string::npos);
  CHECK(problem.find(mine + " holds a model already") != std::string::npos);
}

TEST_CASE("a run that is opened anew while it is prepared waits for itself") {
  {
    Session session(nothing_open());
    NewRun run = reverse_run();
    run.config = with_preset(run.config, preset("small"));  // reading it back takes a while
    session.apply({run, TrainOneStep{}});
    REQUIRE(frames_until(session, [&] { return session.run().step == 1; }));
  }
  const std::string folder = only_run();
  Session session(nothing_open());
  for (int times = 0; times < 3; ++times) {
    session.apply({ContinueRun{folder}});
    REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::preparing; }));
    session.apply({ContinueRun{folder}});
    bool asked = false;  // once a run: each pause copies the weights
    REQUIRE(frames_until(session, [&] {
      const RunPhase phase = session.run().phase;
      if (phase == RunPhase::training && !asked) session.apply({PauseTraining{}});
      asked = phase == RunPhase::training;
      return !session.working() && (phase == RunPhase::paused || phase == RunPhase::stopped);
    }));
    CHECK(session.run().phase == RunPhase::paused);
    CHECK(session.run().message == "");
  }
}

TEST_CASE("moments come with the newest weights while a view wants them, and whenever the run stands still") {
  SessionOptions options{.keep_settings = false, .keep_runs = false};
  Session session(std::move(options));
  session.apply({WantMoments{true}, reverse_run(), Train{}});
  REQUIRE(frames_until(session, [&] { return session.run().step > 2; }));
  CHECK(session.snapshot()->first_moment);
  session.apply({WantMoments{false}});
  REQUIRE(frames_until(session, [&] { return !session.snapshot()->first_moment; }));
  session.apply({WantMoments{true}});
  REQUIRE(frames_until(session, [&] { return session.snapshot()->first_moment != nullptr; }));
  CHECK(session.training());
  CHECK(session.snapshot()->gradients);
  CHECK(session.snapshot()->second_moment);
  session.apply({WantMoments{false}});
  REQUIRE(frames_until(session, [&] { return !session.snapshot()->first_moment; }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return !session.training() && session.snapshot()->first_moment; }));
}
