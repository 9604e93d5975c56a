// What the Walk shows is what was computed: every step's output, recomputed from its inputs by the step's own
// formula, is what the model recorded.
#include "engine/model/steps/cell_work.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "engine/math/error.h"
#include "engine/model/optimizer.h"
#include "step_cases.h"
#include "what_if_cases.h"

using namespace glassformer;

namespace {

double largest(const Grid& grid) {
  double size = 0;
  for (const double value : grid.values) size = std::max(size, std::abs(value));
  return size;
}

// The largest difference, relative to the largest number of the two, or to `size`; infinite with a NaN.
double difference(const Grid& a, const Grid& b, double size = 1e-3) {
  REQUIRE(a.rows == b.rows);
  REQUIRE(a.columns == b.columns);
  double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double x = a.values[i], y = b.values[i];
    if (x == y) continue;
    size = std::max({size, std::abs(x), std::abs(y)});
    worst = std::isnan(x - y) ? INFINITY : std::max(worst, std::abs(x - y));
  }
  return worst == 0 ? 0 : worst / size;  // a head whose ReLU lets nothing through has zeros alone
}

std::vector<Grid> inputs_of(const Step& step, const StepNumbers& numbers) {
  std::vector<Grid> inputs;
  for (const Operand& input : step.inputs) inputs.push_back(grid_of(numbers.of(input)));
  return inputs;
}

void check_steps(const std::vector<Step>& steps, const StepNumbers& numbers, const StepSettings& settings) {
  for (const Step& step : steps) {
    CAPTURE(step.name);
    CAPTURE(step.output.name);
    CAPTURE(step.place.head);
    const std::vector<Grid> inputs = inputs_of(step, numbers);
    const std::vector<Grid> wanted = recompute(step, inputs, settings);
    REQUIRE(wanted.size() > step.also.size());
    CHECK(difference(wanted[0], grid_of(numbers.of(step.output))) < 2e-5);
    // A key's bias moves all scores of a row alike: the terms of its gradient cancel to 0.
    const double terms = step.kind == StepKind::d_weight ? largest(inputs[0]) : 1e-3;
    for (std::size_t i = 0; i < step.also.size(); ++i)
      CHECK(difference(wanted[i + 1], grid_of(numbers.of(step.also[i])), terms) < 2e-5);
  }
}

StepSettings settings_of(const StepNumbers& numbers) {
  return {.sizes = numbers.sizes(),
          .source = numbers.ids("source"),
          .target_in = numbers.ids("target_in"),
          .target_out = numbers.ids("target_out")};
}

}  // namespace

TEST_CASE("every step's output is what its formula makes of its inputs, forward and backward") {
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 21);
    const Trace trace = step_trace(model);
    const StepNumbers numbers(model, trace);
    check_steps(training_steps(each.config), numbers, settings_of(numbers));
  }
}

TEST_CASE("the forward steps hold for any sentence of a batch") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 22);
  const Trace trace = record_trace(model, {{{5, 6, 7, 8}, {9, 10}}, {{4}, {6, 7, 8}}});
  for (const int sentence : {0, 1}) {
    const StepNumbers numbers(model, trace, sentence);
    std::vector<Step> steps = training_steps(config, {.backward = false});
    std::erase_if(steps, [](const Step& step) { return step.kind == StepKind::mean_loss; });
    check_steps(steps, numbers, settings_of(numbers));
  }
  CHECK_THROWS_AS(StepNumbers(model, trace, 2), Error);
}

TEST_CASE("the forward steps hold where weights are cut, pairs hidden and the division left out by hand") {
  for (const AttentionActivation activation : {AttentionActivation::softmax, AttentionActivation::relu}) {
    Config config = small_config();
    config.attention_activation = activation;
    const Transformer<float> model = random_model<float>(config, 27);
    TraceOptions options;
    options.what_if =
        what_if_cases::read("cut decoder 1.1 3 1, hide cross 1 2, cut encoder 1.2 0 0, scale off");
    const Trace trace = record_trace(model, {{{5, 6, 7, 8}}, {{4, 6, 9, 10}}}, options);
    const StepNumbers numbers(model, trace, 0, {.what_if = options.what_if});
    check_steps(training_steps(config_under(config, options.what_if), {.backward = false}), numbers,
                settings_of(numbers));
  }
}

TEST_CASE("every recorded value and every gradient is the output of exactly one step") {
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 23);
    const Trace trace = step_trace(model);
    const StepNumbers numbers(model, trace);
    std::map<std::string, long> made, made_gradients, made_parameters;
    for (const Step& step : training_steps(each.config)) {
      if (step.off) continue;
      std::vector<Operand> outputs = step.also;
      outputs.push_back(step.output);
      for (const Operand& output : outputs) {
        const OperandNumbers table = numbers.of(output);
        const long cells = static_cast<long>(table.rows) * table.columns;
        if (output.store == OperandStore::trace) made[output.name] += cells;
        if (output.store == OperandStore::gradient) made_gradients[output.name] += cells;
        if (output.store == OperandStore::parameter_gradient) made_parameters[output.name] += cells;
      }
    }
    for (const auto& [name, tensor] : trace.tensors) {
      const auto& this_name = name;
      CAPTURE(this_name);
      CHECK(made[name] == static_cast<long>(tensor.values.size()));
    }
    CHECK(made.size() == trace.tensors.size());
    for (const auto& [name, tensor] : trace.gradients) {
      const auto& this_name = name;
      CAPTURE(this_name);
      CHECK(made_gradients[name] == static_cast<long>(tensor.values.size()));
    }
    CHECK(made_gradients.size() == trace.gradients.size());
    model.visit([&](const std::string& name, Parameter<const float> tensor) {
      CAPTURE(name);
      CHECK(made_parameters[name] == static_cast<long>(tensor.size()));
    });
  }
}

TEST_CASE("a step is a product where its formula says one, with the same factor transposed") {
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    for (const Step& step : training_steps(each.config)) {
      CAPTURE(step.name);
      const bool right = step.formula.starts_with("{=} = {0} {1}ᵀ");
      const bool left = step.formula.starts_with("{=} = {0}ᵀ {1}") && step.inputs.size() == 2;
      const bool product = right || left || step.formula == "{=} = {0} {1}";
      CHECK((step.pattern.kind == PatternKind::product) == product);
      if (!product) continue;
      CHECK(step.pattern.right_transposed == right);
      CHECK(step.pattern.left_transposed == left);
    }
  }
}

TEST_CASE("no step reads a value that no earlier step has made") {
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    std::set<std::string> known;
    for (const Step& step : training_steps(each.config)) {
      for (const Operand& input : step.inputs) {
        if (input.store == OperandStore::parameter || input.store == OperandStore::mask) continue;
        CAPTURE(input.name);
        CHECK(known.contains(std::to_string(static_cast<int>(input.store)) + input.name));
      }
      known.insert(std::to_string(static_cast<int>(step.output.store)) + step.output.name);
      for (const Operand& also : step.also)
        known.insert(std::to_string(static_cast<int>(also.store)) + also.name);
    }
  }
}

TEST_CASE("the update steps do with one weight what the optimizer does with all") {
  for (const double clip : {0.0, 0.05}) {
    const Config config = small_config();
    Transformer<float> model = random_model<float>(config, 24);
    const Trace trace = step_trace(model);
    const StepNumbers before(model, trace);
    Transformer<float> m = random_model<float>(config, 25), v = random_model<float>(config, 26);
    v.visit([](const std::string&, Parameter<float> tensor) {
      for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data[i] *= tensor.data[i];
    });
    Schedule schedule;
    schedule.d_model = config.d_model;
    AdamStep adam;
    adam.step = 7;
    adam.rate = schedule.rate(7);

    StepOptions options;
    options.clip = clip > 0;
    options.weight = ChosenWeight{"decoder.layers.1.linear1.weight", 3, 5};
    WeightBefore weight;
    weight.weight = model.decoder_layers[1].feed_forward.linear1.weight(3, 5);
    weight.gradient = trace.parameter_gradients->decoder_layers[1].feed_forward.linear1.weight(3, 5);
    weight.first_moment = m.decoder_layers[1].feed_forward.linear1.weight(3, 5);
    weight.second_moment = v.decoder_layers[1].feed_forward.linear1.weight(3, 5);
    weight.gradient_norm = gradient_norm(*trace.parameter_gradients);
    weight.clip = clip;
    const StepNumbers::Update update = update_numbers(weight, adam);
    StepNumbers numbers(model, trace);
    numbers.set_update(update);
    StepSettings settings = settings_of(numbers);
    settings.clip = clip;
    settings.gradient_norm = weight.gradient_norm;
    settings.adam = adam;
    settings.schedule = schedule;
    std::vector<Step> steps = training_steps(config, options);
    std::erase_if(steps, [](const Step& step) { return step.place.phase != StepPhase::update; });
    CHECK(steps.size() == (clip > 0 ? 9 : 8));
    check_steps(steps, numbers, settings);
    for (const auto& [name, value] :
         {std::pair{"beta1", 0.9}, {"beta2", 0.98}, {"eps", 1e-9}, {"count", 7.0}})
      CHECK(update.at(name) == value);
    // Term by term each number of it comes to what was recorded.
    for (const Step& step : steps) {
      if (step.pattern.kind == PatternKind::setting) continue;
      CAPTURE(step.name);
      const double recorded = static_cast<double>(numbers.of(step.output)(0, 0));
      const double result = cell_work(step, -1, 0, 0, numbers, 0.1).result;
      CHECK(result == doctest::Approx(recorded).epsilon(1e-5));
    }

    adam.gradient_scale = clip_scale(weight.gradient_norm, clip);
    if (clip > 0) CHECK(adam.gradient_scale < 1);
    adam_step(model, *trace.parameter_gradients, m, v, adam);
    CHECK(update.at("new_weight") ==
          doctest::Approx(model.decoder_layers[1].feed_forward.linear1.weight(3, 5)).epsilon(1e-6));
    CHECK(update.at("m") ==
          doctest::Approx(m.decoder_layers[1].feed_forward.linear1.weight(3, 5)).epsilon(1e-5));
    CHECK(update.at("v") ==
          doctest::Approx(v.decoder_layers[1].feed_forward.linear1.weight(3, 5)).epsilon(1e-5));
  }
}
