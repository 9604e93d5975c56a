#include "engine/decode/beam_record.h"

#include <algorithm>
#include <cmath>

#include "engine/model/what_if/changed_model.h"

namespace glassformer {

double length_penalty(LengthPenalty form, int words, double alpha) {
  const double length = form == LengthPenalty::paper ? (5.0 + words) / 6.0 : static_cast<double>(words);
  return std::pow(length, alpha);
}

const BeamNode& BeamRecord::at(BeamPlace place) const {
  return steps[static_cast<std::size_t>(place.step)].considered[static_cast<std::size_t>(place.node)];
}

std::optional<BeamPlace> BeamRecord::before(BeamPlace place) const {
  const int parent = at(place).parent;
  if (parent < 0) return std::nullopt;
  return BeamPlace{place.step - 1, parent};
}

std::vector<int> BeamRecord::words(BeamPlace place) const {
  std::vector<int> ids;
  for (std::optional<BeamPlace> at_word = place; at_word; at_word = before(*at_word))
    ids.push_back(at(*at_word).id);
  std::reverse(ids.begin(), ids.end());
  return ids;
}

std::optional<BeamPlace> BeamRecord::find(const std::vector<int>& words) const {
  int parent = -1;
  std::optional<BeamPlace> found;
  for (std::size_t step = 0; step < words.size(); ++step) {
    found.reset();
    if (step >= steps.size()) return found;
    const std::vector<BeamNode>& nodes = steps[step].considered;
    for (std::size_t node = 0; node < nodes.size() && !found; ++node)
      if (nodes[node].parent == parent && nodes[node].id == words[step] && nodes[node].fate != BeamFate::cut)
        found = BeamPlace{static_cast<int>(step), static_cast<int>(node)};
    if (!found) return found;
    parent = found->node;
  }
  return found;
}

template <class Scalar>
std::optional<ScoredWords> score_words(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                                       const std::vector<int>& words, const DecodeOptions& options) {
  if (words.empty()) return std::nullopt;
  DecodeOptions given;
  given.max_length = static_cast<int>(words.size()) + 1;
  given.forced = words;
  given.alternatives = 0;
  DecodeResult read = decode(model, {source}, given).front();
  if (read.ids != words) return std::nullopt;
  ScoredWords scored;
  scored.log_probabilities = std::move(read.log_probabilities);
  scored.total = read.score;
  scored.penalty = length_penalty(options.penalty, static_cast<int>(words.size()), options.alpha);
  scored.score = scored.total / scored.penalty;
  return scored;
}

template std::optional<ScoredWords> score_words(const ChangedModel<float>&, const std::vector<int>&,
                                                const std::vector<int>&, const DecodeOptions&);
template std::optional<ScoredWords> score_words(const ChangedModel<double>&, const std::vector<int>&,
                                                const std::vector<int>&, const DecodeOptions&);

}  // namespace glassformer
