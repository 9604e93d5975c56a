#include "engine/train/step_time.h"

#include <doctest/doctest.h>

#include "engine/math/error.h"

using namespace glassformer;

TEST_CASE(
    "a step takes some time, a larger batch than is measured more, and nobody waits for one that is "
    "stopped") {
  Config config;
  config.source_vocab = config.target_vocab = 12;
  config.d_model = 16, config.d_ff = 32, config.heads = 2, config.encoder_layers = config.decoder_layers = 1;
  TrainingOptions options;
  options.batch_tokens = 64;
  const auto goes_on = [] { return true; };
  const double small = measured_step_seconds(config, options, goes_on);
  CHECK(small > 0);
  options.batch_tokens = 1 << 20;
  CHECK(measured_step_seconds(config, options, goes_on) > small);
  CHECK(measured_step_seconds(config, options, [] { return false; }) == 0);
  config.max_length = 4;  // shorter than the words that are drawn else
  CHECK(measured_step_seconds(config, options, goes_on) > 0);
  config.heads = 3;
  CHECK_THROWS_AS(measured_step_seconds(config, options, goes_on), const Error&);
}
