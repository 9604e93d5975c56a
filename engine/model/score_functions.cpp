#include "engine/model/score_functions.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

std::vector<double> weights_by(ScoreFunction function, std::span<const float> dots, int head_width) {
  const double scale = function == ScoreFunction::dot ? 1 : std::sqrt(static_cast<double>(head_width));
  std::vector<double> weights;
  for (const float dot : dots) weights.push_back(static_cast<double>(dot) / scale);
  if (function == ScoreFunction::relu) {
    for (double& weight : weights) weight = std::max(0.0, weight) / static_cast<double>(dots.size());
    return weights;
  }
  const double largest = *std::ranges::max_element(weights);
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace glassformer
