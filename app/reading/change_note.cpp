#include "app/reading/change_note.h"

#include <algorithm>

namespace glassformer {

namespace {

// Whether it says nothing of what it has read, at any place.
bool silences(const Change& change) {
  const bool constant = change.by == Replacement::zero || change.by == Replacement::mean;
  return constant && change.row == kEverywhere;
}

bool is_silent(const WhatIf& what_if, const ValueName& block, int heads) {
  const auto muted = [&](ChangeKind kind, int head) {
    return std::ranges::any_of(what_if.changes, [&](const Change& change) {
      return change.kind == kind && change.block == block && change.head == head && silences(change);
    });
  };
  if (muted(ChangeKind::mute_sub_block, 0)) return true;
  if (!is_attention(block.block)) return false;
  for (int head = 0; head < heads; ++head)
    if (!muted(ChangeKind::mute_head, head)) return false;
  return true;
}

}  // namespace

std::string change_note(const WhatIf& what_if, const Config& config) {
  const auto silent_everywhere = [&](const ValueName& block) {
    const int layers = block.encoder ? config.encoder_layers : config.decoder_layers;
    for (int layer = 0; layer < layers; ++layer) {
      ValueName each = block;
      each.layer = layer;
      if (!is_silent(what_if, each, config.heads)) return false;
    }
    return true;
  };
  const bool source = silent_everywhere(value_in(AttentionKind::encoder, 0, ValueKind::whole)),
             target = silent_everywhere(value_in(AttentionKind::decoder, 0, ValueKind::whole)),
             cross = silent_everywhere(value_in(AttentionKind::cross, 0, ValueKind::whole));
  if (cross && target)
    return "Nothing but the word before it and its place tells the decoder what to write: no attention of "
           "the decoder is left.";
  if (cross) return "Nothing of the source reaches the decoder: no cross-attention is left.";
  if (source && target) return "No word reads another of its own side: no self-attention is left.";
  if (source) return "No word of the source reads another: no self-attention of the encoder is left.";
  if (target) return "No word of the translation reads another: no self-attention of the decoder is left.";
  return {};
}

}  // namespace glassformer
