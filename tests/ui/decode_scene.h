// A small Scene to search in, and what the whole model thinks of it in double.
#pragma once

#include <vector>

#include "engine/model/transformer.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {

inline SampleScene scene_to_decode(const SampleOptions& options = {}) {
  SampleOptions small = options;
  small.config.d_model = 16;
  small.config.d_ff = 24;
  small.config.max_length = options.tokenizer == TokenizerKind::word ? 12 : 64;
  return make_sample_scene(small);
}

// Logits (L, V_t): after bos and these words, and after each beginning of them. No token is masked.
inline Matrix<double> exact_logits(const SampleScene& scene, const std::vector<int>& words) {
  const Transformer<double> model = scene.snapshot->weights->cast<double>();
  std::vector<int> read = {model.config.bos_id};
  read.insert(read.end(), words.begin(), words.end());
  Batch batch;
  batch.rules.mask_padding.fill(false);
  batch.source.add(scene.result->trace->source.front());
  batch.target_in.add(read);
  batch.target_out.add(read);
  Saved<double> saved;
  model.forward(batch, saved);
  return saved.logits;
}

}  // namespace glassformer
