#include "app/commands/data_options.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/commands/commands.h"
#include "app/commands/lines.h"
#include "app/session/paths.h"

namespace glassformer {
namespace {

void add_source_options(CLI::App& command, DataSource& source, const std::string& prefix,
                        const std::string& what) {
  std::vector<std::string> names;
  for (const ToyTask task : toy_tasks()) names.push_back(toy_task_name(task));
  command.add_option("--" + prefix + "task", source.task, what + " of a task: " + toy_task_names())
      ->check(CLI::IsMember(names));
  command.add_option("--" + prefix + "grammar", source.grammar, what + " made by a grammar file");
  command.add_option("--" + prefix + "corpus", source.corpus,
                     what + " of a table: tab-separated, CSV or JSON lines");
  command.add_option("--" + prefix + "source", source.source, what + ": source sides, a line each");
  command.add_option("--" + prefix + "target", source.target, what + ": target sides, a line each");
  command.add_option("--" + prefix + "columns", source.choices.columns,
                     "Columns of the source and the target in that table, such as 2,4 or en,fr");
  command.add_option("--" + prefix + "pairs", source.pairs, "How many of them (default: what suits)")
      ->check(number_between(1, 1e9));
}

int places(const DataSource& source) {
  return !source.task.empty() + !source.grammar.empty() + !source.corpus.empty() +
         (!source.source.empty() || !source.target.empty());
}

void check_source(const DataSource& source, const std::string& prefix, bool needed) {
  if (source.source.empty() != source.target.empty())
    throw CLI::ValidationError("--" + prefix + "source and --" + prefix + "target go together");
  if (places(source) > 1 || (needed && places(source) == 0))
    throw CLI::ValidationError("name one place for the data: --" + prefix + "task, --" + prefix +
                               "grammar, --" + prefix + "corpus, or --" + prefix + "source with --" + prefix +
                               "target");
}

}  // namespace

void add_data_options(CLI::App& command, DataArguments& arguments) {
  DataOptions& options = arguments.options;
  add_source_options(command, options.training, "", "Sentence pairs");
  add_source_options(command, options.validation, "validation-", "Validation pairs");
  add_encoding_option(command, options.training.choices.encoding);
  command
      .add_option("--length", options.training.toy.length,
                  "Longest sentence or number of a task; of recall, the longest distance in sentences")
      ->check(number_between(1, 1e9));
  command.add_option("--symbols", options.training.toy.symbols, "Letters of a task, 1 to 26 (default 20)")
      ->check(CLI::Range(1, 26));
  command.add_option(
      "--leave-out", options.leave_out,
      "A table of sentences that are neither trained on nor validate, whatever their capitals and "
      "last mark");
  command
      .add_option("--tokenizer", arguments.tokenizer,
                  "bpe, unigram, wordpiece, word or char (default: what suits)")
      ->check(CLI::IsMember({"bpe", "unigram", "wordpiece", "word", "char"}));
  command.add_option(
      "--source-embedding", options.source_embedding,
      "Vectors that the source embedding begins with: text as of word2vec or GloVe, or safetensors");
  command.add_option("--target-embedding", options.target_embedding, "The same of the target");
  command.add_option("--pieces", options.pieces, "Pieces of the vocabulary (default: what suits)")
      ->check(number_between(1, 1e9));
  command.add_option("--data-seed", options.seed,
                     "Seed of the pairs that are made and of the split (default 1)");
  command
      .add_option("--test-pairs", options.test_pairs,
                  "Pairs split off as well, neither trained on nor validated")
      ->check(number_between(0, 1e9));
  command
      .add_option("--max-tokens", arguments.max_tokens,
                  "Longest side in pieces, 0: any (default: what the model takes)")
      ->check(number_between(0, 1e9));
  command.add_flag("--shared-vocabulary", options.shared_vocabulary, "One vocabulary for both sides");
}

bool names_data(const DataArguments& arguments) {
  return !arguments.options.training.empty();
}

DataOptions data_options(const DataArguments& arguments) {
  DataOptions options = arguments.options;
  check_source(options.training, "", true);
  check_source(options.validation, "validation-", false);
  // What comes with the program is found from any folder.
  for (DataSource* source : {&options.training, &options.validation})
    for (std::string* file : {&source->grammar, &source->corpus, &source->source, &source->target})
      *file = resolved(*file);
  options.leave_out = resolved(options.leave_out);
  options.validation.toy = options.training.toy;
  options.validation.choices.encoding = options.training.choices.encoding;
  if (options.validation.empty())
    std::swap(options.validation_pairs, options.validation.pairs);  // of the split
  options.max_tokens = std::max(0, arguments.max_tokens);
  if (arguments.tokenizer == "bpe") options.tokenizer = TokenizerKind::bpe;
  if (arguments.tokenizer == "unigram") options.tokenizer = TokenizerKind::unigram;
  if (arguments.tokenizer == "wordpiece") options.tokenizer = TokenizerKind::word_piece;
  if (arguments.tokenizer == "word") options.tokenizer = TokenizerKind::word;
  if (arguments.tokenizer == "char") options.tokenizer = TokenizerKind::character;
  return options;
}

void print_kept_lines(const DataReport& report) {
  if (report.rejected.empty() && report.notes.empty()) return;
  std::map<std::string, long> reasons;  // numbers in them differ from line to line
  for (const RejectedLine& line : report.rejected)
    ++reasons[line.reason.substr(0, line.reason.find_first_of("0123456789"))];
  std::string words =
      std::to_string(report.kept) + " pairs of " + std::to_string(report.lines) + " lines are kept";
  if (!report.rejected.empty()) {
    const auto most = std::max_element(reasons.begin(), reasons.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto example = std::find_if(report.rejected.begin(), report.rejected.end(),
                                      [&](const auto& line) { return line.reason.starts_with(most->first); });
    words += "; " + std::to_string(report.rejected.size()) + " are left out, most often (" +
             std::to_string(most->second) + "): " + example->reason;
  }
  for (const std::string& note : report.notes) words += "; " + note;
  print_notes({words + ". See all: glassformer corpus, with the same data"});
}

}  // namespace glassformer
