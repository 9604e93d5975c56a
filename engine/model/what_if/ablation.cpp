#include "engine/model/what_if/ablation.h"

#include <algorithm>
#include <cmath>

#include "engine/math/softmax.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

constexpr int kGroup = 16;  // sentences of a pass

const AttentionKind kAttentions[] = {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross};

int layers_of(const Config& config, bool encoder) {
  return encoder ? config.encoder_layers : config.decoder_layers;
}

// Sentences [first, first + count) with the changes in force: each one's sum of losses over its words,
// and whether each of them is the likeliest.
void group_losses(const LossJob& job, const ChangedModel<float>& model, int first, int count,
                  MeanLoss& loss) {
  Batch group;
  group.rules = job.batch.rules;
  for (int i = first; i < first + count; ++i) {
    group.source.add(job.batch.source.sentence(i));
    group.target_in.add(job.batch.target_in.sentence(i));
    group.target_out.add(job.batch.target_out.sentence(i));
  }
  model.change(group, first);
  Saved<float> saved;
  if (model.what_if().empty()) {
    model.model().forward(group, saved);
  } else {
    WhatIfTap<float> tap = model.tap();
    tap.rows_of(group, first);
    model.model().forward(group, saved, tap);
  }
  const int pad = model.model().config.pad_id;
  for (int i = 0; i < count; ++i) {
    const auto sentence = static_cast<std::size_t>(first + i);
    loss.right[sentence] = 1;
    for (int place = 0; place < group.target_out.length(i); ++place) {
      const int row = group.target_out.begin(i) + place, word = group.target_out.id(row);
      if (word == pad) continue;
      const auto logits = saved.logits.row(row);
      const int words = static_cast<int>(logits.size());
      if (arg_max(logits.data(), words) != word) loss.right[sentence] = 0;
      const auto log_sum = static_cast<double>(log_sum_exp(logits.data(), words));
      loss.of_sentence[sentence] += log_sum - (1 - job.smoothing) * static_cast<double>(logits[word]) -
                                    job.smoothing * static_cast<double>(logits.mean());
    }
  }
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
  const ChangedModel<float> changed(job.model, what_if, job.substitutes);
  const int sentences = job.batch.sentences(), groups = (sentences + kGroup - 1) / kGroup;
  MeanLoss loss;
  loss.of_sentence.resize(static_cast<std::size_t>(sentences));
  loss.right.resize(static_cast<std::size_t>(sentences));
  run_on(job.pool, groups, [&](int group) {
    const int first = group * kGroup;
    group_losses(job, changed, first, std::min(kGroup, sentences - first), loss);
  });
  double words = 0;
  for (int i = 0; i < sentences; ++i) {
    double& own = loss.of_sentence[static_cast<std::size_t>(i)];
    const auto ids = job.batch.target_out.sentence(i);
    const auto count = static_cast<double>(
        std::ranges::count_if(ids, [&](int id) { return id != job.model.config.pad_id; }));
    loss.mean += own;
    words += count;
    own /= std::max(1.0, count);
  }
  loss.mean /= std::max(1.0, words);
  return loss;
}

std::vector<MeanLoss> losses_with_each(const LossJob& job, const WhatIf& standing,
                                       const std::vector<Change>& changes,
                                       const std::function<bool(std::size_t done)>& told) {
  std::vector<MeanLoss> losses;
  for (const Change& change : changes) {
    WhatIf what_if = standing;
    what_if.set(change, true);
    losses.push_back(loss_with(job, what_if));
    if (told && !told(losses.size())) break;
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

}  // namespace glassformer
