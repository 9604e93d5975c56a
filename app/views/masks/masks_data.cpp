#include <algorithm>

#include "app/reading/scene_words.h"
#include "app/views/common/comparison.h"
#include "app/views/masks/masks_picture.h"

namespace glassformer {

namespace {

std::vector<std::string> padded(std::vector<std::string> words, int length) {
  words.resize(static_cast<size_t>(std::max(length, 0)), "<pad>");
  return words;
}

int longest(const std::vector<std::vector<int>>& rows) {
  size_t length = 0;
  for (const std::vector<int>& row : rows) length = std::max(length, row.size());
  return static_cast<int>(length);
}

}  // namespace

std::shared_ptr<const Trace> with_causal_mask(const SceneResult& result) {
  return result.scene.what_if.has(ChangeKind::causal_mask_off) ? result.untouched : result.trace;
}

std::shared_ptr<const Trace> without_causal_mask(const SceneResult& result) {
  return result.scene.what_if.has(ChangeKind::causal_mask_off) ? result.trace : result.unmasked;
}

MaskScene mask_scene(const ViewInput& input, const Selection& chosen) {
  MaskScene scene{.input = input,
                  .shown = within(chosen, input),
                  .queries = {},
                  .keys = {},
                  .scores = {},
                  .weights = {},
                  .compared = {},
                  .covered = {}};
  scene.shown.head = std::max(scene.shown.head, 0);
  const Selection& at = scene.shown;
  scene.covered = covered_row(input.covered, at.kind, at.layer, at.head, at.sentence);
  const SceneResult& result = input.result;
  const WhatIf& what_if = result.scene.what_if;
  scene.causal = at.kind == AttentionKind::decoder;
  scene.causal_on = scene.causal && !what_if.has(ChangeKind::causal_mask_off);
  scene.padding_on = !what_if.padding_seen(at.kind);

  const auto table = [&](const Trace& trace, ValueKind part) {
    return padded_attention_table(trace, at.kind, at.layer, at.head, at.sentence, part);
  };
  scene.scores = table(*result.trace, ValueKind::scores);
  scene.weights = table(*result.trace, ValueKind::weights);
  double largest = 0;
  for (const ViewInput& each : sharing_inputs(input)) {
    const Selection there = within(scene.shown, each);
    const AttentionTable scores = padded_attention_table(*each.result.trace, there.kind, there.layer,
                                                         there.head, there.sentence, ValueKind::scores);
    largest = std::max(largest, largest_magnitude(scores.data()));
  }
  scene.scores_end = round_limit(largest);
  if (scene.causal) {
    scene.compared_is_leak = scene.causal_on;
    const std::shared_ptr<const Trace> other =
        scene.causal_on ? without_causal_mask(result) : with_causal_mask(result);
    if (other) scene.compared = table(*other, ValueKind::weights);
  } else if (!scene.padding_on) {
    scene.compared_is_leak = false;
    scene.compared = table(*result.untouched, ValueKind::weights);
  }

  scene.rows = scene.weights.rows;
  scene.columns = scene.weights.columns;
  scene.queries = query_words(input, at.kind, at.sentence);
  scene.keys = key_words(input, at.kind, at.sentence);
  scene.real_rows = std::min(static_cast<int>(scene.queries.size()), scene.rows);
  scene.real_columns = std::min(static_cast<int>(scene.keys.size()), scene.columns);
  scene.queries = padded(scene.queries, scene.rows);
  scene.keys = padded(scene.keys, scene.columns);
  // A lesson may name a row that the sentence does not have.
  if (scene.covered && (*scene.covered < 0 || *scene.covered >= scene.rows)) scene.covered.reset();
  return scene;
}

const AttentionTable* MaskScene::leaking() const {
  if (causal && !causal_on) return &weights;
  if (!causal && !padding_on) return &weights;
  return causal && compared.rows > 0 ? &compared : nullptr;
}

double leaked_share(const MaskScene& scene, const AttentionTable& weights) {
  double leaked = 0, all = 0;
  for (int row = 0; row < scene.real_rows; ++row) {
    for (int column = 0; column < weights.columns; ++column) {
      const bool future = scene.causal && column > row && column < scene.real_columns;
      const bool padding = !scene.causal && column >= scene.real_columns;
      all += weights.at(row, column);
      if (future || padding) leaked += weights.at(row, column);
    }
  }
  return all > 0 ? leaked / all : 0;
}

std::vector<BatchRow> batch_rows(const ViewInput& input, AttentionKind kind) {
  const Trace& trace = *input.result.trace;
  const int length = longest(kind == AttentionKind::decoder ? trace.target_in : trace.source);
  std::vector<BatchRow> rows;
  for (int sentence = 0; sentence < static_cast<int>(trace.source.size()); ++sentence) {
    BatchRow& row = rows.emplace_back();
    row.words = key_words(input, kind, sentence);
    row.real = static_cast<int>(row.words.size());
    row.words = padded(row.words, length);
  }
  return rows;
}

}  // namespace glassformer
