// `glassformer ready`: the data of a model's recipe in a file, so that the window need not make them.
// Building the program calls it for the model that opens first.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/session/opened_model.h"
#include "engine/math/error.h"
#include "engine/text/ready_data.h"

namespace glassformer {
namespace {

int make_ready(const std::string& model, const std::string& out) {
  const OpenedModel opened = open_model(model);
  if (!opened.data) throw Error(model, "its training.json does not say where its data came from");
  const PreparedData data = prepare_data(*opened.data, {}, opened.tokenizers);
  write_ready_data(data, ready_key(*opened.data, opened.tokenizers), out);
  print_json({{"training", data.training.pairs.size()}, {"validation", data.validation.pairs.size()}});
  return 0;
}

}  // namespace

void add_ready_command(CLI::App& app, Subcommand& chosen) {
  struct Arguments {
    std::string model, out;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("ready", "Make the data of a model's recipe and keep them in a file");
  command->add_option("--model", arguments->model, "Checkpoint folder")->required();
  command->add_option("--out", arguments->out, "File to write")->required();
  command->footer(
      "Building the program does so for the model that opens first, and the window reads that file,\n"
      "build/ready/english-french.data, so that Train begins at once.\n"
      "Example: glassformer ready --model models/english-french --out build/ready/english-french.data");
  command->callback([arguments, &chosen] {
    chosen = [arguments] { return make_ready(arguments->model, arguments->out); };
  });
}

}  // namespace glassformer
