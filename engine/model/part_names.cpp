#include "engine/model/part_names.h"

namespace glassformer {

std::string head_name(AttentionKind kind, int layer, int head) {
  const char* of = kind == AttentionKind::encoder   ? "encoder "
                   : kind == AttentionKind::decoder ? "decoder "
                                                    : "cross ";
  return of + std::to_string(layer + 1) + ", head " + std::to_string(head + 1);
}

std::string sub_block_name(const ValueName& block) {
  std::string name = block.block == BlockKind::cross_attention ? "" : block.encoder ? "encoder " : "decoder ";
  name += block.block == BlockKind::cross_attention  ? "cross-attention "
          : block.block == BlockKind::self_attention ? "self-attention "
                                                     : "feed-forward ";
  return name + std::to_string(block.layer + 1);
}

}  // namespace glassformer
