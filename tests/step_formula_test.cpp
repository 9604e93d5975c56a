// Steps as they are read, numbered and checked.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "engine/math/error.h"
#include "engine/math/random.h"
#include "engine/model/steps/pattern_rule.h"
#include "engine/model/steps/step_check.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/steps/step_numbers.h"
#include "engine/model/steps/step_text.h"
#include "engine/model/trace.h"
#include "engine/train/step_series.h"
#include "tests/random_models.h"
#include "tests/step_cases.h"

namespace glassformer::step_formula_test {

// ---- The list of steps as it is read: order, headings, formulas, shapes, explanations.

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

// A cell's row is read by an operand that begins at the cell, and whose columns nobody has to know.
TEST_CASE("a row is read to its end, also where it is wider than the model") {
  Config config = small_config();
  config.target_vocab = 50;
  config.d_ff = 40;
  const Transformer<float> model = random_model<float>(config, 3);
  TraceOptions options;
  options.pad = true;
  const Trace trace = record_trace(model, {{{5, 6, 7}, {4, 5}}, {{4, 5}, {6, 7, 8}}}, options);
  for (int sentence = 0; sentence < 2; ++sentence) {
    const StepNumbers numbers(model, trace, sentence);
    for (const char* name :
         {"smoothed_target", "logits", "decoder.layers.1.feed_forward.hidden", "decoder.output"}) {
      CAPTURE(std::string(name));
      const Plane plane = trace.plane(name, sentence);
      Operand operand;
      operand.store = OperandStore::trace;
      operand.name = name;
      operand.columns = Extent::model;
      operand.first_row = 1;
      const OperandNumbers row = numbers.of(operand);
      REQUIRE(row.recorded());
      for (int column = 0; column < plane.columns; ++column) CHECK(row(0, column) == plane(1, column));
    }
  }
}

// ---- The nudged loss agrees with every gradient that a trace holds, what-ifs and weights included.

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

StepSeries noisy_series(int points, std::vector<StepPoint>& plain) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> noise(-1, 1);
  StepSeries series;
  for (int i = 0; i < points; ++i) {
    plain.push_back({noise(generator), noise(generator), std::round(noise(generator)), noise(generator)});
    series.push_back(plain.back());
  }
  return series;
}

TEST_CASE("a series gives its points back, one by one and in order") {
  std::vector<StepPoint> plain;
  const StepSeries series = noisy_series(1000, plain);
  REQUIRE(series.size() == 1000);
  std::size_t i = 0;
  for (const StepPoint& point : series) {
    CHECK(point.loss == plain[i].loss);
    CHECK(series[i].tokens_per_s == plain[i].tokens_per_s);
    ++i;
  }
  CHECK(i == 1000);
  CHECK(series.back().loss == plain.back().loss);
  CHECK_THROWS_AS(series.at(1000), std::out_of_range);
  CHECK(StepSeries().empty());
}

TEST_CASE("the extremes of any range are those that a look at every point finds") {
  std::vector<StepPoint> plain;
  const StepSeries series = noisy_series(1500, plain);
  std::mt19937 generator(9);
  for (const auto value : {&StepPoint::loss, &StepPoint::gradient_norm, &StepPoint::tokens_per_s}) {
    for (int trial = 0; trial < 300; ++trial) {
      const std::size_t from = generator() % 1500, to = from + 1 + generator() % (1500 - from);
      std::size_t low = from, high = from;
      for (std::size_t i = from; i < to; ++i) {
        if (plain[i].*value < plain[low].*value) low = i;
        if (plain[i].*value > plain[high].*value) high = i;
      }
      const auto found = series.extremes(value, from, to);
      CHECK(found.low == low);
      CHECK(found.high == high);
    }
  }
}

TEST_CASE("a value that is no number hides no other") {
  StepSeries series;
  for (int i = 0; i < 700; ++i)
    series.push_back({i == 0 || i == 256 ? std::nanf("") : static_cast<float>(i % 50)});
  for (const std::size_t from : {0, 256, 100}) {
    const auto found = series.extremes(&StepPoint::loss, from, 700);
    CHECK(series[found.low].loss == 0);
    CHECK(series[found.high].loss == 49);
  }
}

TEST_CASE("a copy shares what is full and is not changed by what comes later") {
  std::vector<StepPoint> plain;
  StepSeries series = noisy_series(600, plain);
  const StepSeries copy = series;
  CHECK(&copy[10] == &series[10]);
  series.push_back({7, 7, 7, 7});
  CHECK(copy.size() == 600);
  CHECK(series.back().loss == 7);
  CHECK(copy.back().loss == plain.back().loss);
}

}  // namespace glassformer::step_formula_test
