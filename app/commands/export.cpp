// glassformer export: a model of ours as other programs read it.
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/data_options.h"
#include "app/commands/lines.h"
#include "app/commands/train_arguments.h"
#include "app/format/number_format.h"
#include "app/scene/held_out.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "engine/export/export_folder.h"
#include "engine/export/marian_export.h"
#include "engine/export/onnx_model.h"
#include "engine/export/page_export.h"
#include "engine/export/pytorch_export.h"
#include "engine/export/training_script.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/train/any_model.h"
#include "engine/train/presets.h"
#include "engine/train/run_data.h"

namespace glassformer {
namespace {

struct ExportArguments {
  std::string model, to, out;
  bool attention = false, training_script = false;
  DataArguments data;
};

PageWords page_words(const std::string& folder) {
  const OpenedModel opened = open_model(folder);
  const std::vector<SceneSentence> sentences = first_sentences(opened);
  return {opened.title.name, opened.title.description, sentences.empty() ? "" : sentences.front().source};
}

// Of the run that made the model, unless others are named.
DataOptions pairs_to_learn(const ExportArguments& arguments, const Checkpoint& model) {
  if (!model.tokenizers.source || !model.tokenizers.target)
    throw Error(arguments.model, "it has no tokenizer, so no pairs can be cut into its pieces");
  if (!names_data(arguments.data)) {
    if (model.training.is_null())
      throw Error(arguments.model,
                  "no training.json says what it learned from; name the pairs to learn from, "
                  "as --corpus FILE");
    return run_data_options(arguments.model);
  }
  DataOptions options = data_options(arguments.data);
  if (options.tokenizer || options.pieces > 0 || options.shared_vocabulary)
    throw CLI::ValidationError("the model keeps its pieces; leave out the options of the tokenizer");
  const int longest = model.snapshot.config.max_length - 2;
  options.max_tokens = options.max_tokens > 0 ? std::min(options.max_tokens, longest) : longest;
  return options;
}

int export_training(const ExportArguments& arguments, const Checkpoint& model) {
  const DataOptions pairs = pairs_to_learn(arguments, model);
  const auto data = run_data(arguments.model, pairs);
  const Config& config = model.snapshot.config;
  TrainingScript script{.model = model, .data = data, .options = {}, .live = {}, .held_out = {}};
  const nlohmann::json& run = model.training;
  if (run.is_object() && run.contains("options")) {
    script.options = training_options_from_json(run["options"], arguments.model + "/training.json");
  } else {  // a model from elsewhere: so slowly that what it knows is kept
    script.options = suggested_options(pairs.training.kind(), config, preset("small"));
    script.options.schedule = "constant";
    script.options.peak = 1e-4;
  }
  script.live = run.is_object() && run.contains("live") ? live_settings_from_json(run["live"])
                                                        : first_settings(config, script.options);
  for (const HeldOutSentence& sentence : held_out_sentences(*data))
    script.held_out.push_back({sentence.pair, sentence.source_ids});
  print_notes(export_training_script(script, program_file("assets/export").string(), arguments.out));
  std::cout << "training script: " << format_count(parameter_count(config)) << " weights and "
            << format_count(data->training.size()) << " pairs, now in " << arguments.out << "\n";
  return 0;
}

int run_export(const ExportArguments& arguments) {
  if (arguments.training_script != arguments.to.empty())
    throw CLI::ValidationError("name one of --to and --training-script");
  if (!arguments.training_script && names_data(arguments.data))
    throw CLI::ValidationError("pairs are for --training-script alone; leave them out");
  const bool onnx = arguments.to == "onnx";
  if (arguments.attention && !onnx) throw Error("--attention", "it is an option of --to onnx; leave it out");
  const AnyModel any = AnyModel::load(arguments.model);
  const Checkpoint& model = any.only_transformer("export");
  print_notes(any.notes(), arguments.model);
  if (arguments.training_script) return export_training(arguments, model);
  if (onnx) {
    write_export(arguments.out, [&](OwnedFolder& folder) {
      save_onnx(folder, model.snapshot, arguments.attention);
      save_tokenizers(folder, model.tokenizers);
    });
  } else if (arguments.to == "page") {
    print_notes(
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
      "commands that serve it.\n"
      "--training-script: train.py, which learns as the model did, or from the pairs named, in PyTorch on "
      "many\n"
      "processors or graphics cards; the run that it writes opens here. train.py --help says how.\n\n"
      "Example:\n  glassformer export --model models/reverse --to pytorch --out reverse-torch\n"
      "  echo \"d a c\" | python3 reverse-torch/load.py --translate\n"
      "  glassformer export --model models/reverse --training-script --out reverse-script\n"
      "  python3 reverse-script/train.py --workers 2 --out reverse-run");
  command->add_option("--model", arguments->model, "Checkpoint folder")->required();
  command->add_option("--to", arguments->to, "pytorch, marian, onnx or page")
      ->check(CLI::IsMember({"pytorch", "marian", "onnx", "page"}));
  command->add_flag("--training-script", arguments->training_script,
                    "A folder with train.py, which trains the model elsewhere");
  command->add_option("--out", arguments->out, "Folder to write: a new or empty one, or an older export")
      ->required();
  command->add_flag("--attention", arguments->attention, "ONNX: every head's weights as outputs too");
  add_data_options(*command, arguments->data);
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_export(*arguments); }; });
}

}  // namespace glassformer
