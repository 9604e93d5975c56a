// What is saved or reported while a run trains is of one step, and stays what it is.
#include <doctest/doctest.h>

#include <filesystem>
#include <functional>

#include "app/lessons/session_text.h"
#include "tests/ui/run_states.h"

using namespace glassformer;
using namespace glassformer::run_states;

namespace session_report_test {
namespace {

// Learns the letters of "a b c d", at least so far.
void learn(OffscreenProgram& program, long step) {
  Session& session = program.session();
  session.apply({small_run(1000000, 50), Train{}});
  REQUIRE(program.wait([&] { return session.run().step > 10 && session.result(); }));
  session.apply({SetSource{"a b c d"}});
  REQUIRE(program.wait([&] {
    const auto result = session.result();
    return result->scene.sentences.front().source == "a b c d" && result->untouched_snapshot->step > step;
  }));
}

// So many steps more, and saved: of what the run keeps of its earlier steps only some stay.
void train_on(OffscreenProgram& program, long steps) {
  Session& session = program.session();
  if (!session.training()) session.apply({Train{}});
  const long then = session.run().step;
  REQUIRE(program.wait([&] { return session.run().step > then + steps; }));
  CHECK(session.training());
  session.apply({PauseTraining{}});
  REQUIRE(
      program.wait([&] { return !session.training() && session.run().saved_step == session.run().step; }));
}

bool shows(OffscreenProgram& program, long step) {
  return program.wait([&] {
    const auto result = program.session().result();
    return result && !program.session().working() && result->untouched_snapshot->step == step;
  });
}

struct Going {
  const char* name;
  std::function<void(OffscreenProgram&)> reach;
};

const std::vector<Going>& goings() {
  static const std::vector<Going> all = {
      {"it learns", [](OffscreenProgram&) {}},
      {"paused where it was just saved",
       [](OffscreenProgram& program) {
         program.session().apply({PauseTraining{}});
         REQUIRE(program.wait([&] { return !program.session().training(); }));
         steps_to(program, (program.session().run().step / 50 + 1) * 50);
         REQUIRE(still(program));
       }},
      {"looked back while it is paused",
       [](OffscreenProgram& program) {
         Session& session = program.session();
         session.apply({PauseTraining{}});
         REQUIRE(program.wait([&] { return !session.training(); }));
         session.apply({ShowStep{(session.run().step - 17) | 1}});  // the even ones stay longest
         REQUIRE(program.wait([&] { return session.looked_back().has_value(); }));
         REQUIRE(shows(program, *session.looked_back()));
       }},
      {"looked back while it learns",
       [](OffscreenProgram& program) {
         program.session().apply({ShowStep{(program.session().run().step - 17) | 1}});
         REQUIRE(program.wait([&] { return program.session().looked_back().has_value(); }));
         REQUIRE(shows(program, *program.session().looked_back()));
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("the lines of a report make the same files after the run has gone on") {
  for (const Going& going : goings()) {
    CAPTURE(std::string(going.name));
    renew_home();
    const ScratchFolder scratch;
    const std::string folder = scratch.path("report"), file = scratch.path("kept.glassformer");
    OffscreenProgram program(with_runs());
    learn(program, 200);
    going.reach(program);
    report(program, folder, {kAllHeads, kOutput, kWalk});
    save(program, file);
    train_on(program, 1000);
    made_again(folder);
    run_program("render --session kept.glassformer --view output --out again.svg", scratch.path(""));
  }
}

TEST_CASE("a picture that is saved while a run learns is of the step that a session then has") {
  const ScratchFolder scratch;
  const std::string file = scratch.path("kept.glassformer"), numbers = scratch.path("numbers.csv"),
                    picture = scratch.path("picture.svg");
  {
    OffscreenProgram program(with_runs());
    learn(program, 10);
    apply(program, {OpenView{"output"}});
    save(program, file);
    // In one frame, before the next step is shown.
    program.press(ui::Key::save, true);
    for (const std::string& path : {numbers, picture})
      program.program().shell().apply({SaveFigure{.path = path}}, 0);
    REQUIRE(program.wait([&] { return !program.program().shell().writing(); }));
    program.release(ui::Key::save);
    train_on(program, 60);
  }
  OffscreenOptions options = with_runs();
  options.session = file;
  OffscreenProgram program(options);
  REQUIRE(opens(program));
  const bool same_numbers = figure(program, "output", ".csv") == read_file(numbers),
             same_picture = figure(program, "output", ".svg") == read_file(picture);
  CHECK(same_numbers);
  CHECK(same_picture);
}

}  // namespace session_report_test
