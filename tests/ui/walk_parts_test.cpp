// The Walk: its scene, its update, its norms, and the time of a step.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/format/number_format.h"
#include "app/reading/walk_scene.h"
#include "app/views/walk/walk.h"
#include "engine/model/transformer.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer::walk_parts_test {

float weight_of(const Transformer<float>& tensors, const ChosenWeight& weight) {
  float number = 0;
  tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name == weight.name) number = tensor.data[weight.row * tensor.columns + weight.column];
  });
  return number;
}

TEST_CASE("the update is the one that comes next: with the settings of now, and moments as old as they are") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 1200);
  const ChosenWeight chosen{"decoder.layers.0.linear2.weight", 1, 2};
  Snapshot snapshot = *scene.snapshot;
  auto moments = std::make_shared<Transformer<float>>(*snapshot.weights);
  snapshot.first_moment = moments;
  moments = std::make_shared<Transformer<float>>(*snapshot.weights);
  moments->visit([](const std::string&, Parameter<float> tensor) {
    for (long i = 0; i < tensor.rows * tensor.columns; ++i) tensor.data[i] *= tensor.data[i];
  });
  snapshot.second_moment = moments;
  snapshot.step = 1200;
  snapshot.moments_from = 1197;  // training continued with fresh moments
  scene.run.options.schedule = "constant";
  scene.run.options.peak = 0.01;
  scene.run.live.rate_scale = 0.5;
  scene.run.live.clip = 0;

  WalkCache cache;
  const auto update = [&] {
    const ViewInput whole = scene.input();
    const ViewInput input{.result = whole.result,
                          .snapshot = snapshot,
                          .tokenizers = whole.tokenizers,
                          .run = whole.run,
                          .pinned = whole.pinned,
                          .shown = whole.shown};
    const auto walk = walk_scene(cache, input, chosen);
    REQUIRE(walk);
    CHECK(walk->moments == Moments::there);
    return walk->update;
  };
  const StepNumbers::Update free = update();
  const double gradient = free.at("gradient"), w = weight_of(*snapshot.weights, chosen);
  REQUIRE(gradient != 0);
  const double m = 0.9 * w + 0.1 * gradient, v = 0.98 * w * w + 0.02 * gradient * gradient;
  const double m_hat = m / (1 - std::pow(0.9, 4)), v_hat = v / (1 - std::pow(0.98, 4));
  CHECK(free.at("rate") == doctest::Approx(0.005));
  CHECK(free.at("m_hat") == doctest::Approx(m_hat).epsilon(1e-6));
  CHECK(free.at("v_hat") == doctest::Approx(v_hat).epsilon(1e-6));
  CHECK(free.at("new_weight") ==
        doctest::Approx(w - 0.005 * m_hat / (std::sqrt(v_hat) + 1e-9)).epsilon(1e-6));

  // A limit set while the run trains counts at once.
  const double norm = free.at("gradient_norm");
  scene.run.live.clip = norm / 4;
  CHECK(update().at("clipped") == doctest::Approx(gradient / 4).epsilon(1e-6));
}

// ---- The steps of the update in the Walk: what Enter pins, and what the inspector makes of it.

TEST_CASE("Enter on a step of the update pins its number, which the inspector works out term by term") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps =
      training_steps(scene.snapshot->config, {.weight = ChosenWeight{"output_projection.bias"}});
  int worked_out = 0;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (steps[at].place.phase != StepPhase::update || steps[at].off) continue;
    CAPTURE(steps[at].name);
    WalkView view;
    view.go_to(static_cast<int>(at));
    scene.pin({});
    Commands commands;
    REQUIRE(view.key(ViewKey::enter, scene.input(), commands));
    REQUIRE(commands.size() == 1);
    scene.pin(commands.front().get<SetPin>().selection);
    const InspectorPage page = inspector_page(view, scene.input());
    REQUIRE(!page.sections.empty());
    const std::vector<Formula>& lines = page.sections[0].formulas;
    REQUIRE(lines.size() >= 2);
    // Ends with the number itself.
    const std::string digits = page.full_value.substr(0, 3);
    CHECK_MESSAGE(contains(formula_as_text(lines.back()), digits), digits);
    std::vector<std::string> from;
    for (const InspectorSection& section : page.sections)
      if (section.heading == "Comes from")
        for (const InspectorRow& row : section.rows) from.push_back(row.label);
    const auto has = [&](const char* label) { return std::ranges::find(from, label) != from.end(); };
    if (steps[at].kind == StepKind::first_moment) {
      for (const char* const label : {"β₁", "m", "g′"}) CHECK_MESSAGE(has(label), label);
      const std::string sum = formula_as_text(lines[lines.size() - 2]);
      CHECK(sum.ends_with(" ((1 − β_1) × g′)"));
      ++worked_out;
    }
    if (steps[at].kind == StepKind::new_weight) {
      for (const char* const label : {"rate", "corrected m′", "corrected v′", "ε", "w"})
        CHECK_MESSAGE(has(label), label);
      ++worked_out;
    }
  }
  CHECK(worked_out == 2);
}

// ---- The Walk's norms on the way back: the chosen number's factors are in the picture.

constexpr int kRow = 1, kColumn = 3;

// The table of a symbol, "dR".
const std::vector<std::vector<double>>& table_of(const std::vector<NumberTable>& tables,
                                                 const Operand& operand) {
  for (const NumberTable& table : tables)
    if (table.title == operand.symbol + " (" + operand.name + ")") return table.values;
  FAIL("no table of " << operand.symbol);
  return tables.front().values;
}

Selection chosen_of(const Step& step) {
  return {.cell = CellRef{step.output.name, {0, kRow, kColumn}, step.output.store == OperandStore::gradient}};
}

std::string squeezed(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c != ' ') result += c;
  return result;
}

TEST_CASE("a norm's chain rule carries the numbers of the chosen cell, as worked out in double") {
  bool centred = true;
  SampleOptions options;
  SUBCASE("LayerNorm") {}
  SUBCASE("RMSNorm") {
    centred = false;
    options.config.norm_kind = NormKind::rms;
  }
  SampleScene scene = make_sample_scene(options);
  WalkView view;
  const std::vector<Step> steps = training_steps(scene.snapshot->config, {});
  int looked_at = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (!is_norm_backward(step.pattern.kind)) continue;
    CAPTURE(step.output.name);
    view.go_to(static_cast<int>(i));
    scene.pinned = scene.shown = {};
    const RecordingCanvas bare = picture_of(view, scene.input(), {0, 0, 1000, 800});
    const auto factors = [](const RecordingCanvas& canvas) -> const HitRegion* {
      for (const HitRegion& region : canvas.regions)
        if (region.label == "factors of the chosen number") return &region;
      return nullptr;
    };
    CHECK(factors(bare) == nullptr);
    scene.pin(chosen_of(step));
    REQUIRE(scene.pinned.cell);
    const RecordingCanvas canvas = picture_of(view, scene.input(), {0, 0, 1000, 800});
    const HitRegion* const found = factors(canvas);
    REQUIRE(found);

    const std::vector<NumberTable> tables = view.numbers(scene.input());
    const auto& arrives = table_of(tables, step.inputs[0])[kRow];
    const auto& x = table_of(tables, step.inputs[1])[kRow];
    const auto& gain = table_of(tables, step.inputs[2])[0];
    const std::size_t divides = centred ? 4 : 3, past = divides + 1;
    const double mean = centred ? table_of(tables, step.inputs[3])[kRow][0] : 0,
                 deviation = table_of(tables, step.inputs[divides])[kRow][0];
    double mean_g = 0, mean_product = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double g = arrives[k] * gain[k];
      if (centred) mean_g += g / static_cast<double>(x.size());
      mean_product += g * (x[k] - mean) / deviation / static_cast<double>(x.size());
    }
    const double g = arrives[kColumn] * gain[kColumn], n = (x[kColumn] - mean) / deviation;
    double result = (g - mean_g - n * mean_product) / deviation;
    if (step.inputs.size() > past) result += table_of(tables, step.inputs[past])[kRow][kColumn];
    const double recorded = table_of(tables, step.output)[kRow][kColumn];
    CHECK(std::abs(result - recorded) < 1e-4 * std::abs(recorded) + 1e-7);

    const std::string shown = squeezed(found->tooltip);
    CHECK((contains(shown, "meang=")) == centred);
    for (const std::string& line :
         {"=" + significant_text(g, 4), "=" + significant_text(n, 4),
          centred ? "meang=" + significant_text(mean_g, 4) : "",
          "mean(g×n)=" + significant_text(mean_product, 4), "=" + significant_text(recorded, 5)}) {
      CAPTURE(line);
      CAPTURE(found->tooltip);
      CHECK(contains(shown, squeezed(line)));
    }
    ++looked_at;
  }
  CHECK(looked_at >= 4);
}

TEST_CASE("no connector of LayerNorm's way back runs through the words beside the rows") {
  SampleScene scene = make_sample_scene();
  WalkView view;
  const std::vector<Step> steps = training_steps(scene.snapshot->config, {});
  for (const float width : {1600.0f, 1000.0f}) {
    CAPTURE(width);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].kind != StepKind::d_norm) continue;
      view.go_to(static_cast<int>(i));
      scene.pinned = scene.shown = {};
      scene.pin(chosen_of(steps[i]));
      const RecordingCanvas canvas = picture_of(view, scene.input(), {0, 0, width, 1000});
      // What is new are the connectors; words beside rows end at their right.
      for (const auto& text : canvas.texts) {
        if (text.style.x != AlignX::right || text.box.width < 1) continue;
        for (const std::vector<Point>& line : canvas.lines)
          for (std::size_t k = 1; k < line.size(); ++k) {
            const Rect along{std::min(line[k - 1].x, line[k].x), std::min(line[k - 1].y, line[k].y),
                             std::abs(line[k].x - line[k - 1].x), std::abs(line[k].y - line[k - 1].y)};
            const bool crosses = along.x < text.box.right() && along.right() > text.box.x &&
                                 along.y < text.box.bottom() && along.bottom() > text.box.y;
            CHECK_MESSAGE(!crosses, text.text);
          }
      }
      break;
    }
  }
}

}  // namespace glassformer::walk_parts_test
