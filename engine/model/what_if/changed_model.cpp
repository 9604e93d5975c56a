#include "engine/model/what_if/changed_model.h"

#include <algorithm>
#include <utility>

namespace glassformer {

namespace {

// Of an embedding's side, or of both.
bool concerns(const Change& change, bool source) {
  return !in_embedding(change.block.block) || change.block.encoder == source;
}

void move_positions(const Change& change, GivenPositions& positions) {
  switch (change.kind) {
    case ChangeKind::positions_off:
      positions.none = true;
      break;
    case ChangeKind::shift_positions:
      positions.shift = change.shift;
      break;
    case ChangeKind::permute_positions:
      positions.order = change.numbers;
      break;
    case ChangeKind::swap_positions: {
      const int last = std::max(change.row, change.column);
      for (int place = static_cast<int>(positions.order.size()); place <= last; ++place)
        positions.order.push_back(place);
      std::swap(positions.order[static_cast<std::size_t>(change.row)],
                positions.order[static_cast<std::size_t>(change.column)]);
      break;
    }
    default:
      break;
  }
}

// A place that the sentence lacks changes nothing.
std::vector<int> swapped(std::vector<int> source, const WhatIf& what_if) {
  const auto there = [&](int place) { return place >= 0 && place < std::ssize(source); };
  for (const Change& change : what_if.changes) {
    if (change.kind != ChangeKind::swap_words || !there(change.row)) continue;
    int& word = source[static_cast<std::size_t>(change.row)];
    if (!change.numbers.empty()) {
      word = change.numbers.front();
    } else if (there(change.column)) {
      std::swap(word, source[static_cast<std::size_t>(change.column)]);
    }
  }
  return source;
}

}  // namespace

GivenPositions changed_positions(const WhatIf& what_if, bool source) {
  GivenPositions positions;
  for (const Change& change : what_if.changes)
    if (concerns(change, source)) move_positions(change, positions);
  return positions;
}

template <class Scalar>
ChangedModel<Scalar>::ChangedModel(const Transformer<Scalar>& model, const WhatIf& what_if,
                                   const Substitutes& substitutes)
    : model_(&model), what_if_(what_if), substitutes_(substitutes) {
  if (!what_if.has(ChangeKind::edit_parameter)) return;
  const auto edited = std::make_shared<Transformer<Scalar>>(model);
  for (const Change& change : what_if.changes) {
    if (change.kind != ChangeKind::edit_parameter) continue;
    edited->visit([&](const std::string& name, const Parameter<Scalar>& parameter) {
      if (name != change.parameter || change.row < 0 || change.row >= parameter.rows || change.column < 0 ||
          change.column >= parameter.columns) {
        return;
      }
      parameter.data[static_cast<std::ptrdiff_t>(change.row) * parameter.columns + change.column] =
          static_cast<Scalar>(change.amount);
    });
  }
  edited_ = edited;
}

template <class Scalar>
void ChangedModel<Scalar>::change(Batch& batch, int first_sentence) const {
  if (what_if_.has(ChangeKind::swap_words) && first_sentence == 0 && batch.source.sentences() > 0) {
    const PackedIds given = batch.source;
    batch.source.clear();
    for (int i = 0; i < given.sentences(); ++i) {
      const std::span<const int> ids = given.sentence(i);
      batch.source.add(i == 0 ? swapped({ids.begin(), ids.end()}, what_if_)
                              : std::vector<int>(ids.begin(), ids.end()));
    }
  }
  batch.rules.mask_causal = batch.rules.mask_causal && !what_if_.has(ChangeKind::causal_mask_off);
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    if (what_if_.padding_seen(kind)) batch.rules.mask_padding[static_cast<std::size_t>(kind)] = false;
  }
  batch.rules.source_positions = changed_positions(what_if_, true);
  batch.rules.target_positions = changed_positions(what_if_, false);
}

template <class Scalar>
WhatIfTap<Scalar> ChangedModel<Scalar>::tap(Tap<Scalar>* next) const {
  return WhatIfTap<Scalar>(what_if_, model().config, substitutes_, next);
}

std::vector<int> forced_beginning(const WhatIf& what_if) {
  const Change* forced = what_if.find(ChangeKind::force_words);
  return forced != nullptr ? forced->numbers : std::vector<int>{};
}

template class ChangedModel<float>;
template class ChangedModel<double>;

}  // namespace glassformer
