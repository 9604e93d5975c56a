// Changes to a pass that people try out: what breaks when a head, a mask or the positions are gone?
#pragma once

#include <vector>

#include "engine/model/names.h"

namespace glassformer {

enum class SubBlock { encoder_self, encoder_feed_forward, decoder_self, cross, decoder_feed_forward };

struct MutedHead {
  AttentionKind block = AttentionKind::encoder;
  int layer = 0;
  int head = 0;
  bool operator==(const MutedHead&) const = default;
};

// The sub-block's output becomes 0: only the residual goes on.
struct MutedSubBlock {
  SubBlock block = SubBlock::encoder_self;
  int layer = 0;
  bool operator==(const MutedSubBlock&) const = default;
};

// Attention weights of one query, by hand. They are used as they stand: renormalise before.
struct EditedRow {
  AttentionKind block = AttentionKind::encoder;
  int layer = 0;
  int head = 0;
  int sentence = 0;
  int query = 0;
  std::vector<float> weights;  // L_k; ignored when the sentence has another length
  bool operator==(const EditedRow&) const = default;
};

struct WhatIf {
  std::vector<MutedHead> muted_heads;
  std::vector<MutedSubBlock> muted_sub_blocks;
  std::vector<EditedRow> edited_rows;
  bool drop_causal_mask = false;   // the decoder sees the future
  bool drop_padding_mask = false;  // pad tokens are seen
  bool drop_scale = false;         // scores are not divided by sqrt(k)
  bool drop_positions = false;     // nothing is added to the embeddings, nothing is rotated

  bool empty() const { return *this == WhatIf(); }
  bool operator==(const WhatIf&) const = default;
};

}  // namespace glassformer
