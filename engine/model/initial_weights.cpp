#include "engine/model/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/math/error.h"
#include "engine/model/names.h"

namespace glassformer {

double xavier_limit(int fan_in, int fan_out) {
  return std::sqrt(6.0 / (fan_in + fan_out));
}

InitialWeights initial_weights(const Config& config, const std::string& name, int rows, int columns) {
  const auto read = read_name(name);
  if (!read || !is_parameter(read->value))
    throw Error("initial weights", "expected a parameter's name, got " + name);
  const ValueKind kind = read->value;
  if (kind == ValueKind::embedding_table || kind == ValueKind::position_table)
    return {.kind = InitialWeights::Kind::normal,
            .deviation = 1 / std::sqrt(static_cast<double>(config.d_model))};
  if (kind == ValueKind::gain) return {.value = 1};
  if (is_bias(kind)) return {};
  InitialWeights begin{.kind = InitialWeights::Kind::even, .fan_in = columns, .fan_out = rows};
  if (kind == ValueKind::projections_weight) begin.matrices = 3;
  begin.fan_out /= begin.matrices;
  begin.limit = xavier_limit(begin.fan_in, begin.fan_out);
  return begin;
}

long count_outside(std::span<const float> values, double limit) {
  const auto most = static_cast<float>(limit * (1 + 4 * double(std::numeric_limits<float>::epsilon())));
  return std::ranges::count_if(values, [most](float value) { return !(std::abs(value) <= most); });
}

}  // namespace glassformer
