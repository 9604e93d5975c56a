#include "app/reading/walk_scene.h"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/model/transformer.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

float weight_of(const Transformer<float>& tensors, const ChosenWeight& weight) {
  float number = 0;
  tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name == weight.name) number = tensor.data[weight.row * tensor.columns + weight.column];
  });
  return number;
}

TEST_CASE("the update is the one that comes next: with the settings of now, and moments as old as they are") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 1200);
  const ChosenWeight chosen{"decoder.layers.0.linear2.weight", 1, 2};
  Snapshot snapshot = *scene.snapshot;
  auto moments = std::make_shared<Transformer<float>>(*snapshot.weights);
  snapshot.first_moment = moments;
  moments = std::make_shared<Transformer<float>>(*snapshot.weights);
  moments->visit([](const std::string&, Parameter<float> tensor) {
    for (long i = 0; i < tensor.rows * tensor.columns; ++i) tensor.data[i] *= tensor.data[i];
  });
  snapshot.second_moment = moments;
  snapshot.step = 1200;
  snapshot.moments_from = 1197;  // training went on with fresh moments
  scene.run.options.schedule = "constant";
  scene.run.options.peak = 0.01;
  scene.run.live.rate_scale = 0.5;
  scene.run.live.clip = 0;

  WalkCache cache;
  const auto update = [&] {
    const ViewInput whole = scene.input();
    const ViewInput input{.result = whole.result,
                          .snapshot = snapshot,
                          .tokenizers = whole.tokenizers,
                          .run = whole.run,
                          .pinned = whole.pinned,
                          .shown = whole.shown};
    const auto walk = walk_scene(cache, input, chosen);
    REQUIRE(walk);
    CHECK(walk->moments == Moments::there);
    return walk->update;
  };
  const StepNumbers::Update free = update();
  const double gradient = free.at("gradient"), w = weight_of(*snapshot.weights, chosen);
  REQUIRE(gradient != 0);
  const double m = 0.9 * w + 0.1 * gradient, v = 0.98 * w * w + 0.02 * gradient * gradient;
  const double m_hat = m / (1 - std::pow(0.9, 4)), v_hat = v / (1 - std::pow(0.98, 4));
  CHECK(free.at("rate") == doctest::Approx(0.005));
  CHECK(free.at("m_hat") == doctest::Approx(m_hat).epsilon(1e-6));
  CHECK(free.at("v_hat") == doctest::Approx(v_hat).epsilon(1e-6));
  CHECK(free.at("new_weight") ==
        doctest::Approx(w - 0.005 * m_hat / (std::sqrt(v_hat) + 1e-9)).epsilon(1e-6));

  // A limit set while the run goes on counts at once.
  const double norm = free.at("gradient_norm");
  scene.run.live.clip = norm / 4;
  CHECK(update().at("clipped") == doctest::Approx(gradient / 4).epsilon(1e-6));
}

}  // namespace
}  // namespace glassformer
