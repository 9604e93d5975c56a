#include "app/reading/difference.h"

#include <cmath>
#include <limits>

namespace glassformer {

bool hidden_in_both(float second, float first) {
  return std::isinf(second) && second < 0 && std::isinf(first) && first < 0;
}

float second_less_first(float second, float first) {
  return hidden_in_both(second, first) ? -std::numeric_limits<float>::infinity() : second - first;
}

std::string difference_suffix(const ViewInput& input) {
  return input.difference_to ? ", the second less the first" : "";
}

std::string no_difference(const std::string& unlike) {
  return unlike.empty() ? "" : "The two cannot be subtracted: " + unlike + ".";
}

}  // namespace glassformer
