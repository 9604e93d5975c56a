// One cell read back, and a SwiGLU in the views.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "app/panels/new_model_form.h"
#include "app/reading/change_offers.h"
#include "app/views/block/block.h"
#include "app/views/cell/cell.h"
#include "engine/model/what_if/change_text.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/printed_number.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer::cell_readback_test {

// ---- The cell view on the bundled model, for all steps, forward and backward: what it works out is what the
// pass recorded, and what is printed is what it worked out.

// The number that a live part of the table shows: "term 3 1", "line 0".
std::optional<double> number_behind(const CellWork& work, const std::string& label) {
  if (label.starts_with("line ")) {
    const auto at = static_cast<std::size_t>(std::atoi(label.c_str() + 5));
    return work.lines[at].number.value;
  }
  if (!label.starts_with("term ")) return std::nullopt;
  const std::size_t last = label.rfind(' ');
  const auto term = static_cast<std::size_t>(std::atoi(label.c_str() + 5)),
             number = static_cast<std::size_t>(std::atoi(label.c_str() + last + 1));
  return work.terms[term].numbers[number].value;
}

TEST_CASE("every cell worked out is what the pass recorded, for all steps of the bundled model") {
  const auto found = bundled_scene("the tired girl sees a red car");
  REQUIRE(found);
  const SampleScene& scene = *found;
  const StepNumbers numbers(*scene.snapshot->weights, scene.result->gradients->trace);
  long compared = 0;
  for (const Step& step : training_steps(scene.snapshot->config)) {
    CAPTURE(step.name);
    for (int also = -1; also < static_cast<int>(step.also.size()); ++also) {
      const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
      const OperandNumbers table = numbers.of(made);
      REQUIRE(table.recorded());
      double largest = 0;
      for (int row = 0; row < table.rows; ++row) {
        for (int column = 0; column < table.columns; ++column)
          if (std::isfinite(table(row, column)))
            largest = std::max(largest, std::abs(static_cast<double>(table(row, column))));
      }
      // About 300 of each, spread over rows and columns.
      const int all = table.rows * table.columns, stride = std::max(1, all / 300);
      for (int at = 0; at < all; at += stride, ++compared) {
        const int row = at / table.columns, column = at % table.columns;
        const CellWork work = cell_work(step, also, row, column, numbers, scene.result->scene.smoothing);
        const auto recorded = static_cast<double>(table(row, column));
        double size = largest;
        for (const CellTerm& term : work.terms)
          if (work.headings.back() == "sum") size = std::max(size, std::abs(term.numbers.back().value));
        if (work.result != recorded && !(std::abs(work.result - recorded) <= 3e-5 * size))
          FAIL_CHECK(made.name << " " << row << " " << column << ": " << work.result << ", not " << recorded);
      }
    }
  }
  CHECK(compared > 60'000);
}

TEST_CASE("every number printed in the cell view is the one worked out, for all steps of the bundled model") {
  auto found = bundled_scene("the tired girl sees a red car");
  REQUIRE(found);
  SampleScene& scene = *found;
  CellCaches caches;
  const CellView view;
  long in_table = 0, in_matrices = 0, values = 0;
  const std::vector<Step> steps = training_steps(scene.snapshot->config);
  for (int at = 0; at < static_cast<int>(steps.size()); ++at) {
    const Step& step = steps[static_cast<std::size_t>(at)];
    if (step.off) continue;
    CAPTURE(step.name);
    const int row = step.output.rows == Extent::one ? 0 : 2,
              column = step.output.columns == Extent::one ? 0 : 3;
    scene.pin(view.cell_of_step(scene.input(), at, row, column));
    const ViewInput input = scene.input();
    const CellScene cell(input, caches, scene.pinned.cell);
    const RecordingCanvas canvas = picture_of(view, input, {0, 0, 1600, 1000});
    const auto check = [&](const RecordingCanvas::Text& text, double value, long& counted) {
      const auto read = read_number(text.text);
      if (!read) return;
      CAPTURE(text.text);
      CHECK(read->agrees(value));
      ++counted;
    };
    for (const auto& text : canvas.texts) {
      if (text.style.font != Font::mono) continue;
      // The value at the top of the panel.
      if (text.style.size == 28) check(text, cell.value, values);
      for (const HitRegion& region : canvas.regions) {
        if (!region.rect.contains(text.box.center())) continue;
        if (const auto number = number_behind(cell.work(), region.label)) check(text, *number, in_table);
      }
      for (const HitGrid& grid : canvas.hit_grids) {
        const auto region = region_in(grid, text.box.center());
        const auto* pin = region && region->click ? region->click->get_if<SetPin>() : nullptr;
        const auto read = read_number(text.text);
        if (pin == nullptr || !read) continue;
        const double value = CellScene(input, caches, pin->selection.cell).value;
        // A gradient's cells are multiplied by a power of ten that their heading names.
        double factor = 1;
        while (pin->selection.cell->gradient && value != 0 && factor < 1e12 && !read->agrees(value * factor))
          factor *= 10;
        CHECK(read->agrees(value * factor));
        ++in_matrices;
      }
    }
  }
  CHECK(values > 300);
  CHECK(in_table > 5'000);
  CHECK(in_matrices > 10'000);
}

// ---- A SwiGLU in the views, where it is another thing than a plain feed-forward.

SampleScene gated_scene() {
  return sample_scene("feed_forward swiglu");
}

TEST_CASE("a gated feed-forward has gate, value and their product, one under the other, and no unit fires") {
  SampleScene scene = gated_scene();
  scene.pin(Selection{.kind = AttentionKind::encoder, .layer = 0});
  StepLists lists;
  const ViewInput input = scene.input();
  const BlockScene block(input, lists);
  std::vector<std::string> all;
  for (const BlockStage& stage : block.stages) all.push_back(name_in_layer(stage.value));
  CHECK(std::vector(all.begin() + 3, all.begin() + 7) ==
        std::vector<std::string>{"feed_forward.gate", "feed_forward.value", "feed_forward.hidden",
                                 "feed_forward.output"});
  BlockView view;
  view.open_cell({"encoder.layers.0.feed_forward.hidden", {0, 0, 0}});
  const RecordingCanvas canvas = picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
  float above = 0;
  for (const char* symbol : {"G", "Z", "H"}) {
    const auto part = live_part(canvas, std::string("block ") + symbol + " 1 3");
    REQUIRE(part);
    CHECK(part->rect.y > above);
    above = part->rect.y;
  }
  CHECK_FALSE(live_part(canvas, "unit 3"));
  CHECK(view.numbers(scene.input()).size() == 3);
  view.open_cell({"encoder.layers.0.feed_forward.gate", {0, 0, 0}});
  CHECK(view.inspect(scene.input())->subject == "**Gate**");
}

TEST_CASE("gate, value and their product are one unit, which can be muted from each of them") {
  const SampleScene scene = gated_scene();
  for (const char* name : {"gate", "value", "hidden"}) {
    Selection unit{.cell = CellRef{std::string("decoder.layers.1.feed_forward.") + name, {0, 2, 4}}};
    CHECK(text_of(change_offers(scene.input(), unit).front().what_if, {}) == "mute unit decoder 2.5");
  }
}

TEST_CASE("the form of a new model proposes a hidden width of about as many weights for a SwiGLU") {
  NewModelForm form;
  form.start(nullptr);
  const auto choose = [&](int kind) {
    form.choices[kFeedForwardChoice] = kind;
    form.fit_to_feed_forward();
    return config_of(form);
  };
  const Config plain = config_of(form);
  CHECK(plain.feed_forward == FeedForwardKind::plain);
  const Config gated = choose(1);
  CHECK(gated.feed_forward == FeedForwardKind::swiglu);
  CHECK(gated.d_ff % 8 == 0);
  CHECK(std::abs(gated.d_ff - plain.d_ff * 2 / 3) <= 4);
  CHECK(choose(0) == plain);
  // Another size proposes what suits the kind that is chosen; what is no number stays as it was typed.
  choose(1);
  form.preset = 0;
  form.take_preset();
  const int of_gated = config_of(form).d_ff;
  const int of_plain = choose(0).d_ff;
  CHECK(std::abs(of_gated - of_plain * 2 / 3) <= 4);
  form.numbers["d_ff"] = "wide";
  form.choices[kFeedForwardChoice] = 1;
  form.fit_to_feed_forward();
  CHECK(form.numbers["d_ff"] == "wide");
}

}  // namespace glassformer::cell_readback_test
