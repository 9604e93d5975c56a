#include "app/views/output_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "app/session/run_scene.h"
#include "app/views/scene_words.h"
#include "engine/layers/cross_entropy.h"

namespace glassformer {

std::vector<OutputRow> output_rows(const ViewInput& input, int sentence, int count) {
  const Trace& trace = *input.result.trace;
  const auto at = static_cast<size_t>(sentence);
  std::vector<OutputRow> rows;
  if (at >= trace.target_out.size()) return rows;
  const Plane log_p = trace.plane("log_probabilities", sentence);
  const Plane target = trace.plane("smoothed_target", sentence);
  const Tensor& token_loss = trace.at("token_loss");
  const std::vector<std::string> read = target_in_words(input, sentence),
                                 right = target_out_words(input, sentence);
  const Tokenizer* tokenizer = input.tokenizers.target.get();
  const int kept = std::min(count, log_p.columns);

  std::vector<int> order(static_cast<size_t>(log_p.columns)), best(static_cast<size_t>(kept));
  std::iota(order.begin(), order.end(), 0);
  for (int position = 0; position < static_cast<int>(trace.target_out[at].size()); ++position) {
    OutputRow& row = rows.emplace_back();
    row.position = position;
    row.read = read[static_cast<size_t>(position)];
    row.right = right[static_cast<size_t>(position)];
    row.right_id = trace.target_out[at][static_cast<size_t>(position)];
    row.right_probability = std::exp(log_p(position, row.right_id));
    std::partial_sort_copy(order.begin(), order.end(), best.begin(), best.end(), [&](int a, int b) {
      const float first = log_p(position, a), second = log_p(position, b);
      return first != second ? first > second : a < b;
    });
    for (const int id : best)
      row.guesses.push_back({id, word_of(tokenizer, input.snapshot.config, id), std::exp(log_p(position, id)),
                             target(position, id)});
    row.loss = token_loss.at(std::vector<int>{sentence, position});
    row.target_entropy = smoothed_entropy(input.result.scene.smoothing, target.columns);
  }
  return rows;
}

double prediction_entropy(const ViewInput& input, int sentence, int position) {
  const Plane log_p = input.result.trace->plane("log_probabilities", sentence);
  return prediction_entropy(
      std::span(log_p.data + long(position) * log_p.columns, static_cast<size_t>(log_p.columns)));
}

}  // namespace glassformer
