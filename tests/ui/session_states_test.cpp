// Whatever state a run is in when its session is saved or reported, opening that shows the same picture.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "app/lessons/session_text.h"
#include "app/lessons/shown_model.h"
#include "app/session/paths.h"
#include "app/session/recurrent_desk.h"
#include "engine/files/folder_lock.h"
#include "engine/files/read_file.h"
#include "tests/ui/run_states.h"

using namespace glassformer;
using namespace glassformer::variant_runs;
using namespace glassformer::run_states;

namespace session_states_test {
namespace {

namespace fs = std::filesystem;

// The last two draw the recurrent model where there is one, and the batch of all sentences.
constexpr const char* kViews[] = {"attention", "output", "cell", "masks"};

NewRecurrentRun small_recurrent(long steps) {
  const NewRun run = run_of(steps);
  NewRecurrentRun recurrent{.config = {}, .data = run.data, .training = run.training};
  recurrent.config.width = 8;
  return recurrent;
}

// Of two that are compared the numbers: each is called otherwise, as a copy has the name of its folder.
std::vector<std::string> figures(OffscreenProgram& program) {
  std::vector<std::string> all;
  const Compared* const two = program.session().compared();
  for (const char* view : kViews) {
    std::string numbers = figure(program, view, ".csv");
    if (two)
      for (const std::string& name : {two->first_name, two->second_name})
        for (std::size_t at; (at = numbers.find(name)) != std::string::npos;)
          numbers.replace(at, name.size(), "*");
    all.push_back(numbers);
    if (!two) all.push_back(figure(program, view, ".svg"));
  }
  return all;
}

struct State {
  const char* name;
  std::function<void(OffscreenProgram&)> reach;
  std::vector<const char*> turned = {kAllHeads};  // of the report's figures
  const char* view = "masks";                     // open when it is written
  const char* source = "a b c d";
  const char* target = nullptr;  // typed; null: none
};

const std::vector<State>& states() {
  static const std::vector<State> all = {
      {"fresh", [](OffscreenProgram& program) { begin_run(program, 100); }, {kAllHeads, kOutput, kWalk}},
      {"paused before a validation",
       [](OffscreenProgram& program) {
         begin_run(program, 100);
         steps_to(program, 3);
       },
       {kAllHeads, kOutput, kTables},
       "attention"},
      {"paused between two validations",
       [](OffscreenProgram& program) {
         begin_run(program, 3);
         steps_to(program, 5);
       },
       {kAllHeads, kOutput, kWalk}},
      {"finished", [](OffscreenProgram& program) { to_the_end(program, 10); }, {}},
      {"finished and one step more",
       [](OffscreenProgram& program) {
         to_the_end(program, 10);
         steps_to(program, 11);
       },
       {kAllHeads, kOutput, kForming}},
      {"diverged",
       [](OffscreenProgram& program) {
         program.session().apply({small_run(100000, 100), Train{}});
         REQUIRE(program.wait([&] { return program.session().run().step > 20; }));
         program.session().apply({SetLearning{.rate_scale = 1e6, .clip = 0}});
         REQUIRE(program.wait([&] { return program.session().run().diverged; }));
       }},
      {"looked back",
       [](OffscreenProgram& program) {
         to_the_end(program, 10);
         program.session().apply({ShowStep{4}});
         REQUIRE(program.wait([&] { return program.session().looked_back().has_value(); }));
       },
       {kAllHeads, kOutput, kForming}},
      {"a variant beside it",
       [](OffscreenProgram& program) {
         Session& session = program.session();
         begin_run(program, 3);
         NewRun run = small_run(1000, 3);
         session.apply({TrainVariant{variation_about(run, "Heads")}});
         // A single step would pause the variant before it has come so far.
         REQUIRE(program.wait(
             [&] { return !session.beside().empty() && session.beside().back()->run.step >= 4; }, 120));
         steps_to(program, 4);
         session.apply({PauseTraining{}});
         REQUIRE(program.wait([&] { return session.beside().back()->run.phase == RunPhase::paused; }));
         session.apply({Compare{OtherRun{}}});
       },
       {kAllHeads},
       "attention"},
      {"fine-tuned",
       [](OffscreenProgram& program) {
         Session& session = program.session();
         to_the_end(program, 6);
         session.apply({SetSource{"a b c d"}});
         REQUIRE(still(program));
         const std::string copy = (runs_folder().parent_path() / "copy").string();
         fs::create_directories(copy);
         write_shown_model(shown_model(session), copy);
         session.apply({OpenModel{copy}});
         REQUIRE(program.wait([&] { return session.open_folder() == copy; }));
         REQUIRE(still(program));
         session.apply({Train{}});
         REQUIRE(program.wait([&] { return session.run().step > 8; }));
         session.apply({PauseTraining{}});
         REQUIRE(program.wait([&] { return !session.training(); }));
       },
       {kAllHeads, kOutput, kWalk}},
      {"a recurrent model beside it",
       [](OffscreenProgram& program) {
         Session& session = program.session();
         to_the_end(program, 6);
         session.apply({TrainRecurrent{small_recurrent(12)}});
         REQUIRE(
             program.wait([&] { return session.recurrent().scene && !session.recurrent_run()->running; }));
       },
       {kAllHeads},
       "cell"},
      {"a recurrent model beside it that was stopped",
       [](OffscreenProgram& program) {
         Session& session = program.session();
         to_the_end(program, 6);
         session.apply({TrainRecurrent{small_recurrent(1000000)}});
         REQUIRE(
             program.wait([&] { return session.recurrent().scene && session.recurrent_run()->step > 3; }));
         session.apply({StopRecurrent{}});
         REQUIRE(program.wait([&] { return !session.recurrent_run()->running; }));
       },
       {kAllHeads},
       "attention"},
      {"a sentence of one's own and its translation",
       [](OffscreenProgram& program) { to_the_end(program, 6); },
       {kAllHeads},
       "masks",
       "c a b",
       "b b a"},
  };
  return all;
}

}  // namespace

TEST_CASE("a session and a report of a run in any state show what was on screen") {
  for (const State& state : states()) {
    CAPTURE(std::string(state.name));
    renew_home();
    const ScratchFolder scratch;
    const std::string file = scratch.path("kept.glassformer"), folder = scratch.path("report");
    std::vector<std::string> before;
    {
      OffscreenProgram program(with_runs());
      state.reach(program);
      program.session().apply({SetSource{state.source}});
      if (state.target != nullptr) program.session().apply({SetTarget{state.target}});
      REQUIRE(still(program));
      before = figures(program);
      program.program().shell().apply({OpenView{state.view}}, 0);
      REQUIRE(still(program));
      save(program, file);
      report(program, folder, state.turned);
      CHECK_FALSE(program.visible("session changed"));
    }
    // The run may be gone by then: what is its own in the folder of runs is not needed, unless it is named.
    OffscreenOptions options = with_runs();
    options.session = file;
    OffscreenProgram program(options);
    REQUIRE(opens(program));
    const std::vector<std::string> after = figures(program);
    for (std::size_t i = 0; i < before.size(); ++i) {
      CAPTURE(i);
      const bool same = before[i] == after[i];  // not both printed whole
      CHECK(same);
    }
    made_again(folder);
  }
}

TEST_CASE("a recurrent model that learns beside it goes with the session, as of one step") {
  const ScratchFolder scratch;
  OffscreenProgram program(with_runs());
  to_the_end(program, 6);
  program.session().apply({TrainRecurrent{small_recurrent(1000000)}});
  REQUIRE(program.wait(
      [&] { return program.session().recurrent().scene && program.session().recurrent_run()->step > 3; }));
  const std::string file = scratch.path("kept.glassformer");
  save(program, file);
  const ReadSession kept = read_session(read_file(file));
  const SceneLine* const line = find_line(kept.lines, "recurrent");
  REQUIRE(line != nullptr);
  CHECK(line->value.starts_with("./kept-recurrent-step-"));
  CHECK(opened_recurrent(scratch.path(line->value.substr(2))).model != nullptr);

  // At an earlier step that is looked at those weights; else, as it is over, its folder.
  program.session().apply({StopRecurrent{}});
  REQUIRE(program.wait([&] { return !program.session().recurrent_run()->running; }));
  program.session().apply({ShowStep{2, true}});
  REQUIRE(program.wait([&] { return program.session().recurrent().scene->step == 2; }));
  press(program, ui::Key::save);
  const ReadSession back = read_session(read_file(file));
  const SceneLine* const earlier = find_line(back.lines, "recurrent");
  REQUIRE(earlier != nullptr);
  REQUIRE(earlier->value == "./kept-recurrent-step-2");
  CHECK(opened_recurrent(scratch.path("kept-recurrent-step-2")).model->output_projection.weight ==
        program.session().recurrent().scene->model->output_projection.weight);
  program.session().apply({ShowStep{std::nullopt, true}});
  press(program, ui::Key::save);
  CHECK(contains(read_file(file), "recurrent " + program.session().recurrent_run()->folder));
}

TEST_CASE("a run that learns is saved as of one step, and learns on") {
  const ScratchFolder scratch;
  const std::string file = scratch.path("kept.glassformer");
  {
    OffscreenProgram program(with_runs());
    Session& session = program.session();
    session.apply({small_run(100000, 50), Train{}});
    REQUIRE(program.wait([&] { return session.run().step > 10 && session.result(); }));
    session.apply({SetSource{"a b c d"}});
    REQUIRE(program.wait([&] {
      const auto result = session.result();
      return result->scene.sentences.front().source == "a b c d" && result->untouched_snapshot->step > 10;
    }));
    save(program, file);
    const long then = session.run().step;
    CHECK(session.training());
    CHECK(program.wait([&] { return session.run().step > then; }));
  }
  OffscreenOptions options = with_runs();
  options.session = file;
  OffscreenProgram program(options);
  REQUIRE(opens(program));
  CHECK(program.session().result()->untouched_snapshot->step > 10);
  CHECK(program.session().scene().sentences.front().source == "a b c d");
}

TEST_CASE("saved again, a session writes over no model: neither its own copies nor one made by hand") {
  const ScratchFolder scratch;
  const std::string file = scratch.path("kept.glassformer");
  const auto copies = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(scratch.path("")))
      if (entry.is_directory()) names.insert(entry.path().filename().string());
    return names;
  };
  fs::create_directory(scratch.path("kept-step-4"));
  OffscreenProgram program(with_runs());
  begin_run(program, 100);
  steps_to(program, 3);
  program.session().apply({SetSource{"a b c d"}});
  REQUIRE(still(program));
  save(program, file);
  const auto again = [&] {
    press(program, ui::Key::save);
    CHECK(program.text("dialog") == "");
  };
  again();
  CHECK(copies() == std::set<std::string>{"kept-step-3", "kept-step-4"});
  steps_to(program, 4);
  REQUIRE(still(program));
  again();
  CHECK(copies() == std::set<std::string>{"kept-step-3", "kept-step-4", "kept-step-4-2"});
  CHECK(fs::is_empty(scratch.path("kept-step-4")));
  CHECK(contains(read_file(file), "model ./kept-step-4-2\n"));

  // Opened from there and saved again, it still names what lies beside it.
  program.program().dropped({file});
  REQUIRE(opens(program));
  program.session().apply({SetSource{"d c b a"}});
  REQUIRE(still(program));
  again();
  CHECK(contains(read_file(file), "source d c b a\n"));
  CHECK(contains(read_file(file), "model ./kept-step-4-2\n"));
}

TEST_CASE("a run that was killed before its first save leaves no folder; whatever else lies there stays") {
  const auto folder = [&](const std::string& name, const std::string& file) {
    const fs::path path = runs_folder() / name;
    fs::create_directories(path);
    std::ofstream(path / ".glassformer") << "files that Glassformer wrote here\n+ config.json\n";
    if (!file.empty()) std::ofstream(path / file) << "mine";
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return path;
  };
  const fs::path killed = folder("killed", ""), notes = folder("notes", "notes.txt"),
                 model = folder("model", "config.json"), learns = folder("learns", ""),
                 young = folder("young", ""), empty = runs_folder() / "empty";
  fs::create_directory(empty);
  fs::last_write_time(young, fs::file_time_type::clock::now());
  const FolderLock writer(learns.string());
  const Session session(nothing_open());
  CHECK_FALSE(fs::exists(killed));
  for (const fs::path& stays : {notes, model, learns, young, empty}) CHECK(fs::exists(stays));
  CHECK(read_file((notes / "notes.txt").string()) == "mine");
}

}  // namespace session_states_test
