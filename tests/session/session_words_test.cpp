// What belongs to a model: its sentence, its step, its name, its plan; and what is said of them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "app/session/model_list.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "app/session/run_table.h"
#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

SessionOptions opening(const std::string& model) {
  SessionOptions options;
  options.model = model;
  options.threads = 1;
  return options;
}

const std::string kReverse = source_folder() + "/models/reverse";
const std::string kFrench = source_folder() + "/models/english-french";

std::string source(const Session& session) {
  return session.scene().sentences.front().source;
}

bool shows(Session& session, const std::string& sentence) {
  return frames_until(session, [&] {
    return session.result() && session.result()->scene.sentences.front().source == sentence &&
           !session.working();
  });
}

// By name, so that nothing of a folder can change unseen.
std::map<std::string, std::string> bytes_of_folder(const std::string& folder) {
  std::map<std::string, std::string> bytes;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes[entry.path().string()] = read_file(entry.path().string());
  return bytes;
}

bool shows_some(Session& session) {
  return frames_until(session, [&] { return session.result() && !session.working(); });
}

bool says(Session& session, Place place, const std::string& words) {
  return frames_until(session, [&] {
    const Notice* found = notice(session, place);
    return found && found->text.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("each model opens with the sentence that it last translated, undone or not") {
  {
    Session session(opening(kReverse));
    REQUIRE(shows_some(session));
    session.apply({SetSource{"a b c"}});
    REQUIRE(shows(session, "a b c"));
    session.apply({SetSource{"d e"}});
    REQUIRE(shows(session, "d e"));
    session.apply({Undo{}});
    REQUIRE(shows(session, "a b c"));
    session.apply({OpenModel{kFrench}});
    REQUIRE(frames_until(session, [&] { return session.model()->folder == kFrench; }));
    CHECK(source(session) != "a b c");
    session.apply({SetSource{"the cat sees a bird"}});
    REQUIRE(shows(session, "the cat sees a bird"));
  }
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  CHECK(source(session) == "a b c");
  session.apply({OpenModel{kFrench}});
  CHECK(shows(session, "the cat sees a bird"));
}

TEST_CASE("the other sentences of the batch are the model's own, whatever was translated before") {
  const auto others = [](const Session& session) {
    const std::vector<SceneSentence>& all = session.scene().sentences;
    return std::vector(all.begin() + 1, all.end());
  };
  std::vector<SceneSentence> fixed;
  {
    Session session(opening(kReverse));
    REQUIRE(shows_some(session));
    fixed = others(session);
    REQUIRE(fixed.size() == 3);
  }
  for (const std::string& before : {std::string("a b c"), fixed[0].source, fixed[2].source}) {
    {
      Session session(opening(kReverse));
      REQUIRE(shows_some(session));
      session.apply({SetSource{before}});
      REQUIRE(shows(session, before));
    }
    Session session(opening(kReverse));
    REQUIRE(shows(session, before));
    CHECK(others(session) == fixed);
  }
}

TEST_CASE("a model whose data are gone shows one sentence, once, whatever was translated before") {
  const Home& home = home_of_test();
  const std::string bare = home.scratch.path("bare"), record = bare + "/training.json";
  std::filesystem::copy(kFrench, bare, std::filesystem::copy_options::recursive);
  std::string text = read_file(record);
  const std::string folder = "assets/grammars/";
  for (std::size_t at; (at = text.find(folder)) != std::string::npos;)
    text.replace(at, folder.size(), "nowhere/");
  write_atomically(record, text);
  for (const std::string& words :
       {std::string("the cat sees a bird"), std::string("the tired girl sees a red car")}) {
    {
      Session session(opening(bare));
      REQUIRE(shows_some(session));
      session.apply({SetSource{words}});
      REQUIRE(shows(session, words));
    }
    Session session(opening(bare));
    REQUIRE(shows(session, words));
    CHECK(session.scene().sentences.size() == 1);
  }
}

TEST_CASE("a kept sentence whose words the model does not know gives way to an example") {
  {
    Session session(opening(kReverse));
    REQUIRE(shows_some(session));
    session.apply({SetSource{"шшш"}});
    REQUIRE(shows(session, "шшш"));
  }
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  CHECK(source(session) != "шшш");
  CHECK(session.result()->target_origin == TargetOrigin::reference);
}

TEST_CASE("a run that was open opens next time, with its own sentence") {
  std::string folder;
  {
    Session session(opening(kFrench));
    REQUIRE(shows_some(session));
    session.apply({reverse_run(), Train{}});
    REQUIRE(frames_until(session, [&] { return session.run().step > 20; }));
    session.apply({SetSource{"b a d"}});
    REQUIRE(shows(session, "b a d"));
    CHECK(session.close() == "");
    folder = session.settings().last_model;
    CHECK(kept_sentence(session.settings(), kFrench) != "b a d");
  }
  CHECK(std::filesystem::path(folder).parent_path() == runs_folder());
  Session session(opening(""));
  REQUIRE(shows_some(session));
  CHECK(session.model()->folder == folder);
  CHECK(source(session) == "b a d");
}

TEST_CASE("the model that a fresh run began from opens next time, and the run is offered") {
  {
    Session session(opening(kReverse));
    REQUIRE(shows_some(session));
    session.apply({ResetTraining{}, Train{}});
    REQUIRE(frames_until(session, [&] { return session.run().step > 5; }));
    CHECK(session.close() == "");
    CHECK(session.settings().last_model == kReverse);
  }
  Session session(opening(""));
  REQUIRE(shows_some(session));
  CHECK(session.model()->folder == kReverse);
  CHECK(says(session, Place::training, "was not finished when the program ended"));
}

TEST_CASE("a sentence that was refused is nothing to undo to") {
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  session.apply({SetSource{"a b"}});
  REQUIRE(shows(session, "a b"));
  session.apply({SetSource{""}});
  REQUIRE(frames_until(session, [&] { return notice(session, Place::sentence) != nullptr; }));
  CHECK(notice(session, Place::sentence)->text.find("sentence:") == std::string::npos);
  session.apply({SetSource{"c d"}});
  REQUIRE(shows(session, "c d"));
  session.apply({Undo{}});
  REQUIRE(shows(session, "a b"));
  CHECK(source(session) == "a b");
  session.apply({Redo{}});
  REQUIRE(shows(session, "c d"));
}

TEST_CASE("training past the end of the plan says so, extends it and learns at a rate above 0") {
  Session session(opening(kFrench));
  NewRun run = reverse_run();
  run.training.schedule = "cosine";
  run.training.steps = 40;
  run.training.warmup = 5;
  session.apply({run, Train{}});
  REQUIRE(says(session, Place::training, "Train goes on for 40 steps more"));
  CHECK(session.run().step == 40);
  REQUIRE(notice(session, Place::training)->command);
  session.apply({*notice(session, Place::training)->command});
  REQUIRE(says(session, Place::training, "The plan had ended. Training goes on for 40 steps more"));
  REQUIRE(frames_until(session,
                       [&] { return session.run().phase == RunPhase::stopped && session.run().step > 40; }));
  CHECK(session.run().step == 80);
  CHECK(session.run().planned_steps == 80);
  CHECK(session.run().curves->steps[44].learning_rate == session.run().curves->steps[4].learning_rate);
  CHECK(session.run().curves->steps[44].learning_rate > 0);
}

TEST_CASE("Train puts no fresh model in place of one without moments: it learns on, a way back is offered") {
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  const long at = session.model()->last_step;
  REQUIRE(session.model()->schedule);
  const double peak = session.model()->schedule->peak_rate();
  const auto before = bytes_of_folder(kReverse);
  CHECK(session.would_fine_tune());
  session.apply({Train{}});
  CHECK(session.train_would() == TrainWould::wait);
  REQUIRE(says(session, Place::training, "at a tenth of the peak rate and with Adam's moments from 0"));
  REQUIRE(frames_until(session, [&] { return session.run().step > at; }));
  CHECK(session.train_would() == TrainWould::pause);
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return session.train_would() == TrainWould::resume; }));
  CHECK(session.run().curves->steps.back().learning_rate == doctest::Approx(peak / 10));
  CHECK(session.open_folder() != kReverse);
  session.apply({*notice(session, Place::training)->command});
  REQUIRE(frames_until(session, [&] { return session.would_fine_tune() && session.snapshot()->step <= at; }));
  CHECK(bytes_of_folder(kReverse) == before);
}

TEST_CASE("past its plan a model learns on slowly in a new run, though its moments were kept") {
  SessionOptions options = opening(kReverse);
  options.keep_runs = true;
  std::string folder;
  {
    Session session(options);
    REQUIRE(shows_some(session));
    NewRun run = reverse_run();
    run.training.steps = 3;
    session.apply({run, Train{}});
    REQUIRE(frames_until(
        session, [&] { return session.run().phase == RunPhase::stopped && session.run().step == 3; }));
    folder = session.open_folder();
    session.close();
  }
  options.model = folder;
  Session session(options);
  REQUIRE(shows_some(session));
  REQUIRE(session.model()->resumable);
  const auto before = bytes_of_folder(folder);
  CHECK(session.would_fine_tune());
  session.apply({Train{}});
  REQUIRE(says(session, Place::training, "its plan was over"));
  REQUIRE(frames_until(session, [&] { return session.run().step > 3; }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] {
    return session.run().phase == RunPhase::paused || session.run().phase == RunPhase::stopped;
  }));
  CHECK(session.open_folder() != folder);
  CHECK(bytes_of_folder(folder) == before);
  // The command of both makes the run whose plan was over.
  const std::string further = session.open_folder();
  REQUIRE(session.close().empty());
  std::vector<std::string> problems, commands;
  for (const KeptRun& run : kept_runs(runs_folder().string(), problems)) {
    const std::string command = command_of(run);
    commands.push_back(command.substr(0, command.rfind(" --out")));
    CHECK(commands.back().find(" --steps 3") != std::string::npos);
    CHECK(steps_as_planned(run) == (run.folder == further ? std::optional<long>(3) : std::nullopt));
  }
  REQUIRE(commands.size() == 2);
  CHECK(commands[0] == commands[1]);
}

TEST_CASE("a fresh model that waits is not said to learn") {
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  session.apply({ResetTraining{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  CHECK(says(session, Place::training, "A fresh model, not trained yet"));
  CHECK(notice(session, Place::training)->text.find("learns here") == std::string::npos);
}

TEST_CASE("one step of a model without moments is the next of what is shown, with fresh moments") {
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  const long at = session.model()->last_step;
  const auto before = session.snapshot()->weights;
  session.apply({TrainOneStep{}});
  REQUIRE(says(session, Place::training, "the moments were not kept"));
  REQUIRE(frames_until(session, [&] { return session.run().step == at + 1; }));
  REQUIRE(frames_until(session, [&] { return session.snapshot()->step == at + 1; }));
  CHECK(session.train_would() == TrainWould::resume);
  CHECK(session.snapshot()->weights != before);
  session.apply({TrainOneStep{}});
  REQUIRE(frames_until(session, [&] { return session.run().step == at + 2; }));
}

TEST_CASE("a model without moments can learn on from its own weights, and starting again begins at step 0") {
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  const long at = session.model()->last_step;
  session.apply({Train{}});
  REQUIRE(says(session, Place::training, "learns on from its weights"));
  REQUIRE(frames_until(session, [&] { return session.run().step > at; }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::paused; }));
  // A fresh model would be as surprised as one that knows nothing.
  const Curves& curves = *session.run().curves;
  CHECK(curves.steps.back().loss < 0.7 * curves.steps.front().loss);
  CHECK(curves.steps.back().learning_rate > 0);
  session.apply({ResetTraining{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  CHECK(session.run().step == 0);
  CHECK(session.snapshot()->step == 0);
}

TEST_CASE("preparing data can be given up, and the model before stays") {
  Session session(opening(kReverse));
  REQUIRE(shows_some(session));
  NewRun run = reverse_run();
  run.data.training.pairs = 0;
  run.data.training.toy.length = 12;
  session.apply({run, CancelPreparing{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::none && !session.working(); }));
  CHECK(session.model()->folder == kReverse);
  CHECK(session.run().step == session.snapshot()->step);
  REQUIRE(shows_some(session));
}

TEST_CASE("a refused file is not remembered as a recent one") {
  const Home& home = home_of_test();
  Session session(opening(kReverse));
  DataOptions bad, good;
  bad.training.corpus = home.scratch.write("bad.srt", "1\n00:00:01,000 --> 00:00:02,000\nHi\n");
  good.training.corpus =
      home.scratch.write("good.tsv", "the cat\tle chat\na dog\tun chien\nno bird\tpas un oiseau\n");
  for (const DataOptions& data : {bad, good}) {
    session.apply({ReadData{data}});
    REQUIRE(frames_until(session, [&] { return session.preview() && !session.preview()->reading; }));
  }
  CHECK(session.settings().recent_corpora == std::vector<std::string>{good.training.corpus});
}

TEST_CASE("runs are named by what they learn from, and told by day and hour") {
  CHECK(without_time("2026-11-22 02.57.03 ru.tsv") == "ru.tsv");
  CHECK(without_time("my model") == "my model");
  CHECK(run_in_words("2026-11-22 02.57.03 ru.tsv") == "“ru.tsv” of 22 November 2026, 02:57");
  CHECK(run_in_words("my model") == "“my model”");
}
