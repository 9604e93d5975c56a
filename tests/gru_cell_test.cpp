// One number of a GRU, worked out term by term, is the number that the model computed.
#include "engine/recurrent/gru_cell.h"

#include <doctest/doctest.h>

#include "engine/math/error.h"
#include "tests/recurrent_helpers.h"

namespace glassformer::gru_cell_test {
namespace {

const std::vector<int> kSource{4, 7, 5, 3}, kTarget{2, 6, 9};

}  // namespace

TEST_CASE("every gate, candidate and state of both sides and layers comes out as recorded") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const auto model = random_recurrent_model<float>(each.config, 11);
    const RecurrentTrace seen = trace(model, kSource, kTarget);
    int places = 0;
    for (const bool encoder : {true, false})
      for (int layer = 0; layer < each.config.layers; ++layer)
        for (int word = 0; word < static_cast<int>((encoder ? kSource : kTarget).size()); ++word)
          for (int unit = 0; unit < each.config.width; ++unit)
            for (const GruNumber number :
                 {GruNumber::reset, GruNumber::update, GruNumber::candidate, GruNumber::state}) {
              const GruCell cell = gru_cell(model, seen, {encoder, layer, word, unit, number});
              CHECK(cell.value == doctest::Approx(cell.recorded).epsilon(1e-5).scale(0.01));
              CHECK(cell.by_word.weights.size() == (number == GruNumber::state ? 0u : 6u));
              ++places;
            }
    CHECK(places == 2 * (4 + 3) * 6 * 4);
  }
}

TEST_CASE("terms and bias of both sums add up to what the gate is made of") {
  const auto model = random_recurrent_model<float>(small_recurrent_config(RecurrentAttention::none), 3);
  const RecurrentTrace seen = trace(model, kSource, kTarget);
  const GruCell cell = gru_cell(model, seen, {true, 1, 2, 4, GruNumber::candidate});
  for (const GruSum* sum : {&cell.by_word, &cell.by_state}) {
    double all = sum->bias;
    for (std::size_t i = 0; i < sum->weights.size(); ++i) all += sum->weights[i] * sum->inputs[i];
    CHECK(all == doctest::Approx(sum->total));
  }
  CHECK(cell.reset == gru_cell(model, seen, {true, 1, 2, 4, GruNumber::reset}).recorded);
  CHECK(cell.argument == doctest::Approx(cell.by_word.total + cell.reset * cell.by_state.total));
  // The second layer reads the states of the first, whose first word finds a state of zeros.
  CHECK(cell.by_word.inputs[3] == double(seen.encoder[0].output(2, 3)));
  for (const double before : gru_cell(model, seen, {true, 0, 0, 0, GruNumber::reset}).by_state.inputs)
    CHECK(before == 0);
}

TEST_CASE("what a configuration learns is counted without making the model") {
  for (NamedRecurrentConfig each : recurrent_configs())
    for (const int layers : {1, 3}) {
      each.config.layers = layers;
      CHECK(parameter_count(each.config) == RecurrentModel<float>(each.config).parameter_count());
    }
}

TEST_CASE("a place that the sentence has not is refused") {
  const auto model = random_recurrent_model<float>(small_recurrent_config(RecurrentAttention::dot), 3);
  const RecurrentTrace seen = trace(model, kSource, kTarget);
  for (const GruPlace& place : {GruPlace{true, 2}, GruPlace{true, 0, 4}, GruPlace{false, 0, 3},
                                GruPlace{true, 0, 0, 6}, GruPlace{true, -1}, GruPlace{true, 0, -1}})
    CHECK_THROWS_AS(gru_cell(model, seen, place), Error);
}

}  // namespace glassformer::gru_cell_test
