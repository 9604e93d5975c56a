// glassformer import: another program's model becomes one of ours.
#include "engine/import/model_import.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/format/number_format.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

struct ImportArguments {
  std::string source, out;
  bool json = false;
  ImportOptions options;
};

// "--heads 4 --norm pre": keys of config.json with dashes, whatever they are.
std::map<std::string, std::string> settings_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> settings;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (!words[i].starts_with("--") || words[i].size() < 3)
      throw CLI::ValidationError("expected an option, found " + words[i]);
    if (i + 1 == words.size()) throw CLI::ValidationError(words[i] + " needs a value");
    std::string key = words[i].substr(2);
    std::ranges::replace(key, '-', '_');
    settings[key] = words[i + 1];
  }
  return settings;
}

void print_section(const char* title, const nlohmann::json& notes, const char* name) {
  if (notes.empty()) return;
  std::cout << title << "\n";
  for (const nlohmann::json& note : notes) {
    std::cout << "  " << printable(note[name].get<std::string>());
    if (note.contains("value")) std::cout << " = " << note["value"].dump();
    if (note.contains("why")) std::cout << ": " << printable(note["why"].get<std::string>());
    std::cout << "\n";
  }
}

void print_report(const nlohmann::json& report, const std::string& out) {
  std::cout << report["kind"].get<std::string>() << ": " << format_count(report["parameters"].get<long>())
            << " weights in " << report["mapped"].size() << " tensors, now in " << out << "\n";
  print_section("Assumed", report["assumed"], "key");
  print_section("Changed", report["changed"], "what");
  print_section("Left out", report["ignored"], "name");
}

int run_import(const ImportArguments& arguments) {
  const ImportedModel model = import_model(arguments.source, arguments.options);
  save_import(arguments.out, model);
  if (arguments.json)
    print_json(model.report);
  else
    print_report(model.report, arguments.out);
  return 0;
}

}  // namespace

void add_import_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command = app.add_subcommand("import", "Make a model of another program one of ours");
  command->footer(
      "SOURCE is recognised by content: a state dict of the PyTorch tutorial, the Annotated Transformer or "
      "hkproj\n"
      "(.pt, .bin, .safetensors), a folder of MarianMT, Marian's own .npz. Nothing in it is run.\n"
      "Any key of config.json, with dashes, wins over what was found: --heads 4 --norm pre.\n\n"
      "Example:\n  glassformer import model.pt --out runs/mine --heads 4 --source-vocabulary en.txt "
      "--target-vocabulary fr.txt");
  command->add_option("SOURCE", arguments->source, "File or folder")->required();
  command->add_option("--out", arguments->out, "Folder of the model")->required();
  command->add_flag("--json", arguments->json, "Print the report as JSON");
  command->add_option("--source-vocabulary", arguments->options.source_vocabulary,
                      "The source's tokens, one a line, or a tokenizer.json");
  command->add_option("--target-vocabulary", arguments->options.target_vocabulary, "The target's");
  command->add_option("--ignore", arguments->options.ignored_prefixes,
                      "Leave out tensors whose names begin so (may be given more than once)");
  command->allow_extras();
  command->callback([arguments, command, &chosen] {
    arguments->options.settings = settings_of(command->remaining());
    chosen = [arguments] { return run_import(*arguments); };
  });
}

}  // namespace glassformer
