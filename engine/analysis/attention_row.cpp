#include "engine/analysis/attention_row.h"

#include <algorithm>
#include <cmath>

#include "engine/math/error.h"

namespace glassformer {

namespace {

Matrix<double> top_rows(const Plane& plane, int rows) {
  return Eigen::Map<const Matrix<float>>(plane.data, rows, plane.columns).cast<double>();
}

std::vector<double> row_of(const Plane& plane, int row, int columns) {
  const float* const from = plane.data + static_cast<std::ptrdiff_t>(row) * plane.columns;
  return {from, from + columns};
}

// Behind a shorter sentence the Trace is filled up with 0: no keys, unless they were given a weight.
int keys_of(const Trace& trace, const AttentionRowPlace& place, const Plane& weights) {
  const bool own = attention_of(place.attention) == AttentionKind::decoder;
  const auto& sentences = own ? trace.target_in : trace.source;
  const int keys = std::min(static_cast<int>(sentences.at(static_cast<std::size_t>(place.sentence)).size()),
                            weights.columns);
  for (int key = keys; key < weights.columns; ++key)
    if (weights(place.query, key) > 0) return weights.columns;
  return keys;
}

bool differ(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kRounding = 1e-3;  // a float's, over a row
  double largest = 1;
  for (const double each : b) largest = std::max(largest, std::abs(each));
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= kRounding * largest)) return true;
  return false;
}

ValueKind matched(const Trace& trace, const ValueName& attention, ValueKind plain, ValueKind rotated) {
  return trace.find(written(attention, rotated)) ? rotated : plain;
}

}  // namespace

ValueKind matched_query(const Trace& trace, const ValueName& attention) {
  return matched(trace, attention, ValueKind::query, ValueKind::rotated_query);
}

ValueKind matched_key(const Trace& trace, const ValueName& attention) {
  return matched(trace, attention, ValueKind::key, ValueKind::rotated_key);
}

AttentionRow attention_row(const Trace& trace, const AttentionRowPlace& place, double temperature) {
  const auto part = [&](ValueKind value) {
    return trace.plane(written(place.attention, value), place.sentence, place.head);
  };
  const Plane scores = part(ValueKind::masked_scores);
  if (place.query < 0 || place.query >= scores.rows)
    throw Error(written(place.attention, ValueKind::whole),
                "row " + std::to_string(place.query) + " of " + std::to_string(scores.rows));
  const int keys = keys_of(trace, place, part(ValueKind::weights));
  const Matrix<double> values = top_rows(part(ValueKind::value), keys);
  AttentionRow row;
  row.scores = {.scores = row_of(scores, place.query, keys),
                .d_scores = place.scale * top_rows(part(matched_key(trace, place.attention)), keys)};
  row.hard = hard_lookup(row.scores, values);
  row.soft = soft_lookup(row.scores, values, 1);

  const std::vector<double> weights = row_of(part(ValueKind::weights), place.query, keys),
                            answer = row_of(part(ValueKind::context), place.query,
                                            static_cast<int>(values.cols()));
  row.by_hand = differ(row.soft.weights, weights) || differ(row.soft.answer, answer);
  if (temperature != 1) {
    row.soft = soft_lookup(row.scores, values, temperature);
    return row;
  }
  row.soft.weights = weights;
  row.soft.answer = answer;
  if (row.by_hand) row.soft.slope.setZero();
  return row;
}

}  // namespace glassformer
