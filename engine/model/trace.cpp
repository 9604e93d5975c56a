#include "engine/model/trace.h"

#include <algorithm>

#include "engine/math/error.h"
#include "engine/model/recorder.h"
#include "engine/model/sentence_loss.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

float Tensor::at(std::span<const int> index) const {
  if (index.size() != shape.size()) {
    throw Error("tensor", "expected " + std::to_string(shape.size()) + " indices, found " +
                              std::to_string(index.size()));
  }
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (index[axis] < 0 || index[axis] >= shape[axis]) {
      throw Error("tensor", "index " + std::to_string(index[axis]) + " of axis " + std::to_string(axis) +
                                " is outside 0 to " + std::to_string(shape[axis] - 1));
    }
    place = place * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(index[axis]);
  }
  return values[place];
}

const Tensor* Trace::find(std::string_view name) const {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

const Tensor& Trace::at(std::string_view name) const {
  const Tensor* found = find(name);
  if (found == nullptr) throw Error("trace", "this pass has no value named " + std::string(name));
  return *found;
}

Plane Trace::plane(std::string_view name, int sentence, int head) const {
  const Tensor& tensor = at(name);
  const auto outside = [&](int index, int size) { return index < 0 || index >= size; };
  std::ptrdiff_t plane = 0;
  if (tensor.rank() >= 3) {
    if (outside(sentence, tensor.shape[0]))
      throw Error("trace", std::string(name) + " has no sentence " + std::to_string(sentence));
    plane = sentence;
  }
  if (tensor.rank() == 4) {
    if (outside(head, tensor.shape[1]))
      throw Error("trace", std::string(name) + " has no head " + std::to_string(head));
    plane = plane * tensor.shape[1] + head;
  }
  const int rows = tensor.rows(), columns = tensor.columns();
  return {tensor.values.data() + plane * rows * columns, rows, columns};
}

namespace {

std::vector<std::vector<int>> rows_of(const PackedIds& packed) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < packed.sentences(); ++i) {
    const auto ids = packed.sentence(i);
    rows.emplace_back(ids.begin(), ids.end());
  }
  return rows;
}

Batch with_padding(const Trace& trace, const Config& config) {
  return make_raw_batch(filled_up(trace.source, config.pad_id), filled_up(trace.target_in, config.pad_id),
                        filled_up(trace.target_out, config.pad_id), config);
}

std::vector<double> sentence_losses(const Trace& trace) {
  std::vector<double> losses;
  for (const std::vector<int>& tokens : trace.target_out)
    losses.push_back(loss_so_far(trace, static_cast<int>(losses.size()), static_cast<int>(tokens.size())));
  return losses;
}

}  // namespace

Trace record_trace(const Transformer<float>& unchanged, const TraceInput& input,
                   const TraceOptions& options) {
  Trace trace;
  const ChangedModel<float> changed(unchanged, options.what_if, options.substitutes);
  const Transformer<float>& model = changed.model();
  Batch batch = make_batch(input.sources, input.targets, model.config);
  changed.change(batch);
  trace.source = rows_of(batch.source);
  trace.target_in = rows_of(batch.target_in);
  trace.target_out = rows_of(batch.target_out);
  if (options.pad) {
    const BatchRules rules = batch.rules;
    batch = with_padding(trace, model.config);
    batch.rules = rules;
  }

  Recorder recorder(batch, trace);
  WhatIfTap<float> tap = changed.tap(&recorder);
  tap.rows_of(batch);
  Saved<float> saved;
  model.forward(batch, saved, tap);
  const Loss loss = model.loss(batch, saved, {options.smoothing, options.gradients}, tap);
  if (options.gradients) {
    const auto gradient = std::make_shared<Transformer<float>>(model.config);
    model.backward(batch, saved, *gradient, tap);
    if (options.parameter_gradients) trace.parameter_gradients = gradient;
  }
  trace.loss = loss.loss;
  trace.nll = loss.nll;
  trace.kl = loss.kl;
  trace.token_accuracy = loss.token_accuracy;
  trace.sentence_loss = sentence_losses(trace);
  return trace;
}

}  // namespace glassformer
