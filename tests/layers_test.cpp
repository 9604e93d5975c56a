#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "engine/layers/activation.h"
#include "engine/layers/attention.h"
#include "engine/layers/embedding.h"
#include "engine/layers/feed_forward.h"
#include "engine/layers/layer_norm.h"
#include "engine/layers/linear.h"
#include "engine/math/random.h"

using namespace glassformer;

namespace {

Matrix<double> random_matrix(int rows, int columns, std::uint64_t seed) {
  Random random(seed);
  Matrix<double> matrix(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) matrix(i, j) = random.normal();
  }
  return matrix;
}

// The largest difference between `gradient` and the slopes of `f` when the numbers at `values` are nudged.
double worst_slope(double* values, Eigen::Index count, const double* gradient,
                   const std::function<double()>& f) {
  double worst = 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    const double kept = values[i];
    values[i] = kept + 1e-6;
    const double above = f();
    values[i] = kept - 1e-6;
    const double below = f();
    values[i] = kept;
    worst = std::max(worst, std::abs((above - below) / 2e-6 - gradient[i]));
  }
  return worst;
}

Linear<double> random_linear(int in, int out, std::uint64_t seed) {
  Linear<double> linear;
  linear.resize(in, out, true);
  linear.weight = random_matrix(out, in, seed);
  linear.bias = random_matrix(1, out, seed + 1);
  return linear;
}

}  // namespace

TEST_CASE("linear: gradients are slopes, and a part of the outputs is that part") {
  Matrix<double> x = random_matrix(4, 3, 1);
  Linear<double> linear = random_linear(3, 5, 2);
  const Matrix<double> d_y = random_matrix(4, 5, 4);
  Matrix<double> y(4, 5), d_x(4, 3), part(4, 2);
  const auto loss = [&] {
    linear.forward(x, y);
    return y.cwiseProduct(d_y).sum();
  };
  loss();
  linear.forward(x, part, 2);
  CHECK((part - y.middleCols(2, 2)).cwiseAbs().maxCoeff() < 1e-14);
  linear.backward(d_y, d_x);
  CHECK(worst_slope(x.data(), x.size(), d_x.data(), loss) < 1e-7);
  Linear<double> gradient;
  gradient.resize(3, 5, true);
  linear_gradient<double>(x, d_y, gradient.weight, gradient.bias.data(), true);
  CHECK(worst_slope(linear.weight.data(), 15, gradient.weight.data(), loss) < 1e-7);
  CHECK(worst_slope(linear.bias.data(), 5, gradient.bias.data(), loss) < 1e-7);
}

TEST_CASE("norms: a row gets mean square 1, of LayerNorm mean 0 too, and gradients are slopes") {
  for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
    CAPTURE(norm_traits(kind).name);
    Matrix<double> x = random_matrix(4, 6, 1);
    LayerNorm<double> norm;
    norm.resize(6, kind);
    norm.weight = random_matrix(1, 6, 2);
    if (norm.centred()) norm.bias = random_matrix(1, 6, 3);
    const Matrix<double> d_y = random_matrix(4, 6, 4);
    LayerNormSaved<double> saved;
    saved.resize(4, 6);
    saved.d_weight.resize(1, 6);
    saved.d_bias.resize(1, 6);
    const auto loss = [&] {
      layer_norm_forward<double>(norm, 1e-5, x, 0, saved);
      return saved.y.cwiseProduct(d_y).sum();
    };
    loss();
    for (int i = 0; i < 4; ++i) {
      CHECK((std::abs(saved.normalized.row(i).mean()) < 1e-12) == norm.centred());
      CHECK(saved.normalized.row(i).squaredNorm() / 6 == doctest::Approx(1).epsilon(1e-3));
    }
    Matrix<double> plain(4, 6);
    layer_norm<double>(norm, 1e-5, x, plain);
    CHECK((plain - saved.y).cwiseAbs().maxCoeff() < 1e-14);

    Matrix<double> d_x = d_y;
    layer_norm_backward<double>(norm, d_x, 0, 0, saved);
    LayerNorm<double> gradient;
    gradient.resize(6, kind);
    add_layer_norm_gradient(saved, 1, gradient);
    CHECK(worst_slope(x.data(), x.size(), d_x.data(), loss) < 1e-7);
    CHECK(worst_slope(norm.weight.data(), 6, gradient.weight.data(), loss) < 1e-7);
    CHECK(worst_slope(norm.bias.data(), norm.bias.size(), gradient.bias.data(), loss) < 1e-7);
  }
}

TEST_CASE("activations: known values, and gradients are slopes") {
  const auto value = [](Activation kind, double x) {
    double y = 0;
    activate(kind, &x, &y, 1);
    return y;
  };
  CHECK(value(Activation::relu, -2) == 0);
  CHECK(value(Activation::relu, 3) == 3);
  CHECK(value(Activation::gelu, 1) == doctest::Approx(0.8413447460685429));
  CHECK(value(Activation::swish, 1) == doctest::Approx(0.7310585786300049));
  CHECK(value(Activation::gelu_sigmoid, 1) == doctest::Approx(0.8457957659328212));
  CHECK(std::isnan(value(Activation::relu, std::numeric_limits<double>::quiet_NaN())));
  CHECK(value(Activation::swish, -1000) == doctest::Approx(0));
  for (const Activation kind :
       {Activation::relu, Activation::gelu, Activation::swish, Activation::gelu_sigmoid}) {
    for (double x : {-7.0, -1.3, -0.2, 0.4, 2.2, 9.0}) {
      double slope = 1;
      activate_backward(kind, &x, &slope, 1);
      CHECK(worst_slope(&x, 1, &slope, [&] { return value(kind, x); }) < 1e-8);
    }
  }
}

TEST_CASE("activations in single precision are those in double, in any number of places") {
  Random random(3);
  for (const Activation kind :
       {Activation::relu, Activation::gelu, Activation::swish, Activation::gelu_sigmoid}) {
    for (const std::size_t count : {1, 15, 16, 33, 1000}) {
      std::vector<float> x(count), y(count), d(count, 1);
      for (float& value : x) value = static_cast<float>(4 * random.normal());
      const std::vector<double> in(x.begin(), x.end());
      std::vector<double> out(count), slope(count, 1);
      activate(kind, x.data(), y.data(), count);
      activate(kind, in.data(), out.data(), count);
      activate_backward(kind, x.data(), d.data(), count);
      activate_backward(kind, in.data(), slope.data(), count);
      double worst = 0;
      for (std::size_t i = 0; i < count; ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(y[i]) - out[i]) / (1 + std::abs(out[i])));
        worst = std::max(worst, std::abs(static_cast<double>(d[i]) - slope[i]));
      }
      CHECK(worst < 1e-6);
    }
  }
}

TEST_CASE("feed-forward, plain and gated: gradients are slopes, with dropout too") {
  for (const auto& [p, gated] : {std::pair{0.0, false}, {0.4, false}, {0.0, true}, {0.4, true}}) {
    FeedForward<double> layer{random_linear(4, 7, 1), {}, random_linear(7, 4, 3), Activation::swish};
    if (gated) layer.linear_gate.weight = random_matrix(7, 4, 5);
    Matrix<double> x = random_matrix(5, 4, 6), y(5, 4), d_y = random_matrix(5, 4, 7), d_x(5, 4);
    FeedForwardSaved<double> saved;
    saved.resize(5, layer);
    saved.resize_backward(layer);
    NoTap nobody;
    const Probe<NoTap> probe{nobody};
    const Dropout dropout{p, 11};
    const auto loss = [&] {
      feed_forward<double>(layer, x, dropout, saved, y, probe);
      return y.cwiseProduct(d_y).sum();
    };
    loss();
    feed_forward_backward<double>(layer, d_y, dropout, saved, d_x, probe);
    CHECK(worst_slope(x.data(), x.size(), d_x.data(), loss) < 1e-7);
  }
}

TEST_CASE("attention: gradients of queries and memory are slopes, with masks and dropout") {
  constexpr int kWidth = 6;
  for (const double p : {0.0, 0.4}) {
    Attention<double> layer{random_linear(kWidth, 3 * kWidth, 1), random_linear(kWidth, kWidth, 3), 2, true};
    AttentionPlan plan;
    plan.spans = {{0, 3, 0, 4, 0}, {3, 2, 4, 1, 24}};
    plan.weights = 28;
    plan.longest_block = 12;
    plan.hidden_keys = {0, 1, 0, 0, 0};
    plan.query_side = Side::target;
    plan.cross = true;
    Matrix<double> x = random_matrix(5, kWidth, 6), memory = random_matrix(5, kWidth, 7);
    Matrix<double> y(5, kWidth), d_x(5, kWidth), d_memory(5, kWidth), d_y = random_matrix(5, kWidth, 8);
    AttentionSaved<double> saved;
    saved.resize(plan, kWidth, 5, 5);
    AttentionPart part{&plan, 0, 2, 0, 5, 0, 5, 0, {p, 5}};
    NoTap nobody;
    const Probe<NoTap> probe{nobody};
    const auto loss = [&] {
      const ConstMatrixRef<double> keys = memory;
      attend<double>(layer, part, x, &keys, saved, y, probe);
      return y.cwiseProduct(d_y).sum();
    };
    loss();
    CHECK(saved.weights(1, 0) == 0);  // the hidden key of the first query
    d_memory.setZero();
    MatrixRef<double> d_keys = d_memory;
    Matrix<double> d_output = d_y;
    attend_backward<double>(layer, part, d_output, saved, d_x, &d_keys, probe);
    CHECK(worst_slope(x.data(), x.size(), d_x.data(), loss) < 1e-7);
    CHECK(worst_slope(memory.data(), memory.size(), d_memory.data(), loss) < 1e-7);
    CHECK(d_memory.row(1).cwiseAbs().maxCoeff() == 0);
  }
}

TEST_CASE("embedding: rows are looked up and scaled, and gradients land where they came from") {
  const Matrix<double> table = random_matrix(6, 3, 1), d_out = random_matrix(4, 3, 2);
  const std::vector<int> ids = {2, 5, 2, 0};
  Matrix<double> out(4, 3), gradient = Matrix<double>::Zero(6, 3);
  embed<double>(table, ids, 2.0, out);
  CHECK((out.row(1) - 2 * table.row(5)).cwiseAbs().maxCoeff() == 0);
  add_embedding_gradient<double>(ids, d_out, 2.0, 0, 3, gradient);
  CHECK((gradient.row(2) - 2 * (d_out.row(0) + d_out.row(2))).cwiseAbs().maxCoeff() < 1e-15);
  CHECK(gradient.row(5).cwiseAbs().maxCoeff() == 0);  // outside the part asked for
  CHECK(gradient.row(1).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("sinusoids are laid out as other programs have them") {
  const auto row = [](const WaveForm& form) {
    const Matrix<double> table = sinusoids<double>(2, 8, form);
    std::vector<double> numbers(table.row(1).data(), table.row(1).data() + 8);
    for (int column = 0; column < 8; ++column)
      CHECK(position_wave(1, column, 8, form) == numbers[static_cast<std::size_t>(column)]);
    return numbers;
  };
  const auto check = [](const std::vector<double>& found, const std::vector<double>& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(std::abs(found[i] - wanted[i]) < 6e-5);
  };
  check(row({}), {.8415, .5403, .0998, .9950, .0100, 1, .0010, 1});
  check(row({PositionOrder::halves, PositionDivisor::d_less_two}),
        {.8415, .0464, .0022, .0001, .5403, .9989, 1, 1});
  check(row({PositionOrder::halves, PositionDivisor::d}), {.8415, .0998, .0100, .0010, .5403, .9950, 1, 1});
}

TEST_CASE("sinusoids follow the paper, and an odd width ends in a sine") {
  const Matrix<double> table = sinusoids<double>(9, 5);
  CHECK(table(0, 0) == 0);
  CHECK(table(0, 1) == 1);
  CHECK(table(7, 0) == doctest::Approx(std::sin(7.0)));
  CHECK(table(7, 3) == doctest::Approx(std::cos(7 / std::pow(10000, 2.0 / 5))));
  CHECK(table(8, 4) == doctest::Approx(std::sin(8 / std::pow(10000, 4.0 / 5))));
}
