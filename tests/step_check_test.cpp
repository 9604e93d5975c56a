// The nudged loss agrees with every gradient that a trace holds, what-ifs and weights included.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"
#include "engine/math/random.h"
#include "engine/model/steps/step_check.h"
#include "step_cases.h"

namespace glassformer {
namespace {

// In double the trace's single precision is what differs.
void agrees(double slope, double gradient) {
  CHECK(std::abs(slope - gradient) < 1e-5 + 2e-4 * std::abs(gradient));
}

TEST_CASE("nudging the output of a backward step gives its gradient") {
  Random random(4);
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 21);
    const Trace trace = step_trace(model);
    const StepNumbers numbers(model, trace);
    const std::vector<Step> steps = training_steps(each.config);
    int checked = 0;
    for (std::size_t i = 0; i < steps.size(); i += 5) {
      const Step& step = steps[i];
      const OperandNumbers table = numbers.of(step.output);
      const int row = random.below(table.rows), column = random.below(table.columns);
      const StoredCell cell = stored_cell(step.output, row, column, each.config);
      if (!can_check(cell)) continue;
      CAPTURE(step.output.name);
      const SlopeCheck check = check_slope(model, step_sentences(), {}, cell);
      agrees(check.slope(), static_cast<double>(table(row, column)));
      ++checked;
    }
    CHECK(checked > 5);
  }
}

TEST_CASE("the check follows the what-ifs") {
  const Transformer<float> model = random_model<float>(small_config(), 3);
  TraceOptions options;
  options.gradients = true;
  options.what_if.changes = {mute_head(AttentionKind::decoder, 0, 0)};
  options.what_if.changes.push_back(change_of(ChangeKind::causal_mask_off));
  const Trace trace = record_trace(model, step_sentences(), options);
  const Tensor& d_scores = trace.gradients.at("decoder.layers.0.self_attn.scores");
  int moved = 0;
  for (int head = 0; head < d_scores.shape[1]; ++head) {
    const int at[] = {0, head, 0, 2};
    const StoredCell cell{OperandStore::gradient, "decoder.layers.0.self_attn.scores", head, 0, 2};
    const double slope = check_slope(model, step_sentences(), options, cell).slope();
    agrees(slope, static_cast<double>(d_scores.at(at)));
    if (slope != 0) ++moved;
    if (head == 0) CHECK(slope == 0);
  }
  CHECK(moved > 0);
}

TEST_CASE("the check follows queries and keys that are not turned because positions are off") {
  Config config = small_config();
  config.positions = PositionKind::rotary;
  const Transformer<float> model = random_model<float>(config, 7);
  TraceOptions options;
  options.gradients = true;
  options.what_if.changes.push_back(change_of(ChangeKind::positions_off));
  const Trace trace = record_trace(model, step_sentences(), options);
  for (const char* name : {"encoder.layers.0.self_attn.query", "decoder.layers.1.self_attn.key"}) {
    CAPTURE(name);
    const int at[] = {0, 1, 2, 3};
    const double gradient = static_cast<double>(trace.gradients.at(name).at(at));
    const StoredCell cell{OperandStore::gradient, name, 1, 2, 3};
    CHECK(gradient != 0);
    agrees(check_slope(model, step_sentences(), options, cell).slope(), gradient);
  }
}

TEST_CASE("a number that the loss is not computed from is not nudged") {
  const Transformer<float> model = random_model<float>(small_config(), 3);
  CHECK_FALSE(can_check({OperandStore::gradient, "token_loss"}));
  CHECK_FALSE(can_check({OperandStore::trace, "logits"}));
  CHECK_THROWS_AS(check_slope(model, step_sentences(), {}, {OperandStore::gradient, "token_loss"}), Error);
  CHECK_THROWS_AS(check_slope(model, step_sentences(), {}, {OperandStore::gradient, "logits", -1, 99, 0}),
                  Error);
}

TEST_CASE("an update tells nothing that follows from moments nobody kept") {
  WeightBefore before{.weight = 0.5, .gradient = -2, .gradient_norm = 4, .clip = 1};
  AdamStep step;
  step.step = 900;
  step.rate = 0.01;
  const StepNumbers::Update known = update_numbers(before, step);
  before.moments_kept = false;
  const StepNumbers::Update unknown = update_numbers(before, step);
  for (const char* name : {"gradient", "gradient_norm", "clipped", "rate", "old_weight"}) {
    REQUIRE(unknown.contains(name));
    CHECK(unknown.at(name) == known.at(name));
  }
  for (const char* name : {"old_m", "m", "m_hat", "old_v", "v", "v_hat", "new_weight"}) {
    CHECK(known.contains(name));
    CHECK_FALSE(unknown.contains(name));
  }
}

}  // namespace
}  // namespace glassformer
