#include "engine/recurrent/recurrent_trace.h"

#include <algorithm>
#include <utility>

namespace glassformer {

namespace {

// Of a sentence alone the steps are its words in their order.
std::vector<GruTrace> traces_of(const RecurrentSide<float>& side, Eigen::Index words) {
  std::vector<GruTrace> layers;
  for (const GruSaved<float>& layer : side.layers)
    layers.push_back({.previous = layer.previous.topRows(words),
                      .gates = layer.gates.topRows(words),
                      .output = layer.output.topRows(words)});
  return layers;
}

}  // namespace

RecurrentTrace trace(const RecurrentModel<float>& model, const std::vector<int>& source,
                     const std::vector<int>& target_in) {
  Batch batch;
  batch.source.add(source);
  batch.target_in.add(target_in);
  batch.target_out.add(target_in);  // nothing is asked of it
  RecurrentSaved<float> saved;
  model.forward(batch, saved);
  const auto read = static_cast<Eigen::Index>(source.size()),
             written = static_cast<Eigen::Index>(target_in.size());
  RecurrentTrace result{.source = source,
                        .target_in = target_in,
                        .encoder = traces_of(saved.source, read),
                        .decoder = traces_of(saved.target, written),
                        .handed_over = saved.source.layers.back().last.row(0),
                        .weights = {}};
  if (model.config.attends())
    result.weights = saved.attention.weights_of(saved.attention.sentences.front()).topRows(written);
  return result;
}

namespace {

using Values = std::map<std::string, Tensor, std::less<>>;

Tensor zeros(std::vector<int> shape) {
  std::size_t size = 1;
  for (const int extent : shape) size *= static_cast<std::size_t>(extent);
  return {std::move(shape), std::vector<float>(size, 0.0f)};
}

// Rows that are the words of `ids` in their order, each at its place in its sentence.
Tensor padded(const PackedIds& ids, int longest, const ConstMatrixRef<float>& rows) {
  const int width = static_cast<int>(rows.cols());
  Tensor tensor = zeros({ids.sentences(), longest, width});
  for (int sentence = 0; sentence < ids.sentences(); ++sentence) {
    float* to = tensor.values.data() + static_cast<std::ptrdiff_t>(sentence) * longest * width;
    for (int place = 0; place < ids.length(sentence); ++place)
      std::copy_n(rows.row(ids.begin(sentence) + place).data(), width, to + place * width);
  }
  return tensor;
}

// One side of the model: from the order of its steps into that of its sentences.
struct SideRecord {
  bool encoder;
  const PackedIds& ids;
  int longest;
  const std::vector<RecurrentChunk>& chunks;

  const Steps& steps(const RecurrentChunk& chunk) const {
    return encoder ? chunk.source_steps : chunk.target_steps;
  }
  Tensor by_sentence(const Matrix<float>& by_step) const {
    Matrix<float> rows(ids.tokens(), by_step.cols());
    for (const RecurrentChunk& chunk : chunks) steps(chunk).to_sentences<float>(by_step, rows);
    return padded(ids, longest, rows);
  }
  Tensor after_last_words(const Matrix<float>& last) const {
    Tensor tensor = zeros({ids.sentences(), static_cast<int>(last.cols())});
    for (const RecurrentChunk& chunk : chunks) {
      for (int i = chunk.first_sentence; i < chunk.first_sentence + chunk.sentences; ++i)
        std::copy_n(last.row(chunk.first_sentence + steps(chunk).place(i)).data(), last.cols(),
                    tensor.values.data() + static_cast<std::ptrdiff_t>(i) * last.cols());
    }
    return tensor;
  }

  void record(const RecurrentSide<float>& side, Values& values) const {
    using enum RecurrentValue;
    const auto name = [&](RecurrentValue value, int layer) { return written({value, encoder, layer}); };
    values[name(embedded, 0)] = by_sentence(side.embedded);
    for (int i = 0; i < static_cast<int>(side.layers.size()); ++i) {
      const GruSaved<float>& layer = side.layers[static_cast<std::size_t>(i)];
      const Eigen::Index d = layer.output.cols();
      values[name(reset, i)] = by_sentence(layer.gates.leftCols(d));
      values[name(update, i)] = by_sentence(layer.gates.middleCols(d, d));
      values[name(candidate, i)] = by_sentence(layer.gates.rightCols(d));
      values[name(state, i)] = by_sentence(layer.output);
      values[name(last, i)] = after_last_words(layer.last);
    }
  }
};

Tensor padded_weights(const Batch& batch, RecurrentSaved<float>& saved) {
  const int source = batch.source.longest(), target = batch.target_in.longest();
  Tensor tensor = zeros({batch.sentences(), target, source});
  for (const SentenceRows& rows : saved.attention.sentences) {
    const MatrixRef<float> weights = saved.attention.weights_of(rows);
    float* to = tensor.values.data() + static_cast<std::ptrdiff_t>(rows.sentence) * target * source;
    for (int query = 0; query < rows.queries; ++query)
      std::copy_n(weights.row(query).data(), rows.keys, to + query * source);
  }
  return tensor;
}

}  // namespace

Values recorded_values(const RecurrentModel<float>& model, const Batch& batch, RecurrentSaved<float>& saved) {
  Values values;
  const PackedIds &source = saved.words.source, &target = saved.words.target_in;
  const int longest = batch.target_in.longest();
  SideRecord{true, source, batch.source.longest(), saved.chunks}.record(saved.source, values);
  SideRecord{false, target, longest, saved.chunks}.record(saved.target, values);
  if (model.config.attends()) {
    values[written({RecurrentValue::weights, false, 0})] = padded_weights(batch, saved);
    values[written({RecurrentValue::context, false, 0})] =
        padded(target, longest, saved.joined.topRows(target.tokens()).rightCols(model.config.width));
  }
  values[written({RecurrentValue::logits, false, 0})] =
      padded(target, longest, saved.logits.topRows(target.tokens()));
  return values;
}

}  // namespace glassformer
