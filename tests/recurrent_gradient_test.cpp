#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/math/worker_pool.h"
#include "tests/recurrent_helpers.h"

using namespace glassformer;

namespace {

double recurrent_loss(const RecurrentModel<double>& model, const Batch& batch,
                      RecurrentSaved<double>& saved) {
  model.forward(batch, saved);
  return model.loss(saved, {0.1, false}).loss;
}

template <class Scalar>
Loss loss_and_gradient(const RecurrentModel<Scalar>& model, const Batch& batch, RecurrentSaved<Scalar>& saved,
                       RecurrentModel<Scalar>& gradient) {
  model.forward(batch, saved);
  const Loss loss = model.loss(saved, {0.1, true});
  model.backward(saved, gradient);
  return loss;
}

template <class Scalar>
double worst_of_numbers(const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return worst;
}

}  // namespace

TEST_CASE("recurrent model: the gradient of every parameter is the slope of the loss") {
  constexpr double kNudge = 1e-6;
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentConfig& config = each.config;
    RecurrentModel<double> model = random_recurrent_model<double>(config, 3);
    const Batch batch = batch_of(config, random_pairs(config, 4, 5));
    RecurrentSaved<double> saved;
    RecurrentModel<double> gradient(config);
    loss_and_gradient(model, batch, saved, gradient);
    std::vector<const double*> slopes;
    gradient.visit([&](const std::string&, Parameter<double> tensor) { slopes.push_back(tensor.data); });
    std::size_t index = 0;
    model.visit([&](const std::string& tensor_name, Parameter<double> tensor) {
      CAPTURE(tensor_name);
      double worst = 0, largest = 0;
      for (std::size_t i = 0; i < tensor.size(); ++i) {
        const double kept = tensor.data[i];
        tensor.data[i] = kept + kNudge;
        const double above = recurrent_loss(model, batch, saved);
        tensor.data[i] = kept - kNudge;
        const double below = recurrent_loss(model, batch, saved);
        tensor.data[i] = kept;
        worst = std::max(worst, std::abs((above - below) / (2 * kNudge) - slopes[index][i]));
        largest = std::max(largest, std::abs(slopes[index][i]));
      }
      CHECK(worst < 1e-8);
      CHECK(largest > 1e-5);  // every tensor matters
      ++index;
    });
    CHECK(index == slopes.size());
  }
}

TEST_CASE("recurrent model: padding at the end of sentences changes nothing, to the bit") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentConfig& config = each.config;
    const RecurrentModel<float> model = random_recurrent_model<float>(config, 4);
    const Batch batch = batch_of(config, random_pairs(config, 5, 6));
    std::vector<std::vector<int>> sources, in, out;
    const auto padded = [&](std::span<const int> ids) {
      std::vector<int> row(ids.begin(), ids.end());
      row.resize(static_cast<std::size_t>(config.max_length), config.pad_id);
      return row;
    };
    for (int i = 0; i < batch.sentences(); ++i) {
      sources.push_back(padded(batch.source.sentence(i)));
      in.push_back(padded(batch.target_in.sentence(i)));
      out.push_back(padded(batch.target_out.sentence(i)));
    }
    const Batch longer = make_raw_batch(sources, in, out, batch_config(config));
    REQUIRE(longer.tokens() > batch.tokens());
    RecurrentSaved<float> saved, saved_longer;
    RecurrentModel<float> gradient(config), gradient_longer(config);
    const Loss loss = loss_and_gradient(model, batch, saved, gradient);
    CHECK(loss_and_gradient(model, longer, saved_longer, gradient_longer).loss == loss.loss);
    REQUIRE(saved_longer.logits.rows() == saved.logits.rows());
    CHECK(saved_longer.logits == saved.logits);
    CHECK(numbers_of(gradient_longer) == numbers_of(gradient));
  }
}

TEST_CASE("recurrent model: a sentence means the same alone and among others") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentConfig& config = each.config;
    const RecurrentModel<double> model = random_recurrent_model<double>(config, 5);
    const Sentences pairs = random_pairs(config, 40, 7);  // several chunks
    RecurrentSaved<double> together, alone;
    model.forward(batch_of(config, pairs), together);
    for (std::size_t i = 0; i < pairs.sources.size(); i += 7) {
      model.forward(batch_of(config, {{pairs.sources[i]}, {pairs.targets[i]}}), alone);
      const int first = together.words.target_in.begin(static_cast<int>(i));
      const auto rows = together.logits.middleRows(first, alone.logits.rows());
      CHECK((rows - alone.logits).cwiseAbs().maxCoeff() < 1e-12);
    }
  }
}

TEST_CASE("recurrent model: any number of threads gives the same bits, and memory is used again") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentConfig& config = each.config;
    const RecurrentModel<float> model = random_recurrent_model<float>(config, 6);
    const Batch batch = batch_of(config, random_pairs(config, 50, 8));
    RecurrentSaved<float> one, several;
    RecurrentModel<float> gradient_one(config), gradient_several(config);
    const Loss loss = loss_and_gradient(model, batch, one, gradient_one);
    WorkerPool pool(3);
    several.pool = &pool;
    loss_and_gradient(model, batch_of(config, random_pairs(config, 70, 9)), several, gradient_several);
    CHECK(loss_and_gradient(model, batch, several, gradient_several).loss == loss.loss);
    CHECK(numbers_of(gradient_several) == numbers_of(gradient_one));
  }
}

TEST_CASE("recurrent model: gradients of two parts of a batch add up to the gradient of the whole") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentConfig& config = each.config;
    const RecurrentModel<double> model = random_recurrent_model<double>(config, 7);
    const Sentences pairs = random_pairs(config, 6, 10);
    const Batch whole = batch_of(config, pairs);
    const auto part = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
      return batch_of(config, {{pairs.sources.begin() + first, pairs.sources.begin() + last},
                               {pairs.targets.begin() + first, pairs.targets.begin() + last}});
    };
    RecurrentSaved<double> saved;
    RecurrentModel<double> wanted(config), added(config);
    loss_and_gradient(model, whole, saved, wanted);
    const long words = whole.target_words(config.pad_id);
    for (const Batch& some : {part(0, 2), part(2, 6)}) {
      model.forward(some, saved);
      model.loss(saved, {0.1, true, words});
      model.backward(saved, added, true);
    }
    CHECK(worst_of_numbers(numbers_of(wanted), numbers_of(added)) < 1e-13);
  }
}

TEST_CASE("recurrent model: no sentence and sentences without a word are computed too") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    RecurrentConfig config = each.config;
    config.source_eos = false;
    const RecurrentModel<double> model = random_recurrent_model<double>(config, 8);
    RecurrentSaved<double> saved;
    RecurrentModel<double> gradient(config);
    const Loss loss = loss_and_gradient(model, batch_of(config, {{{}, {5}}, {{4, 5}, {}}}), saved, gradient);
    CHECK(loss.tokens == 4);
    CHECK(std::isfinite(loss.loss));
    for (const double number : numbers_of(gradient)) CHECK(std::isfinite(number));
    CHECK(loss_and_gradient(model, Batch(), saved, gradient).tokens == 0);
    for (const double number : numbers_of(gradient)) CHECK(number == 0);
    model.encode(batch_of(config, {{{}}, {{}}}), saved);
    CHECK(saved.source.layers.back().last.row(0).isZero());
  }
}
