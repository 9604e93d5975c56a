#include "app/session/compared.h"

namespace glassformer {

bool writes_own_words(const SceneResult& result) {
  return result.target_origin == TargetOrigin::model_output && !result.translation.empty() &&
         !result.scene.sentences.empty();
}

Scene on_same_words(const SceneResult& first) {
  Scene second = first.scene;
  if (writes_own_words(first)) second.sentences.front().target = first.translation;
  return second;
}

bool same_shape(const SceneResult& first, const SceneResult& second) {
  const Config &a = first.snapshot->config, &b = second.snapshot->config;
  return a.heads == b.heads && a.d_model == b.d_model && a.encoder_layers == b.encoder_layers &&
         a.decoder_layers == b.decoder_layers && first.trace->source == second.trace->source &&
         first.trace->target_in == second.trace->target_in;
}

}  // namespace glassformer
