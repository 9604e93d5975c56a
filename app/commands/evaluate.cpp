// glassformer evaluate: how good a model is on two line-aligned files.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/decode_arguments.h"
#include "app/commands/lines.h"
#include "engine/math/worker_pool.h"
#include "engine/model/checkpoint.h"
#include "engine/train/evaluation.h"

namespace glassformer {
namespace {

constexpr double kUsualSmoothing = 0.1;  // of a model whose training is not recorded

struct EvaluateArguments {
  CommonOptions common;
  DecodeArguments decode;
  std::string model, source, target;
  bool lowercase = false;
};

std::vector<SentencePair> read_pairs_of(const EvaluateArguments& arguments) {
  const auto sources = read_segments(arguments.source), targets = read_segments(arguments.target);
  if (sources.size() != targets.size())
    throw Error(arguments.target,
                "expected as many lines as " + arguments.source + " has (" + std::to_string(sources.size()) +
                    "), found " + std::to_string(targets.size()) + "; give files that match line by line");
  if (sources.empty())
    throw Error(arguments.source, "there is no line to evaluate; give a file with sentences");
  std::vector<SentencePair> pairs;
  for (std::size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], targets[i]});
  return pairs;
}

double recorded_smoothing(const nlohmann::json& training) {
  if (!training.is_object()) return kUsualSmoothing;
  const auto found = training.find("label_smoothing");
  if (found == training.end() || !found->is_number()) return kUsualSmoothing;
  const double smoothing = found->get<double>();
  if (smoothing >= 0 && smoothing < 1) return smoothing;
  throw Error("training.json", "label_smoothing must be from 0 to below 1, found " + found->dump());
}

bool show_progress(long done, long all) {
  if (isatty(STDERR_FILENO) == 1)
    std::cerr << "\r\x1b[K" << done << " of " << all << " sentences" << std::flush;
  return true;
}

int run_evaluate(const EvaluateArguments& arguments) {
  const Checkpoint model = load_checkpoint(arguments.model);
  WorkerPool pool(thread_count(arguments.common));
  EvaluationOptions options;
  options.decode = decode_options(arguments.decode, &pool);
  options.smoothing = recorded_smoothing(model.training);
  options.lowercase = arguments.lowercase;
  options.progress = show_progress;
  const auto result = evaluate(model.snapshot, model.tokenizers, read_pairs_of(arguments), options);
  if (isatty(STDERR_FILENO) == 1) std::cerr << "\r\x1b[K";
  print_json({{"sentences", result->sentences},
              {"loss", result->loss},
              {"nll", result->nll},
              {"perplexity", result->perplexity},
              {"token_accuracy", result->token_accuracy},
              {"exact_match", result->exact_match},
              {"bleu", result->bleu},
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
  command->add_option("--source", arguments->source, "Source sides, a line each")->required();
  command->add_option("--target", arguments->target, "Right translations, a line each")->required();
  command->add_flag("--lowercase", arguments->lowercase, "BLEU and exact match without case");
  command->footer("Example: glassformer evaluate --model de-en --source test.de --target test.en --beam 4");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_evaluate(*arguments); }; });
}

}  // namespace glassformer
