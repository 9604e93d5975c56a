#include "app/scene/compared.h"

#include <algorithm>

#include "app/format/number_format.h"

namespace glassformer {

namespace {

// Among the letters of all pieces, where each begins, and where the last ends.
std::vector<std::size_t> beginnings(const std::vector<Piece>& pieces) {
  std::vector<std::size_t> at{0};
  for (const Piece& piece : pieces) at.push_back(at.back() + piece.text.size());
  return at;
}

bool same_sentence(const Scene& first, const Scene& second) {
  return !first.sentences.empty() && !second.sentences.empty() &&
         first.sentences.front().source == second.sentences.front().source;
}

}  // namespace

bool all_places_taken(const RunsBeside& beside) {
  const auto learning = std::ranges::count_if(
      beside, [](const RunBeside* each) { return each->run.phase != RunPhase::stopped; });
  return learning >= kMostBeside;
}

SourcePlaces source_places(const SceneResult& from, const SceneResult& to) {
  const Config &ours = from.snapshot->config, &theirs = to.snapshot->config;
  const std::vector<std::size_t> here = beginnings(from.source_pieces), there = beginnings(to.source_pieces);
  if (!same_sentence(from.scene, to.scene) || (here == there && ours.source_bos == theirs.source_bos))
    return {};
  const auto first_here = static_cast<std::size_t>(ours.source_bos),
             first_there = static_cast<std::size_t>(theirs.source_bos);
  const std::size_t pieces = from.source_pieces.size(), others = to.source_pieces.size();
  SourcePlaces places(from.source_words.size());
  const auto put = [&](std::size_t place, std::size_t in_other) {
    if (place < places.size()) places[place] = static_cast<int>(in_other);
  };
  if (ours.source_bos && theirs.source_bos) put(0, 0);
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto behind = std::upper_bound(there.begin(), there.end() - 1, here[i]);
    const std::size_t other =
        here.back() == there.back() ? static_cast<std::size_t>(behind - there.begin()) - 1 : i;
    if (other < others) put(first_here + i, first_there + other);
  }
  if (ours.source_eos && theirs.source_eos) put(first_here + pieces, first_there + others);
  return places;
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
