// `--query` and `--key` of render: places of a word that a sentence may not have.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "engine/math/error.h"

namespace glassformer {

// Throws Error when the selected attention has no such row or column.
inline void check_places(const Selection& selection, const SceneResult& result) {
  const auto check = [](const char* option, std::optional<int> place, size_t words) {
    if (place && *place >= static_cast<int>(words))
      throw Error(option, "the words there stand at the places 0 to " + std::to_string(words - 1) + ", not " +
                              std::to_string(*place));
  };
  const bool encoder = selection.kind == AttentionKind::encoder;
  const bool own_keys = selection.kind == AttentionKind::decoder;
  check("--query", selection.query, (encoder ? result.source_words : result.target_in_words).size());
  check("--key", selection.key, (own_keys ? result.target_in_words : result.source_words).size());
}

}  // namespace glassformer
