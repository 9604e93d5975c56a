// A ReLU in place of the softmax: config.json's "attention_activation".
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/trace.h"
#include "engine/train/diagnosis.h"
#include "engine/train/part_readings.h"
#include "engine/train/variation.h"
#include "random_models.h"
#include "tests/refusal.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

Config relu_config() {
  Config config = small_config();
  config.attention_activation = AttentionActivation::relu;
  return config;
}

}  // namespace

TEST_CASE("weights by ReLU are what is above 0, by the keys that the mask leaves") {
  const Config config = relu_config();
  const Transformer<float> model = random_model<float>(config, 3);
  // Padding follows the shorter sentence: it is seen by nobody, and counted by nobody.
  const Trace trace =
      record_trace(model, {{{5, 6, 4, 3}, {5, 3}}, {{4, 6, 5, 3}, {6, 3}}}, {.what_if = {}, .pad = true});
  const int kSources[] = {static_cast<int>(trace.source[0].size()), static_cast<int>(trace.source[1].size())};
  int zeroes = 0, others = 0;
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    for (int sentence = 0; sentence < 2; ++sentence) {
      for (int head = 0; head < config.heads; ++head) {
        const Plane scores = trace.plane(attention_value(kind, 0, ValueKind::scores), sentence, head),
                    weights = trace.plane(attention_value(kind, 0, ValueKind::weights), sentence, head);
        const auto at = static_cast<std::size_t>(sentence);
        const int rows = static_cast<int>(kind == AttentionKind::encoder ? trace.source[at].size()
                                                                         : trace.target_in[at].size());
        for (int row = 0; row < rows; ++row) {
          const int seen = kind == AttentionKind::decoder ? row + 1 : kSources[sentence];
          for (int key = 0; key < weights.columns; ++key) {
            const double expected = key < seen ? std::max(0.0, double(scores(row, key))) / seen : 0;
            CHECK(double(weights(row, key)) == doctest::Approx(expected).epsilon(1e-5));
            ++(weights(row, key) == 0 ? zeroes : others);
          }
        }
      }
    }
  }
  CHECK(zeroes > 20);
  CHECK(others > 20);
}

TEST_CASE("rows of a ReLU are told by their shares, and a row that reads nothing tells nothing") {
  Config config = copying_config();
  config.attention_activation = AttentionActivation::relu;
  Transformer<float> model(config);
  model.initialize(3);
  Trace trace = record_trace(model, {{{4, 5, 6, 7}}, {{4, 5}}});
  Tensor& weights = trace.tensors.at("encoder.layers.0.self_attn.weights");
  const int keys = weights.columns();
  std::fill_n(weights.values.begin(), weights.rows() * keys, 0.0F);
  // Of all rows of the first head one reads anything: two keys alike, by a weight of a tenth.
  weights.values[0] = weights.values[1] = 0.1F;
  const Look two = look_at(trace, model.config);
  CHECK(double(two.heads[0].entropy) == doctest::Approx(std::log(2.0) / std::log(double(keys))));
  CHECK(two.heads[0].saturation == 0);
  weights.values[1] = 0;
  const Look one = look_at(trace, model.config);
  CHECK(one.heads[0].entropy == 0);
  CHECK(one.heads[0].saturation == 1);
  weights.values[0] = 0;
  CHECK(std::isnan(look_at(trace, model.config).heads[0].entropy));
}

TEST_CASE("what a head of ReLU weights reads is told in shares of a row") {
  Config config = copying_config();
  config.attention_activation = AttentionActivation::relu;
  Transformer<float> model(config);
  model.initialize(5);
  Batch batch;
  batch.source.add(std::vector<int>{4, 5, 6, 7, 4});
  batch.target_in.add(std::vector<int>{1, 5, 6});
  batch.target_out.add(std::vector<int>{5, 6, 7});
  const std::vector<Change> parts{mute_head(AttentionKind::encoder, 0, 0),
                                  mute_head(AttentionKind::cross, 0, 1)};
  for (const PartReading& each : read_parts({.model = model, .batch = batch}, parts)) {
    const HeadReading& read = each.attention;
    // Of five keys one has at least an even share; of the small scores of a new model no weight is so large.
    CHECK(read.largest >= 1.0 / 5);
    CHECK(read.largest <= 1);
    for (const double share : {read.same_place, read.previous, read.next}) CHECK(share <= 1);
    CHECK(read.entropy <= std::log(5.0) + 1e-9);
  }
}

TEST_CASE("config.json keeps the activation of the attention and refuses others") {
  nlohmann::json json = to_json(relu_config());
  CHECK(json["attention_activation"] == "relu");
  CHECK(config_from_json(json) == relu_config());
  json.erase("attention_activation");
  CHECK(config_from_json(json).attention_activation == AttentionActivation::softmax);
  json["attention_activation"] = "tanh";
  const std::string refused = refusal([&] { config_from_json(json); });
  CHECK(refused.find("attention_activation") != std::string::npos);
  CHECK(refused.find("softmax") != std::string::npos);
}

TEST_CASE("a model with ReLU attention learns") {
  Config config = copying_config();
  config.attention_activation = AttentionActivation::relu;
  TrainingOptions options = small_options();
  Trainer trainer(copying_set(), config, options);
  const double first = trainer.step().loss;
  double last = first;
  for (int i = 0; i < 60; ++i) last = trainer.step().loss;
  CHECK(last < first - 0.3);
}

TEST_CASE("a variant trains the other activation") {
  for (const AttentionActivation now : {AttentionActivation::softmax, AttentionActivation::relu}) {
    Config config = copying_config();
    config.attention_activation = now;
    int found = 0;
    for (const Variation& each : variations(config, small_options())) {
      if (each.about != "Attention weights") continue;
      ++found;
      CHECK(each.name == (now == AttentionActivation::softmax ? "by ReLU" : "by softmax"));
      CHECK(each.config.attention_activation != now);
    }
    CHECK(found == 1);
  }
}
