// How two Scenes differ, cell by cell, and that a colour means the same number on both sides.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

#include "app/reading/attention_table.h"
#include "app/reading/step_reader.h"
#include "app/views/block/block.h"
#include "app/views/common/comparison.h"
#include "app/views/head/head.h"
#include "app/widgets/heatmap.h"
#include "engine/model/parameter_counts.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {

TEST_CASE("a difference is the numbers of the second less those of the first") {
  const SampleScene first = make_sample_scene(), second = make_sample_scene({.seed = 2});
  ViewInput input = first.input();
  const auto check = [&](const View& view) {
    const auto own = view.numbers(input), other = view.numbers(second.input());
    input.difference_to = second.result.get();
    REQUIRE(view.no_difference(input).empty());
    const auto difference = view.numbers(input);
    CHECK(in_lines(complaints(view, input)) == "");
    CHECK(contains(view.caption(input), "the second less the first"));
    input.difference_to = nullptr;
    double largest = 0;
    int compared_tables = 0;
    for (size_t table = 0; table < difference.size(); ++table) {
      if (!difference[table].title.ends_with("the second less the first")) continue;
      if (difference[table].columns.front() == "mean" && difference[table].columns.size() > 1) continue;
      ++compared_tables;
      REQUIRE(own[table].values.size() == difference[table].values.size());
      for (size_t row = 0; row < own[table].values.size(); ++row)
        for (size_t column = 0; column < own[table].values[row].size(); ++column) {
          const double one = other[table].values[row][column] - own[table].values[row][column];
          if (std::isnan(one)) continue;  // hidden in both
          CHECK(difference[table].values[row][column] == doctest::Approx(one).epsilon(1e-4));
          largest = std::max(largest, std::abs(one));
        }
    }
    CHECK(compared_tables > 0);
    CHECK(largest > 0.01);
  };
  check(*make_view("attention"));
  check(*make_view("parameters"));
  for (int stage = 0; stage < kHeadStages; ++stage) {
    CAPTURE(stage);
    HeadView head;
    head.go_to(static_cast<HeadStage>(stage));
    if (stage != static_cast<int>(HeadStage::mask)) check(head);
  }
  BlockView block;
  for (int stage = 0; stage < block.step_count(input); ++stage) {
    CAPTURE(stage);
    block.show_step(input, stage);
    check(block);
  }
}

TEST_CASE("where two have other shapes a sentence says why there is no difference") {
  Config config, heads, pre, wide;
  heads.heads = 8;
  pre.norm = NormPlace::pre;
  wide.d_ff = 2 * config.d_ff;
  const SampleScene first = make_sample_scene({.config = config});
  const auto why = [&](const char* view, const Config& other, const std::string& cell = {}) {
    const SampleScene second = make_sample_scene({.config = other});
    ViewInput input = first.input();
    input.difference_to = second.result.get();
    Selection selection = input.pinned;
    if (!cell.empty()) selection.cell = CellRef{cell, {0, 0}};
    const ViewInput shown{.result = input.result,
                          .snapshot = input.snapshot,
                          .tokenizers = input.tokenizers,
                          .run = input.run,
                          .pinned = selection,
                          .shown = selection,
                          .difference_to = input.difference_to};
    const auto made = make_view(view);
    const std::string reason = made->no_difference(shown);
    if (!reason.empty()) CHECK(shown_numbers(*made, shown).front().title == reason);
    return reason;
  };
  for (const char* view : {"attention", "head", "block"})
    CHECK(why(view, heads) == "The two cannot be subtracted: the first has 4 heads, the second 8.");
  CHECK(why("head", pre).empty());
  CHECK(why("block", pre) ==
        "The two cannot be subtracted: the first normalizes after each part, the second before it.");
  CHECK(why("attention", wide).empty());
  CHECK(why("block", wide) == "The two cannot be subtracted: the first has 256 units, the second 512.");
  // Matrix by matrix: eight heads share the shape of four.
  CHECK(why("parameters", heads, "encoder.layers.0.self_attn.in_proj_weight").empty());
  CHECK(why("parameters", wide, "encoder.layers.0.linear1.weight") ==
        "The two cannot be subtracted: encoder.layers.0.linear1.weight is 256 × 64 in the first, 512 × 64 in "
        "the second.");
}

TEST_CASE("what a mask hides in one of two alone differs without end, and what it hides in both is hidden") {
  WhatIf open;
  open.changes.push_back(change_of(ChangeKind::causal_mask_off));
  const SampleScene first = make_sample_scene(), second = make_sample_scene({.what_if = open});
  ViewInput input = first.input();
  input.difference_to = second.result.get();
  CHECK(unlike(*first.result, *second.result) == "");
  StepLists lists;
  const StepReader reader(input, lists);
  int found = 0;
  for (const Step& step : reader.steps()) {
    if (step.output.name == "decoder.layers.0.self_attn.masked_scores" && step.output.head <= 0 &&
        step.output.store == OperandStore::trace) {
      const MatrixNumbers scores = operand_matrix(reader, step.output);
      REQUIRE(scores.rows.count() > 1);
      CHECK(scores.hidden.empty());
      CHECK(scores.at(0, 1) == std::numeric_limits<float>::infinity());
      CHECK(std::isfinite(scores.at(1, 0)));
      ++found;
    }
  }
  CHECK(found > 0);
  const AttentionTable weights = shown_attention(input, AttentionKind::decoder, 0, 0, 0);
  CHECK_FALSE(weights.is_hidden(0, 1));
  CHECK(weights.at(0, 1) > 0);
}

TEST_CASE("both sides end their colours alike and say so") {
  Config config;
  config.positions = PositionKind::learned;
  const SampleScene mild = make_sample_scene({.config = config, .sharpness = 1}),
                    sharp = make_sample_scene({.config = config, .seed = 2, .sharpness = 4});
  const std::string matrix = "encoder.layers.0.self_attn.in_proj_weight";
  const auto largest = [](const SampleScene& scene, const std::string& name) {
    for (const ParameterView& each : parameters(*scene.snapshot->weights))
      if (each.name == name) return largest_magnitude({.values = {each.data, each.rows(), each.columns()}});
    return 0.0;
  };
  REQUIRE(largest(mild, matrix) < largest(sharp, matrix));
  for (const std::string name : {"parameters", "positions", "masks"}) {
    CAPTURE(name);
    const auto view = make_view(name);
    const auto drawn_beside = [&](const SampleScene& scene, const SampleScene* other) {
      ViewInput input = scene.input();
      Selection selection = input.pinned;
      selection.cell = CellRef{matrix, {0, 0}};
      const ViewInput shown{.result = input.result,
                            .snapshot = input.snapshot,
                            .tokenizers = input.tokenizers,
                            .run = input.run,
                            .pinned = name == "parameters" ? selection : input.pinned,
                            .shown = name == "parameters" ? selection : input.pinned,
                            .other = other ? other->result.get() : nullptr};
      if (other) {
        CHECK(in_lines(complaints(*view, shown)) == "");
      }
      return picture_of(*view, shown, area_for(*view, shown, {1000, 660}));
    };
    // Colour bars, ticks and ends of histograms: the numbers of a scale are above 0 and below it alike.
    const auto ends = [](const RecordingCanvas& canvas) {
      std::set<std::string> found;
      for (const auto& text : canvas.texts)
        if (canvas.find("-" + text.text) || canvas.find("\u2212" + text.text)) found.insert(text.text);
      return found;
    };
    const RecordingCanvas left = drawn_beside(mild, &sharp), right = drawn_beside(sharp, &mild),
                          alone = drawn_beside(mild, nullptr);
    CHECK(left.find(kOneScale) != nullptr);
    CHECK(right.find(kOneScale) != nullptr);
    CHECK(alone.find(kOneScale) == nullptr);
    const auto words = [&](const RecordingCanvas& canvas) {
      std::string all;
      for (const std::string& end : ends(canvas)) all += end + " ";
      return all;
    };
    CHECK(words(left) == words(right));
    CHECK(ends(left).size() > 0);
    CHECK(ends(left) != ends(alone));
  }
}

TEST_CASE("a head that turns its queries and one that does not cannot be subtracted") {
  const SampleScene first = make_sample_scene(), second = sample_scene("positions rotary");
  HeadView head;
  ViewInput input = first.input();
  input.difference_to = second.result.get();
  CHECK(head.no_difference(input) ==
        "The two cannot be subtracted: only the second rotates its queries and keys.");
  ViewInput other = second.input();
  other.difference_to = second.result.get();
  CHECK(head.no_difference(other).empty());
  CHECK(make_view("attention")->no_difference(input).empty());  // weights are weights
}

}  // namespace glassformer
