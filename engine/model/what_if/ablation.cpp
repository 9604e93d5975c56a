#include "engine/model/what_if/ablation.h"

#include <algorithm>
#include <cmath>

#include "engine/model/transformer.h"
#include "engine/model/what_if/loss_meter.h"

namespace glassformer {

namespace {

const AttentionKind kAttentions[] = {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross};

int layers_of(const Config& config, bool encoder) {
  return encoder ? config.encoder_layers : config.decoder_layers;
}

}  // namespace

std::vector<Change> every_head(const Transformer<float>& model) {
  std::vector<Change> changes;
  for (const AttentionKind kind : kAttentions) {
    for (int layer = 0; layer < layers_of(model.config, kind == AttentionKind::encoder); ++layer) {
      for (int head = 0; head < model.config.heads; ++head) changes.push_back(mute_head(kind, layer, head));
    }
  }
  return changes;
}

std::vector<Change> every_sub_block(const Transformer<float>& model) {
  std::vector<Change> changes;
  for (const bool encoder : {true, false}) {
    for (int layer = 0; layer < layers_of(model.config, encoder); ++layer) {
      for (const AttentionKind kind : kAttentions) {
        if ((kind == AttentionKind::encoder) == encoder)
          changes.push_back(mute_sub_block(value_in(kind, layer, ValueKind::whole)));
      }
      changes.push_back(mute_sub_block({BlockKind::feed_forward, ValueKind::whole, encoder, layer}));
    }
  }
  return changes;
}

std::vector<Change> every_place(const Transformer<float>& model, const ValueName& block, int places) {
  std::vector<Change> changes;
  for (int layer = 0; layer < layers_of(model.config, block.encoder); ++layer) {
    for (int place = 0; place < places; ++place) {
      Change& change = changes.emplace_back(mute_sub_block(block));
      change.block.layer = layer;
      change.row = place;
    }
  }
  return changes;
}

MeanLoss loss_with(const LossJob& job, const WhatIf& what_if) {
  return LossMeter(job).with(what_if);
}

std::vector<MeanLoss> losses_with_each(const LossJob& job, const WhatIf& base,
                                       const std::vector<Change>& changes,
                                       const std::function<bool(std::size_t done)>& measured) {
  LossMeter meter(job);
  std::vector<MeanLoss> losses;
  for (const Change& change : changes) {
    WhatIf what_if = base;
    what_if.set(change, true);
    losses.push_back(meter.with(what_if));
    if (measured && !measured(losses.size())) break;
  }
  return losses;
}

Difference difference(const MeanLoss& with, const MeanLoss& without) {
  const std::size_t count = std::min(with.of_sentence.size(), without.of_sentence.size());
  Difference result;
  if (count == 0) return result;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) sum += with.of_sentence[i] - without.of_sentence[i];
  const auto n = static_cast<double>(count);
  result.mean = sum / n;
  for (std::size_t i = 0; i < count; ++i) {
    const double off = with.of_sentence[i] - without.of_sentence[i] - result.mean;
    squares += off * off;
  }
  const double error = count > 1 ? 1.96 * std::sqrt(squares / (n - 1) / n) : 0;
  result.low = result.mean - error;
  result.high = result.mean + error;
  return result;
}

Difference right_difference(const MeanLoss& with, const MeanLoss& without) {
  const auto right = [](const MeanLoss& of) {
    return MeanLoss{.of_sentence = {of.right.begin(), of.right.end()}};
  };
  Difference change = difference(right(with), right(without));
  if (without.right.empty()) return change;
  const double share =
      static_cast<double>(std::ranges::count_if(without.right, [](auto each) { return each != 0; })) /
      static_cast<double>(without.right.size());
  change.low = std::max(change.low, -share);
  change.high = std::min(change.high, 1 - share);
  return change;
}

}  // namespace glassformer
