// The numbers of a step's operands: read off the trace, its gradients and the model, never computed anew.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/layers/adam.h"
#include "engine/model/config.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/trace.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

// A view of a matrix stored elsewhere, or nothing where it was not recorded.
class OperandNumbers {
 public:
  int rows = 0, columns = 0;
  bool recorded() const { return data_ != nullptr; }
  float operator()(int row, int column) const {
    const std::ptrdiff_t block = column / width_;
    return data_[block * block_stride_ + static_cast<std::ptrdiff_t>(row) * row_stride_ + column % width_];
  }

 private:
  friend class StepNumbers;
  const float* data_ = nullptr;
  std::ptrdiff_t row_stride_ = 0, block_stride_ = 0;  // a block is one head's columns
  int width_ = 1;
  std::shared_ptr<const std::vector<float>> own_;  // ids, masks and single numbers
};

// What the masks of a pass hide, as its what-ifs say.
struct ShownMasks {
  WhatIf what_if;
  bool padded_axes = false;  // tokens are counted with the padding behind the sentence; of an attention only
};

class StepNumbers {
 public:
  using Update = std::map<std::string, double, std::less<>>;

  // Of one sentence of a trace. The model, the trace and `update` must outlive the reader.
  StepNumbers(const Transformer<float>& model, const Trace& trace, int sentence = 0, ShownMasks masks = {});
  void set_update(const Update& update) { update_ = &update; }

  // Without numbers when the pass did not keep them (gradients that nobody asked for).
  OperandNumbers of(const Operand& operand) const;
  const StepSizes& sizes() const { return sizes_; }
  const std::vector<int>& ids(const std::string& name) const;  // "source", "target_in", "target_out"
  // Where the token in a row of the step's side is, as the what-ifs say; nothing: it has no position.
  std::optional<int> position(const Step& step, int row) const;

 private:
  void point_at(const Tensor& tensor, const Operand& operand, OperandNumbers& to) const;
  void point_at(const Transformer<float>& tensors, const Operand& operand, OperandNumbers& to) const;
  static void own(std::vector<float> numbers, OperandNumbers& to);
  std::vector<float> mask(const Operand& operand) const;
  float loss() const;

  const Transformer<float>& model_;
  const Trace& trace_;
  int sentence_;
  ShownMasks masks_;
  StepSizes sizes_;
  const Update* update_ = nullptr;
};

// The optimizer's step for one weight, with every number on the way: what the update steps show.

// What the step starts from.
struct WeightBefore {
  double weight = 0, gradient = 0;
  double first_moment = 0, second_moment = 0;  // Adam's m and v; 0 before the first step
  bool moments_kept = true;                    // false: m and v are not known, nor what follows from them
  double gradient_norm = 0;                    // of all gradients together
  double clip = 0;                             // largest length of the gradient; 0: no limit
};

// By the names of the update steps' operands: "gradient", "gradient_norm", "clipped", "old_m", "m", "m_hat",
// "old_v", "v", "v_hat", "rate", "old_weight", "new_weight"; those that can be known; and what they are made
// with: "clip", "count" (of Adam's steps), "beta1", "beta2", "eps". `step.gradient_scale` is taken from the
// clip.
StepNumbers::Update update_numbers(const WeightBefore& before, AdamStep step);

}  // namespace glassformer
