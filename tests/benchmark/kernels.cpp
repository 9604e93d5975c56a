// How fast single kernels are on one thread, each on the shapes of the presets.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/layers/activation.h"
#include "engine/layers/adam.h"
#include "engine/layers/cross_entropy.h"
#include "engine/layers/dropout.h"
#include "engine/layers/layer_norm.h"
#include "engine/math/matrix.h"
#include "engine/math/product.h"
#include "engine/math/softmax.h"

namespace glassformer {
namespace {

Matrix<float> random_matrix(Eigen::Index rows, Eigen::Index columns) {
  return Matrix<float>::Random(rows, columns);
}

Block<float> block(Matrix<float>& matrix) {
  const int columns = static_cast<int>(matrix.cols());
  return {matrix.data(), static_cast<int>(matrix.rows()), columns, columns};
}

void count_flop(benchmark::State& state, double flop) {
  state.counters["flop/s"] = benchmark::Counter(flop, benchmark::Counter::kIsIterationInvariantRate);
}

void count_numbers(benchmark::State& state, Eigen::Index numbers) {
  state.SetItemsProcessed(state.iterations() * numbers);
}

// ---- the three products of a linear layer: (tokens, out, in)

void shapes(benchmark::internal::Benchmark* products) {
  products->Args({160, 64, 32});     // nano
  products->Args({256, 256, 64});    // tiny
  products->Args({192, 512, 128});   // small
  products->Args({192, 2000, 128});  // small's vocabulary
  products->Args({192, 1024, 256});  // medium
  products->Args({192, 8000, 256});  // medium's vocabulary
  products->Args({256, 2048, 512});  // base
  products->Args({1, 1024, 256});    // one sentence decoded
  products->Args({16, 1024, 256});   // sixteen
  products->Args({24, 24, 32});      // one head
}

// y = x W^T
void forward_product(benchmark::State& state) {
  Matrix<float> x = random_matrix(state.range(0), state.range(2));
  Matrix<float> weight = random_matrix(state.range(1), state.range(2));
  Matrix<float> y(x.rows(), weight.rows());
  for (auto _ : state) product<float>(block(x), Factor<float>(block(weight)).transposed(), block(y));
  count_flop(state, 2.0 * static_cast<double>(y.size() * x.cols()));
}
BENCHMARK(forward_product)->Apply(shapes);

// d_x = d_y W
void backward_product(benchmark::State& state) {
  Matrix<float> d_y = random_matrix(state.range(0), state.range(1));
  Matrix<float> weight = random_matrix(state.range(1), state.range(2));
  Matrix<float> d_x(d_y.rows(), weight.cols());
  for (auto _ : state) product<float>(block(d_y), block(weight), block(d_x));
  count_flop(state, 2.0 * static_cast<double>(d_y.size() * d_x.cols()));
}
BENCHMARK(backward_product)->Apply(shapes);

// d_W = d_y^T x
void weight_gradient(benchmark::State& state) {
  Matrix<float> d_y = random_matrix(state.range(0), state.range(1));
  Matrix<float> x = random_matrix(state.range(0), state.range(2));
  Matrix<float> d_weight(d_y.cols(), x.cols());
  for (auto _ : state) product<float>(Factor<float>(block(d_y)).transposed(), block(x), block(d_weight));
  count_flop(state, 2.0 * static_cast<double>(d_y.size() * x.cols()));
}
BENCHMARK(weight_gradient)->Apply(shapes);

// ---- rows of numbers

void softmax_of_rows(benchmark::State& state) {
  Matrix<float> scores = random_matrix(1000, state.range(0));
  for (auto _ : state) {
    for (Eigen::Index i = 0; i < scores.rows(); ++i)
      softmax(scores.row(i).data(), static_cast<int>(scores.cols()));
  }
  count_numbers(state, scores.size());
}
BENCHMARK(softmax_of_rows)->Arg(16)->Arg(24)->Arg(100);

void layer_norm_there_and_back(benchmark::State& state) {
  const int d = static_cast<int>(state.range(0));
  LayerNorm<float> norm;
  norm.resize(d, NormKind::layer);
  norm.weight.setOnes();
  Matrix<float> x = random_matrix(256, d), gradient = random_matrix(256, d);
  LayerNormSaved<float> saved;
  saved.resize(256, d);
  saved.d_weight.resize(1, d);
  saved.d_bias.resize(1, d);
  for (auto _ : state) {
    layer_norm_forward<float>(norm, 1e-5, x, 0, saved);
    layer_norm_backward<float>(norm, gradient, 0, 0, saved);
  }
  count_numbers(state, x.size());
}
BENCHMARK(layer_norm_there_and_back)->Arg(64)->Arg(256)->Arg(512);

void dropout_of_numbers(benchmark::State& state) {
  std::vector<float> values(1 << 16, 1.0f);
  const Dropout dropout{1e-4, 1};
  for (auto _ : state) drop(values.data(), values.size(), 0, dropout);
  count_numbers(state, std::ssize(values));
}
BENCHMARK(dropout_of_numbers);

void activation(benchmark::State& state) {
  const auto kind = static_cast<Activation>(state.range(0));
  Matrix<float> x = random_matrix(1, 1 << 16), y = x;
  for (auto _ : state) activate(kind, x.data(), y.data(), static_cast<std::size_t>(x.size()));
  count_numbers(state, x.size());
}
BENCHMARK(activation)->ArgName("relu,gelu,swish")->DenseRange(0, 2);

void loss_of_logits(benchmark::State& state) {
  const int words = static_cast<int>(state.range(0));
  Matrix<float> start = random_matrix(64, words), logits = start;
  const std::vector<int> wanted(64, 5);
  CrossEntropyOptions options;
  options.gradient_scale = 1.0 / 64;
  for (auto _ : state) {
    logits = start;
    benchmark::DoNotOptimize(cross_entropy<float>(logits, wanted, options).loss);
  }
  count_numbers(state, logits.size());
}
BENCHMARK(loss_of_logits)->Arg(32)->Arg(2000)->Arg(8000);

void adam_of_numbers(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  std::vector<float> weights(count, 1), gradient(count, 0.1f), first(count), second(count);
  AdamStep step;
  for (auto _ : state) adam_update(weights.data(), gradient.data(), first.data(), second.data(), count, step);
  count_numbers(state, state.range(0));
}
BENCHMARK(adam_of_numbers)->Arg(1 << 15)->Arg(1 << 22);

}  // namespace
}  // namespace glassformer

BENCHMARK_MAIN();
