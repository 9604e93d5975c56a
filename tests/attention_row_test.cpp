#include "engine/analysis/attention_row.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "engine/math/error.h"
#include "random_models.h"

using namespace glassformer;

namespace {

const TraceInput kInput = {{{5, 6, 7}, {8, 9}}, {{4, 5}, {6, 7, 8, 9}}};
const char* const kAttentions[] = {"encoder.layers.1.self_attn", "decoder.layers.0.self_attn",
                                   "decoder.layers.1.cross_attn"};

double scale_of(const Config& config) {
  return config.attention_scale ? 1 / std::sqrt(double(config.head_width())) : 1;
}

}  // namespace

TEST_CASE("at temperature 1 a row is the Trace's own, bit by bit, no other softmax differs but by rounding") {
  for (const NamedConfig& named : varied_configs()) {
    CAPTURE(named.name);
    if (named.config.attention_activation == AttentionActivation::relu) continue;  // below
    const Transformer<float> model = random_model<float>(named.config, 1);
    const Trace trace = record_trace(model, kInput);
    for (const std::string attention :
         {"encoder.layers.0.self_attn", "decoder.layers.0.self_attn", "decoder.layers.0.cross_attn"}) {
      for (int sentence = 0; sentence < 2; ++sentence) {
        const AttentionRowPlace place{*read_name(attention), sentence, 0, 1, scale_of(named.config)};
        const AttentionRow row = attention_row(trace, place, 1), near = attention_row(trace, place, 1 + 1e-9);
        const Plane weights = trace.plane(attention + ".weights", sentence, 0),
                    context = trace.plane(attention + ".context", sentence, 0);
        const std::size_t keys = attention == "decoder.layers.0.self_attn"
                                     ? trace.target_in[static_cast<std::size_t>(sentence)].size()
                                     : trace.source[static_cast<std::size_t>(sentence)].size();
        REQUIRE(row.soft.weights.size() == keys);
        CHECK_FALSE(row.by_hand);
        for (std::size_t key = 0; key < keys; ++key) {
          CHECK(row.soft.weights[key] == double(weights(1, static_cast<int>(key))));
          CHECK(near.soft.weights[key] == doctest::Approx(row.soft.weights[key]).epsilon(1e-4));
        }
        for (int column = 0; column < context.columns; ++column) {
          CHECK(row.soft.answer[static_cast<std::size_t>(column)] == double(context(1, column)));
          CHECK(near.soft.answer[static_cast<std::size_t>(column)] ==
                doctest::Approx(double(context(1, column))).epsilon(1e-4));
        }
      }
    }
  }
}

TEST_CASE("a row that a ReLU makes is shown as it is, and told not to be a softmax") {
  Config config = small_config();
  config.attention_activation = AttentionActivation::relu;
  const Trace trace = record_trace(random_model<float>(config, 1), kInput);
  const AttentionRowPlace place{*read_name("encoder.layers.0.self_attn"), 0, 0, 1, scale_of(config)};
  const AttentionRow row = attention_row(trace, place, 1);
  CHECK(row.by_hand);
  const Plane weights = trace.plane("encoder.layers.0.self_attn.weights", 0, 0);
  for (std::size_t key = 0; key < row.soft.weights.size(); ++key)
    CHECK(row.soft.weights[key] == double(weights(1, static_cast<int>(key))));
}

TEST_CASE("a cold row is its largest weight alone, a hot one spreads evenly over what may be seen") {
  const Config config = small_config();
  const Trace trace = record_trace(random_model<float>(config, 2), kInput);
  for (const std::string attention : kAttentions) {
    CAPTURE(attention);
    const AttentionRowPlace place{*read_name(attention), 1, 2, 2, scale_of(config)};
    const AttentionRow cold = attention_row(trace, place, 1e-4), hot = attention_row(trace, place, 1e7),
                       own = attention_row(trace, place, 1);
    const auto largest = std::max_element(own.soft.weights.begin(), own.soft.weights.end());
    CHECK(own.hard.best == largest - own.soft.weights.begin());
    CHECK(cold.soft.weights[static_cast<std::size_t>(own.hard.best)] == doctest::Approx(1));
    for (std::size_t i = 0; i < own.hard.answer.size(); ++i)
      CHECK(cold.soft.answer[i] == doctest::Approx(own.hard.answer[i]));
    const std::size_t seen = attention == kAttentions[1] ? 3 : own.soft.weights.size();
    for (std::size_t key = 0; key < own.soft.weights.size(); ++key)
      CHECK(hot.soft.weights[key] == doctest::Approx(key < seen ? 1.0 / double(seen) : 0.0).epsilon(1e-5));
  }
}

TEST_CASE("the slope of a row agrees with finite differences of the query of the Trace") {
  const Config config = small_config();
  const Trace trace = record_trace(random_model<float>(config, 3), kInput);
  const std::string attention = kAttentions[2];
  const AttentionRow row = attention_row(trace, {*read_name(attention), 0, 1, 1, scale_of(config)}, 1);
  const Plane queries = trace.plane(attention + ".query", 0, 1), keys = trace.plane(attention + ".key", 0, 1),
              values = trace.plane(attention + ".value", 0, 1);
  constexpr double kStep = 1e-5;
  for (int column = 0; column < queries.columns; ++column) {
    // Attention written out: scores, softmax, weighted sum.
    const auto answer = [&](double nudge, int of) {
      double total = 0, mixed = 0;
      for (int key = 0; key < 4; ++key) {
        double score = 0;
        for (int c = 0; c < queries.columns; ++c)
          score += (double(queries(1, c)) + (c == column ? nudge : 0)) * double(keys(key, c));
        const double share = std::exp(score * scale_of(config));
        total += share;
        mixed += share * double(values(key, of));
      }
      return mixed / total;
    };
    for (int of = 0; of < values.columns; ++of)
      CHECK(row.soft.slope(of, column) ==
            doctest::Approx((answer(kStep, of) - answer(-kStep, of)) / (2 * kStep)).epsilon(1e-4));
  }
  CHECK(row.hard.slope_size() == 0);
}

TEST_CASE("a row that a what-if set keeps its weights at temperature 1 and has no slope") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 1);
  TraceOptions options;
  options.what_if.changes = {edit_row(AttentionKind::cross, 1, 0, 1, {0.25f, 0.75f, 0, 0})};
  const Trace trace = record_trace(model, kInput, options);
  const AttentionRowPlace place{value_in(AttentionKind::cross, 1, ValueKind::whole), 0, 0, 1,
                                scale_of(config)};
  const AttentionRow row = attention_row(trace, place, 1);
  CHECK(row.by_hand);
  CHECK(row.soft.weights == std::vector<double>{0.25, 0.75, 0, 0});
  CHECK(row.soft.slope_size() == 0);
  CHECK(attention_row(trace, place, 2).soft.slope_size() > 0);
}

TEST_CASE("padding counts as a key only where it is looked at") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 1);
  TraceOptions options;
  options.pad = true;
  const AttentionRowPlace place{value_in(AttentionKind::cross, 1, ValueKind::whole), 1, 0, 1,
                                scale_of(config)};
  CHECK(attention_row(record_trace(model, kInput, options), place, 1).soft.weights.size() == 3);
  options.what_if.changes.push_back(change_of(ChangeKind::padding_mask_off));
  const AttentionRow leak = attention_row(record_trace(model, kInput, options), place, 1);
  REQUIRE(leak.soft.weights.size() == 4);
  CHECK(leak.soft.weights[3] > 0);
  CHECK(std::accumulate(leak.soft.weights.begin(), leak.soft.weights.end(), 0.0) == doctest::Approx(1));
  CHECK_THROWS_AS(attention_row(record_trace(model, kInput), {place.attention, 0, 0, 99, 1}, 1), Error);
}
