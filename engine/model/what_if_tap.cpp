#include "engine/model/what_if_tap.h"

#include <cmath>

namespace glassformer {

std::string block_name(AttentionBlock block, int layer) {
  const std::string number = std::to_string(layer);
  switch (block) {
    case AttentionBlock::encoder_self:
      return "encoder.layers." + number + ".self_attn";
    case AttentionBlock::decoder_self:
      return "decoder.layers." + number + ".self_attn";
    case AttentionBlock::cross:
      return "decoder.layers." + number + ".cross_attn";
  }
  return {};
}

std::string block_name(SubBlock block, int layer) {
  const std::string number = std::to_string(layer);
  switch (block) {
    case SubBlock::encoder_self:
      return block_name(AttentionBlock::encoder_self, layer);
    case SubBlock::decoder_self:
      return block_name(AttentionBlock::decoder_self, layer);
    case SubBlock::cross:
      return block_name(AttentionBlock::cross, layer);
    case SubBlock::encoder_feed_forward:
      return "encoder.layers." + number + ".feed_forward";
    case SubBlock::decoder_feed_forward:
      return "decoder.layers." + number + ".feed_forward";
  }
  return {};
}

template <class Scalar>
WhatIfTap<Scalar>::WhatIfTap(const WhatIf& what_if, const Config& config, Tap<Scalar>* next)
    : drop_positions_(what_if.drop_positions),
      drop_scale_(what_if.drop_scale && config.attention_scale),
      scale_back_(std::sqrt(static_cast<Scalar>(config.head_width()))),
      next_(next) {
  for (const MutedHead& muted : what_if.muted_heads) {
    muted_heads_[block_name(muted.block, muted.layer) + ".context"].push_back(muted.head);
  }
  for (const MutedSubBlock& muted : what_if.muted_sub_blocks) {
    muted_outputs_.insert(block_name(muted.block, muted.layer) + ".output");
  }
  for (const EditedRow& edited : what_if.edited_rows) {
    edited_rows_[block_name(edited.block, edited.layer) + ".weights"].push_back(edited);
  }
}

template <class Scalar>
void WhatIfTap<Scalar>::operator()(const TapPoint& point, MatrixRef<Scalar> value) {
  change(point, value);
  if (next_ != nullptr) (*next_)(point, value);
}

template <class Scalar>
void WhatIfTap<Scalar>::change(const TapPoint& point, MatrixRef<Scalar>& value) const {
  // What is muted gives nothing and gets no gradient.
  if (const auto heads = muted_heads_.find(point.name); heads != muted_heads_.end()) {
    const Eigen::Index width = value.cols() / point.heads;
    for (const int head : heads->second) {
      if (head >= 0 && head < point.heads) value.middleCols(head * width, width).setZero();
    }
  }
  if (muted_outputs_.contains(point.name)) value.setZero();

  // A row by hand does not depend on the scores any more.
  if (const auto rows = edited_rows_.find(point.name); rows != edited_rows_.end()) {
    for (const EditedRow& edited : rows->second) {
      if (edited.head != point.head || edited.sentence != point.sentence || edited.query < 0 ||
          edited.query >= value.rows() || std::ssize(edited.weights) != value.cols()) {
        continue;
      }
      for (Eigen::Index key = 0; key < value.cols(); ++key) {
        value(edited.query, key) =
            point.gradient ? Scalar{0} : static_cast<Scalar>(edited.weights[static_cast<std::size_t>(key)]);
      }
    }
  }

  if (drop_positions_ && point.name.ends_with(".positions")) value.setZero();
  // Forward the division is taken back behind it, backward behind it as well.
  if (drop_scale_ && point.name.ends_with(point.gradient ? ".dot_products" : ".scores")) value *= scale_back_;
}

template class WhatIfTap<float>;
template class WhatIfTap<double>;

}  // namespace glassformer
