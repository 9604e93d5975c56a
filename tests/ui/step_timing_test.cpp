// The time of a step, measured beside the screen for the model that is being chosen.
#include "app/panels/step_timing.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

namespace glassformer::step_timing_test {

Config small_config() {
  Config config;
  config.source_vocab = config.target_vocab = 12;
  config.d_model = 16, config.d_ff = 32, config.heads = 2, config.encoder_layers = config.decoder_layers = 1;
  return config;
}

double when_known(StepTiming& timing, const Config& config, const TrainingOptions& options) {
  for (;;) {
    if (const std::optional<double> seconds = timing.of(config, options)) return *seconds;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE(
    "nothing is said before it is measured, one model has one answer, another or a new time is measured") {
  StepTiming timing;
  Config config = small_config();
  TrainingOptions options;
  options.batch_tokens = 64;
  CHECK_FALSE(timing.of(config, options));
  const double first = when_known(timing, config, options);
  CHECK(first > 0);
  CHECK(timing.of(config, options) == first);
  options.seed = 7;  // costs nothing
  CHECK(timing.of(config, options) == first);
  options.batch_tokens = 128;
  CHECK_FALSE(timing.of(config, options));
  CHECK(when_known(timing, config, options) > 0);
  timing.measure_again();
  CHECK_FALSE(timing.of(config, options));
  CHECK(when_known(timing, config, options) > 0);
}

TEST_CASE("a model that cannot be made takes 0 s, and the one chosen meanwhile is the one measured") {
  StepTiming timing;
  TrainingOptions options;
  options.batch_tokens = 64;
  Config wrong = small_config();
  wrong.heads = 3;
  CHECK(when_known(timing, wrong, options) == 0);
  CHECK_FALSE(timing.of(small_config(), options));
  CHECK_FALSE(timing.of(wrong, options));  // what was begun is not its
  CHECK(when_known(timing, wrong, options) == 0);
  CHECK(when_known(timing, small_config(), options) > 0);
}

}  // namespace glassformer::step_timing_test
