#include "app/commands/data_options.h"

#include <utility>

namespace glassformer {
namespace {

void add_source_options(CLI::App& command, DataSource& source, const std::string& prefix,
                        const std::string& what) {
  command
      .add_option("--" + prefix + "task", source.task, what + " of a task: copy, reverse, sort, add or dates")
      ->check(CLI::IsMember({"copy", "reverse", "sort", "add", "dates"}));
  command.add_option("--" + prefix + "grammar", source.grammar, what + " made by a grammar file");
  command.add_option("--" + prefix + "corpus", source.corpus, what + " of a tab-separated file");
  command.add_option("--" + prefix + "source", source.source, what + ": source sides, a line each");
  command.add_option("--" + prefix + "target", source.target, what + ": target sides, a line each");
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
  command.add_option("--length", options.training.toy.length, "Longest sentence or number of a task")
      ->check(number_between(1, 1e9));
  command.add_option("--symbols", options.training.toy.symbols, "Letters of a task, 1 to 26 (default 20)")
      ->check(CLI::Range(1, 26));
  command.add_option("--tokenizer", arguments.tokenizer, "bpe, unigram, word or char (default: what suits)")
      ->check(CLI::IsMember({"bpe", "unigram", "word", "char"}));
  command.add_option("--pieces", options.pieces, "Pieces of the vocabulary (default: what suits)")
      ->check(number_between(1, 1e9));
  command.add_flag("--shared-vocabulary", options.shared_vocabulary, "One vocabulary for both sides");
}

bool names_data(const DataArguments& arguments) {
  return !arguments.options.training.empty();
}

DataOptions data_options(const DataArguments& arguments, std::uint64_t seed) {
  DataOptions options = arguments.options;
  check_source(options.training, "", true);
  check_source(options.validation, "validation-", false);
  options.validation.toy = options.training.toy;
  if (options.validation.empty())
    std::swap(options.validation_pairs, options.validation.pairs);  // of the split
  options.seed = seed;
  if (arguments.tokenizer == "bpe") options.tokenizer = TokenizerKind::bpe;
  if (arguments.tokenizer == "unigram") options.tokenizer = TokenizerKind::unigram;
  if (arguments.tokenizer == "word") options.tokenizer = TokenizerKind::word;
  if (arguments.tokenizer == "char") options.tokenizer = TokenizerKind::character;
  return options;
}

}  // namespace glassformer
