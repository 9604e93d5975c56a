#include "engine/model/what_if/what_if_tap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/model/trace.h"

namespace glassformer {

namespace {

// The columns of a value that a change replaces.
struct Columns {
  int first = 0, count = 0;
};
Columns replaced_columns(const Change& change, const TapPoint& point, int columns) {
  if (change.kind == ChangeKind::mute_head) {
    const int width = columns / point.heads;
    return change.head < point.heads ? Columns{change.head * width, width} : Columns{};
  }
  if (change.kind == ChangeKind::mute_unit)
    return change.unit < columns ? Columns{change.unit, 1} : Columns{};
  return {0, columns};
}

// So much of a row by hand is in a row of so many keys, `words` of them no padding. What the decoder has
// not written yet has no weight; elsewhere a row of another length is another sentence's.
template <class Scalar>
bool write_row(const Change& change, Scalar* row, int keys, int words) {
  const int given = static_cast<int>(change.weights.size());
  const bool written_so_far = attention_of(change.block) == AttentionKind::decoder;
  if (!written_so_far && given != words) return false;
  for (int key = 0; key < keys; ++key)
    row[key] = key < given ? static_cast<Scalar>(change.weights[static_cast<std::size_t>(key)]) : Scalar{0};
  return true;
}

}  // namespace

ValueKind replaced_value(ChangeKind kind) {
  if (kind == ChangeKind::mute_head) return ValueKind::context;
  return kind == ChangeKind::mute_unit ? ValueKind::hidden : ValueKind::output;
}

bool reads_ahead(const WhatIf& what_if) {
  for (const Change& change : what_if.changes) {
    if (change.kind == ChangeKind::causal_mask_off) return true;
    if (attention_of(change.block) != AttentionKind::decoder) continue;
    if (change.kind == ChangeKind::set_weight && change.column > change.row) return true;
    if (change.kind != ChangeKind::edit_row) continue;
    for (std::size_t key = static_cast<std::size_t>(change.row) + 1; key < change.weights.size(); ++key) {
      if (change.weights[key] != 0) return true;
    }
  }
  return false;
}

template <class Scalar>
WhatIfTap<Scalar>::WhatIfTap(const WhatIf& what_if, const Config& config, const Substitutes& substitutes,
                             Tap<Scalar>* next)
    : scale_off_(what_if.has(ChangeKind::scale_off) && config.attention_scale),
      activation_(config.attention_activation),
      pad_id_(config.pad_id),
      starts_with_pad_(config.starts_with_pad()),
      scale_back_(std::sqrt(static_cast<Scalar>(config.head_width()))),
      substitutes_(substitutes),
      next_(next) {
  for (const Change& change : what_if.changes) {
    switch (change.kind) {
      case ChangeKind::mute_head:
      case ChangeKind::mute_sub_block:
      case ChangeKind::mute_unit:
        replaced_[written(change.block, replaced_value(change.kind))].push_back(change);
        break;
      case ChangeKind::cut_weight:
        hidden_[written(change.block, ValueKind::masked_scores)].push_back(change);
        break;
      case ChangeKind::hide_pair: {
        const AttentionKind kind = attention_of(change.block).value_or(AttentionKind::decoder);
        const int layers = kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
        for (int layer = 0; layer < layers; ++layer)
          hidden_[attention_value(kind, layer, ValueKind::masked_scores)].push_back(change);
        break;
      }
      case ChangeKind::set_weight:
      case ChangeKind::edit_row:
        set_[written(change.block, ValueKind::weights)].push_back(change);
        break;
      default:
        break;
    }
  }
}

template <class Scalar>
void WhatIfTap<Scalar>::rows_of(const Batch& batch, int first_sentence) {
  first_sentence_ = first_sentence;
  for (const Side side : {Side::source, Side::target}) {
    const PackedIds& ids = side == Side::source ? batch.source : batch.target_in;
    std::vector<Place>& places = places_[static_cast<int>(side)];
    places.clear();
    int& words = words_[static_cast<int>(side)];
    words = ids.sentences() > 0 ? ids.length(0) - ids.padding_at_end(0, pad_id_) : 0;
    if (side == Side::target && starts_with_pad_) words = std::max(words, std::min(1, ids.longest()));
    for (int sentence = 0; sentence < ids.sentences(); ++sentence) {
      for (int place = 0; place < ids.length(sentence); ++place)
        places.push_back({first_sentence + sentence, place});
    }
  }
}

template <class Scalar>
void WhatIfTap<Scalar>::rows_at(int place, std::span<const int> sentences) {
  std::vector<Place>& places = places_[static_cast<int>(Side::target)];
  places.clear();
  for (const int sentence : sentences) places.push_back({first_sentence_ + sentence, place});
}

template <class Scalar>
void WhatIfTap<Scalar>::operator()(const TapPoint& point, MatrixRef<Scalar> value) {
  if (const auto found = replaced_.find(point.name); found != replaced_.end()) {
    for (const Change& change : found->second) replace(change, point, value);
  }
  if (activation_ == AttentionActivation::relu && !set_.empty() && !point.gradient) count_seen(point, value);
  if (const auto found = hidden_.find(point.name); found != hidden_.end() && !point.gradient) {
    for (const Change& change : found->second) hide(change, point, value);
  }
  if (const auto found = set_.find(point.name); found != set_.end()) {
    if (point.gradient) {
      set_back(point, value);
    } else {
      if (point.sentence + first_sentence_ == 0)
        std::erase_if(rows_[point.name], [&](const auto& row) { return row.first.first == point.head; });
      for (const Change& change : found->second) set(change, point, value);
    }
  }
  if (scale_off_ || (point.gradient && !set_.empty())) {
    const std::optional<ValueName> name = read_name(point.name);
    // Forward the division is taken back behind it, backward behind it as well.
    if (scale_off_ && name && name->value == (point.gradient ? ValueKind::dot_products : ValueKind::scores))
      value *= scale_back_;
    if (point.gradient && name && name->value == ValueKind::masked_scores) activation_back(point, value);
  }
  if (next_ != nullptr) (*next_)(point, value);
}

// What is put in place of a value gets no gradient.
template <class Scalar>
Scalar WhatIfTap<Scalar>::substitute(const Change& change, const TapPoint& point, int place, int column,
                                     Scalar value) const {
  switch (change.by) {
    case Replacement::zero:
      return 0;
    case Replacement::times:
      return static_cast<Scalar>(change.amount) * value;
    case Replacement::mean: {
      if (!substitutes_.means) return value;
      const auto mean = substitutes_.means->find(point.name);
      if (mean == substitutes_.means->end()) return value;
      return point.gradient ? Scalar{0} : static_cast<Scalar>(mean->second[static_cast<std::size_t>(column)]);
    }
    case Replacement::other:
      break;
  }
  const Tensor* other = substitutes_.other ? substitutes_.other->find(point.name) : nullptr;
  if (other == nullptr || place >= other->rows()) return value;
  const std::vector<std::vector<int>>& sentences =
      point.side == Side::source ? substitutes_.other->source : substitutes_.other->target_in;
  if (sentences.empty() || place >= std::ssize(sentences.front())) return value;
  const int width = other->columns();
  const bool heads = other->rank() == 4;
  // Of a model of another shape: none of its numbers is this one's.
  if (column >= width * (heads ? other->shape[1] : 1)) return value;
  const Plane plane = substitutes_.other->plane(point.name, 0, heads ? column / width : 0);
  return point.gradient ? Scalar{0} : static_cast<Scalar>(plane(place, heads ? column % width : column));
}

template <class Scalar>
void WhatIfTap<Scalar>::replace(const Change& change, const TapPoint& point, MatrixRef<Scalar>& value) const {
  const Columns columns = replaced_columns(change, point, static_cast<int>(value.cols()));
  const std::vector<Place>& places = places_[static_cast<int>(point.side)];
  const bool of_first = change.row != kEverywhere || change.by == Replacement::other;
  for (Eigen::Index row = 0; row < value.rows(); ++row) {
    const Place at = places[static_cast<std::size_t>(point.first_row + row)];
    if (of_first && at.sentence != 0) continue;
    if (change.row != kEverywhere && change.row != at.place) continue;
    for (int column = columns.first; column < columns.first + columns.count; ++column) {
      Scalar& entry = value(row, column);
      entry = substitute(change, point, at.place, column, entry);
    }
  }
}

template <class Scalar>
void WhatIfTap<Scalar>::hide(const Change& change, const TapPoint& point, MatrixRef<Scalar>& scores) const {
  const int row = change.row - point.first_query;
  if (first_sentence_ + point.sentence != 0 || row < 0 || row >= scores.rows() || change.column < 0 ||
      change.column >= scores.cols() ||
      (change.kind == ChangeKind::cut_weight && change.head != point.head)) {
    return;
  }
  scores(row, change.column) = -std::numeric_limits<Scalar>::infinity();
}

template <class Scalar>
void WhatIfTap<Scalar>::set(const Change& change, const TapPoint& point, MatrixRef<Scalar>& weights) {
  const int row = change.row - point.first_query;
  if (first_sentence_ + point.sentence != 0 || change.head != point.head || row < 0 || row >= weights.rows())
    return;
  const int keys = static_cast<int>(weights.cols());
  Scalar* const values = weights.row(row).data();
  const std::vector<Scalar> before(values, values + keys);
  if (change.kind == ChangeKind::edit_row) {
    if (!write_row(change, values, keys, std::min(keys, words_[static_cast<int>(point.key_side)]))) return;
  } else {
    if (change.column < 0 || change.column >= keys) return;
    if (change.renormalise) {
      const Scalar others = std::accumulate(values, values + keys, Scalar{0}) - values[change.column];
      const Scalar share = others > 0 ? (1 - static_cast<Scalar>(change.amount)) / others : Scalar{0};
      for (int key = 0; key < keys; ++key) values[key] *= share;
    }
    values[change.column] = static_cast<Scalar>(change.amount);
  }
  ChangedRow& kept = rows_[point.name][{point.head, row}];
  kept.before.push_back(before);
  kept.changes.push_back(&change);
}

template <class Scalar>
std::vector<typename WhatIfTap<Scalar>::ChangedRow*> WhatIfTap<Scalar>::changed_rows(const TapPoint& point,
                                                                                     Eigen::Index rows) {
  std::vector<ChangedRow*> changed(static_cast<std::size_t>(rows), nullptr);
  const std::optional<ValueName> name = read_name(point.name);
  if (first_sentence_ + point.sentence != 0 || !name) return changed;
  const auto kept = rows_.find(written(*name, ValueKind::weights));
  if (kept == rows_.end()) return changed;
  for (auto& [place, row] : kept->second) {
    if (place.first == point.head && place.second < rows)
      changed[static_cast<std::size_t>(place.second)] = &row;
  }
  return changed;
}

// Back through the changes of each row, the last one first: what flows to the weights that the softmax gave.
template <class Scalar>
void WhatIfTap<Scalar>::set_back(const TapPoint& point, MatrixRef<Scalar>& d_weights) {
  const std::vector<ChangedRow*> changed = changed_rows(point, d_weights.rows());
  for (std::size_t row = 0; row < changed.size(); ++row) {
    if (changed[row] == nullptr) continue;
    Scalar* const d = d_weights.row(static_cast<Eigen::Index>(row)).data();
    const std::size_t keys = static_cast<std::size_t>(d_weights.cols());
    for (std::size_t i = changed[row]->changes.size(); i-- > 0;) {
      const Change& change = *changed[row]->changes[i];
      const std::vector<Scalar>& u = changed[row]->before[i];
      if (change.kind == ChangeKind::edit_row) {
        std::fill(d, d + keys, Scalar{0});
        continue;
      }
      d[change.column] = 0;
      if (!change.renormalise) continue;
      const Scalar others =
          std::accumulate(u.begin(), u.end(), Scalar{0}) - u[static_cast<std::size_t>(change.column)];
      const Scalar share = others > 0 ? (1 - static_cast<Scalar>(change.amount)) / others : Scalar{0};
      const Scalar mean =
          others > 0 ? std::inner_product(u.begin(), u.end(), d, Scalar{0}) / others : Scalar{0};
      for (std::size_t key = 0; key < keys; ++key) {
        if (static_cast<int>(key) != change.column) d[key] = share * (d[key] - mean);
      }
    }
    changed[row]->gradient.assign(d, d + keys);
  }
}

template <class Scalar>
void WhatIfTap<Scalar>::count_seen(const TapPoint& point, const MatrixRef<Scalar>& masked_scores) {
  const std::optional<ValueName> name = read_name(point.name);
  if (!name || name->value != ValueKind::masked_scores || first_sentence_ + point.sentence != 0) return;
  for (Eigen::Index row = 0; row < masked_scores.rows(); ++row)
    seen_[point.name][static_cast<int>(row)] = static_cast<int>(
        std::count_if(masked_scores.row(row).begin(), masked_scores.row(row).end(),
                      [](Scalar score) { return score != -std::numeric_limits<Scalar>::infinity(); }));
}

// The pass takes its softmax back from the changed weights: here it is that of the weights it had given. A
// ReLU likewise.
template <class Scalar>
void WhatIfTap<Scalar>::activation_back(const TapPoint& point, MatrixRef<Scalar>& d_scores) {
  const std::vector<ChangedRow*> changed = changed_rows(point, d_scores.rows());
  for (std::size_t row = 0; row < changed.size(); ++row) {
    if (changed[row] == nullptr) continue;
    const std::vector<Scalar>&p = changed[row]->before.front(), &d = changed[row]->gradient;
    const Scalar sum = std::inner_product(p.begin(), p.end(), d.begin(), Scalar{0});
    const Scalar seen = static_cast<Scalar>(std::max(1, seen_[point.name][static_cast<int>(row)]));
    for (std::size_t key = 0; key < p.size(); ++key)
      d_scores(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(key)) =
          activation_ == AttentionActivation::softmax ? p[key] * (d[key] - sum)
          : p[key] > 0                                ? d[key] / seen
                                                      : Scalar{0};
  }
}

template class WhatIfTap<float>;
template class WhatIfTap<double>;

}  // namespace glassformer
