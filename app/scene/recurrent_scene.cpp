#include "app/scene/recurrent_scene.h"

#include <algorithm>

namespace glassformer {

std::string scene_words(const RecurrentScene& scene) {
  const auto joined = [](const std::vector<std::string>& words, std::size_t from, std::size_t to) {
    std::string text;
    for (std::size_t i = from; i < to; ++i) text += (i > from ? " " : "") + words[i];
    return "“" + text + "”";
  };
  const std::size_t eos = scene.model->config.source_eos ? 1 : 0;
  return (scene.step >= 0 ? "step " + std::to_string(scene.step) + ", " : std::string()) + "reads " +
         joined(scene.reads, 0, scene.reads.size() - eos) + " and writes " +
         joined(scene.writes, 1, scene.writes.size());
}

RecurrentPin within(RecurrentPin pin, const RecurrentScene& scene) {
  GruPlace& place = pin.place;
  const std::vector<GruTrace>& layers = place.encoder ? scene.trace.encoder : scene.trace.decoder;
  const auto words = [](const std::vector<std::string>& side) { return static_cast<int>(side.size()); };
  place.layer = std::clamp(place.layer, 0, static_cast<int>(layers.size()) - 1);
  place.word = std::clamp(place.word, 0, words(place.encoder ? scene.reads : scene.writes) - 1);
  place.unit = std::clamp(place.unit, 0, static_cast<int>(scene.trace.handed_over.size()) - 1);
  if (pin.query) pin.query = std::clamp(*pin.query, 0, words(scene.writes) - 1);
  if (pin.key) pin.key = std::clamp(*pin.key, 0, words(scene.reads) - 1);
  return pin;
}

}  // namespace glassformer
