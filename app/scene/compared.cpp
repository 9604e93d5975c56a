#include "app/scene/compared.h"

#include <algorithm>

#include "app/format/number_format.h"

namespace glassformer {

bool all_places_taken(const RunsBeside& beside) {
  const auto learning = std::ranges::count_if(
      beside, [](const RunBeside* each) { return each->run.phase != RunPhase::stopped; });
  return learning >= kMostBeside;
}

bool writes_own_words(const SceneResult& result) {
  return result.target_origin == TargetOrigin::model_output && !result.translation.empty() &&
         !result.scene.sentences.empty();
}

Scene on_same_words(const SceneResult& first) {
  Scene second = first.scene;
  if (writes_own_words(first)) second.sentences.front().target = first.translation;
  return second;
}

std::string unlike(const char* what, long first, long second) {
  if (first == second) return {};
  return "the first has " + format_count(first) + " " + what + ", the second " + format_count(second);
}

std::string unlike(const Config& a, const Config& b) {
  for (const std::string& each :
       {unlike("encoder layers", a.encoder_layers, b.encoder_layers),
        unlike("decoder layers", a.decoder_layers, b.decoder_layers), unlike("heads", a.heads, b.heads),
        unlike("dimensions", a.d_model, b.d_model)})
    if (!each.empty()) return each;
  return {};
}

std::string unlike(const SceneResult& first, const SceneResult& second) {
  const std::string models = unlike(first.snapshot->config, second.snapshot->config);
  if (!models.empty()) return models;
  if (first.trace->source != second.trace->source) return "the two read other words";
  if (first.trace->target_in != second.trace->target_in) return "the two write other words";
  return {};
}

}  // namespace glassformer
