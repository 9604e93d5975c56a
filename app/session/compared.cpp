#include "app/session/compared.h"

namespace glassformer {

Scene on_same_words(const SceneResult& first) {
  Scene second = first.scene;
  const bool own_words = first.target_origin == TargetOrigin::model_output;
  if (own_words && !first.translation.empty() && !second.sentences.empty())
    second.sentences.front().target = first.translation;
  return second;
}

}  // namespace glassformer
