// The way back through a pass with changes in force.
#include <doctest/doctest.h>

#include <cmath>

#include "random_models.h"
#include "what_if_cases.h"

using namespace glassformer;
using namespace glassformer::what_if_cases;

TEST_CASE("gradients under changes are slopes") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 14);
  Batch batch = random_batch(config, 4);
  for (const char* text :
       {"set cross 1.1 2 2 0.25 renormalise", "set cross 1.1 2 2 0.25",
        "set cross 1.1 2 2 0.5, set cross 1.1 2 1 0.1 renormalise", "cut cross 1.1 2 2",
        "row cross 1.1 2 = 0 1 0 0 0 0", "mute head encoder 1.1 times 0.3", "mute unit encoder 1.1 at 1",
        "shift positions 2", "positions off", "swap positions 0 2"}) {
    for (const int kind : {0, 1, 2}) {
      CAPTURE(std::string(text));
      Config own = config;
      own.positions = kind == 1 ? PositionKind::rotary : PositionKind::learned;
      if (kind == 2) own.attention_activation = AttentionActivation::relu;
      const Transformer<double> each = random_model<double>(own, 14);
      const ChangedModel<double> changed(each, read(text));
      Batch moved = batch;
      changed.change(moved);
      Saved<double> saved;
      const auto loss = [&](const Transformer<double>& at, Transformer<double>* gradient) {
        WhatIfTap<double> tap = changed.tap();
        tap.rows_of(moved);
        at.forward(moved, saved, tap);
        const double found = at.loss(moved, saved, {0.1, gradient != nullptr}, tap).loss;
        if (gradient) at.backward(moved, saved, *gradient, tap);
        return found;
      };
      Transformer<double> gradient(own);
      loss(each, &gradient);
      // Along one random direction of all parameters.
      Transformer<double> above = each, below = each;
      Random random(2);
      double slope = 0;
      constexpr double kStep = 1e-6;
      std::vector<double> direction;
      each.visit([&](const std::string&, Parameter<const double> tensor) {
        for (std::size_t i = 0; i < tensor.size(); ++i) direction.push_back(random.normal());
      });
      std::size_t at = 0;
      gradient.visit([&](const std::string&, Parameter<double> tensor) {
        for (std::size_t i = 0; i < tensor.size(); ++i) slope += tensor.data[i] * direction[at++];
      });
      for (const double sign : {1.0, -1.0}) {
        at = 0;
        (sign > 0 ? above : below).visit([&](const std::string&, Parameter<double> tensor) {
          for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data[i] += sign * kStep * direction[at++];
        });
      }
      CHECK(std::abs((loss(above, nullptr) - loss(below, nullptr)) / (2 * kStep) - slope) < 1e-5);
    }
  }
}
