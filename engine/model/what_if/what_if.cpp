#include "engine/model/what_if/what_if.h"

#include <algorithm>

namespace glassformer {

const Change* WhatIf::find(ChangeKind kind) const {
  const auto found = std::ranges::find(changes, kind, &Change::kind);
  return found == changes.end() ? nullptr : &*found;
}

bool WhatIf::padding_seen(AttentionKind kind) const {
  return std::ranges::any_of(changes, [&](const Change& change) {
    return change.kind == ChangeKind::padding_mask_off && attention_of(change.block).value_or(kind) == kind;
  });
}

void WhatIf::see_padding(AttentionKind kind, bool seen) {
  std::vector<AttentionKind> seeing;
  for (const AttentionKind each : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross})
    if (each == kind ? seen : padding_seen(each)) seeing.push_back(each);
  std::erase_if(changes, [](const Change& change) { return change.kind == ChangeKind::padding_mask_off; });
  Change off = change_of(ChangeKind::padding_mask_off);
  if (seeing.size() == 3) return changes.push_back(off);
  for (const AttentionKind each : seeing) {
    off.block = value_in(each, 0, ValueKind::whole);
    changes.push_back(off);
  }
}

bool WhatIf::mutes(AttentionKind kind, int layer, int head, int place) const {
  const ValueName attention = value_in(kind, layer, ValueKind::whole);
  return std::ranges::any_of(changes, [&](const Change& change) {
    const bool whole = change.kind == ChangeKind::mute_sub_block,
               one = change.kind == ChangeKind::mute_head && change.head == head;
    const bool there = change.row == kEverywhere || change.row == place,
               gone = change.by == Replacement::zero || change.by == Replacement::mean;
    return (whole || one) && there && gone && change.block == attention;
  });
}

AttentionKind kind_of(const Change& change) {
  return attention_of(change.block).value_or(AttentionKind::encoder);
}

bool same_thing(const Change& a, const Change& b) {
  if (a.kind != b.kind || a.block != b.block || a.head != b.head || a.unit != b.unit ||
      a.parameter != b.parameter) {
    return false;
  }
  switch (a.kind) {
    case ChangeKind::shift_positions:
    case ChangeKind::permute_positions:
    case ChangeKind::force_words:
      return true;
    case ChangeKind::edit_row:
      return a.row == b.row;
    default:
      return a.row == b.row && a.column == b.column;
  }
}

void WhatIf::toggle(const Change& change) {
  const auto there =
      std::ranges::find_if(changes, [&](const Change& each) { return same_thing(each, change); });
  if (there == changes.end()) return changes.push_back(change);
  if (*there == change) {
    changes.erase(there);
  } else {
    *there = change;
  }
}

void WhatIf::set(const Change& change, bool on) {
  if (on != (std::ranges::find(changes, change) != changes.end())) toggle(change);
}

WhatIf WhatIf::of_all_sentences() const {
  WhatIf rest = *this;
  std::erase_if(rest.changes, names_place);
  return rest;
}

bool names_place(const Change& change) {
  switch (change.kind) {
    case ChangeKind::mute_head:
    case ChangeKind::mute_sub_block:
    case ChangeKind::mute_unit:
      return change.row != kEverywhere || change.by == Replacement::other;
    case ChangeKind::cut_weight:
    case ChangeKind::set_weight:
    case ChangeKind::edit_row:
    case ChangeKind::hide_pair:
    case ChangeKind::swap_words:
    case ChangeKind::force_words:
      return true;
    default:
      return false;
  }
}

WhatIf WhatIf::without(std::size_t index) const {
  WhatIf rest = *this;
  rest.changes.erase(rest.changes.begin() + static_cast<std::ptrdiff_t>(index));
  return rest;
}

Config config_under(const Config& config, const WhatIf& what_if) {
  Config computed = config;
  if (what_if.has(ChangeKind::scale_off)) computed.attention_scale = false;
  return computed;
}

Change change_of(ChangeKind kind) {
  Change change;
  change.kind = kind;
  return change;
}

Change mute_head(AttentionKind kind, int layer, int head) {
  Change change = change_of(ChangeKind::mute_head);
  change.block = value_in(kind, layer, ValueKind::whole);
  change.head = head;
  return change;
}

Change mute_sub_block(const ValueName& block) {
  Change change = change_of(ChangeKind::mute_sub_block);
  change.block = block;
  return change;
}

Change edit_row(AttentionKind kind, int layer, int head, int query, std::vector<float> weights) {
  Change change = change_of(ChangeKind::edit_row);
  change.block = value_in(kind, layer, ValueKind::whole);
  change.head = head;
  change.row = query;
  change.weights = std::move(weights);
  return change;
}

}  // namespace glassformer
