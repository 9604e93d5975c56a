// Embeddings that begin with what others learned, that keep their numbers, or whose <pad> stays 0; and
// mistakes made on purpose.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"
#include "tests/refusal.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

Transformer<float> trained(const TrainingOptions& options, const Config& config = copying_config(),
                           int steps = 4) {
  Trainer trainer(copying_set(), config, options);
  for (int i = 0; i < steps; ++i) trainer.step();
  return *trainer.snapshot()->weights;
}

Transformer<float> begun(const TrainingOptions& options, const Config& config = copying_config()) {
  return trained(options, config, 0);
}

}  // namespace

TEST_CASE("a frozen embedding keeps its numbers to the bit, the others learn") {
  TrainingOptions options = small_options();
  const Transformer<float> first = begun(options);
  for (const char* const which : {"", "source", "target", "source,target"}) {
    CAPTURE(std::string(which));
    options.freeze = which;
    const std::string frozen = which;
    const Transformer<float> after = trained(options);
    CHECK((after.source_embedding == first.source_embedding) == (frozen.find("source") != std::string::npos));
    CHECK((after.target_embedding == first.target_embedding) == (frozen.find("target") != std::string::npos));
    CHECK_FALSE(after.output_projection.weight == first.output_projection.weight);
  }
  options.freeze = "encoder";
  CHECK(refusal([&] { begun(options); }).find("freeze must be source, target or both") != std::string::npos);
}

TEST_CASE("of a shared matrix either name freezes it") {
  Config config = copying_config();
  config.sharing = Sharing::all;
  TrainingOptions options = small_options();
  const Transformer<float> first = begun(options, config);
  options.freeze = "source";
  CHECK(trained(options, config).target_embedding == first.target_embedding);
}

TEST_CASE("the row of <pad> stays 0 where it is asked to") {
  for (const Sharing sharing : {Sharing::none, Sharing::all}) {
    Config config = copying_config();
    config.sharing = sharing;
    TrainingOptions options = small_options();
    CHECK(trained(options, config).target_embedding.row(config.pad_id).norm() > 0);
    options.zero_pad = true;
    CHECK(trained(options, config).target_embedding.row(config.pad_id).norm() == 0);
  }
}

TEST_CASE("embeddings of deviation 1 are those of 1/sqrt(d), stretched") {
  TrainingOptions options = small_options();
  const Matrix<float> small = begun(options).source_embedding;
  options.unit_embeddings = true;
  const Matrix<float> large = begun(options).source_embedding;
  CHECK(large.isApprox(4 * small));  // d is 16
  const double deviation = std::sqrt(double(large.array().square().mean()));
  CHECK(deviation > 0.8);
  CHECK(deviation < 1.2);
}

TEST_CASE("given vectors stand in the rows that have them, of the right width alone") {
  auto set = std::make_shared<TrainingSet>(*copying_set());
  auto given = std::make_shared<GivenEmbeddings>();
  given->rows = Matrix<float>::Random(12, 16);
  given->found.assign(12, false);
  given->found[5] = given->found[9] = true;
  set->source_vectors = given;
  const TrainingOptions options = small_options();
  const Matrix<float> drawn = begun(options).source_embedding;
  const Trainer trainer(set, copying_config(), options);
  const Matrix<float> rows = trainer.snapshot()->weights->source_embedding;
  for (int id = 0; id < 12; ++id) CHECK(rows.row(id) == (id == 5 || id == 9 ? given->rows : drawn).row(id));
  given->rows = Matrix<float>::Random(12, 50);
  CHECK(refusal([&] { Trainer(set, copying_config(), options); }) ==
        "source embedding: its vectors have 50 numbers, but the model is 16 wide");
}

TEST_CASE("with a second softmax the loss stays far above that of one") {
  TrainingOptions options = small_options();
  options.smoothing = 0;
  const auto last_loss = [&] {
    Trainer trainer(copying_set(), copying_config(), options);
    double loss = 0;
    for (int i = 0; i < 150; ++i) loss = trainer.step().loss;
    return loss;
  };
  const double once = last_loss();
  options.softmax_twice = true;
  const double twice = last_loss(), floor = std::log(1 + 11 / std::exp(1.0));
  CHECK(twice > floor - 1e-6);
  CHECK(once < twice);
}
