#include "tests/benchmark/training.h"

#include <algorithm>
#include <cmath>

#include "engine/math/error.h"
#include "engine/model/training_pass.h"
#include "engine/train/presets.h"

namespace glassformer {
namespace {

constexpr BenchShape kShapes[] = {{"nano", 32, 10, 32, Sharing::none},
                                  {"tiny", 32, 16, 64, Sharing::none},
                                  {"small", 2000, 24, 64, Sharing::none},
                                  {"medium", 8000, 24, 64, Sharing::none},
                                  {"base", 8000, 32, 16, Sharing::all}};
constexpr int kFirstWord = 4;
constexpr double kSmoothing = 0.1;

Batch random_batch(const BenchShape& shape, const Config& config, std::uint64_t seed) {
  Random random(seed);
  auto targets = bench_sentences(shape, shape.sentences, random);
  for (auto& target : targets) target.pop_back();  // with bos and eos as long as a source
  return make_batch(bench_sentences(shape, shape.sentences, random), targets, config);
}

}  // namespace

std::span<const BenchShape> bench_shapes() {
  return kShapes;
}

const BenchShape& bench_shape(std::string_view preset) {
  const auto found = std::find_if(std::begin(kShapes), std::end(kShapes),
                                  [&](const BenchShape& shape) { return shape.preset == preset; });
  if (found == std::end(kShapes)) throw Error("bench", "there is no preset " + std::string(preset));
  return *found;
}

Config bench_config(const BenchShape& shape, double dropout) {
  Config config = with_preset(Config(), preset(shape.preset));
  config.source_vocab = config.target_vocab = shape.vocabulary;
  config.max_length = shape.length + 1;
  config.sharing = shape.sharing;
  config.source_eos = false;
  config.dropout = dropout;
  return config;
}

std::vector<std::vector<int>> bench_sentences(const BenchShape& shape, int count, Random& random) {
  std::vector<std::vector<int>> result(static_cast<std::size_t>(count));
  for (auto& row : result) {
    for (int i = 0; i < shape.length; ++i)
      row.push_back(kFirstWord + random.below(shape.vocabulary - kFirstWord));
  }
  return result;
}

BenchTraining::BenchTraining(const BenchShape& shape, double dropout, std::uint64_t seed, WorkerPool& pool)
    : shape_(shape),
      config_(bench_config(shape, dropout)),
      batch_(random_batch(shape, config_, seed)),
      pool_(pool),
      model_(config_),
      gradient_(config_),
      first_moment_(config_),
      second_moment_(config_),
      optimizer_(model_, gradient_, first_moment_, second_moment_) {
  model_.initialize(seed);
  saved_.pool = &pool;
  saved_.dropout = dropout;
  schedule_.d_model = config_.d_model;
  adam_.step = 0;
}

void BenchTraining::step() {
  ++adam_.step;
  saved_.step = adam_.step;
  const Loss loss = training_pass(model_, batch_, kSmoothing, saved_, gradient_);
  if (!std::isfinite(loss.loss)) throw Error("bench", "the loss is not finite");
  adam_.rate = schedule_.rate(adam_.step);
  optimizer_.step(adam_, &pool_);
}

double BenchTraining::flop() const {
  const Config& c = config_;
  const double b = shape_.sentences, l = shape_.length, d = c.d_model, f = c.d_ff;
  const double encoder = b * l * (8 * d * d + 4 * d * f) + 4 * b * l * l * d;
  const double decoder = b * l * (16 * d * d + 4 * d * f) + 8 * b * l * l * d;
  return 3 * (c.encoder_layers * encoder + c.decoder_layers * decoder + 2 * b * l * d * c.target_vocab);
}

}  // namespace glassformer
