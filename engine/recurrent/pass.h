// What the passes of a recurrent model share. Internal to engine/recurrent.
#pragma once

#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

// All words of a chunk, as if they were of one sentence.
inline SentenceRows all_rows(const RecurrentChunk& chunk) {
  return {chunk.first_sentence, chunk.first_target, chunk.target_rows,
          chunk.first_source,   chunk.source_rows,  0};
}

}  // namespace glassformer
