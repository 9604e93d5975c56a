// The further pages of the Masks view: who needs a padding mask, the batch as tensors, what dropout drops,
// and a mask that comes too late.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/figure/describe.h"
#include "engine/model/dropout_masks.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

// The whole page as one text.
std::string all_words(const View& view, const ViewInput& input) {
  const RecordingCanvas canvas = picture_of(view, input, area_for(view, input, {1000, 704}), true);
  std::string words;
  for (const auto& text : canvas.texts) words += text.text + "\n";
  return words;
}

SampleScene scene_with(double dropout, const WhatIf& what_if = {}) {
  SampleOptions options;
  options.config.dropout = dropout;
  options.what_if = what_if;
  SampleScene scene = make_sample_scene(options);
  scene.pin({.kind = AttentionKind::decoder, .layer = 1, .head = 1, .sentence = 1});
  return scene;
}

constexpr const char* kPaddingTable = "largest difference when other words stand in the place of the padding";

TEST_CASE("three switches put the padding mask of one attention off, and it is in force in the Scene") {
  SampleScene scene = scene_with(0);
  ViewStage stage("masks", scene);
  REQUIRE(stage.click("Page: Padding"));
  CHECK(stage.state() == "padding");
  stage.take_commands();
  const std::pair<const char*, AttentionKind> switches[] = {
      {"Padding mask: Encoder’s self-attention", AttentionKind::encoder},
      {"Padding mask: Decoder’s self-attention", AttentionKind::decoder},
      {"Padding mask: Cross-attention", AttentionKind::cross}};
  for (const auto& [label, kind] : switches) {
    REQUIRE(stage.click(label));
    int asked = 0;
    for (const Command& each : stage.take_commands()) {
      const SetWhatIf* change = each.get_if<SetWhatIf>();
      if (change == nullptr) continue;
      ++asked;
      for (const auto& [other, of] : switches) CHECK(change->what_if.padding_seen(of) == (of == kind));
    }
    CHECK(asked == 1);
  }
}

TEST_CASE("the decoder's own attention is told to need no padding mask, the two others to need one") {
  SampleScene scene = scene_with(0);
  ViewStage stage("masks", scene);
  REQUIRE(stage.click("Page: Padding"));
  const NumberTable numbers = titled(stage.view().numbers(scene.input()), kPaddingTable);
  REQUIRE(numbers.values.size() == 6);
  for (const size_t on : {0u, 2u, 4u}) CHECK(numbers.values[on][0] == 0);
  CHECK(numbers.values[1][0] > 0);  // encoder, mask off
  CHECK(numbers.values[3][0] == 0);
  CHECK(numbers.values[3][1] == 0);
  CHECK(numbers.values[3][2] > 0);  // the padding's own rows
  CHECK(numbers.values[3][3] == 0);
  CHECK(numbers.values[5][1] > 0);
  const std::string words = stage.view().caption(scene.input());
  CHECK(contains(words, "Decoder’s self-attention: Needs none: 0 without it as well."));
  CHECK(contains(words, "Encoder’s self-attention: Needs one"));
  CHECK(contains(words, "Cross-attention: Needs one"));

  WhatIf off;
  off.changes = {change_of(ChangeKind::causal_mask_off)};
  const SampleScene ahead = scene_with(0, off);
  const std::string now = stage.view().caption(ahead.input());
  CHECK(contains(now, "Decoder’s self-attention: Needs one"));
  CHECK(contains(now, "The causal mask is off"));
}

TEST_CASE("the batch stands there as ids, with what the loss ignores") {
  SampleScene scene = scene_with(0);
  ViewStage stage("masks", scene);
  REQUIRE(stage.click("Page: Batch"));
  CHECK(stage.state() == "batch");
  const Trace& trace = *scene.result->trace;
  const auto tables = stage.view().numbers(scene.input());
  const NumberTable& input = titled(tables, "ids of target_input");
  const NumberTable& predict = titled(tables, "ids of target_predict");
  REQUIRE(input.values.size() == trace.target_in.size());
  size_t words = 0, longest = 0;
  for (const auto& row : trace.target_out) {
    words += row.size();
    longest = std::max(longest, row.size());
  }
  for (size_t row = 0; row < input.values.size(); ++row) {
    REQUIRE(predict.values[row].size() == longest);
    const size_t real = trace.target_in[row].size();
    CHECK(input.values[row][0] == scene.snapshot->config.bos_id);
    CHECK(predict.values[row][real - 1] == scene.snapshot->config.eos_id);
    for (size_t place = 0; place < longest; ++place) {
      if (place + 1 < real) CHECK(predict.values[row][place] == input.values[row][place + 1]);
      if (place >= real) CHECK(predict.values[row][place] == scene.snapshot->config.pad_id);
    }
  }
  // What the model answers: the largest of each row of logits.
  const NumberTable& best = titled(tables, "ids of argmax of logits");
  for (size_t sentence = 0; sentence < trace.target_out.size(); ++sentence) {
    const Plane logits = trace.plane("logits", static_cast<int>(sentence));
    for (size_t place = 0; place < trace.target_out[sentence].size(); ++place) {
      const int row = static_cast<int>(place), id = static_cast<int>(best.values[sentence][place]);
      for (int other = 0; other < logits.columns; ++other) CHECK(logits(row, other) <= logits(row, id));
    }
  }
  const size_t cells = longest * trace.target_out.size();
  REQUIRE(words < cells);
  const std::string said = all_words(stage.view(), scene.input());
  CHECK(contains(said, "ignored by the loss"));
  CHECK(contains(said, "(B, 1, 1, S)"));
  CHECK(contains(said, "(1, T, T)"));
  CHECK(contains(said, "(B, H, T, S)"));
  // The shapes on the way, and both ways to write a mask and to cut a target.
  const Config& config = scene.snapshot->config;
  const std::string rows = std::to_string(trace.target_out.size()) + ", " + std::to_string(longest) + ", ";
  CHECK(contains(said, "(" + rows + std::to_string(config.d_model) + ") → (" + rows +
                           std::to_string(config.target_vocab) + ")"));
  const std::string description = text_of(described(stage.view(), scene.input()));
  for (const char* words_of : {"(B, S, d) → (B, S, h, k)", "(B, S, h, k) → (B, h, S, k)",
                               "True where a key is hidden", "target[:, :-1]"})
    CHECK_MESSAGE(contains(description, words_of), words_of);
  const auto shorter =
      std::ranges::count_if(trace.target_in, [&](const auto& row) { return row.size() < longest; });
  CHECK(contains(description, "padding in the others (" + std::to_string(shorter) + " of " +
                                  std::to_string(trace.target_in.size()) + ")"));
  const Tensor& weights = trace.at("decoder.layers.0.cross_attn.weights");
  std::string shape = "(";
  for (const int size : weights.shape) shape += (shape.size() > 1 ? ", " : "") + std::to_string(size);
  CHECK(contains(said, shape + ")"));
  CHECK(contains(stage.view().caption(scene.input()),
                 "mean over " + std::to_string(words) + " of the " + std::to_string(cells) + " cells"));
  CHECK(stage.hover("target_predict row 1 place 7"));
}

TEST_CASE("what dropout drops is what the step after these weights draws from the run's seed") {
  SampleScene scene = scene_with(0.2);
  scene.run.options.seed = 9;
  ViewStage stage("masks", scene);
  REQUIRE(stage.click("Page: Dropout"));
  CHECK(stage.state() == "dropout");

  // A pass as a training step makes it.
  const Trace& trace = *scene.result->trace;
  const Batch batch = make_raw_batch(trace.source, trace.target_in, trace.target_out, scene.snapshot->config);
  Saved<float> saved;
  saved.dropout = 0.2;
  saved.seed = 9;
  saved.step = scene.snapshot->step + 1;
  scene.snapshot->weights->forward(batch, saved);
  const auto tables = stage.view().numbers(scene.input());
  const NumberTable& weights = titled(tables, "dropout mask, Decoder layer 2, head 2: weights");
  const AttentionSpan& span = saved.decoder_plan.spans[1];
  const auto begin = static_cast<Eigen::Index>(span.weights) + span.queries * span.keys;
  const AttentionSaved<float>& attention = saved.decoder_layers[1].self_attention;
  REQUIRE(weights.values.size() == static_cast<size_t>(span.queries));
  for (int row = 0; row < span.queries; ++row)
    for (int column = 0; column < span.keys; ++column) {
      const double mask = weights.values[static_cast<size_t>(row)][static_cast<size_t>(column)];
      CHECK((mask == 0 || mask == doctest::Approx(1.25).epsilon(1e-4)));
      const auto at = begin + row * span.keys + column;
      CHECK(attention.dropped.data()[at] == attention.weights.data()[at] * static_cast<float>(mask));
    }
  const NumberTable& embeddings = titled(tables, "dropout mask, Decoder: embeddings");
  for (size_t row = 0; row < embeddings.values.size(); ++row)
    for (size_t column = 0; column < embeddings.values[row].size(); ++column) {
      const auto r = batch.target_in.begin(1) + static_cast<Eigen::Index>(row);
      const auto c = static_cast<Eigen::Index>(column);
      CHECK(saved.target.input(r, c) ==
            saved.target.embedded(r, c) * static_cast<float>(embeddings.values[row][column]));
    }
  CHECK(contains(all_words(stage.view(), scene.input()), "p is 20.0 %"));

  // Another attention, the next page of the same stream.
  REQUIRE(stage.click("Masks of: Encoder"));
  CHECK_NOTHROW(titled(stage.view().numbers(scene.input()), "dropout mask, Encoder: embeddings"));
}

TEST_CASE("a model that drops nothing says so") {
  SampleScene scene = scene_with(0);
  ViewStage stage("masks", scene);
  REQUIRE(stage.click("Page: Dropout"));
  CHECK(contains(stage.view().caption(scene.input()), "p is 0: this model drops nothing"));
}

}  // namespace
}  // namespace glassformer
