// glassformer translate: lines on standard input to translations on standard output.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/decode_arguments.h"
#include "app/commands/lines.h"
#include "app/commands/what_if_option.h"
#include "app/session/data_consent.h"
#include "app/session/run_record.h"
#include "app/session/unfamiliar_words.h"
#include "engine/math/worker_pool.h"
#include "engine/text/printable.h"
#include "engine/text/reading.h"
#include "engine/text/segments.h"
#include "engine/train/any_model.h"
#include "engine/train/translation.h"

namespace glassformer {
namespace {

constexpr std::size_t kLinesAtOnce = 256;

struct TranslateArguments {
  CommonOptions common;
  DecodeArguments decode;
  std::string model, input, encoding, what_if;
  bool json = false;
};

nlohmann::json to_json(const std::string& line, const Translation& translation) {
  std::vector<std::string> pieces;
  for (const Piece& piece : translation.pieces) pieces.push_back(piece.text);
  const DecodeResult& result = translation.result;
  nlohmann::json json = {{"source", line},
                         {"pieces", pieces},
                         {"translation", translation.text},
                         {"source_ids", translation.source_ids},
                         {"ids", result.ids},
                         {"log_probabilities", result.log_probabilities},
                         {"score", result.score}};
  if (!translation.problem.empty()) json["problem"] = translation.problem;
  return json;
}

// Without tokenizers the lines stay unchanged: translate_lines refuses them. A line that cannot be read
// counts as an empty one.
std::vector<std::string> as_read(const AnyModel& model, const std::vector<InputLine>& lines) {
  std::vector<std::string> read;
  for (const InputLine& line : lines) {
    if (!line.problem.empty())
      read.emplace_back();
    else
      read.push_back(model.tokenizers().source ? readable(*model.tokenizers().source, line.text) : line.text);
  }
  return read;
}

std::string about_unknown_words(const AnyModel& model, const std::string& read) {
  return unknown_words_sentence(unknown_words(*model.tokenizers().source, read),
                                std::to_string(model.source_vocab()));
}

// Whether lines are of the language that the model writes, said of the first one. Reads the training data
// where the window would without asking, and no more than some.
class TargetLines {
 public:
  explicit TargetLines(const AnyModel& model) : tokenizers_(model.tokenizers()) {
    const Config config = model.transformer() ? model.transformer()->snapshot.config : Config{};
    data_ = run_record(model.training(), config, model.folder()).data;
    if (data_ && read_unasked(*data_, model.folder())) title_ = title_of(config, data_, model.folder());
  }

  std::string about(const std::string& line) {
    if (!title_) return {};
    const std::string words = about_target_words(line, tokenizers_, *title_, [this]() -> const TrainingText& {
      constexpr long kMostPairs = 100'000;
      DataOptions data = *data_;
      if (data.limits.max_pairs == 0) data.limits.max_pairs = kMostPairs;
      if (!text_) text_ = training_text_of(data, tokenizers_);
      return *text_;
    });
    if (!words.empty()) title_.reset();  // said once
    return words;
  }

 private:
  const Tokenizers& tokenizers_;
  std::optional<DataOptions> data_;
  std::optional<ModelTitle> title_;
  std::optional<TrainingText> text_;
};

void translate_file(const TranslateArguments& arguments,
                    const std::function<void(const std::vector<InputLine>&)>& translate) {
  std::vector<InputLine> group;
  for (std::string& line : read_segments(arguments.input, {.encoding = arguments.encoding})) {
    group.push_back({.text = std::move(line)});
    if (group.size() < kLinesAtOnce) continue;
    translate(group);
    group.clear();
  }
  translate(group);
}

int run_translate(const TranslateArguments& arguments) {
  const AnyModel model = AnyModel::load(arguments.model);
  print_notes(model.notes(), arguments.model);
  WorkerPool pool(thread_count(arguments.common));
  const DecodeOptions options = decode_options(arguments.decode, model.length_penalty(), &pool);
  LineChanges changes;
  if (!arguments.what_if.empty()) {
    const Checkpoint& changed = model.only_transformer("--what-if");
    changes = line_changes(arguments.what_if, arguments.model, changed.snapshot, changed.tokenizers);
  }
  TargetLines target_lines(model);
  long number = 0;
  bool all_translated = true;
  const auto translate = [&](const std::vector<InputLine>& lines) {
    const std::vector<std::string> read = as_read(model, lines);
    auto translations = model.translate(read, options, changes);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      ++number;
      const auto print_note = [number](const std::string& words) {
        if (!words.empty())
          std::cerr << "glassformer: line " << number << ": " << message_text(words) << "\n";
      };
      std::string& problem = translations[i].problem;
      if (!lines[i].problem.empty()) problem = lines[i].problem;
      print_note(problem);
      all_translated = all_translated && problem.empty();
      if (problem.empty()) print_note(about_not_finite(translations[i].result));
      if (problem.empty()) print_note(target_lines.about(read[i]));
      if (arguments.json) {
        print_json(to_json(lines[i].text, translations[i]));
      } else {
        if (problem.empty()) print_note(about_unknown_words(model, read[i]));
        std::cout << translations[i].text << "\n";
      }
    }
    std::cout << std::flush;
  };
  if (arguments.input.empty()) {
    read_standard_input(kLinesAtOnce, translate);
  } else {
    translate_file(arguments, translate);
  }
  return all_translated ? 0 : 1;
}

}  // namespace

void add_translate_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<TranslateArguments>();
  CLI::App* command = app.add_subcommand("translate", "Translate standard input or a file, a line at a time");
  add_common_options(*command, arguments->common);
  add_decode_options(*command, arguments->decode);
  command->add_option("--model", arguments->model, "Checkpoint folder")->required();
  command->add_option("--input", arguments->input, "A file of lines instead of standard input");
  add_encoding_option(*command, arguments->encoding);
  add_what_if_option(*command, arguments->what_if);
  command->add_flag("--json", arguments->json,
                    "One JSON object a line: pieces, ids, log-probabilities, score");
  command->footer(
      "Example: echo 'the cat drank the milk' | glassformer translate --model models/english-french");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_translate(*arguments); }; });
}

}  // namespace glassformer
