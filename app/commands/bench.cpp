// `glassformer bench`: how fast this machine trains and decodes.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/commands/commands.h"
#include "engine/decode/decode.h"
#include "engine/layers/schedule.h"
#include "engine/math/error.h"
#include "engine/math/random.h"
#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/train/presets.h"

namespace glassformer {
namespace {

struct Options {
  CommonOptions common;
  std::string preset = "tiny", what = "all";
  double seconds = 5;
  double dropout = 0.1;
};

// The data of one preset: random tokens, all sentences equally long, so that every step is the same work.
struct Shape {
  std::string_view preset;
  int vocabulary, length, sentences;
  Sharing sharing;
};

constexpr Shape kShapes[] = {{"nano", 32, 10, 32, Sharing::none},
                             {"tiny", 32, 16, 64, Sharing::none},
                             {"small", 2000, 24, 64, Sharing::none},
                             {"medium", 8000, 24, 64, Sharing::none},
                             {"base", 8000, 32, 16, Sharing::all}};
constexpr int kFirstWord = 4;
constexpr int kBeam = 4;

Config config_of(const Shape& shape, const Options& options) {
  Config config = with_preset(Config(), preset(shape.preset));
  config.source_vocab = config.target_vocab = shape.vocabulary;
  config.max_length = shape.length + 1;
  config.sharing = shape.sharing;
  config.source_eos = false;
  config.dropout = options.dropout;
  return config;
}

std::vector<std::vector<int>> random_rows(int rows, const Shape& shape, Random& random) {
  std::vector<std::vector<int>> result(static_cast<std::size_t>(rows));
  for (auto& row : result) {
    for (int i = 0; i < shape.length; ++i)
      row.push_back(kFirstWord + random.below(shape.vocabulary - kFirstWord));
  }
  return result;
}

// Multiply-adds times two: backward needs two products for each forward one.
double training_flop(const Config& c, const Shape& shape) {
  const double b = shape.sentences, l = shape.length, d = c.d_model, f = c.d_ff;
  const double encoder = b * l * (8 * d * d + 4 * d * f) + 4 * b * l * l * d;
  const double decoder = b * l * (16 * d * d + 4 * d * f) + 8 * b * l * l * d;
  return 3 * (c.encoder_layers * encoder + c.decoder_layers * decoder + 2 * b * l * d * c.target_vocab);
}

// Median seconds of a call, after a warm-up.
double median_seconds(double budget, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  for (int i = 0; i < 3; ++i) work();
  std::vector<double> times;
  const auto start = Clock::now();
  while (times.size() < 5 || seconds_since(start) < budget) {
    const auto begin = Clock::now();
    work();
    times.push_back(seconds_since(begin));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

nlohmann::json bench_training(const Shape& shape, const Options& options, WorkerPool& pool) {
  const Config config = config_of(shape, options);
  Random random(options.common.seed);
  auto targets = random_rows(shape.sentences, shape, random);
  for (auto& target : targets) target.pop_back();  // with bos and eos as long as a source
  const Batch batch = make_batch(random_rows(shape.sentences, shape, random), targets, config);

  Transformer<float> model(config), gradient(config), first_moment(config), second_moment(config);
  model.initialize(options.common.seed);
  Saved<float> saved;
  saved.pool = &pool;
  saved.dropout = config.dropout;
  Schedule schedule;
  schedule.d_model = config.d_model;
  AdamStep adam;
  adam.step = 0;
  double loss = 0;
  const double seconds = median_seconds(options.seconds, [&] {
    ++adam.step;
    saved.step = adam.step;
    model.forward(batch, saved);
    loss = model.loss(batch, saved, {0.1, true}).loss;
    model.backward(batch, saved, gradient);
    adam.rate = schedule.rate(adam.step);
    adam_step(model, gradient, first_moment, second_moment, adam, &pool);
  });
  if (!std::isfinite(loss)) throw Error("bench", "the loss is not finite");
  return {{"tokens_per_s", batch.tokens() / seconds},
          {"median_ms", seconds * 1e3},
          {"gflop_per_s", training_flop(config, shape) / seconds * 1e-9}};
}

nlohmann::json bench_decoding(const Shape& shape, const Options& options, WorkerPool& pool, Search search) {
  Transformer<float> model(config_of(shape, options));
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
    const auto sources = random_rows(sentences, shape, random);
    const double seconds = median_seconds(options.seconds, [&] { decode(model, sources, decoding); });
    result["batch_" + std::to_string(sentences)] = {{"tokens_per_s", sentences * shape.length / seconds}};
  }
  return result;
}

int run_bench(const Options& options) {
  const Shape& shape = *std::find_if(std::begin(kShapes), std::end(kShapes), [&](const Shape& candidate) {
    return candidate.preset == options.preset;
  });
  WorkerPool pool(thread_count(options.common));
  nlohmann::json result = {{"preset", options.preset}, {"threads", pool.threads()}};
  const auto wanted = [&](const char* what) { return options.what == "all" || options.what == what; };
  if (wanted("train")) result["train"] = bench_training(shape, options, pool);
  if (wanted("greedy")) result["greedy"] = bench_decoding(shape, options, pool, Search::greedy);
  if (wanted("beam")) result["beam"] = bench_decoding(shape, options, pool, Search::beam);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result["peak_rss_mb"] = static_cast<double>(usage.ru_maxrss) / 1024;
  print_json(result);
  return 0;
}

}  // namespace

void add_bench_command(CLI::App& app, Subcommand& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bench", "Measure training and decoding speed on this machine");
  command->footer("Example:\n  glassformer bench --preset small --what train --seconds 10");
  command->add_option("--preset", options->preset, "nano, tiny, small, medium or base (default tiny)")
      ->check(CLI::IsMember({"nano", "tiny", "small", "medium", "base"}));
  command->add_option("--what", options->what, "train, greedy, beam or all (default all)")
      ->check(CLI::IsMember({"train", "greedy", "beam", "all"}));
  command->add_option("--seconds", options->seconds, "Time for each measurement (default 5)")
      ->check(CLI::Range(0.01, 3600.0));
  command->add_option("--dropout", options->dropout, "Dropout while training (default 0.1)")
      ->check(CLI::Range(0.0, 0.99));
  add_common_options(*command, options->common);
  command->callback([options, &chosen] { chosen = [options] { return run_bench(*options); }; });
}

}  // namespace glassformer
