// glassformer export: a model of ours as other programs read it.
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/lines.h"
#include "app/format/number_format.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "engine/export/export_folder.h"
#include "engine/export/marian_export.h"
#include "engine/export/onnx_model.h"
#include "engine/export/page_export.h"
#include "engine/export/pytorch_export.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/train/any_model.h"

namespace glassformer {
namespace {

struct ExportArguments {
  std::string model, to, out;
  bool attention = false;
};

PageWords page_words(const std::string& folder) {
  const OpenedModel opened = open_model(folder);
  const std::vector<SceneSentence> sentences = first_sentences(opened);
  return {opened.title.name, opened.title.description, sentences.empty() ? "" : sentences.front().source};
}

int run_export(const ExportArguments& arguments) {
  const bool onnx = arguments.to == "onnx";
  if (arguments.attention && !onnx) throw Error("--attention", "it is an option of --to onnx; leave it out");
  const AnyModel any = AnyModel::load(arguments.model);
  const Checkpoint& model = any.only_transformer("export");
  print_notes(any.notes(), arguments.model);
  if (onnx) {
    write_export(arguments.out, [&](OwnedFolder& folder) {
      save_onnx(folder, model.snapshot, arguments.attention);
      save_tokenizers(folder, model.tokenizers);
    });
  } else if (arguments.to == "page") {
    tell_notes(
        export_page(model, page_words(arguments.model), program_file("assets").string(), arguments.out));
  } else if (arguments.to == "pytorch") {
    export_pytorch(model, program_file("assets/export").string(), arguments.out);
  } else {
    print_notes(export_marian(model, arguments.out));
  }
  std::cout << arguments.to << ": " << format_count(parameter_count(model.snapshot.config))
            << " weights, now in " << arguments.out << "\n";
  return 0;
}

}  // namespace

void add_export_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a model for other programs");
  command->footer(
      "pytorch: model.safetensors, model.py (torch.nn alone, to be read) and load.py, which runs it.\n"
      "marian: a folder of MarianMT for Hugging Face's transformers, where the model computes as that does.\n"
      "glassformer import makes either one of ours again, with the same weights.\n"
      "onnx: encoder.onnx and decoder.onnx, which keeps its cache as inputs and outputs, for any runtime;\n"
      "settings.json says how to drive them.\n"
      "page: a web page that translates in the browser and shows every head; its README.md has the two\n"
      "commands that serve it.\n\n"
      "Example:\n  glassformer export --model models/reverse --to pytorch --out reverse-torch\n"
      "  echo \"d a c\" | python3 reverse-torch/load.py --translate");
  command->add_option("--model", arguments->model, "Checkpoint folder")->required();
  command->add_option("--to", arguments->to, "pytorch, marian, onnx or page")
      ->required()
      ->check(CLI::IsMember({"pytorch", "marian", "onnx", "page"}));
  command->add_option("--out", arguments->out, "Folder to write: a new or empty one, or an older export")
      ->required();
  command->add_flag("--attention", arguments->attention, "ONNX: every head's weights as outputs too");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_export(*arguments); }; });
}

}  // namespace glassformer
