// glassformer heads: which heads of a model matter.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/head_report_text.h"
#include "app/session/data_consent.h"
#include "app/session/measuring.h"
#include "app/session/opened_model.h"
#include "app/session/unfamiliar_words.h"
#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"

namespace glassformer {
namespace {

struct HeadsArguments {
  CommonOptions common;
  std::string model, csv, pairs_from;
  int pairs = static_cast<int>(kMeasuringPairs);
};

void check_data(const OpenedModel& opened, const std::string& folder) {
  if (!opened.data)
    throw Error(
        folder,
        "heads are measured on held-out pairs of a model's own data, and it records none; give pairs with "
        "--pairs-from");
  if (!read_unasked(*opened.data, folder))
    throw Error(
        folder,
        "heads are measured on held-out pairs, and its own lie in files of yours, which are read once "
        "the folder was opened in the window");
}

// Its own held-out ones, or those of a file.
std::vector<SentencePair> pairs_of(const OpenedModel& opened, const HeadsArguments& arguments) {
  if (!opened.tokenizers.source || !opened.tokenizers.target)
    throw Error(arguments.model, "it came without tokenizers, so its pairs cannot be read");
  const bool own = arguments.pairs_from.empty();
  if (own) check_data(opened, arguments.model);
  const std::vector<SentencePair> all = own ? training_text_of(*opened.data, opened.tokenizers).held_out
                                            : read_pairs(DataSource{.corpus = arguments.pairs_from}, 0).pairs;
  std::vector<SentencePair> pairs = measuring_pairs(all, opened.tokenizers, opened.snapshot.config,
                                                    static_cast<std::size_t>(arguments.pairs));
  if (pairs.empty())
    throw Error(own ? opened.folder : arguments.pairs_from,
                own ? "its data hold no pair that is held out from training and short enough"
                    : "it holds no pair that is short enough for the model");
  return pairs;
}

// NAME.pruning.csv, beside NAME.csv.
std::string pruning_path(const std::string& csv) {
  return std::filesystem::path(csv).replace_extension(".pruning.csv").string();
}

bool show_passes(long done, long all) {
  if (isatty(STDERR_FILENO) == 1)
    std::cerr << "\r\x1b[K"
              << (done < all ? std::to_string(done) + " of " + std::to_string(all) + " passes" : "")
              << std::flush;
  return true;
}

int run_heads(const HeadsArguments& arguments) {
  if (!arguments.csv.empty()) check_named_after(pruning_path(arguments.csv));
  const OpenedModel opened = open_model(arguments.model);
  WorkerPool pool(thread_count(arguments.common));
  const std::optional<HeadReport> report =
      measured_heads(opened.snapshot, opened.tokenizers, pairs_of(opened, arguments),
                     opened.options.smoothing, &pool, show_passes);
  const auto word = [](const std::shared_ptr<const Tokenizer>& tokenizer) {
    return [tokenizer](int id) { return tokenizer->piece(id); };
  };
  const ReportWords words{word(opened.tokenizers.source), word(opened.tokenizers.target)};
  if (!arguments.csv.empty()) {
    write_atomically(arguments.csv, report_csv(*report, words));
    write_named_after(pruning_path(arguments.csv), pruning_csv(*report));
  }
  print_json(report_json(*report, words));
  return 0;
}

}  // namespace

void add_heads_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<HeadsArguments>();
  CLI::App* command = app.add_subcommand(
      "heads", "Which heads and sub-blocks of a model matter, on held-out pairs of its own data");
  add_common_options(*command, arguments->common);
  command->add_option("--model", arguments->model, "Checkpoint folder")->required();
  command->add_option("--pairs", arguments->pairs, "Held-out pairs to measure on (default 200)")
      ->check(CLI::Range(2, 1000));
  command->add_option(
      "--pairs-from", arguments->pairs_from,
      "Measure on the pairs of this file (a table, as training reads it) instead of the model's own");
  command->add_option(
      "--csv", arguments->csv,
      "File for a line a head and a sub-block; beside it NAME.pruning.csv gets the curves\nof heads muted "
      "one "
      "after another: stepwise (each time the head that costs least with those\nbefore it), and "
      "one-shot (in the order of what each costs alone)");
  command->footer("Example: glassformer heads --model models/english-french --csv heads.csv");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_heads(*arguments); }; });
}

}  // namespace glassformer
