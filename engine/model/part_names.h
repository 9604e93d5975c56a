// What people read of a head and of a sub-block: the same on chips, in menus, tables and pages. Layers and
// heads count from 1.
#pragma once

#include <string>

#include "engine/model/names.h"

namespace glassformer {

// "cross 2, head 1", "encoder 1, head 3"; the decoder's own attention is "decoder 2, head 1".
std::string head_name(AttentionKind kind, int layer, int head);
// "cross-attention 2", "encoder feed-forward 1"
std::string sub_block_name(const ValueName& block);

}  // namespace glassformer
