#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/math/error.h"
#include "tests/recurrent_helpers.h"

using namespace glassformer;

TEST_CASE("recurrent names: every parameter's name is read back as it was written, and no other") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    const RecurrentModel<float> model(each.config);
    std::set<std::string> names;
    model.visit([&](const std::string& name, Parameter<const float>) {
      CAPTURE(name);
      names.insert(name);
      const auto read = read_recurrent_name(name);
      REQUIRE(read.has_value());
      CHECK(written(*read) == name);
    });
    CHECK(names.contains("encoder.weight_ih_l0"));
    CHECK(names.contains("decoder.bias_hh_l1"));
    CHECK(names.contains("attention.score.weight") == (each.name == "additive"));
    CHECK(names.size() == (each.name == "additive" ? 23u : 20u));
  }
  CHECK(read_recurrent_name("decoder.weight_hh_l12") ==
        RecurrentName{RecurrentPart::state_weight, false, 12});
  for (const char* name : {"", "encoder", "encoder.", "encoder.weight_ih_l", "encoder.weight_ih_l01",
                           "encoder.weight_ih_l-1", "encoder.weight_ih_l1 ", "weight_ih_l0",
                           "encoder.weight_ih_l99999999999", "encoder.layers.0.norm1.weight", "logits"})
    CHECK(!read_recurrent_name(name).has_value());
}

TEST_CASE("recurrent model: a seed gives the same numbers, of the sizes that PyTorch begins with") {
  RecurrentConfig config = small_recurrent_config(RecurrentAttention::additive);
  config.width = 64;
  RecurrentModel<float> model(config), again(config), other(config);
  model.initialize(3);
  again.initialize(3);
  other.initialize(4);
  CHECK(numbers_of(model) == numbers_of(again));
  CHECK(numbers_of(model) != numbers_of(other));
  const Matrix<float>& weight = model.encoder[1].state_weight;
  CHECK(weight.cwiseAbs().maxCoeff() <= 0.125f);
  CHECK(weight.cwiseAbs().maxCoeff() > 0.12f);
  CHECK(std::abs(weight.mean()) < 0.01f);
  CHECK(model.decoder[0].input_bias.cwiseAbs().maxCoeff() > 0.1f);
  CHECK(model.source_embedding.squaredNorm() / static_cast<float>(model.source_embedding.size()) ==
        doctest::Approx(1).epsilon(0.15));
  CHECK(model.output_projection.bias.isZero());
  CHECK(!model.attention.key_weight.isZero());

  // 9 and 10 words; 2 x 2 layers; W, U and v; the output layer.
  CHECK(model.parameter_count() ==
        19u * 64 + 4u * (2 * 192 * 64 + 2 * 192) + 2u * 64 * 64 + 64 + 10u * 128 + 10);
  CHECK(numbers_of(model.cast<double>().cast<float>()) == numbers_of(model));
  model.set_zero();
  for (const float number : numbers_of(model)) CHECK(number == 0);
}

TEST_CASE("recurrent model: settings and batches that cannot be are refused") {
  const RecurrentConfig good = small_recurrent_config(RecurrentAttention::dot);
  CHECK_NOTHROW(check(good));
  for (int RecurrentConfig::*key : {&RecurrentConfig::width, &RecurrentConfig::layers,
                                    &RecurrentConfig::source_vocab, &RecurrentConfig::target_vocab}) {
    RecurrentConfig config = good;
    config.*key = 0;
    CHECK_THROWS_AS(RecurrentModel<float>{config}, Error);
  }
  for (int RecurrentConfig::*key : {&RecurrentConfig::pad_id, &RecurrentConfig::unk_id,
                                    &RecurrentConfig::bos_id, &RecurrentConfig::eos_id}) {
    RecurrentConfig config = good;
    config.*key = 10;
    CHECK_THROWS_AS(check(config), Error);
  }
  const RecurrentModel<float> model(good);
  RecurrentSaved<float> saved;
  Batch batch = batch_of(good, {{{4}}, {{5}}});
  CHECK_NOTHROW(model.forward(batch, saved));
  batch.source.add(std::vector<int>{4});  // no target
  CHECK_THROWS_AS(model.forward(batch, saved), Error);
  batch = batch_of(good, {{{4}}, {{5}}});
  batch.source.clear();
  batch.source.add(std::vector<int>{9});  // no such word
  CHECK_THROWS_AS(model.forward(batch, saved), Error);
  batch.source.clear();
  batch.source.add(std::vector<int>(13, 4));  // longer than max_length
  CHECK_THROWS_AS(model.forward(batch, saved), Error);
}

TEST_CASE("recurrent model: a new one is 0 throughout, also where memory was used before") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    for (int i = 0; i < 3; ++i) RecurrentModel<float>(each.config).initialize(7);
    const RecurrentModel<float> fresh(each.config);
    fresh.visit([&](const std::string& name, Parameter<const float> tensor) {
      CAPTURE(name);
      CHECK(std::all_of(tensor.data, tensor.data + tensor.size(), [](float value) { return value == 0; }));
    });
  }
}
