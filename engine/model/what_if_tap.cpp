#include "engine/model/what_if_tap.h"

#include <cmath>

namespace glassformer {

namespace {

ValueName output_of(const MutedSubBlock& muted) {
  const auto attention = [&](AttentionKind kind) { return value_in(kind, muted.layer, ValueKind::output); };
  switch (muted.block) {
    case SubBlock::encoder_self:
      return attention(AttentionKind::encoder);
    case SubBlock::decoder_self:
      return attention(AttentionKind::decoder);
    case SubBlock::cross:
      return attention(AttentionKind::cross);
    case SubBlock::encoder_feed_forward:
    case SubBlock::decoder_feed_forward:
      break;
  }
  const bool encoder = muted.block == SubBlock::encoder_feed_forward;
  return {BlockKind::feed_forward, ValueKind::output, encoder, muted.layer};
}

}  // namespace

template <class Scalar>
WhatIfTap<Scalar>::WhatIfTap(const WhatIf& what_if, const Config& config, Tap<Scalar>* next)
    : drop_positions_(what_if.drop_positions),
      drop_rotation_(what_if.drop_positions && config.turns_queries()),
      drop_scale_(what_if.drop_scale && config.attention_scale),
      scale_back_(std::sqrt(static_cast<Scalar>(config.head_width()))),
      next_(next) {
  for (const MutedHead& muted : what_if.muted_heads) {
    muted_heads_[attention_value(muted.block, muted.layer, ValueKind::context)].push_back(muted.head);
  }
  for (const MutedSubBlock& muted : what_if.muted_sub_blocks) {
    muted_outputs_.insert(written(output_of(muted)));
  }
  for (const EditedRow& edited : what_if.edited_rows) {
    edited_rows_[attention_value(edited.block, edited.layer, ValueKind::weights)].push_back(edited);
  }
}

template <class Scalar>
void WhatIfTap<Scalar>::operator()(const TapPoint& point, MatrixRef<Scalar> value) {
  change(point, value);
  if (drop_rotation_) undo_rotation(point, value, false);
  if (next_ != nullptr) (*next_)(point, value);
  if (drop_rotation_) undo_rotation(point, value, true);
}

template <class Scalar>
void WhatIfTap<Scalar>::change(const TapPoint& point, MatrixRef<Scalar>& value) {
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

  if (!drop_positions_ && !drop_scale_) return;
  const std::optional<ValueName> name = read_name(point.name);
  if (!name) return;
  if (drop_positions_ && name->value == ValueKind::positions) value.setZero();
  // Forward the division is taken back behind it, backward behind it as well.
  if (drop_scale_ && name->value == (point.gradient ? ValueKind::dot_products : ValueKind::scores))
    value *= scale_back_;
}

// What goes into the rotation comes out of it, forward and backward: with what `next_` made of it.
template <class Scalar>
void WhatIfTap<Scalar>::undo_rotation(const TapPoint& point, MatrixRef<Scalar>& value, bool behind_next) {
  const std::optional<ValueName> name = read_name(point.name);
  if (!name || name->block != BlockKind::self_attention) return;
  const bool before = name->value == ValueKind::query || name->value == ValueKind::key;
  const bool after = name->value == ValueKind::rotated_query || name->value == ValueKind::rotated_key;
  if (!before && !after) return;
  const bool of_query = name->value == ValueKind::query || name->value == ValueKind::rotated_query;
  Matrix<Scalar>& kept = unrotated_[of_query ? ValueKind::query : ValueKind::key];
  const bool goes_in = before != point.gradient;
  if (goes_in && behind_next) kept = value;
  if (!goes_in && !behind_next) value = kept;
}

template class WhatIfTap<float>;
template class WhatIfTap<double>;

}  // namespace glassformer
