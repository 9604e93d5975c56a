// glassformer export: a model of ours as other programs read it.
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/lines.h"
#include "app/format/number_format.h"
#include "engine/export/onnx_model.h"
#include "engine/model/parameter_counts.h"
#include "engine/train/any_model.h"

namespace glassformer {
namespace {

struct ExportArguments {
  std::string model, to, out;
  bool attention = false;
};

int run_export(const ExportArguments& arguments) {
  const AnyModel any = AnyModel::load(arguments.model);
  const Checkpoint& model = any.only_transformer("export");
  tell_notes(any.notes(), arguments.model);
  OwnedFolder folder(arguments.out);
  save_onnx(folder, model.snapshot, arguments.attention);
  save_tokenizers(folder, model.tokenizers);
  std::cout << arguments.to << ": " << format_count(parameter_count(model.snapshot.config))
            << " weights, now in " << arguments.out << "\n";
  return 0;
}

}  // namespace

void add_export_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a model for other programs");
  command->footer(
      "onnx: encoder.onnx and decoder.onnx, which keeps its cache as inputs and outputs, for any runtime;\n"
      "settings.json says how to drive them.\n\n"
      "Example:\n  glassformer export --model models/english-french --to onnx --out french-onnx");
  command->add_option("--model", arguments->model, "Checkpoint folder")->required();
  command->add_option("--to", arguments->to, "onnx")->required()->check(CLI::IsMember({"onnx"}));
  command->add_option("--out", arguments->out, "Folder to write")->required();
  command->add_flag("--attention", arguments->attention, "ONNX: every head's weights as outputs too");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_export(*arguments); }; });
}

}  // namespace glassformer
