// Runs beside each other, and one that is made again.
#include <doctest/doctest.h>

#include "app/panels/new_model_form.h"
#include "app/session/run.h"
#include "app/session/run_table.h"
#include "engine/files/read_file.h"
#include "engine/train/run_command.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"
#include "tests/ui/built_program.h"
#include "tests/ui/variant_runs.h"

namespace glassformer::variant_runs {

// ---- Four runs that learn beside each other: what the session holds and what the screen says of them.

TEST_CASE("four runs learn beside each other; each variant ends on its own, and a fourth is refused") {
  Session session(nothing_open());
  const NewRun run = run_of(100000);
  make_ready(session, run);
  for (const char* const about : {"Heads", "Positions", "Seed"})
    session.apply({TrainVariant{variation_about(run, about)}});
  REQUIRE(session.beside().size() == 3);
  const auto all_reach = [&](long step) {
    return frames_until(session, [&] {
      return session.run().step > step && std::ranges::all_of(session.beside(), [&](const RunBeside* each) {
               return each->run.step > step;
             });
    });
  };
  REQUIRE(all_reach(3));

  // What is reported names the variant.
  CHECK(session.why_no_variant().find("Four runs learn already") == 0);
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  CHECK(session.beside().size() == 3);
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text == session.why_no_variant());

  // Changes reach each of them, and so does a pause.
  session.apply({SetLearning{.rate_scale = 0.5}});
  REQUIRE(frames_until(session, [&] {
    return std::ranges::all_of(session.beside(),
                               [](const RunBeside* each) { return each->run.live.rate_scale == 0.5; });
  }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return !session.training(); }));
  session.apply({Train{}});

  // One is compared with by its id: that another ends does not move it.
  const int first = session.beside()[0]->id, middle = session.beside()[1]->id, last = session.beside()[2]->id;
  const std::string ended = session.beside()[1]->title(), compared = session.beside()[0]->title();
  session.apply({Compare{OtherRun{.variant = first}}});
  REQUIRE(frames_until(session, [&] { return session.compared()->second != nullptr; }));
  session.apply({EndVariant{middle}});
  REQUIRE(session.beside().size() == 2);
  CHECK(session.beside()[0]->id == first);
  CHECK(session.beside()[1]->id == last);
  CHECK(session.beside()[1]->place == 2);  // its colour stays
  REQUIRE(notice(session, Place::training));
  CHECK(contains(notice(session, Place::training)->text, ended));
  REQUIRE(session.compared());
  CHECK(session.compared()->second_name.find(compared) == 0);
  REQUIRE(all_reach(session.run().step + 3));

  // Without a choice the newest one, and it stays that when a newer one begins.
  session.apply({Compare{OtherRun{}}});
  CHECK(session.compared()->variant == last);
  session.apply({TrainVariant{variation_about(run, "Positions")}});
  CHECK(session.beside().size() == 3);
  CHECK(session.beside()[2]->place == 1);
  CHECK(session.compared()->variant == last);
  session.apply({EndVariant{last}});
  CHECK(session.compared() == nullptr);
  REQUIRE(all_reach(session.run().step + 3));
  const std::size_t learning = session.beside().size();
  CHECK(session.close() == "");
  CHECK(read_settings(settings_file()).unfinished_variants.size() == learning);
  const Session next(nothing_open());
  REQUIRE(notice(next, Place::training));
  CHECK(contains(notice(next, Place::training)->text, "So are those beside it"));
}

TEST_CASE("a variant that has ended makes room for another") {
  Session session(nothing_open());
  NewRun run = run_of(100000);
  make_ready(session, run);
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  Variation shorter = variation_about(run, "Seed");
  shorter.training.steps = 5;
  session.apply({TrainVariant{shorter}, TrainVariant{variation_about(run, "Positions")}});
  const int ends = session.beside()[1]->id;
  REQUIRE(frames_until(session, [&] { return session.beside()[1]->run.phase == RunPhase::stopped; }));
  CHECK(session.beside().size() == 3);
  CHECK(session.why_no_variant().empty());
  // What is there already would learn the same once more.
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  REQUIRE(notice(session, Place::training));
  CHECK(contains(notice(session, Place::training)->text, "is beside this run already"));
  CHECK(session.beside()[1]->id == ends);
  session.apply({TrainVariant{variation_about(run, "Dropout")}});
  REQUIRE(session.beside().size() == 3);
  CHECK(std::ranges::none_of(session.beside(), [&](const RunBeside* each) { return each->id == ends; }));
}

TEST_CASE("the screen starts three variants, ends one, and says which when there is no place") {
  OffscreenProgram program({.threads = 1});
  Session& session = program.session();
  session.apply({run_of(100000)});
  REQUIRE(program.wait([&] { return session.run().phase == RunPhase::ready; }));
  const std::vector<Variation> all = variations(session.recipe()->config, session.recipe()->training);
  for (std::size_t i = 0; i < 3; ++i) {
    apply(program, {OpenView{"training"}, OpenDialog{"variant"}});
    REQUIRE(program.click("variation: " + all[i].about + ": " + all[i].name));
    click(program, "Train the variant");
    CHECK(session.beside().size() == i + 1);
  }
  REQUIRE(program.wait([&] {
    return std::ranges::all_of(session.beside(), [](const RunBeside* each) { return each->run.step > 3; });
  }));
  // The menu names whom it ends.
  click(program, "Model");
  for (const RunBeside* const each : session.beside())
    CHECK(program.visible("End the variant “" + each->title() + "”"));
  CHECK_FALSE(program.visible("End the variant"));
  program.press(ui::Key::escape);
  apply(program, {OpenDialog{"variant"}});
  CHECK(program.text("variant note").find("Four runs learn already") == 0);
  const int middle = session.beside()[1]->id;
  click(program, "End " + session.beside()[1]->title());
  CHECK(session.beside().size() == 2);
  CHECK(std::ranges::none_of(session.beside(), [&](const RunBeside* each) { return each->id == middle; }));
  CHECK(program.visible("Train the variant"));

  // One of them is chosen to be compared with.
  apply(program, {OpenDialog{"compare"}});
  const RunBeside* const oldest = session.beside().front();
  click(program, "variant: " + oldest->title());
  click(program, "Compare: A step of the variant");
  REQUIRE(session.compared());
  CHECK(session.compared()->variant == oldest->id);
  CHECK(session.compared()->held);
}

TEST_CASE("the charts name all four runs") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400);
  std::vector<RunBeside> beside;
  for (const char* const name : {"none", "learned", "rotary"}) {
    beside.push_back({"Positions", name, scene.run});
    beside.back().id = static_cast<int>(beside.size());
    beside.back().place = beside.back().id - 1;
  }
  const auto view = make_view("training");
  ViewInput input = scene.input();
  const size_t tables = view->numbers(input).size();
  for (const RunBeside& each : beside) input.beside.push_back(&each);
  for (const float width : {560.0f, 1000.0f}) {
    const RecordingCanvas canvas = picture_of(*view, input, {0, 0, width, 704});
    CHECK(canvas.find("this run"));
    std::vector<Stroke> strokes;
    for (const RunBeside& each : beside) {
      CHECK(canvas.find(each.title()));
      const Stroke stroke = beside_stroke(canvas.theme(), each);
      CHECK(std::ranges::none_of(strokes, [&](const Stroke& other) {
        return other.color == stroke.color || (other.dashed == stroke.dashed && other.dash == stroke.dash);
      }));
      strokes.push_back(stroke);
    }
  }
  CHECK(view->numbers(input).size() == 4 * tables);
  for (const RunBeside& each : beside) CHECK(contains(view->caption(input), each.title()));
  CHECK(in_lines(complaints(*view, input)) == "");
}

// ---- One recipe gives one run, bit for bit: by the form of the New model dialog, by the command line, and
// by the command that a run's record gives.

std::string weights_in(const std::string& folder) {
  return read_file(folder + "/weights.safetensors");
}

// The command of the only run in the folder, its model to be saved elsewhere.
std::string command_for(const std::string& runs, const std::string& out) {
  std::vector<std::string> problems;
  const std::vector<KeptRun> kept = kept_runs(runs, problems);
  REQUIRE(kept.size() == 1);
  const std::string command = command_of(kept[0]);
  const std::string start = "glassformer ";
  REQUIRE(command.starts_with(start));
  return command.substr(start.size(), command.rfind(" --out") - start.size()) + " --out " + shell_quoted(out);
}

TEST_CASE("a recipe of the form is the run of the command line, and of the command that is shown") {
  const ScratchFolder scratch;
  NewModelForm form;
  form.start(nullptr);
  form.data = 2;  // reverse
  form.preset = 0;
  form.take_preset();
  form.numbers["pairs"] = "300";
  form.numbers["steps"] = "12";
  form.fit_to_steps();
  form.numbers["seed"] = "3";
  form.numbers["data_seed"] = "5";
  const NewRun recipe{config_of(form), data_of(form), training_of(form)};
  const auto trainer = make_run(recipe, nullptr, {}, {}, {})({});
  while (!trainer->stop() || trainer->validation_due()) {
    if (trainer->validation_due())
      trainer->validate();
    else
      trainer->step();
  }
  trainer->save(scratch.path("window/one"));

  run_program("train --task reverse --preset nano --pairs 300 --steps 12 --seed 3 --data-seed 5 --out " +
              scratch.path("typed"));
  CHECK(weights_in(scratch.path("window/one")) == weights_in(scratch.path("typed")));
  run_program(command_for(scratch.path("window"), scratch.path("shown")));
  CHECK(weights_in(scratch.path("window/one")) == weights_in(scratch.path("shown")));
}

TEST_CASE("the command of a run makes it again: tasks, a grammar, a corpus") {
  const ScratchFolder scratch;
  std::string pairs;
  for (int i = 0; i < 400; ++i)
    pairs += "w" + std::to_string(i % 37) + " x" + std::to_string(i % 11) + " y" + std::to_string(i) + "\ty" +
             std::to_string(i) + " w" + std::to_string(i % 37) + "\n";
  const std::string corpus = scratch.write("it's my pairs.tsv", pairs);
  const std::string grammar = source_folder() + "/assets/grammars/english-french.grammar";
  const std::vector<std::string> cases = {
      "--task copy --symbols 5 --length 6 --pairs 300 --preset nano --steps 15 --seed 4 --dropout .2",
      "--task add --preset nano --pairs 300 --epochs 2 --schedule noam --warmup 7 --smoothing .05 --clip 0 "
      "--validation-pairs 20 --test-pairs 10 --mask-future false",
      "--task dates --preset nano --pairs 200 --steps 10 --norm pre --positions rotary --schedule constant "
      "--average 2 --validate-every 4 --keep last --tokenizer char",
      "--grammar " + shell_quoted(grammar) +
          " --pairs 300 --preset nano --d-model 40 --heads 4 --steps 8 --shared-vocabulary --sharing all "
          "--data-seed 9 --max-length 40",
      "--corpus " + shell_quoted(corpus) + " --preset nano --steps 8 --pieces 40 --tokenizer unigram",
      "--corpus " + shell_quoted(corpus) +
          " --preset multi30k --d-model 16 --d-ff 16 --encoder-layers 1 "
          "--decoder-layers 1 --epochs 1 --peak 0.0012345678901",
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i]);
    const std::string runs = scratch.path("runs" + std::to_string(i)), again = runs + "-again";
    run_program("train " + cases[i] + " --out " + runs + "/one");
    const std::string command = command_for(runs, again + "/two");
    CAPTURE(command);
    run_program(command);
    CHECK(weights_in(runs + "/one") == weights_in(again + "/two"));
    // And what it says of itself is the same command.
    CHECK(command_for(again, "x") == command_for(runs, "x"));
  }
}

}  // namespace glassformer::variant_runs
