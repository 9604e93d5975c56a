#include "engine/model/steps/step_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/layers/distance_bias.h"
#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

StepNumbers::Update update_numbers(const WeightBefore& before, AdamStep step) {
  step.gradient_scale = clip_scale(before.gradient_norm, before.clip);
  double weight = before.weight, m = before.first_moment, v = before.second_moment;
  adam_update(&weight, &before.gradient, &m, &v, 1, step);
  const auto s = static_cast<double>(step.step);
  StepNumbers::Update numbers = {{"gradient", before.gradient},
                                 {"gradient_norm", before.gradient_norm},
                                 {"clipped", before.gradient * step.gradient_scale},
                                 {"old_m", before.first_moment},
                                 {"m", m},
                                 {"m_hat", m / (1 - std::pow(step.options.beta1, s))},
                                 {"old_v", before.second_moment},
                                 {"v", v},
                                 {"v_hat", v / (1 - std::pow(step.options.beta2, s))},
                                 {"rate", step.rate},
                                 {"clip", before.clip},
                                 {"count", s},
                                 {"beta1", step.options.beta1},
                                 {"beta2", step.options.beta2},
                                 {"eps", step.options.eps},
                                 {"old_weight", before.weight},
                                 {"new_weight", weight}};
  if (!before.moments_kept) {
    for (const char* name : {"old_m", "m", "m_hat", "old_v", "v", "v_hat", "new_weight"}) numbers.erase(name);
  }
  return numbers;
}

StepNumbers::StepNumbers(const Transformer<float>& model, const Trace& trace, int sentence, ShownMasks masks)
    : model_(model), trace_(trace), sentence_(sentence), masks_(masks), sizes_{model.config, 0, 0} {
  const auto at = static_cast<std::size_t>(sentence);
  if (sentence < 0 || at >= trace.source.size()) {
    throw Error("steps", "the trace has " + std::to_string(trace.source.size()) +
                             " sentences, so there is no number " + std::to_string(sentence));
  }
  sizes_.source = static_cast<int>(trace.source[at].size());
  sizes_.target = static_cast<int>(trace.target_in[at].size());
  if (!masks.padded_axes) return;
  for (const auto& row : trace.source) sizes_.source = std::max(sizes_.source, static_cast<int>(row.size()));
  for (const auto& row : trace.target_in)
    sizes_.target = std::max(sizes_.target, static_cast<int>(row.size()));
}

const std::vector<int>& StepNumbers::ids(const std::string& name) const {
  const auto& rows = name == "source"      ? trace_.source
                     : name == "target_in" ? trace_.target_in
                                           : trace_.target_out;
  return rows[static_cast<std::size_t>(sentence_)];
}

std::optional<int> StepNumbers::position(const Step& step, int row) const {
  const Extent tokens = step.output.rows;
  const bool source = tokens == Extent::source || (tokens != Extent::target && step.place.encoder);
  const GivenPositions given = changed_positions(masks_.what_if, source);
  return given.none ? std::nullopt : std::optional(given.at(row));
}

OperandNumbers StepNumbers::of(const Operand& operand) const {
  OperandNumbers numbers;
  numbers.rows = sizes_.of(operand.rows);
  numbers.columns = sizes_.of(operand.columns);
  switch (operand.store) {
    case OperandStore::ids: {
      const std::vector<int>& list = ids(operand.name);
      std::vector<float> shown(list.begin(), list.end());
      shown.resize(static_cast<std::size_t>(numbers.rows), static_cast<float>(sizes_.config.pad_id));
      own(std::move(shown), numbers);
      break;
    }
    case OperandStore::mask:
      own(mask(operand), numbers);
      break;
    case OperandStore::trace:
      if (const Tensor* tensor = trace_.find(operand.name)) point_at(*tensor, operand, numbers);
      break;
    case OperandStore::gradient: {
      const auto found = trace_.gradients.find(operand.name);
      if (found != trace_.gradients.end()) point_at(found->second, operand, numbers);
      break;
    }
    case OperandStore::parameter:
      point_at(model_, operand, numbers);
      break;
    case OperandStore::parameter_gradient:
      if (trace_.parameter_gradients) point_at(*trace_.parameter_gradients, operand, numbers);
      break;
    case OperandStore::loss:
      own({loss()}, numbers);
      break;
    case OperandStore::update:
      if (update_ != nullptr) {
        const auto found = update_->find(operand.name);
        if (found != update_->end()) own({static_cast<float>(found->second)}, numbers);
      }
      break;
  }
  return numbers;
}

// The trace's is over all its sentences.
float StepNumbers::loss() const {
  if (trace_.source.size() == 1) return static_cast<float>(trace_.loss);
  const Tensor* losses = trace_.find(output_value(ValueKind::token_loss));
  const std::vector<int>& wanted = ids("target_out");
  double sum = 0;
  int tokens = 0;
  for (std::size_t i = 0; losses != nullptr && i < wanted.size(); ++i) {
    if (wanted[i] == sizes_.config.pad_id) continue;
    sum += static_cast<double>(losses->at(std::vector<int>{sentence_, static_cast<int>(i)}));
    ++tokens;
  }
  return tokens > 0 ? static_cast<float>(sum / tokens) : 0;
}

void StepNumbers::own(std::vector<float> numbers, OperandNumbers& to) {
  to.own_ = std::make_shared<const std::vector<float>>(std::move(numbers));
  to.data_ = to.own_->data();
  to.width_ = to.columns;
  to.row_stride_ = to.columns;
}

// (B, L), (L, n), (B, L, n) or (B, H, L, n), of which one sentence is seen.
void StepNumbers::point_at(const Tensor& tensor, const Operand& operand, OperandNumbers& to) const {
  const bool per_row = operand.columns == Extent::one;
  const std::ptrdiff_t width = per_row ? 1 : tensor.columns();
  const std::ptrdiff_t rows = per_row ? tensor.columns() : tensor.rows();
  const bool has_heads = tensor.rank() == 4;
  const std::ptrdiff_t heads = has_heads ? tensor.shape[1] : 1;
  const bool batched = per_row || tensor.rank() >= 3;
  const std::ptrdiff_t plane =
      (batched ? sentence_ * heads : 0) + (has_heads && operand.head >= 0 ? operand.head : 0);
  to.data_ = tensor.values.data() + plane * rows * width + operand.first_row * width + operand.first_column;
  to.row_stride_ = width;
  to.width_ = static_cast<int>(width);  // of a row without heads all columns are in one block
  to.block_stride_ = rows * width;
}

void StepNumbers::point_at(const Transformer<float>& tensors, const Operand& operand,
                           OperandNumbers& to) const {
  tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name != operand.name) return;
    to.data_ =
        tensor.data + static_cast<std::ptrdiff_t>(operand.first_row) * tensor.columns + operand.first_column;
    to.row_stride_ = tensor.columns;
    to.width_ = to.columns;
  });
}

std::vector<float> StepNumbers::mask(const Operand& operand) const {
  const int queries = sizes_.of(operand.rows), keys = sizes_.of(operand.columns);
  const std::optional<ValueName> name = read_name(operand.name);
  const std::optional<AttentionKind> kind = name ? attention_of(*name) : std::nullopt;
  const WhatIf& what_if = masks_.what_if;
  const bool causal = kind == AttentionKind::decoder && !what_if.has(ChangeKind::causal_mask_off);
  const bool mask_padding = !kind || !what_if.padding_seen(*kind);
  const std::vector<int>& tokens = ids(operand.columns == Extent::source ? "source" : "target_in");
  const bool starts_with_pad = sizes_.config.starts_with_pad();
  Matrix<float> bias = Matrix<float>::Zero(queries, keys);
  if (position_traits(sizes_.config.positions).biased && kind != AttentionKind::cross && operand.head >= 0)
    add_distance_bias<float>(static_cast<float>(distance_slope(operand.head, sizes_.config.heads)),
                             changed_positions(what_if, kind == AttentionKind::encoder), 0, bias);
  std::vector<float> mask;
  for (int query = 0; query < queries; ++query) {
    for (int key = 0; key < keys; ++key) {
      const auto at = static_cast<std::size_t>(key);
      const bool start = at == 0 && kind == AttentionKind::decoder && starts_with_pad;
      const bool padding =
          mask_padding && !start && (at >= tokens.size() || tokens[at] == sizes_.config.pad_id);
      const bool hidden = padding || (causal && key > query);
      mask.push_back(hidden ? -std::numeric_limits<float>::infinity() : bias(query, key));
    }
  }
  if (operand.by_rule) return mask;
  for (const Change& change : what_if.changes) {
    const bool cut = change.kind == ChangeKind::cut_weight && name && change.block.layer == name->layer &&
                     change.head == operand.head;
    if (sentence_ != 0 || (!cut && change.kind != ChangeKind::hide_pair) ||
        attention_of(change.block) != kind)
      continue;
    if (change.row < 0 || change.row >= queries || change.column < 0 || change.column >= keys) continue;
    mask[static_cast<std::size_t>(change.row * keys + change.column)] =
        -std::numeric_limits<float>::infinity();
  }
  return mask;
}

}  // namespace glassformer
