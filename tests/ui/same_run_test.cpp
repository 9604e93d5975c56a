// One recipe gives one run, bit for bit: by the form of the New model dialog, by the command line, and by the
// command that a run's record gives.
#include <doctest/doctest.h>

#include "app/panels/new_model_form.h"
#include "app/session/run.h"
#include "app/session/run_table.h"
#include "engine/files/read_file.h"
#include "engine/train/run_command.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"
#include "tests/ui/built_program.h"

namespace glassformer {
namespace {

std::string weights_in(const std::string& folder) {
  return read_file(folder + "/weights.safetensors");
}

// The command of the only run in the folder, its model to stand elsewhere.
std::string command_for(const std::string& runs, const std::string& out) {
  std::vector<std::string> problems;
  const std::vector<KeptRun> kept = kept_runs(runs, problems);
  REQUIRE(kept.size() == 1);
  const std::string command = command_of(kept[0]);
  const std::string start = "glassformer ";
  REQUIRE(command.starts_with(start));
  return command.substr(start.size(), command.rfind(" --out") - start.size()) + " --out " + shell_quoted(out);
}

}  // namespace

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

}  // namespace glassformer
