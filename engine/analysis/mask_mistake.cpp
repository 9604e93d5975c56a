#include "engine/analysis/mask_mistake.h"

#include "engine/layers/distance_bias.h"
#include "engine/math/error.h"
#include "engine/model/place_words.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {
namespace {

using HeadsBySentence = std::vector<std::vector<MistakenHead>>;

// Keeps what the right pass makes of one layer's scores, or puts these scores in the place of its own and
// keeps what becomes of them.
class LayerScores : public Tap<float> {
 public:
  LayerScores(int layer, bool puts, HeadsBySentence& heads)
      : scores_(attention_value(AttentionKind::decoder, layer, ValueKind::scores)),
        weights_(attention_value(AttentionKind::decoder, layer, ValueKind::weights)),
        puts_(puts),
        heads_(heads) {}

  void operator()(const TapPoint& point, MatrixRef<float> value) override {
    if (point.gradient || (point.name != scores_ && point.name != weights_)) return;
    MistakenHead& head =
        heads_[static_cast<std::size_t>(point.sentence)][static_cast<std::size_t>(point.head)];
    if (point.name == weights_) {
      (puts_ ? head.spread : head.right) = value;
    } else if (puts_) {
      value = head.scores;
    } else {
      head.scores = value;
    }
  }

 private:
  std::string scores_, weights_;
  bool puts_;
  HeadsBySentence& heads_;
};

class MistakePasses {
 public:
  MistakePasses(const Transformer<float>& model, const Trace& trace, const TraceOptions& options)
      : changed_(model, of_these_words(options.what_if), options.substitutes), smoothing_(options.smoothing) {
    const Config& config = model.config;
    batch_ = make_raw_batch(filled_up(trace.source, config.pad_id), filled_up(trace.target_in, config.pad_id),
                            filled_up(trace.target_out, config.pad_id), config);
    changed_.change(batch_);
  }

  const Batch& batch() const { return batch_; }

  // Its loss; `zeroes`: it makes the mistake.
  double pass(bool zeroes, Saved<float>& saved, Tap<float>* looking = nullptr) {
    batch_.rules.zero_hidden = zeroes;
    WhatIfTap<float> tap = changed_.tap(looking);
    tap.rows_of(batch_);
    changed_.model().forward(batch_, saved, tap);
    return changed_.model().loss(batch_, saved, {.smoothing = smoothing_}).loss;
  }

 private:
  // The trace's words are swapped already.
  static WhatIf of_these_words(WhatIf what_if) {
    std::erase_if(what_if.changes,
                  [](const Change& change) { return change.kind == ChangeKind::swap_words; });
    return what_if;
  }

  ChangedModel<float> changed_;
  double smoothing_;
  Batch batch_;  // padded
};

// What the layer hands on behind the softmax, with its zeros.
void keep_mistaken(const Saved<float>& saved, int layer, HeadsBySentence& heads) {
  const Matrix<float>& used = saved.decoder_layers[static_cast<std::size_t>(layer)].self_attention.dropped;
  for (std::size_t sentence = 0; sentence < heads.size(); ++sentence) {
    const AttentionSpan& span = saved.decoder_plan.spans[sentence];
    const float* block = used.data() + span.weights;
    for (MistakenHead& head : heads[sentence]) {
      head.mistaken = Eigen::Map<const Matrix<float>>(block, span.queries, span.keys);
      block += head.mistaken.size();
    }
  }
}

double row_sum(const Matrix<float>& weights, int row) {
  return weights.row(row).cast<double>().sum();
}

}  // namespace

double MistakenHead::right_sum(int row) const {
  return row_sum(right, row);
}

double MistakenHead::kept(int row) const {
  return row_sum(mistaken, row);
}

double MistakenHead::thrown_away(int row) const {
  return row_sum(spread, row) - row_sum(mistaken, row);
}

MaskMistake study_mask_mistake(const Transformer<float>& model, const Trace& trace, int layer,
                               const TraceOptions& options) {
  if (layer < 0 || layer >= model.config.decoder_layers)
    throw Error("mask mistake", layer_words(layer) + " of " + std::to_string(model.config.decoder_layers));
  MistakePasses passes(model, trace, options);
  MaskMistake result;
  result.causal = passes.batch().rules.mask_causal;
  if (!result.causal) return result;
  result.heads.assign(static_cast<std::size_t>(passes.batch().sentences()),
                      std::vector<MistakenHead>(static_cast<std::size_t>(model.config.heads)));
  Saved<float> saved;
  LayerScores keeps(layer, false, result.heads), puts(layer, true, result.heads);
  result.right_loss = passes.pass(false, saved, &keeps);
  passes.pass(true, saved, &puts);
  keep_mistaken(saved, layer, result.heads);
  result.mistaken_loss = passes.pass(true, saved);
  // What the softmax reads: with ALiBi the distance is taken behind the scores.
  if (position_traits(model.config.positions).biased)
    for (std::vector<MistakenHead>& sentence : result.heads)
      for (std::size_t head = 0; head < sentence.size(); ++head)
        add_distance_bias<float>(
            static_cast<float>(distance_slope(static_cast<int>(head), model.config.heads)),
            passes.batch().rules.target_positions, 0, sentence[head].scores);
  return result;
}

}  // namespace glassformer
