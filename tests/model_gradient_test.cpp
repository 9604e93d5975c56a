#include <doctest/doctest.h>

#include <cmath>

#include "engine/model/training_pass.h"
#include "random_models.h"

using namespace glassformer;

namespace {

double loss_of(const Transformer<double>& model, const Batch& batch, Saved<double>& saved) {
  model.forward(batch, saved);
  return model.loss(batch, saved, {0.1, false}).loss;
}

// The largest difference between the gradient and a central difference, over some numbers of every tensor.
double worst_difference(Transformer<double>& model, const Batch& batch, Saved<double>& saved) {
  constexpr double kNudge = 1e-6;
  Transformer<double> gradient(model.config);
  model.forward(batch, saved);
  model.loss(batch, saved, {0.1, true});
  model.backward(batch, saved, gradient);
  std::vector<const double*> gradients;
  gradient.visit([&](const std::string&, Parameter<double> tensor) { gradients.push_back(tensor.data); });
  double worst = 0;
  std::size_t index = 0;
  model.visit([&](const std::string&, Parameter<double> tensor) {
    const double* wanted = gradients[index++];
    const std::size_t stride = std::max<std::size_t>(1, tensor.size() / 5);
    for (std::size_t i = index % stride; i < tensor.size(); i += stride) {
      const double kept = tensor.data[i];
      tensor.data[i] = kept + kNudge;
      const double above = loss_of(model, batch, saved);
      tensor.data[i] = kept - kNudge;
      const double below = loss_of(model, batch, saved);
      tensor.data[i] = kept;
      worst = std::max(worst, std::abs((above - below) / (2 * kNudge) - wanted[i]));
    }
  });
  return worst;
}

}  // namespace

TEST_CASE("the gradient of every parameter is the slope of the loss") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    Transformer<double> model = random_model<double>(each.config, 3);
    Saved<double> saved;
    CHECK(worst_difference(model, random_batch(each.config, 5), saved) < 1e-7);
  }
}

TEST_CASE("the gradient is the slope of the loss under dropout too") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    Transformer<double> model = random_model<double>(each.config, 4);
    Saved<double> saved;
    saved.dropout = 0.3;
    saved.seed = 9;
    saved.step = 2;
    CHECK(worst_difference(model, random_batch(each.config, 6), saved) < 1e-7);
  }
}

TEST_CASE("the gradient is the slope of the loss where attention alone is dropped, and where it is not") {
  for (const auto& [of_all, of_attention] : {std::pair{0.0, 0.4}, {0.3, 0.0}, {0.2, 0.5}})
    for (const NamedConfig& each : varied_configs()) {
      CAPTURE(each.name);
      Transformer<double> model = random_model<double>(each.config, 5);
      Saved<double> saved;
      saved.dropout = of_all;
      saved.attention_dropout = of_attention;
      saved.seed = 4;
      CHECK(worst_difference(model, random_batch(each.config, 7), saved) < 1e-7);
    }
}

TEST_CASE("attention dropped at the rate of all else is what it is without a rate of its own") {
  const Transformer<double> model = random_model<double>(small_config(), 6);
  const Batch batch = random_batch(model.config, 3);
  Saved<double> plain, named;
  plain.dropout = named.dropout = named.attention_dropout = 0.25;
  CHECK(loss_of(model, batch, plain) == loss_of(model, batch, named));
  named.attention_dropout = 0.5;
  CHECK(loss_of(model, batch, plain) != loss_of(model, batch, named));
}

TEST_CASE("two classic mistakes are computed as they say, and their gradient is the slope of their loss") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    Transformer<double> model = random_model<double>(each.config, 7);
    Batch batch = random_batch(each.config, 8);
    Saved<double> saved;
    const double right = loss_of(model, batch, saved);
    batch.rules.zero_hidden = true;
    const double zeroed = loss_of(model, batch, saved);
    CHECK(zeroed != doctest::Approx(right).epsilon(1e-6));
    CHECK(worst_difference(model, batch, saved) < 1e-6);
    saved.dropout = 0.3;
    CHECK(worst_difference(model, batch, saved) < 1e-6);
    saved.dropout = 0;
    // A word that is not seen still changes nothing but itself and what comes behind it.
    batch.rules.softmax_twice = true;
    CHECK(loss_of(model, batch, saved) != doctest::Approx(zeroed).epsilon(1e-6));
    CHECK(worst_difference(model, batch, saved) < 1e-6);
  }
}

TEST_CASE("gradients of two parts of a batch add up to the gradient of the whole") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 1);
  Random random(2);
  const auto sources = random_sentences({4, 2, 6}, config.source_vocab, random);
  const auto targets = random_sentences({3, 5, 1}, config.target_vocab, random);
  const auto part = [&](std::size_t first, std::size_t count) {
    return make_batch(std::span(sources).subspan(first, count), std::span(targets).subspan(first, count),
                      config);
  };
  const Batch whole = part(0, 3);
  const long words = whole.target_words(config.pad_id);
  Saved<double> saved;
  Transformer<double> together(config), added(config);
  model.forward(whole, saved);
  model.loss(whole, saved, {0.1, true});
  model.backward(whole, saved, together);
  for (const Batch& each : {part(0, 1), part(1, 2)}) {
    model.forward(each, saved);
    model.loss(each, saved, {0.1, true, words});
    model.backward(each, saved, added, true);
  }
  std::vector<const double*> wanted;
  together.visit([&](const std::string&, Parameter<double> tensor) { wanted.push_back(tensor.data); });
  double worst = 0;
  std::size_t index = 0;
  added.visit([&](const std::string&, Parameter<double> tensor) {
    const double* values = wanted[index++];
    for (std::size_t i = 0; i < tensor.size(); ++i)
      worst = std::max(worst, std::abs(tensor.data[i] - values[i]));
  });
  CHECK(worst < 1e-13);
}

TEST_CASE("a large batch, computed in parts, has the loss and gradient of the whole") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 1);
  Random random(2);
  std::vector<int> lengths;
  for (int i = 0; i < 400; ++i) lengths.push_back(1 + random.below(10));
  const Batch batch = make_batch(random_sentences(lengths, config.source_vocab, random),
                                 random_sentences(lengths, config.target_vocab, random), config);
  Saved<double> whole, parts;
  Transformer<double> wanted(config), added(config);
  model.forward(batch, whole);
  const Loss loss = model.loss(batch, whole, {0.1, true});
  model.backward(batch, whole, wanted);
  added.initialize(3);  // what was there before does not count
  const Loss sum = training_pass(model, batch, 0.1, parts, added);
  CHECK(parts.logits.rows() < batch.target_in.tokens());
  CHECK(sum.loss == doctest::Approx(loss.loss).epsilon(1e-12));
  CHECK(sum.tokens == loss.tokens);

  std::vector<const double*> values;
  wanted.visit([&](const std::string&, Parameter<double> tensor) { values.push_back(tensor.data); });
  double worst = 0;
  std::size_t index = 0;
  added.visit([&](const std::string&, Parameter<double> tensor) {
    for (std::size_t i = 0; i < tensor.size(); ++i)
      worst = std::max(worst, std::abs(tensor.data[i] - values[index][i]));
    ++index;
  });
  CHECK(worst < 1e-12);
}
