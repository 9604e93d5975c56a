// The masks that are shown are those that a training pass multiplies by.
#include "engine/model/dropout_masks.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/layers/activation.h"
#include "engine/math/error.h"
#include "random_models.h"

using namespace glassformer;

namespace {

// More tokens than one chunk holds.
Batch some_batch(const Config& config, int sentences) {
  std::vector<std::vector<int>> sources, targets;
  for (int i = 0; i < sentences; ++i) {
    sources.push_back(std::vector<int>(static_cast<std::size_t>(3 + i % 6), 4 + i % 7));
    targets.push_back(std::vector<int>(static_cast<std::size_t>(2 + i % 5), 5 + i % 6));
  }
  return make_batch(sources, targets, config);
}

void check_values(const Matrix<float>& mask, double growth) {
  for (Eigen::Index i = 0; i < mask.size(); ++i) {
    const float value = mask.data()[i];
    CHECK((value == 0 || value == static_cast<float>(growth)));
  }
}

}  // namespace

TEST_CASE("the masks shown are those of a training pass with the same seed and step") {
  for (NamedConfig each : varied_configs()) {
    CAPTURE(each.name);
    each.config.activation = Activation::gelu;  // keeps what the units were before
    const Transformer<float> model = random_model<double>(each.config, 11).cast<float>();
    const Batch batch = some_batch(each.config, 40);
    const DropoutStep step{.p = 0.25, .seed = 7, .step = 42};
    Saved<float> saved;
    saved.dropout = step.p;
    saved.seed = step.seed;
    saved.step = step.step;
    model.forward(batch, saved);
    REQUIRE(saved.chunks.size() > 1);
    const DropoutMasks masks(model, batch, step);
    CHECK(masks.growth() == doctest::Approx(1 / 0.75).epsilon(1e-4));

    for (const Side side : {Side::source, Side::target}) {
      const SideSaved<float>& values = side == Side::source ? saved.source : saved.target;
      const Matrix<float> mask = masks.embedding(side);
      check_values(mask, masks.growth());
      const Matrix<float>& before = each.config.embedding_norm ? values.norm.y : values.embedded;
      CHECK((before.topRows(mask.rows()).cwiseProduct(mask) - values.input.topRows(mask.rows()))
                .cwiseAbs()
                .maxCoeff() < 1e-6f);  // but for rounding
    }

    const auto check_hidden = [&](Side side, int layer, const FeedForwardSaved<float>& feed_forward) {
      const Matrix<float> mask = masks.hidden(side, layer);
      check_values(mask, masks.growth());
      Matrix<float> units = feed_forward.pre_activation.topRows(mask.rows());
      activate(each.config.unit_activation(), feed_forward.pre_activation.data(), units.data(),
               static_cast<std::size_t>(units.size()));
      if (each.config.feed_forward == FeedForwardKind::swiglu)
        units = units.cwiseProduct(feed_forward.value.topRows(mask.rows())).eval();
      CHECK((units.cwiseProduct(mask) - feed_forward.hidden.topRows(mask.rows())).cwiseAbs().maxCoeff() <
            1e-6f);
    };
    const int last = each.config.decoder_layers - 1;
    check_hidden(Side::source, 0, saved.encoder_layers[0].feed_forward);
    check_hidden(Side::target, last, saved.decoder_layers[static_cast<std::size_t>(last)].feed_forward);

    const auto check_weights = [&](AttentionKind kind, int layer, const AttentionPlan& plan,
                                   const AttentionSaved<float>& attention) {
      for (const int sentence : {0, 13, 39}) {
        const int head = each.config.heads - 1;
        const Matrix<float> mask = masks.weights(kind, layer, sentence, head);
        check_values(mask, masks.growth());
        const AttentionSpan& span = plan.spans[static_cast<std::size_t>(sentence)];
        REQUIRE(mask.rows() == span.queries);
        REQUIRE(mask.cols() == span.keys);
        const auto at = static_cast<Eigen::Index>(span.weights) + head * mask.size();
        for (Eigen::Index i = 0; i < mask.size(); ++i)
          CHECK(attention.weights.data()[at + i] * mask.data()[i] == attention.dropped.data()[at + i]);
      }
    };
    const DecoderLayerSaved<float>& decoder = saved.decoder_layers[static_cast<std::size_t>(last)];
    check_weights(AttentionKind::encoder, 0, saved.encoder_plan, saved.encoder_layers[0].self_attention);
    check_weights(AttentionKind::decoder, last, saved.decoder_plan, decoder.self_attention);
    check_weights(AttentionKind::cross, last, saved.cross_plan, decoder.cross_attention);
  }
}

TEST_CASE("another step drops others, about the share p, and p 0 drops nothing") {
  const Transformer<float> model = random_model<double>(small_config(), 12).cast<float>();
  const Batch batch = some_batch(model.config, 40);
  const Matrix<float>
      one = DropoutMasks(model, batch, {.p = 0.25, .seed = 7, .step = 1}).embedding(Side::source),
      two = DropoutMasks(model, batch, {.p = 0.25, .seed = 7, .step = 2}).embedding(Side::source),
      none = DropoutMasks(model, batch, {.p = 0, .seed = 7, .step = 1}).embedding(Side::source);
  CHECK(one != two);
  const double dropped = static_cast<double>((one.array() == 0.0f).count()) / static_cast<double>(one.size());
  CHECK(std::abs(dropped - 0.25) < 0.04);
  CHECK((none.array() == 1.0f).all());
}

TEST_CASE("a rate of attention's own drops weights and nothing else") {
  const Transformer<float> model = random_model<double>(small_config(), 12).cast<float>();
  const Batch batch = some_batch(model.config, 40);
  const DropoutMasks weights_alone(model, batch, {.p = 0, .attention_p = 0.5, .seed = 7});
  const DropoutMasks all_else(model, batch, {.p = 0.5, .attention_p = 0, .seed = 7});
  CHECK((weights_alone.embedding(Side::source).array() == 1.0f).all());
  CHECK((weights_alone.hidden(Side::target, 0).array() == 1.0f).all());
  CHECK((all_else.weights(AttentionKind::cross, 0, 3, 0).array() == 1.0f).all());
  CHECK((all_else.embedding(Side::source).array() == 0.0f).any());
  long dropped = 0, cells = 0;
  for (int sentence = 0; sentence < 40; ++sentence) {
    const Matrix<float> mask = weights_alone.weights(AttentionKind::encoder, 0, sentence, 0);
    check_values(mask, weights_alone.attention_growth());
    dropped += (mask.array() == 0.0f).count(), cells += mask.size();
  }
  CHECK(std::abs(static_cast<double>(dropped) / static_cast<double>(cells) - 0.5) < 0.06);
}

TEST_CASE("config.json keeps attention's own rate, leaves it out where there is none, and refuses others") {
  Config config = small_config();
  CHECK_FALSE(to_json(config).contains("attention_dropout"));
  CHECK(config_from_json(to_json(config)).attention_dropout == -1);
  for (const double rate : {0.0, 0.35}) {
    config.attention_dropout = rate;
    CHECK(config_from_json(to_json(config)) == config);
  }
  for (const double rate : {1.0, -0.5, 2.0}) {
    nlohmann::json json = to_json(config);
    json["attention_dropout"] = rate;
    CHECK_THROWS_AS(config_from_json(json), Error);
  }
}
