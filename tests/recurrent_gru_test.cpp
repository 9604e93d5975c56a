// The layer alone: slopes, and what torch.nn.GRU computes (tests/fixtures/make_recurrent.py).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/files/safetensors.h"
#include "engine/layers/linear.h"
#include "engine/math/random.h"
#include "engine/recurrent/gru.h"
#include "engine/recurrent/names.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

PackedIds sentences_of(const std::vector<int>& lengths) {
  PackedIds ids;
  for (const int length : lengths) ids.add(std::vector<int>(static_cast<std::size_t>(length), 5));
  return ids;
}

// One layer and everything that a pass through it needs.
template <class Scalar>
struct Bench {
  Gru<Scalar> layer, gradient;
  Steps steps;
  GruSaved<Scalar> saved;
  Matrix<Scalar> x, d_output, d_x;  // by step

  Bench(const std::vector<int>& lengths, int in, int d) {
    const PackedIds ids = sentences_of(lengths);
    steps.arrange(ids, 0, ids.sentences());
    layer.resize(in, d);
    gradient.resize(in, d);
    saved.make_room_for(ids.tokens(), ids.sentences(), d);
    saved.make_room_for_backward();
    x.setZero(ids.tokens(), in);
    d_x.setZero(ids.tokens(), in);
    d_output.setZero(ids.tokens(), d);
    saved.first.setZero();
    saved.d_last.setZero();
  }
  void forward() { gru_forward<Scalar>(layer, forward_panels(layer), steps, x, 0, saved); }
  void backward() {
    gru_backward<Scalar>(layer, backward_panels(layer), steps, d_output, 0, saved, &d_x);
    linear_gradient<Scalar>(x, saved.d_input, gradient.input_weight, gradient.input_bias.data(), false);
    linear_gradient<Scalar>(saved.previous, saved.d_state, gradient.state_weight, gradient.state_bias.data(),
                            false);
  }
};

template <class M>
void randomize(M& matrix, Random& random) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = 0.7 * random.normal();
}

template <class M>
double worst_slope_of(M& values, const M& gradient, const std::function<double()>& f) {
  double worst = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double kept = values.data()[i];
    values.data()[i] = kept + 1e-6;
    const double above = f();
    values.data()[i] = kept - 1e-6;
    const double below = f();
    values.data()[i] = kept;
    worst = std::max(worst, std::abs((above - below) / 2e-6 - gradient.data()[i]));
  }
  return worst;
}

// Sentence `place` of a step of a padded tensor (B, T, width): where the fixture has a row of the layer.
template <class Function>
void for_each_row(const Steps& steps, Function&& f) {
  for (int place = 0; place < steps.sentences(); ++place) {
    for (int step = 0; step < steps.length(place); ++step)
      f(steps.first(step) + place, steps.sentence(place), step);
  }
}

float worst_row(const float* wanted, const Eigen::Ref<const RowVector<float>>& found) {
  float worst = 0;
  for (Eigen::Index i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i] - wanted[i]));
  return worst;
}

template <class M>
float worst_of(const std::vector<float>& wanted, const M& found) {
  REQUIRE(static_cast<Eigen::Index>(wanted.size()) == found.size());
  float worst = 0;
  for (Eigen::Index i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::abs(found.data()[i] - wanted[static_cast<std::size_t>(i)]) /
                                std::max(1.f, std::abs(wanted[static_cast<std::size_t>(i)])));
  return worst;
}

}  // namespace

TEST_CASE("steps: the longest sentence first, and every word once") {
  const PackedIds ids = sentences_of({1, 3, 0, 3, 2});
  Steps steps;
  steps.arrange(ids, 1, 4);  // without the first
  CHECK(steps.steps() == 3);
  CHECK(steps.count(0) == 3);
  CHECK(steps.count(1) == 3);
  CHECK(steps.count(2) == 2);
  CHECK(steps.first_row() == 1);
  CHECK(steps.rows() == 8);
  CHECK(steps.sentence(0) == 1);
  CHECK(steps.sentence(1) == 3);
  CHECK(steps.sentence(3) == 2);
  CHECK(steps.place(4) == 2);
  std::vector<int> tokens;
  for (int row = 1; row < 9; ++row) tokens.push_back(steps.token(row));
  CHECK(tokens == std::vector<int>{1, 4, 7, 2, 5, 8, 3, 6});
  CHECK(steps.token(steps.last_row(2)) == 8);
}

TEST_CASE("gru: gradients are slopes, of weights, inputs and first states") {
  Bench<double> bench({2, 5, 0, 1, 4}, 3, 5);
  Random random(1);
  for (auto* matrix : {&bench.layer.input_weight, &bench.layer.state_weight, &bench.x, &bench.d_output,
                       &bench.saved.first, &bench.saved.d_last})
    randomize(*matrix, random);
  randomize(bench.layer.input_bias, random);
  randomize(bench.layer.state_bias, random);
  const auto loss = [&] {
    bench.forward();
    return bench.saved.output.cwiseProduct(bench.d_output).sum() +
           bench.saved.last.cwiseProduct(bench.saved.d_last).sum();
  };
  loss();
  bench.backward();
  CHECK(worst_slope_of(bench.layer.input_weight, bench.gradient.input_weight, loss) < 1e-8);
  CHECK(worst_slope_of(bench.layer.state_weight, bench.gradient.state_weight, loss) < 1e-8);
  CHECK(worst_slope_of(bench.layer.input_bias, bench.gradient.input_bias, loss) < 1e-8);
  CHECK(worst_slope_of(bench.layer.state_bias, bench.gradient.state_bias, loss) < 1e-8);
  CHECK(worst_slope_of(bench.x, bench.d_x, loss) < 1e-8);
  const Matrix<double> d_first = bench.saved.d_first;
  CHECK(worst_slope_of(bench.saved.first, d_first, loss) < 1e-8);
}

TEST_CASE("gru: a sentence that has ended keeps its state, one without a word the first") {
  Bench<double> bench({1, 4, 0}, 2, 3);
  Random random(2);
  for (auto* matrix : {&bench.layer.input_weight, &bench.layer.state_weight, &bench.x, &bench.saved.first})
    randomize(*matrix, random);
  bench.forward();
  CHECK(bench.saved.last.row(0) == bench.saved.output.row(bench.steps.last_row(0)));
  CHECK(bench.saved.last.row(1) == bench.saved.output.row(1));  // after its only word
  CHECK(bench.saved.last.row(2) == bench.saved.first.row(2));
}

TEST_CASE("gru: outputs, states and gradients are those of torch.nn.GRU") {
  const Safetensors file = Safetensors::read(source_folder() + "/tests/fixtures/recurrent/gru.safetensors");
  std::vector<int> lengths;
  for (const long length : file.integers("lengths")) lengths.push_back(static_cast<int>(length));
  const int longest = *std::max_element(lengths.begin(), lengths.end());
  const auto sentences = static_cast<int>(lengths.size());
  const auto d = static_cast<int>(file.at("output").shape[2]), in = static_cast<int>(file.at("x").shape[2]);
  const auto numbers = [&](const std::string& name) { return file.floats(name); };
  const auto layer_name = [](RecurrentPart part, int layer) {
    const std::string name = written({part, true, layer});
    return name.substr(std::string("encoder.").size());
  };

  // Two layers: the parameters, the first states, and the pass from the first to the last.
  std::vector<Bench<float>> layers{{lengths, in, d}, {lengths, d, d}};
  const Steps& steps = layers[0].steps;
  const auto x = numbers("x"), output = numbers("output"), first = numbers("first"), last = numbers("last"),
             d_output = numbers("d_output"), d_last = numbers("d_last"), d_x = numbers("d.x"),
             d_first = numbers("d.first");
  const auto at = [&](const std::vector<float>& padded, int sentence, int step, int width) {
    return padded.data() + (sentence * longest + step) * width;
  };
  const auto state = [&](const std::vector<float>& all, int layer, int place) {
    return all.data() + (layer * sentences + steps.sentence(place)) * d;
  };
  for (int i = 0; i < 2; ++i) {
    Bench<float>& bench = layers[static_cast<std::size_t>(i)];
    const auto read = [&](RecurrentPart part, auto& to) {
      const auto values = numbers(layer_name(part, i));
      REQUIRE(static_cast<Eigen::Index>(values.size()) == to.size());
      std::copy(values.begin(), values.end(), to.data());
    };
    read(RecurrentPart::input_weight, bench.layer.input_weight);
    read(RecurrentPart::state_weight, bench.layer.state_weight);
    read(RecurrentPart::input_bias, bench.layer.input_bias);
    read(RecurrentPart::state_bias, bench.layer.state_bias);
    for (int place = 0; place < sentences; ++place) {
      std::copy_n(state(first, i, place), d, bench.saved.first.row(place).data());
      std::copy_n(state(d_last, i, place), d, bench.saved.d_last.row(place).data());
    }
    if (i == 0) {
      for_each_row(steps, [&](int row, int sentence, int step) {
        std::copy_n(at(x, sentence, step, in), in, bench.x.row(row).data());
      });
    } else {
      bench.x = layers[0].saved.output;
    }
    bench.forward();
  }
  for_each_row(steps, [&](int row, int sentence, int step) {
    std::copy_n(at(d_output, sentence, step, d), d, layers[1].d_output.row(row).data());
  });
  layers[1].backward();
  layers[0].d_output = layers[1].d_x;
  layers[0].backward();

  for_each_row(steps, [&](int row, int sentence, int step) {
    CHECK(worst_row(at(output, sentence, step, d), layers[1].saved.output.row(row)) < 1e-5f);
    CHECK(worst_row(at(d_x, sentence, step, in), layers[0].d_x.row(row)) < 1e-5f);
  });
  for (int i = 0; i < 2; ++i) {
    const Bench<float>& bench = layers[static_cast<std::size_t>(i)];
    for (int place = 0; place < sentences; ++place) {
      CHECK(worst_row(state(last, i, place), bench.saved.last.row(place)) < 1e-5f);
      CHECK(worst_row(state(d_first, i, place), bench.saved.d_first.row(place)) < 1e-5f);
    }
    const auto wanted = [&](RecurrentPart part) { return numbers("d." + layer_name(part, i)); };
    CHECK(worst_of(wanted(RecurrentPart::input_weight), bench.gradient.input_weight) < 1e-5f);
    CHECK(worst_of(wanted(RecurrentPart::state_weight), bench.gradient.state_weight) < 1e-5f);
    CHECK(worst_of(wanted(RecurrentPart::input_bias), bench.gradient.input_bias) < 1e-5f);
    CHECK(worst_of(wanted(RecurrentPart::state_bias), bench.gradient.state_bias) < 1e-5f);
  }
}
