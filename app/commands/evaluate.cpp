// glassformer evaluate: how good a model is on two line-aligned files.
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "app/commands/commands.h"
#include "app/commands/decode_arguments.h"
#include "app/commands/lines.h"
#include "app/commands/what_if_option.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/model/what_if/what_if_tap.h"
#include "engine/text/segments.h"
#include "engine/text/text_notes.h"
#include "engine/train/any_model.h"
#include "engine/train/evaluation.h"

namespace glassformer {
namespace {

constexpr double kUsualSmoothing = 0.1;  // of a model whose training is not recorded

struct EvaluateArguments {
  CommonOptions common;
  DecodeArguments decode;
  std::string model, source, what_if;
  std::vector<std::string> targets;  // the first is what the loss is of
  DataSource table;                  // its corpus, columns and encoding
  bool lowercase = false;
  BleuWords bleu_words = BleuWords::wmt_13a;
};

std::vector<SentencePair> read_pairs_of(const EvaluateArguments& arguments) {
  const FileChoices& choices = arguments.table.choices;
  if (arguments.table.corpus.empty() == (arguments.source.empty() || arguments.targets.empty()))
    throw CLI::ValidationError("name one place for the data: --corpus, or --source with --target");
  if (!arguments.table.corpus.empty()) {
    Corpus corpus = read_pairs(arguments.table, 0);
    print_notes(corpus.notes);
    if (!corpus.rejected.empty())
      print_notes({std::to_string(corpus.rejected.size()) + " lines are left out, the first is line " +
                   std::to_string(corpus.rejected[0].line) + ": " + corpus.rejected[0].reason});
    return std::move(corpus.pairs);
  }
  AlignedSegments read =
      read_aligned_segments(arguments.source, arguments.targets[0], {.encoding = choices.encoding});
  print_notes(read.notes);
  std::vector<SentencePair> pairs;
  for (std::size_t i = 0; i < read.first.size(); ++i)
    pairs.push_back({std::move(read.first[i]), std::move(read.second[i])});
  return pairs;
}

// Other right translations of the same lines.
std::vector<std::vector<std::string>> read_more_references(const EvaluateArguments& arguments,
                                                           std::size_t pairs) {
  std::vector<std::vector<std::string>> more;
  for (std::size_t i = 1; i < arguments.targets.size(); ++i) {
    more.push_back(read_aligned_segments(arguments.source, arguments.targets[i],
                                         {.encoding = arguments.table.choices.encoding})
                       .second);
    more.back().resize(pairs);  // both may have left out empty lines at the end
  }
  return more;
}

// What makes a BLEU low though the translations are right.
void print_bleu_notes(const Evaluation& result, const std::vector<SentencePair>& pairs,
                      const BleuOptions& options) {
  std::vector<std::string> sources, references;
  for (const SentencePair& pair : pairs) {
    sources.push_back(pair.source);
    references.push_back(pair.target);
  }
  print_notes(notes_on_text(sources, "sources", {.by_words = false, .cut_by_rule = false}));
  print_notes(notes_for_bleu(references, "right translations", options));
  print_notes(notes_for_bleu(result.translations, "what the model writes", options));
  if (too_short_for_bleu(references, options))
    print_notes(
        {"most of the right translations have fewer than four words, so BLEU says little; exact match "
         "and chrF2 hold"});
}

// Nothing that was measured is no number.
nlohmann::json measured(const Evaluation& result, double value) {
  return result.left_out < result.sentences ? nlohmann::json(value) : nlohmann::json(nullptr);
}

std::vector<std::string> about_overflow(const Evaluation& result) {
  if (!std::isfinite(result.loss) || !std::isfinite(result.nll))
    return {
        "the model's numbers are not finite on at least one sentence, so no loss is known; what it writes "
        "there is none of its own"};
  if (!std::isfinite(result.perplexity))
    return {"the perplexity is larger than any number that can be written"};
  return {};
}

double recorded_smoothing(const nlohmann::json& training) {
  if (!training.is_object()) return kUsualSmoothing;
  const auto found = training.find("label_smoothing");
  if (found == training.end() || !found->is_number()) return kUsualSmoothing;
  const double smoothing = found->get<double>();
  if (smoothing >= 0 && smoothing < 1) return smoothing;
  throw Error("training.json", "label_smoothing must be from 0 to below 1, found " + shown(*found));
}

bool show_progress(long done, long all) {
  if (isatty(STDERR_FILENO) == 1)
    std::cerr << "\r\x1b[K" << done << " of " << all << " sentences" << std::flush;
  return true;
}

// What is reported of the changes of each line: sentences that lack what they name are measured unchanged
// and counted.
class UnchangedLines {
 public:
  LineChanges leaving_out(LineChanges changes) {
    return [this, changes = std::move(changes)](const Translation& line) -> ChangesInForce {
      try {
        ChangesInForce in_force = changes(line);
        reads_ahead_ = reads_ahead_ || reads_ahead(in_force.what_if);
        return in_force;
      } catch (const Error& error) {
        if (count_++ == 0) first_ = error.what();
        return {};
      }
    };
  }
  // Where not one sentence was changed the what-if itself is wrong.
  void report(long sentences) const {
    if (reads_ahead_)
      print_notes(
          {"with the future in sight loss and token accuracy are of whole translations read at once, where "
           "each place sees the word asked for; BLEU and exact match are of what is written word by word"});
    if (count_ == 0) return;
    if (count_ >= sentences) throw std::runtime_error(first_);
    print_notes({std::to_string(count_) + " of " + std::to_string(sentences) +
                 " sentences lack what is to be changed and are measured as they are; the first: " + first_});
  }

 private:
  long count_ = 0;
  bool reads_ahead_ = false;
  std::string first_;
};

int run_evaluate(const EvaluateArguments& arguments) {
  const AnyModel model = AnyModel::load(arguments.model);
  print_notes(model.notes(), arguments.model);
  WorkerPool pool(thread_count(arguments.common));
  EvaluationOptions options;
  options.decode = decode_options(arguments.decode, model.length_penalty(), &pool);
  options.smoothing = recorded_smoothing(model.training());
  options.lowercase = arguments.lowercase;
  options.progress = show_progress;
  UnchangedLines unchanged;
  if (!arguments.what_if.empty()) {
    const Checkpoint& changed = model.only_transformer("--what-if");
    options.changes = unchanged.leaving_out(
        line_changes(arguments.what_if, arguments.model, changed.snapshot, changed.tokenizers));
  }
  const std::vector<SentencePair> pairs = read_pairs_of(arguments);
  options.bleu_words = arguments.bleu_words;
  options.more_references = read_more_references(arguments, pairs.size());
  const auto result = model.evaluate(pairs, options);
  if (isatty(STDERR_FILENO) == 1) std::cerr << "\r\x1b[K";
  unchanged.report(result->sentences);
  if (result->left_out > 0)
    print_notes({std::to_string(result->left_out) + " of " + std::to_string(result->sentences) +
                 " lines are too long for the model; the loss leaves them out"});
  if (result->left_out < result->sentences) print_notes(about_overflow(*result));
  print_bleu_notes(*result, pairs, {.lowercase = arguments.lowercase, .words = arguments.bleu_words});
  print_json({{"sentences", result->sentences},
              {"left_out", result->left_out},
              {"loss", measured(*result, result->loss)},
              {"nll", measured(*result, result->nll)},
              {"perplexity", measured(*result, result->perplexity)},
              {"token_accuracy", measured(*result, result->token_accuracy)},
              {"exact_match", result->exact_match},
              {"bleu", result->bleu},
              {"chrf2", result->chrf2},
              {"signature", result->signature}});
  return 0;
}

}  // namespace

void add_evaluate_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Loss, accuracy, exact match and BLEU on two line-aligned files");
  add_common_options(*command, arguments->common);
  add_decode_options(*command, arguments->decode);
  command->add_option("--model", arguments->model, "Checkpoint folder")->required();
  command->add_option("--source", arguments->source, "Source sides, a line each");
  command
      ->add_option("--target", arguments->targets,
                   "Right translations, a line each; the option again: other right ones, for BLEU and chrF2")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--corpus", arguments->table.corpus,
                      "Or both in a table: tab-separated, CSV or JSON lines");
  command->add_option("--columns", arguments->table.choices.columns,
                      "Columns of the source and the target in that table, such as 2,4 or en,fr");
  add_what_if_option(*command, arguments->what_if);
  command->add_flag("--lowercase", arguments->lowercase, "BLEU and exact match without case");
  add_bleu_words_option(*command, arguments->bleu_words);
  add_encoding_option(*command, arguments->table.choices.encoding);
  command->footer("Example: glassformer evaluate --model de-en --source test.de --target test.en --beam 4");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_evaluate(*arguments); }; });
}

}  // namespace glassformer
