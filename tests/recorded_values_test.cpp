#include <doctest/doctest.h>

#include <cmath>

#include "engine/recurrent/recurrent_trace.h"
#include "tests/recurrent_helpers.h"

using namespace glassformer;

namespace {

double at(const Tensor& tensor, int sentence, int place, int column) {
  return static_cast<double>(tensor.at(std::vector<int>{sentence, place, column}));
}

}  // namespace

TEST_CASE("recorded values of a recurrent model are those of each sentence read alone, by their names") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentModel<float> model = random_recurrent_model<float>(each.config, 3);
    const Batch batch = batch_of(each.config, random_pairs(each.config, 5, 8));
    RecurrentSaved<float> saved;
    model.forward(batch, saved);
    const auto values = recorded_values(model, batch, saved);
    CHECK(values.contains("attention.weights") == each.config.attends());
    CHECK(values.size() == (each.config.attends() ? 25U : 23U));

    const int d = each.config.width, top = each.config.layers - 1;
    for (int sentence = 0; sentence < batch.sentences(); ++sentence) {
      const auto source = batch.source.sentence(sentence), target = batch.target_in.sentence(sentence);
      const RecurrentTrace alone =
          trace(model, {source.begin(), source.end()}, {target.begin(), target.end()});
      for (int layer = 0; layer <= top; ++layer) {
        const auto value = [&](RecurrentValue kind, bool encoder) -> const Tensor& {
          return values.at(written({kind, encoder, layer}));
        };
        for (const bool encoder : {true, false}) {
          const GruTrace& gru = (encoder ? alone.encoder : alone.decoder)[static_cast<std::size_t>(layer)];
          for (int place = 0; place < gru.output.rows(); ++place) {
            for (int i = 0; i < d; ++i) {
              const auto near = [&](RecurrentValue kind, float right) {
                return std::abs(at(value(kind, encoder), sentence, place, i) - static_cast<double>(right)) <
                       1e-5;
              };
              CHECK(near(RecurrentValue::reset, gru.gates(place, i)));
              CHECK(near(RecurrentValue::update, gru.gates(place, d + i)));
              CHECK(near(RecurrentValue::candidate, gru.gates(place, 2 * d + i)));
              CHECK(near(RecurrentValue::state, gru.output(place, i)));
              // h' = (1 - z) n + z h
              const double z = at(value(RecurrentValue::update, encoder), sentence, place, i);
              const double n = at(value(RecurrentValue::candidate, encoder), sentence, place, i);
              const double h = static_cast<double>(gru.previous(place, i));
              CHECK(at(value(RecurrentValue::state, encoder), sentence, place, i) ==
                    doctest::Approx((1 - z) * n + z * h).epsilon(1e-4));
            }
          }
        }
      }
      const Tensor& last = values.at(written({RecurrentValue::last, true, top}));
      for (int i = 0; i < d; ++i)
        CHECK(static_cast<double>(last.at(std::vector<int>{sentence, i})) ==
              doctest::Approx(static_cast<double>(alone.handed_over(i))).epsilon(1e-4));
      if (!each.config.attends()) continue;
      const Tensor& weights = values.at(written({RecurrentValue::weights, false, 0}));
      for (int i = 0; i < alone.weights.rows(); ++i)
        for (int j = 0; j < weights.columns(); ++j) {
          const double right = j < alone.weights.cols() ? static_cast<double>(alone.weights(i, j)) : 0;
          CHECK(std::abs(at(weights, sentence, i, j) - right) < 1e-5);
        }
    }
  }
}
