// The Walk's norms on the way back: the chosen number's factors stand in the picture.
#include <doctest/doctest.h>

#include <cmath>

#include "app/format/number_format.h"
#include "app/views/walk/walk.h"
#include "engine/model/transformer.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

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
  Selection selection;
  selection.cell = CellRef{step.output.name, {0, kRow, kColumn}, step.output.store == OperandStore::gradient};
  return selection;
}

std::string squeezed(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c != ' ') result += c;
  return result;
}

}  // namespace

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
    RecordingCanvas bare;
    view.picture(bare, scene.input(), {0, 0, 1000, 800});
    const auto factors = [](const RecordingCanvas& canvas) -> const HitRegion* {
      for (const HitRegion& region : canvas.regions)
        if (region.label == "factors of the chosen number") return &region;
      return nullptr;
    };
    CHECK(factors(bare) == nullptr);
    scene.pin(chosen_of(step));
    REQUIRE(scene.pinned.cell);
    RecordingCanvas canvas;
    view.picture(canvas, scene.input(), {0, 0, 1000, 800});
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
    const double stands = table_of(tables, step.output)[kRow][kColumn];
    CHECK(std::abs(result - stands) < 1e-4 * std::abs(stands) + 1e-7);

    const std::string shown = squeezed(found->tooltip);
    CHECK((shown.find("meang=") != std::string::npos) == centred);
    for (const std::string& line :
         {"=" + significant_text(g, 4), "=" + significant_text(n, 4),
          centred ? "meang=" + significant_text(mean_g, 4) : "",
          "mean(g×n)=" + significant_text(mean_product, 4), "=" + significant_text(stands, 5)}) {
      CAPTURE(line);
      CAPTURE(found->tooltip);
      CHECK(shown.find(squeezed(line)) != std::string::npos);
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
      RecordingCanvas canvas;
      view.picture(canvas, scene.input(), {0, 0, width, 1000});
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

}  // namespace glassformer
