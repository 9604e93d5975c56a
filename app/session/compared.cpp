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

}  // namespace glassformer
