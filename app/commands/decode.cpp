// `glassformer decode`: ids in, ids out.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/decode_arguments.h"
#include "app/commands/lines.h"
#include "app/commands/what_if_option.h"
#include "app/session/change_words.h"
#include "engine/decode/decode.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/model/transformer.h"
#include "engine/model/weights_file.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "engine/train/any_model.h"

namespace glassformer {
namespace {

struct IdsArguments {
  CommonOptions common;
  std::string model, ids, what_if;
  int beam = 0;                 // 0: greedy
  std::optional<double> alpha;  // nothing: what the model's penalty goes with
  std::string penalty;          // empty: the model's
  int max_length = 0;
};

std::vector<std::vector<int>> read_ids(const std::string& path) {
  const std::string wanted = "expected a JSON array of arrays of ids, such as [[5, 6, 3]]";
  const nlohmann::json list = read_json(path);
  if (!list.is_array()) throw Error(path, wanted + ", found something else");
  std::vector<std::vector<int>> rows;
  for (const auto& row : list) {
    if (!row.is_array()) throw Error(path, wanted + ", found " + shown(row) + " in it");
    std::vector<int>& ids = rows.emplace_back();
    for (const auto& id : row) ids.push_back(whole<int>(id, path, "an id"));
  }
  return rows;
}

std::vector<DecodeResult> decoded_by_recurrent(const IdsArguments& options,
                                               const std::vector<std::vector<int>>& lists,
                                               const DecodeOptions& decoding) {
  if (!options.what_if.empty()) throw not_of_recurrent(options.model, "--what-if");
  return decode(*load_recurrent_checkpoint(options.model).model, lists, decoding);
}

// Places in a what-if are those of each list.
std::vector<DecodeResult> decoded(const IdsArguments& options, const Snapshot& snapshot,
                                  const std::vector<std::vector<int>>& lists, const DecodeOptions& decoding) {
  const Transformer<float>& model = *snapshot.weights;
  if (options.what_if.empty()) return decode(model, lists, decoding);
  std::vector<DecodeResult> results;
  for (const std::vector<int>& ids : lists) {
    const WhatIf what_if = fitting_what_if(options.what_if, {}, {model, static_cast<int>(ids.size())});
    const ChangedModel<float> changed(model, what_if, substitutes_of(what_if, options.model, snapshot));
    results.push_back(decode(changed, {ids}, decoding).front());
  }
  return results;
}

int run_decode(const IdsArguments& options) {
  WorkerPool pool(thread_count(options.common));
  DecodeOptions decoding;
  decoding.search = options.beam > 0 ? Search::beam : Search::greedy;
  decoding.beam = options.beam;
  decoding.max_length = options.max_length;
  decoding.alternatives = 0;
  decoding.pool = &pool;

  nlohmann::json output = nlohmann::json::array();
  long number = 0;
  const bool recurrent = holds_recurrent_model(options.model);
  const Snapshot snapshot = recurrent ? Snapshot() : load_snapshot(options.model);
  const std::vector<std::vector<int>> lists = read_ids(options.ids);
  decoding.alpha = options.alpha.value_or(usual_alpha(snapshot.config.length_penalty));
  decoding.penalty = length_penalty_named(options.penalty, snapshot.config.length_penalty);
  for (const DecodeResult& result : recurrent ? decoded_by_recurrent(options, lists, decoding)
                                              : decoded(options, snapshot, lists, decoding)) {
    ++number;
    if (const std::string words = about_not_finite(result); !words.empty())
      print_notes({"list " + std::to_string(number) + ": " + words});
    if (options.beam == 0) {
      output.push_back({{"ids", result.ids}, {"log_probabilities", result.log_probabilities}});
      continue;
    }
    nlohmann::json hypotheses = nlohmann::json::array();
    for (const Hypothesis& hypothesis : result.hypotheses) {
      hypotheses.push_back({{"ids", hypothesis.ids}, {"score", hypothesis.score}});
    }
    output.push_back({{"hypotheses", hypotheses}});
  }
  print_json(output);
  return 0;
}

}  // namespace

void add_decode_command(CLI::App& app, Subcommand& chosen) {
  const auto options = std::make_shared<IdsArguments>();
  CLI::App* command = app.add_subcommand("decode", "Translate lists of ids");
  command->footer("Example:\n  glassformer decode --model models/reverse --ids ids.json --beam 4");
  command->add_option("--model", options->model, "Checkpoint folder")->required();
  command->add_option("--ids", options->ids, "JSON array of id lists, eos included where the model wants it")
      ->required();
  command->add_option("--beam", options->beam, "Beam search with K hypotheses (default: greedy)")
      ->check(CLI::Range(1, 1000));
  command->add_option("--alpha", options->alpha, kAlphaHelp)->check(number_between(0, 10));
  add_penalty_option(*command, options->penalty);
  command
      ->add_option("--max-length", options->max_length,
                   "Longest output, bos and eos included (default: the model's)")
      ->check(CLI::Range(2, 1 << 20));
  add_what_if_option(*command, options->what_if);
  add_common_options(*command, options->common);
  command->callback([options, &chosen] { chosen = [options] { return run_decode(*options); }; });
}

}  // namespace glassformer
