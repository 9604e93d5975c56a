// The list of steps as it is read: order, headings, formulas, shapes, explanations.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/model/steps/pattern_rule.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/steps/step_text.h"
#include "step_cases.h"

using namespace glassformer;

namespace {

const Step& find(const std::vector<Step>& steps, StepKind kind, int skip = 0) {
  for (const Step& step : steps) {
    if (step.kind == kind && skip-- == 0) return step;
  }
  FAIL("no such step");
  return steps.front();
}

int count(const std::vector<Step>& steps, StepKind kind) {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [&](const Step& step) { return step.kind == kind; }));
}

std::string heading(const Step& step) {
  std::string text;
  for (const std::string& part : step_path(step)) text += (text.empty() ? "" : " > ") + part;
  return text;
}

}  // namespace

TEST_CASE("formulas are written with symbols, with shapes and with sizes") {
  const Config config = small_config();
  const std::vector<Step> steps = training_steps(config);
  const StepSizes sizes{config, 6, 5};
  const Step& query = find(steps, StepKind::query);
  CHECK(symbols_formula(query) == "Q = X W_Qᵀ + b_Q");
  CHECK(shapes_formula(query) == "(S × k) = (S × d) (d × k) + (k)");
  CHECK(sizes_formula(query, sizes) == "(6 × 4) = (6 × 12) (12 × 4) + (4)");
  const Step& cross = find(steps, StepKind::memory_key);
  CHECK(symbols_formula(cross) == "K = Y W_Kᵀ + b_K");
  const Step& softmax = find(steps, StepKind::d_softmax);
  CHECK(symbols_formula(softmax) == "dS′ = A × (dA − row sums(A × dA))");
  const Step& concat = find(steps, StepKind::concat);
  CHECK(symbols_formula(concat) == "C = [ C_1 C_2 C_3 ]");
  const Step& meet = find(steps, StepKind::d_attention_input_and_stream);
  CHECK(symbols_formula(meet) == "dX = dR + dQ W_Q + dK W_K + dV W_V");
  CHECK(explanation(find(steps, StepKind::d_norm)).find("n = (R − μ) / σ and g = dN × γ") !=
        std::string::npos);
  CHECK(shape_text(find(steps, StepKind::logits).output) == "T × V_t");
}

TEST_CASE("a bias that the model lacks is in no formula") {
  Config config = small_config();
  config.attention_bias = config.output_bias = false;
  const std::vector<Step> steps = training_steps(config);
  CHECK(symbols_formula(find(steps, StepKind::query)) == "Q = X W_Qᵀ");
  CHECK(symbols_formula(find(steps, StepKind::logits)) == "Z = X Wᵀ");
  CHECK(symbols_formula(find(steps, StepKind::d_weight)) == "dW = dZᵀ X");
}

TEST_CASE("LayerNorm stands where the model has it") {
  Config config = small_config();
  std::vector<Step> steps = training_steps(config);
  CHECK(find(steps, StepKind::layer_norm).inputs[0].name == "encoder.layers.0.residual1");
  CHECK(symbols_formula(find(steps, StepKind::layer_norm)) == "N = (R − μ) / σ × γ + β");
  config.norm = NormPlace::pre;
  steps = training_steps(config);
  CHECK(find(steps, StepKind::layer_norm).inputs[0].name == "source.input");
  CHECK(symbols_formula(find(steps, StepKind::query)) == "Q = N W_Qᵀ + b_Q");
  CHECK(find(steps, StepKind::query).inputs[0].name == "encoder.layers.0.norm1");
}

TEST_CASE("every block comes as often as the model has it") {
  Config config = small_config();
  config.encoder_layers = 3;
  const std::vector<Step> steps = training_steps(config);
  CHECK(count(steps, StepKind::query) == (3 + 2 * 2) * 3);
  CHECK(count(steps, StepKind::memory_key) == 2 * 3);
  CHECK(count(steps, StepKind::causal_mask) == 2 * 3);
  CHECK(count(steps, StepKind::relu) == 5);
  CHECK(count(steps, StepKind::layer_norm) == 3 * 2 + 2 * 3);
  CHECK(count(steps, StepKind::d_softmax) == (3 + 2 * 2) * 3);
  CHECK(count(steps, StepKind::gelu) == 0);
  CHECK(count(steps, StepKind::dropout) > 0);
  CHECK(count(training_steps(config, {.show_dropout = false}), StepKind::dropout) == 0);
  CHECK(count(training_steps(config, {.backward = false}), StepKind::d_softmax) == 0);
  config.dropout = 0;
  CHECK(count(training_steps(config), StepKind::dropout) == 0);
}

TEST_CASE("a step says where it stands, counted from 1") {
  const std::vector<Step> steps = training_steps(small_config());
  CHECK(heading(steps.front()) == "Forward > Source embedding");
  CHECK(heading(find(steps, StepKind::softmax, 4)) == "Forward > Encoder, layer 2 > Self-attention > Head 2");
  CHECK(heading(find(steps, StepKind::memory_key, 2)) ==
        "Forward > Decoder, layer 1 > Cross-attention > Head 3");
  CHECK(heading(find(steps, StepKind::causal_mask)) ==
        "Forward > Decoder, layer 1 > Masked self-attention > Head 1");
  CHECK(heading(find(steps, StepKind::mean_loss)) == "Loss");
  CHECK(level(find(steps, StepKind::softmax)) == 3);
  CHECK(level(find(steps, StepKind::concat)) == 2);
  CHECK(level(find(steps, StepKind::mean_loss)) == 1);
}

TEST_CASE("every pattern has its row, with its sources and its work") {
  for (int i = 0; i < kPatternKinds; ++i) {
    const PatternRule& rule = pattern_rule(static_cast<PatternKind>(i));
    CHECK(rule.kind == static_cast<PatternKind>(i));
    const bool whole = rule.sources != nullptr && rule.work != nullptr;
    CHECK(whole);
  }
}

TEST_CASE("every kind of step has its own row of the table, with two sentences") {
  for (int i = 0; i < kStepKinds; ++i) {
    const auto kind = static_cast<StepKind>(i);
    const StepText& text = step_text(kind);
    CAPTURE(text.name);
    CHECK(text.kind == kind);
    // A period, question mark or colon ends the first sentence; the second ends the text.
    const std::string why(text.why);
    CHECK(why.back() == '.');
    const bool two = why.find(". ") != std::string::npos || why.find("? ") != std::string::npos;
    CHECK(two);
  }
}

TEST_CASE("no formula keeps a mark of its template") {
  for (const NamedConfig& each : step_configs()) {
    StepOptions options;
    options.weight = ChosenWeight{"target_embedding.weight", 0, 0};
    options.clip = true;
    const StepSizes sizes{each.config, 3, 4};
    for (const Step& step : training_steps(each.config, options)) {
      for (const std::string& text :
           {symbols_formula(step), shapes_formula(step), sizes_formula(step, sizes), explanation(step)}) {
        CAPTURE(text);
        CHECK(!text.empty());
        CHECK(text.find_first_of("{}") == std::string::npos);
        CHECK(text.find("[ +") == std::string::npos);
      }
    }
  }
}
