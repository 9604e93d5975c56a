// `glassformer bench`: how fast this machine trains and decodes.
#include <sys/resource.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/bench_looking.h"
#include "app/commands/bench_profile.h"
#include "app/commands/bench_recurrent.h"
#include "app/commands/bench_run.h"
#include "app/commands/bench_times.h"
#include "app/commands/bench_training.h"
#include "app/commands/commands.h"
#include "app/commands/heads.h"
#include "engine/decode/decode.h"

namespace glassformer {
namespace {

struct BenchArguments {
  CommonOptions common;
  std::string preset, what;  // what: empty, all of training and decoding
  double seconds = 5;
  double dropout = 0.1;
  bool profile = false;
};

constexpr int kBeam = 4;

nlohmann::json bench_training(const BenchArguments& options, WorkerPool& pool) {
  BenchTraining training(bench_shape(options.preset), options.dropout, options.common.seed, pool);
  const double seconds = median_seconds(options.seconds, [&] { training.step(); });
  return {{"tokens_per_s", training.tokens() / seconds},
          {"median_ms", seconds * 1e3},
          {"gflop_per_s", training.flop() / seconds * 1e-9}};
}

nlohmann::json bench_decoding(const BenchArguments& options, WorkerPool& pool, Search search) {
  const BenchShape& shape = bench_shape(options.preset);
  Transformer<float> model(bench_config(shape, options.dropout));
  model.initialize(options.common.seed);
  model.output_projection.bias[model.config.eos_id] = -1e9f;  // no early end: every run writes as many tokens
  DecodeOptions decoding;
  decoding.search = search;
  decoding.beam = kBeam;
  decoding.alternatives = 0;
  decoding.pool = &pool;
  Random random(options.common.seed);
  nlohmann::json result;
  for (const int sentences : {1, 32}) {
    const auto sources = bench_sentences(shape, sentences, random);
    const double seconds = median_seconds(options.seconds, [&] { decode(model, sources, decoding); });
    result["batch_" + std::to_string(sentences)] = {{"tokens_per_s", sentences * shape.length / seconds}};
  }
  return result;
}

int run_bench(BenchArguments options) {
  WorkerPool pool(thread_count(options.common));
  if (options.profile) {
    if (!options.what.empty() && options.what != "train")
      throw CLI::ValidationError("--profile measures training alone; leave out --what " + options.what);
    print_profile({options.preset, options.seconds, options.dropout, options.common.seed}, pool);
    return 0;
  }
  if (options.preset.empty()) options.preset = "tiny";
  nlohmann::json result = {{"preset", options.preset}, {"threads", pool.threads()}};
  const auto wanted = [&](const char* what) {
    return options.what.empty() || options.what == "all" || options.what == what;
  };
  if (wanted("train")) result["train"] = bench_training(options, pool);
  if (wanted("greedy")) result["greedy"] = bench_decoding(options, pool, Search::greedy);
  if (wanted("beam")) result["beam"] = bench_decoding(options, pool, Search::beam);
  const BenchRun run{options.preset, options.seconds, options.common.threads};
  if (options.what == "history") result["history"] = bench_history(run);
  if (options.what == "pair") result["pair"] = bench_pair(run);
  if (options.what == "window") result["window"] = bench_window(run);
  if (options.what == "walk") result["walk"] = bench_walk(run);
  if (options.what == "slider") result["slider"] = bench_slider(run);
  if (options.what == "change") result["change"] = bench_change(run);
  if (options.what == "begin") result["begin"] = bench_begin(run);
  if (options.what == "start") result["start"] = bench_start(run);
  if (options.what == "lessons") result["lessons"] = bench_lessons(run);
  if (options.what == "report") result["report"] = bench_report(run);
  if (options.what == "recurrent")
    result["recurrent"] = bench_recurrent(options.seconds, options.common.seed, pool);
  if (options.what == "heads") result["heads"] = bench_heads(pool);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result["peak_rss_mb"] = static_cast<double>(usage.ru_maxrss) / 1024;
  print_json(result);
  return 0;
}

}  // namespace

void add_bench_command(CLI::App& app, Subcommand& chosen) {
  const auto options = std::make_shared<BenchArguments>();
  CLI::App* command = app.add_subcommand("bench", "Measure training and decoding speed on this machine");
  command->footer("Example:\n  glassformer bench --preset small --what train --seconds 10");
  command
      ->add_option("--preset", options->preset,
                   "nano, tiny, small, medium or base (default tiny, with --profile all)")
      ->check(CLI::IsMember({"nano", "tiny", "small", "medium", "base"}));
  command
      ->add_option(
          "--what", options->what,
          "train, greedy, beam, or all of these (default); history, pair or window: what it costs a real run "
          "to\nkeep its steps for looking back, to have a second run beside it, or to be watched in an open "
          "window;\nwalk, slider, change or begin: how fast the window answers to stepping through the Walk, "
          "or "
          "through training, to a what-if, and Train with a first step;\nheads: the head report of the model "
          "that "
          "comes along; lessons: how fast each of them opens; start: how fast the window has its first "
          "picture;\nreport: one of six figures, and the frames "
          "meanwhile;\nrecurrent: a step of a recurrent model of width 128")
      ->check(CLI::IsMember({"train", "greedy", "beam", "all", "history", "pair", "window", "walk", "slider",
                             "change", "begin", "start", "heads", "lessons", "report", "recurrent"}));
  command->add_option("--seconds", options->seconds, "Time for each measurement (default 5)")
      ->check(number_between(0.01, 3600));
  command->add_option("--dropout", options->dropout, "Dropout of --what train (default 0.1)")
      ->check(number_between(0, 0.99));
  command->add_flag("--profile", options->profile,
                    "Print a table instead: where training's time goes, by kind of work");
  add_common_options(*command, options->common);
  command->callback([options, &chosen] { chosen = [options] { return run_bench(*options); }; });
}

}  // namespace glassformer
