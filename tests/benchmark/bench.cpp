// How fast this machine trains, decodes, and answers in the window: `tests/benchmark/run --what train`.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/session/measuring.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/session/unfamiliar_words.h"
#include "engine/decode/decode.h"
#include "engine/math/error.h"
#include "engine/math/kept_memory.h"
#include "engine/math/processor.h"
#include "engine/math/product.h"
#include "tests/benchmark/foreign.h"
#include "tests/benchmark/learning.h"
#include "tests/benchmark/looking.h"
#include "tests/benchmark/profile.h"
#include "tests/benchmark/recurrent.h"
#include "tests/benchmark/run.h"
#include "tests/benchmark/times.h"
#include "tests/benchmark/training.h"

namespace glassformer {
namespace {

struct BenchArguments {
  CommonOptions common;
  std::string preset, what;  // what: empty, all of training and decoding
  std::string model;         // a folder, in place of a preset's model; empty: none
  double seconds = 5;
  double dropout = 0.1;
  bool profile = false;
};

constexpr int kBeam = 4, kModelLength = 24;

// Of one product of 1024 cubed on all threads.
double peak_gflop_per_s(WorkerPool& pool) {
  constexpr int kSize = 1024;
  const Matrix<float> a = Matrix<float>::Random(kSize, kSize), b = Matrix<float>::Random(kSize, kSize);
  Matrix<float> c(kSize, kSize);
  const double seconds = median_seconds(1, [&] {
    run_on(&pool, pool.threads(), [&](int share) {
      const int first = kSize * share / pool.threads(), end = kSize * (share + 1) / pool.threads();
      product<float>({a.row(first).data(), end - first, kSize, kSize}, {b.data(), kSize, kSize, kSize},
                     {c.row(first).data(), end - first, kSize, kSize});
    });
  });
  return 2e-9 * kSize * kSize * kSize / seconds;
}

nlohmann::json bench_training(const BenchArguments& options, WorkerPool& pool) {
  BenchTraining training(bench_shape(options.preset), options.dropout, options.common.seed, pool);
  const double seconds = median_seconds(options.seconds, [&] { training.step(); });
  const double speed = training.flop() / seconds * 1e-9, peak = peak_gflop_per_s(pool);
  return {{"tokens_per_s", training.tokens() / seconds},
          {"median_ms", seconds * 1e3},
          {"gflop_per_s", speed},
          {"peak_gflop_per_s", peak},
          {"share_of_peak", speed / peak}};
}

nlohmann::json bench_decoding(const BenchArguments& options, WorkerPool& pool, Search search) {
  BenchShape shape = bench_shape(options.preset);
  Transformer<float> model(bench_config(shape, options.dropout));
  model.initialize(options.common.seed);
  if (!options.model.empty()) {
    model = *open_model(options.model).snapshot.weights;
    shape.vocabulary = std::min(model.config.source_vocab, model.config.target_vocab);
    shape.length = std::min(kModelLength, model.config.max_length - 1);
    model.config.max_length = shape.length + 1;  // each writes as many, with the end
    if (!model.config.output_bias) throw Error("--model", "it needs a bias of the output, to write on");
  }
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

// Seconds for the head report of the model that comes along, on as many held-out pairs as the window takes.
nlohmann::json bench_heads(WorkerPool& pool) {
  const OpenedModel opened = open_model(program_file("models/english-french").string());
  const std::vector<SentencePair> pairs =
      measuring_pairs(training_text_of(*opened.data, opened.tokenizers).held_out, opened.tokenizers,
                      opened.snapshot.config, kMeasuringPairs);
  const auto start = BenchClock::now();
  const auto report =
      measured_heads(opened.snapshot, opened.tokenizers, pairs, opened.options.smoothing, &pool);
  return {{"pairs", report->pairs}, {"seconds", seconds_since(start)}};
}

BenchRun run_of(const BenchArguments& options) {
  return {options.preset, options.seconds, options.common.threads};
}

struct Measurement {
  const char* name;
  const char* words;
  nlohmann::json (*measured)(const BenchArguments&, WorkerPool&);
};

template <nlohmann::json (*measured)(const BenchRun&)>
nlohmann::json of_run(const BenchArguments& options, WorkerPool&) {
  return measured(run_of(options));
}

constexpr int kUnasked = 3;  // so many of the first are measured when none is named
const std::array kMeasurements = {
    Measurement{"train", "a training step", bench_training},
    Measurement{"greedy", "greedy decoding",
                [](const BenchArguments& options, WorkerPool& pool) {
                  return bench_decoding(options, pool, Search::greedy);
                }},
    Measurement{"beam", "beam search",
                [](const BenchArguments& options, WorkerPool& pool) {
                  return bench_decoding(options, pool, Search::beam);
                }},
    Measurement{"history", "what keeping its steps for looking back costs a run", of_run<bench_history>},
    Measurement{"pair", "what a second run beside it costs a run", of_run<bench_pair>},
    Measurement{"window", "what being watched in an open window costs a run", of_run<bench_window>},
    Measurement{"watch", "what Watch one learn costs the run that it shows", of_run<bench_watch>},
    Measurement{"walk", "how fast the window steps through the Walk", of_run<bench_walk>},
    Measurement{"slider", "how fast the window goes back through a training", of_run<bench_slider>},
    Measurement{"change", "how fast the window answers to a what-if", of_run<bench_change>},
    Measurement{"begin", "how soon after Train the first step is there", of_run<bench_begin>},
    Measurement{"start", "how soon the window has its first picture", of_run<bench_start>},
    Measurement{"heads", "the head report of the model that comes along",
                [](const BenchArguments&, WorkerPool& pool) { return bench_heads(pool); }},
    Measurement{"learn", "how soon a fresh model of the bundled grammar is right, over three seeds",
                of_run<bench_learning>},
    Measurement{"lessons", "how fast each lesson opens", of_run<bench_lessons>},
    Measurement{"foreign", "models as large as those of Opus-MT, imported and looked at",
                of_run<bench_foreign>},
    Measurement{"report", "a report of six figures, and the frames meanwhile", of_run<bench_report>},
    Measurement{"recurrent", "a step of a recurrent model of width 128",
                [](const BenchArguments& options, WorkerPool& pool) {
                  return bench_recurrent(options.seconds, options.common.seed, pool);
                }}};

int run_bench(BenchArguments options) {
  WorkerPool pool(thread_count(options.common));
  if (options.profile) {
    if (!options.what.empty() && options.what != "train")
      throw CLI::ValidationError("--profile measures training alone; leave out --what " + options.what);
    print_profile({options.preset, options.seconds, options.dropout, options.common.seed}, pool);
    return 0;
  }
  if (!options.model.empty() && options.what != "greedy" && options.what != "beam")
    throw CLI::ValidationError("--model is decoded by --what greedy and --what beam");
  if (options.preset.empty()) options.preset = "tiny";
  nlohmann::json result = {{"threads", pool.threads()}, {"instructions", vector_instructions()}};
  result[options.model.empty() ? "preset" : "model"] = options.model.empty() ? options.preset : options.model;
  const bool unasked = options.what.empty() || options.what == "all";
  for (const Measurement& each : kMeasurements)
    if (options.what == each.name || (unasked && &each - kMeasurements.data() < kUnasked))
      result[each.name] = each.measured(options, pool);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result["peak_rss_mb"] = static_cast<double>(usage.ru_maxrss) / 1024;
  print_json(result);
  return 0;
}

int run_program(int argc, char** argv) {
  CLI::App app("How fast this machine trains, decodes, and answers in the window, as JSON.", "benchmark");
  app.footer("Example:\n  tests/benchmark/run --preset small --what train --seconds 10");
  BenchArguments options;
  std::vector<std::string> names = {"all"};
  std::string words = "all: the first three (default)";
  for (const Measurement& each : kMeasurements) {
    names.emplace_back(each.name);
    words += std::string("\n") + each.name + ": " + each.words;
  }
  app.add_option("--preset", options.preset,
                 "nano, tiny, small, medium or base (default tiny, with --profile all)")
      ->check(CLI::IsMember({"nano", "tiny", "small", "medium", "base"}));
  app.add_option("--what", options.what, words)->check(CLI::IsMember(names));
  app.add_option("--model", options.model,
                 "A model's folder, which --what greedy and beam decode in place of the preset's");
  app.add_option("--seconds", options.seconds, "Time for each measurement (default 5)")
      ->check(number_between(0.01, 3600));
  app.add_option("--dropout", options.dropout, "Dropout of --what train (default 0.1)")
      ->check(number_between(0, 0.99));
  app.add_flag("--profile", options.profile,
               "Print a table instead: where training's time goes, by kind of work");
  add_common_options(app, options.common);
  read_values_alike(app);
  try {
    app.parse(argc, argv);
    return run_bench(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace
}  // namespace glassformer

int main(int argc, char** argv) {
  glassformer::keep_freed_memory();
  try {
    return glassformer::run_program(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "benchmark: " << glassformer::failure_words(error) << "\n";
    return 1;
  }
}
