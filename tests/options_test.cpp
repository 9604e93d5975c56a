#include "engine/train/options.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/math/error.h"
#include "engine/train/presets.h"

using namespace glassformer;

TEST_CASE("training options come back from JSON as they were") {
  TrainingOptions options;
  options.steps = 5'000'000'000;
  options.epochs = 1.5;
  options.schedule = "cosine";
  options.seed = 18446744073709551615u;
  options.keep = Keep::last;
  options.average = 4;
  options.smoothing = 0.05;
  CHECK(training_options_from_json(nlohmann::json::parse(to_json(options).dump())) == options);
}

TEST_CASE("unknown keys, wrong types and values out of range are refused by name") {
  const auto refused = [](const nlohmann::json& json, const std::string& word) {
    try {
      training_options_from_json(json);
    } catch (const Error& error) {
      return std::string(error.what()).find(word) != std::string::npos;
    }
    return false;
  };
  CHECK(refused({{"warmpu", 5}}, "warmpu"));
  CHECK(refused({{"steps", 1.5}}, "steps"));
  CHECK(refused({{"seed", -1}}, "seed"));
  CHECK(refused({{"batch_tokens", 3e9}}, "batch_tokens"));
  CHECK(refused({{"smoothing", 1}}, "smoothing"));
  CHECK(refused({{"schedule", "exponential"}}, "schedule"));
  CHECK(refused({{"keep", "worst"}}, "keep"));
  CHECK(refused({{"schedule", "linear"}, {"minutes", 5}}, "total_steps"));
  CHECK_FALSE(refused({{"schedule", "linear"}, {"steps", 5}}, ""));
}

TEST_CASE("who sees the padding is named as it is masked, and not without padding") {
  const auto masks = [](const std::string& named) {
    TrainingOptions options;
    options.extra_padding = 2;
    options.unmasked_padding = named;
    const TrainingOptions read = training_options_from_json(to_json(options));
    CHECK(read == options);
    return padding_masks(read);
  };
  CHECK(masks("") == std::array{true, true, true});
  CHECK(masks("cross") == std::array{true, true, false});
  CHECK(masks("cross,encoder") == std::array{false, true, false});
  CHECK(masks("encoder+decoder+cross") == std::array{false, false, false});
  for (const char* wrong : {"Encoder", "encoder,", ",encoder", "encoder cross", ","})
    CHECK_THROWS_WITH_AS(masks(wrong), doctest::Contains("unmasked_padding must be encoder, decoder, cross"),
                         Error);
  CHECK_THROWS_WITH_AS(training_options_from_json({{"unmasked_padding", "cross"}}),
                       doctest::Contains("set extra_padding to 1 or more"), Error);
  CHECK_THROWS_WITH_AS(training_options_from_json({{"extra_padding", -1}}),
                       doctest::Contains("extra_padding"), Error);
}

TEST_CASE("a warm-up of no steps is none, which noam alone cannot have") {
  for (const char* schedule : {"constant", "linear", "cosine"})
    CHECK_NOTHROW(training_options_from_json({{"schedule", schedule}, {"warmup", 0}, {"steps", 9}}));
  CHECK_THROWS_WITH_AS(training_options_from_json({{"schedule", "noam"}, {"warmup", 0}}),
                       doctest::Contains("warmup must be from 1 to 1e+15, found 0"), Error);
}

TEST_CASE("presets are those of the command line's table") {
  CHECK(preset("nano").dropout == 0);
  const Config base = with_preset({}, preset("base"));
  CHECK(base.d_model == 512);
  CHECK(base.heads == 8);
  CHECK(base.d_ff == 2048);
  CHECK(base.encoder_layers == 6);
  CHECK(base.decoder_layers == 6);
  CHECK_THROWS_AS(preset("huge"), Error);
  for (const Preset& each : presets())
    for (const char* data : {"copy", "reverse", "sort", "add", "dates", "grammar", "corpus"})
      CHECK_NOTHROW(check(suggested_options(data, with_preset({}, each), each)));
}

TEST_CASE("a small corpus is learned in enough steps, and warmed up for a part of them") {
  const Config config = with_preset({}, preset("tiny"));
  for (const Preset& size : {preset("tiny"), preset("multi30k")}) {
    const TrainingOptions small = suggested_options("corpus", config, size, 4000);
    CHECK(small.steps >= 1000);
    CHECK(small.epochs == 0);
    CHECK(small.batch_tokens <= 1000);
    CHECK(small.warmup * 5 <= small.steps);
    CHECK_NOTHROW(check(small));
    // The highest rate is that of a large corpus, which is learned as ever.
    const TrainingOptions large = suggested_options("corpus", config, size, 900000);
    CHECK(large == suggested_options("corpus", config, size));
    if (small.schedule == "noam")
      CHECK(small.factor / std::sqrt(double(small.warmup)) ==
            doctest::Approx(large.factor / std::sqrt(double(large.warmup))));
    else
      CHECK(small.peak == large.peak);
  }
}
