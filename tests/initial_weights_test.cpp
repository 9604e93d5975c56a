// What a model begins with is what the table of its beginnings says.
#include "engine/model/initial_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/transformer.h"

using namespace glassformer;

namespace {

Config shaped(Sharing sharing, PositionKind positions) {
  Config config;
  config.d_model = 24;
  config.d_ff = 40;
  config.heads = 4;
  config.source_vocab = config.target_vocab = 60;
  config.max_length = 16;
  config.sharing = sharing;
  config.positions = positions;
  config.embedding_norm = true;
  return config;
}

bool ends_with(const std::string& name, const char* ending) {
  return name.ends_with(ending);
}

}  // namespace

TEST_CASE("every matrix begins within Xavier's limits and comes close to them, each of three by its own") {
  for (const Sharing sharing : {Sharing::none, Sharing::all}) {
    Transformer<float> model(shaped(sharing, PositionKind::learned));
    model.initialize(5);
    int matrices = 0;
    for (const ParameterView& tensor : parameters(model)) {
      CAPTURE(tensor.name);
      const InitialWeights begin =
          initial_weights(model.config, tensor.name, tensor.rows(), tensor.columns());
      const std::span<const float> values(tensor.data, static_cast<std::size_t>(tensor.size()));
      double largest = 0;
      for (const float value : values) largest = std::max(largest, std::abs(double(value)));
      const bool table =
          ends_with(tensor.name, "embedding.weight") || ends_with(tensor.name, "positions.weight");
      if (tensor.shape.size() == 2 && begin.kind == InitialWeights::Kind::even) {
        ++matrices;
        const int rows = ends_with(tensor.name, "in_proj_weight") ? tensor.rows() / 3 : tensor.rows();
        const double a = std::sqrt(6.0 / (rows + tensor.columns()));
        CHECK(begin.limit == doctest::Approx(a).epsilon(1e-14));
        CHECK(begin.fan_in == tensor.columns());
        CHECK(begin.fan_out == rows);
        CHECK(begin.matrices == (rows == tensor.rows() ? 1 : 3));
        CHECK(largest <= a * (1 + 1e-7));
        CHECK(largest > 0.98 * a);
        CHECK(count_outside(values, begin.limit) == 0);
      } else if (tensor.shape.size() == 2) {
        CHECK(table == (begin.kind == InitialWeights::Kind::normal));
        CHECK(begin.deviation == doctest::Approx(1 / std::sqrt(24.0)));
        double squares = 0;
        for (const float value : values) squares += double(value) * double(value);
        CHECK(std::sqrt(squares / double(values.size())) == doctest::Approx(begin.deviation).epsilon(0.12));
      } else {
        CHECK(begin.kind == InitialWeights::Kind::constant);
        CHECK(std::ranges::all_of(values, [&](float value) { return double(value) == begin.value; }));
      }
    }
    // Projections and output of an attention, two of a feed-forward; a decoder layer attends twice.
    const int of_layers = 4 * model.config.encoder_layers + 6 * model.config.decoder_layers;
    CHECK(matrices == of_layers + (sharing == Sharing::none ? 1 : 0));
  }
}

TEST_CASE("the limits bound what 32 bits hold, and what is not finite lies outside") {
  const double a = xavier_limit(3, 4);
  CHECK(a == doctest::Approx(std::sqrt(6.0 / 7)).epsilon(1e-15));
  const auto edge = static_cast<float>(a);
  const std::vector<float> values{edge, -edge, 0, edge * 1.00001f, -2, std::nanf("")};
  CHECK(count_outside(values, a) == 3);
}

TEST_CASE("a name that is no parameter's has no beginning") {
  const Config config = shaped(Sharing::none, PositionKind::sinusoidal);
  CHECK_THROWS_AS(initial_weights(config, "output.logits", 3, 3), Error);
  CHECK_THROWS_AS(initial_weights(config, "nothing", 3, 3), Error);
}

TEST_CASE("a new model is 0 throughout, also where memory was used before") {
  const Config config = shaped(Sharing::none, PositionKind::learned);
  for (int i = 0; i < 3; ++i) {
    Transformer<float> used(config);
    used.initialize(7);
  }
  const Transformer<float> fresh(config);
  fresh.visit([](const std::string& name, Parameter<const float> tensor) {
    CAPTURE(name);
    CHECK(std::all_of(tensor.data, tensor.data + tensor.size(), [](float value) { return value == 0; }));
  });
}
