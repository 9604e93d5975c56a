#include "app/views/block/block.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

Selection block_of_kind(AttentionKind kind, int layer = 1) {
  return {.kind = kind, .layer = layer};
}

SampleScene scene_with(NormPlace norm, Activation activation) {
  SampleOptions options;
  options.config.norm = norm;
  options.config.final_norm = norm == NormPlace::pre;
  options.config.activation = activation;
  return make_sample_scene(options);
}

std::vector<std::string> parts(const SampleScene& scene) {
  StepLists lists;
  const ViewInput input = scene.input();
  const BlockScene block(input, lists);
  std::vector<std::string> names;
  for (const BlockStage& stage : block.stages) names.push_back(name_in_layer(stage.value));
  return names;
}

TEST_CASE("the steps of a block are those of its layer, with LayerNorm where the model has it") {
  using Names = std::vector<std::string>;
  SampleScene post = scene_with(NormPlace::post, Activation::relu);
  post.pin(block_of_kind(AttentionKind::encoder));
  CHECK(parts(post) == Names{"self_attn.output", "residual1", "norm1", "feed_forward.pre_activation",
                             "feed_forward.hidden", "feed_forward.output", "residual2", "norm2"});
  post.pin(block_of_kind(AttentionKind::cross));
  CHECK(parts(post) == Names{"self_attn.output", "residual1", "norm1", "cross_attn.output", "residual2",
                             "norm2", "feed_forward.pre_activation", "feed_forward.hidden",
                             "feed_forward.output", "residual3", "norm3"});
  SampleScene pre = scene_with(NormPlace::pre, Activation::swish);
  pre.pin(block_of_kind(AttentionKind::encoder));
  CHECK(parts(pre) == Names{"norm1", "self_attn.output", "residual1", "norm2", "feed_forward.pre_activation",
                            "feed_forward.hidden", "feed_forward.output", "residual2"});
}

TEST_CASE("the matrices of every step are the trace's, of the layer that is open") {
  for (const NormPlace norm : {NormPlace::post, NormPlace::pre}) {
    SampleScene scene = scene_with(norm, Activation::relu);
    const Trace& trace = *scene.result->trace;
    int compared = 0;
    for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder}) {
      scene.pin(block_of_kind(kind));
      BlockView view;
      for (int stage = 0; stage < view.step_count(scene.input()); ++stage) {
        view.show_step(scene.input(), stage);
        for (const NumberTable& table : view.numbers(scene.input())) {
          const std::size_t open = table.title.find('(');
          const std::string name = table.title.substr(open + 1, table.title.size() - open - 2);
          const Tensor* tensor = trace.find(name);
          if (tensor == nullptr) continue;
          REQUIRE((contains(name, ".layers.1.") || contains(name, ".layers.0.") || name == "memory"));
          for (std::size_t row = 0; row < table.values.size(); ++row) {
            for (std::size_t column = 0; column < table.values[row].size(); ++column, ++compared) {
              std::vector<int> at{0, static_cast<int>(row), static_cast<int>(column)};
              if (tensor->rank() == 2) at.pop_back();
              if (table.values[row][column] != static_cast<double>(tensor->at(at)))
                FAIL_CHECK(name << " " << row << " " << column);
            }
          }
        }
      }
    }
    CHECK(compared > 20000);
  }
}

// The texts in one column of numbers, from above.
std::vector<std::string> texts_right_at(const RecordingCanvas& canvas, float right) {
  std::vector<std::pair<float, std::string>> found;
  for (const auto& each : canvas.texts)
    if (std::abs(each.box.right() - right) < 1 && each.style.font == Font::mono)
      found.emplace_back(each.box.y, each.text);
  std::ranges::sort(found);
  std::vector<std::string> texts;
  for (auto& each : found) texts.push_back(each.second);
  return texts;
}

// The numbers printed beside these bars.
std::vector<std::string> printed(const RecordingCanvas& canvas, const std::string& label) {
  const auto first = live_part(canvas, label + " 0");
  REQUIRE(first);
  return texts_right_at(canvas, first->rect.right());
}

TEST_CASE("mean and deviation of every row are printed as the trace has them") {
  SampleScene scene = make_sample_scene();
  scene.pin(block_of_kind(AttentionKind::decoder));
  BlockView view;
  view.open_cell({"decoder.layers.1.norm1", {0, 0, 0}});
  const RecordingCanvas canvas = picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
  for (const auto& [symbol, name] : {std::pair{"μ", "mean"}, std::pair{"σ", "deviation"}}) {
    const Tensor& tensor = scene.result->trace->at(std::string("decoder.layers.1.norm1.") + name);
    std::vector<std::string> wanted;
    for (int row = 0; row < static_cast<int>(scene.result->target_in_words.size()); ++row)
      wanted.push_back(format_fixed(static_cast<double>(tensor.at(std::vector<int>{0, row})), 2));
    const auto first = live_part(canvas, std::string("block ") + symbol + " 0 0");
    REQUIRE(first);
    CHECK(texts_right_at(canvas, first->rect.right()) == wanted);
    CHECK(pinned_by(canvas, std::string("block ") + symbol + " 3 0").cell ==
          CellRef{std::string("decoder.layers.1.norm1.") + name, {0, 3}});
  }
}

TEST_CASE("of an RMSNorm the root mean square of every row is printed, and a gain without a shift") {
  for (const NormKind kind : {NormKind::rms, NormKind::layer}) {
    SampleOptions options;
    options.config.norm_kind = kind;
    SampleScene scene = make_sample_scene(options);
    scene.pin(block_of_kind(AttentionKind::decoder));
    BlockView view;
    view.open_cell({"decoder.layers.1.norm1", {0, 0, 0}});
    const RecordingCanvas canvas =
        picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
    const bool rms = kind == NormKind::rms;
    CHECK(live_part(canvas, "block γ 0 0").has_value());
    CHECK(live_part(canvas, "block β 0 0").has_value() != rms);
    CHECK(live_part(canvas, "block σ 0 0").has_value() != rms);
    const auto first = live_part(canvas, "block rms 0 0");
    REQUIRE(first.has_value() == rms);
    if (!rms) continue;
    const Tensor& tensor = scene.result->trace->at("decoder.layers.1.norm1.rms");
    std::vector<std::string> wanted;
    for (int row = 0; row < static_cast<int>(scene.result->target_in_words.size()); ++row)
      wanted.push_back(format_fixed(static_cast<double>(tensor.at(std::vector<int>{0, row})), 2));
    CHECK(texts_right_at(canvas, first->rect.right()) == wanted);
    CHECK(pinned_by(canvas, "block rms 3 0").cell == CellRef{"decoder.layers.1.norm1.rms", {0, 3}});
  }
}

TEST_CASE("the change of a word is the length of what is added beside the stream's") {
  SampleScene scene = make_sample_scene();
  scene.pin(block_of_kind(AttentionKind::cross));
  BlockView view;
  view.open_cell({"decoder.layers.1.residual2", {0, 0, 0}});
  const RecordingCanvas canvas = picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
  const Plane stream = scene.result->trace->plane("decoder.layers.1.norm1"),
              added = scene.result->trace->plane("decoder.layers.1.cross_attn.output");
  std::vector<std::string> wanted;
  for (int row = 0; row < static_cast<int>(scene.result->target_in_words.size()); ++row) {
    double before = 0, more = 0;
    for (int column = 0; column < stream.columns; ++column) {
      before += std::pow(static_cast<double>(stream(row, column)), 2);
      more += std::pow(static_cast<double>(added(row, column)), 2);
    }
    wanted.push_back(format_percent(std::sqrt(more / before)));
  }
  CHECK(printed(canvas, "block change") == wanted);
}

TEST_CASE("a unit's bar counts the words whose activation is above 0, and looks at the strongest") {
  for (const Activation activation : {Activation::relu, Activation::swish}) {
    SampleScene scene = scene_with(NormPlace::post, activation);
    scene.pin(block_of_kind(AttentionKind::encoder, 0));
    BlockView view;
    view.open_cell({"encoder.layers.0.feed_forward.hidden", {0, 0, 0}});
    const NumberTable counts = view.numbers(scene.input()).back();
    const Plane hidden = scene.result->trace->plane("encoder.layers.0.feed_forward.hidden");
    const int words = static_cast<int>(scene.result->source_words.size());
    REQUIRE(counts.values.size() == static_cast<std::size_t>(hidden.columns));
    int strongest = -1, unit = -1;
    for (int column = 0; column < hidden.columns; ++column) {
      int firing = 0, best = 0;
      for (int row = 0; row < words; ++row) {
        firing += hidden(row, column) > 0;
        if (hidden(row, column) > hidden(best, column)) best = row;
      }
      CHECK(counts.values[static_cast<std::size_t>(column)][0] == firing);
      if (firing > 0 && best > 0) strongest = best, unit = column;
    }
    REQUIRE(unit >= 0);
    const RecordingCanvas canvas =
        picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
    CHECK(pinned_by(canvas, "unit " + std::to_string(unit)).cell ==
          CellRef{"encoder.layers.0.feed_forward.hidden", {0, strongest, unit}});
  }
}

TEST_CASE("of a wide network both sides show the same units, round the pinned one, whatever is hovered") {
  SampleScene scene = sample_scene("d_ff 1500");
  BlockView view;
  view.open_cell({"encoder.layers.0.feed_forward.hidden", {0, 0, 0}});
  const auto shows = [&](int unit) {
    const RecordingCanvas canvas =
        picture_of(view, scene.input(), area_for(view, scene.input(), {1000, 660}));
    const bool before = live_part(canvas, "block Z 2 " + std::to_string(unit)).has_value(),
               after = live_part(canvas, "block H 2 " + std::to_string(unit)).has_value();
    CHECK(before == after);
    CHECK(live_part(canvas, "unit " + std::to_string(unit)).has_value() == after);
    return after;
  };
  scene.pin(block_of_kind(AttentionKind::encoder, 0));
  CHECK(shows(3));
  CHECK(shows(1499));
  CHECK_FALSE(shows(800));
  for (const char* name : {"pre_activation", "hidden"}) {
    scene.pin(selecting(block_of_kind(AttentionKind::encoder, 0),
                        {std::string("encoder.layers.0.feed_forward.") + name, {0, 2, 800}}));
    CHECK(shows(800));
    CHECK_FALSE(shows(3));
    // A hover must not move what lies under the mouse.
    scene.shown.cell->index[2] = 1499;
    CHECK(shows(800));
    CHECK_FALSE(shows(3));
  }
}

TEST_CASE("Next, Back and a click on the stream go through the steps, another attention to its own") {
  SampleScene scene = make_sample_scene();
  scene.pin(block_of_kind(AttentionKind::encoder));
  ViewStage stage("block", scene);
  REQUIRE(stage.click("Block next"));
  CHECK(stage.state() == "residual1");
  REQUIRE(stage.click("Block next"));
  REQUIRE(stage.click("Block back"));
  CHECK(stage.state() == "residual1");
  REQUIRE(stage.click("block step 5"));
  CHECK(stage.state() == "feed_forward.hidden");
  CHECK(stage.view().place(scene.input()).computing == "encoder.layers.1.feed_forward.hidden");
  // The next layer shows the same part; another attention at itself.
  scene.pin(block_of_kind(AttentionKind::encoder, 0));
  stage.frames();
  CHECK(stage.view().place(scene.input()).computing == "encoder.layers.0.feed_forward.hidden");
  scene.pin(block_of_kind(AttentionKind::cross, 0));
  stage.frames();
  CHECK(stage.view().place(scene.input()).computing == "decoder.layers.0.cross_attn.output");
}

TEST_CASE("Enter leads from an attention to its head, from a number to that number") {
  SampleScene scene = make_sample_scene();
  scene.pin(block_of_kind(AttentionKind::cross));
  BlockView view;
  view.open_cell({"decoder.layers.1.self_attn.output", {}});
  Commands commands;
  REQUIRE(view.key(ViewKey::enter, scene.input(), commands));
  REQUIRE(commands.size() == 2);
  CHECK(commands[0].get<SetPin>().selection.kind == AttentionKind::decoder);
  CHECK(commands[0].get<SetPin>().selection.layer == 1);
  CHECK(commands[1].get<OpenView>().view == "head");

  commands.clear();
  view.open_cell({"decoder.layers.1.norm2", {}});
  REQUIRE(view.key(ViewKey::enter, scene.input(), commands));
  CHECK(commands[0].get<SetPin>().selection.cell == CellRef{"decoder.layers.1.norm2", {0, 0, 0}});
  CHECK(commands[1].get<OpenView>().view == "cell");

  Selection pinned = scene.pinned;
  pinned.cell = CellRef{"decoder.layers.1.residual2", {0, 4, 7}};
  scene.pin(pinned);
  commands.clear();
  REQUIRE(view.key(ViewKey::enter, scene.input(), commands));
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].get<OpenView>().view == "cell");
}

TEST_CASE("a head of the attention opens by a click") {
  SampleScene scene = make_sample_scene();
  scene.pin(block_of_kind(AttentionKind::cross));
  ViewStage stage("block", scene);
  REQUIRE(stage.click("open head 3"));
  CHECK(scene.pinned.head == 2);
  CHECK(scene.pinned.kind == AttentionKind::cross);
  const Commands commands = stage.take_commands();
  CHECK(std::ranges::any_of(commands, [](const Command& each) {
    const auto* open = each.get_if<OpenView>();
    return open != nullptr && open->view == "head";
  }));
}

}  // namespace
}  // namespace glassformer
