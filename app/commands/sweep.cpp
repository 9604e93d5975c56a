// glassformer sweep: the same training with one thing changed at a time, over several seeds, and a table.
#include "engine/train/sweep.h"

#include <iostream>
#include <memory>

#include "app/commands/sweep_work.h"

namespace glassformer {
namespace {

struct SweepArguments {
  std::string file;
  SweepPlan plan;
};

int run_sweep(SweepArguments arguments) {
  arguments.plan.files = {{"results.csv", [](const SweepResults& results) { return csv_of(results); }},
                          {"results.tex", [](const SweepResults& results) { return tex_of(results); }}};
  const std::optional<SweepResults> results = carry_out(read_sweep(arguments.file), arguments.plan);
  if (!results) return 0;
  if (arguments.plan.json) {
    nlohmann::json json = json_of(*results);
    json["finished"] = true;
    print_json(json);
  } else {
    std::cout << text_of(*results);
  }
  return exit_code(*results);
}

}  // namespace

void add_sweep_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command =
      app.add_subcommand("sweep", "Train settings over seeds, score them on one test set, and make a table");
  command->add_option("FILE", arguments->file, "What varies (see below)")->required();
  command
      ->add_option("--out", arguments->plan.out,
                   "Folder for the runs (NAME-seedN each), results.csv and results.tex")
      ->required();
  add_run_options(*command, arguments->plan);
  add_decode_options(*command, arguments->plan.decode);
  command->add_flag("--json", arguments->plan.json, "The result as one JSON object");
  command->footer(
      "FILE has a line for each thing, # begins a comment:\n"
      "  base = --task reverse --preset tiny       options of train that all runs have\n"
      "  vary layers = 1, 2, 4                     a setting of each value; layers: of both stacks\n"
      "  vary beam = 1, 4, 16                      beam, alpha, penalty: settings that share their models\n"
      "  variant \"no positions\" = --positions none --heads 8\n"
      "  variant \"recurrent\" = --architecture recurrent\n"
      "                                            a setting of any options; none: the base itself\n"
      "  seeds = 1, 2, 3                           every setting with each (default 1)\n"
      "  test = held-out 500                       pairs of the data, never trained on; or test = pairs.tsv\n"
      "Each setting differs from the base in its own line alone. Paths are meant from where the command is\n"
      "given. Ctrl-C saves and stops; the same command goes on. A run that fails is told of in the table, "
      "and\n"
      "the exit code is 1. The loss is the mean per target token, without smoothing.\n"
      "Example: glassformer sweep layers.sweep --out layers --at-once 2");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_sweep(*arguments); }; });
}

}  // namespace glassformer
