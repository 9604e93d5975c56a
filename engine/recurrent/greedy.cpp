#include "engine/recurrent/greedy.h"

#include <algorithm>

#include "engine/decode/choices.h"
#include "engine/math/error.h"
#include "engine/math/softmax.h"
#include "engine/recurrent/recurrent_decoder.h"

namespace glassformer {
namespace {

// Takes a word for one sentence and notes down what it was chosen from.
template <class Scalar>
int take_word(std::span<const Scalar> scores, const DecodeOptions& options, DecodeResult& result) {
  const auto count = static_cast<int>(scores.size());
  const std::size_t written = result.ids.size();
  const int id = written < options.forced.size() ? options.forced[written] : arg_max(scores.data(), count);
  const auto log_sum = static_cast<double>(log_sum_exp(scores.data(), count));
  DecodeStep step;
  step.id = id;
  step.log_probability = static_cast<double>(scores[static_cast<std::size_t>(id)]) - log_sum;
  likeliest(scores, log_sum, options.alternatives, step.top);
  result.ids.push_back(id);
  result.log_probabilities.push_back(step.log_probability);
  result.score += step.log_probability;
  result.steps.push_back(std::move(step));
  return id;
}

void check_greedy(const DecodeOptions& options, int vocabulary) {
  if (options.search != Search::greedy)
    throw Error("decoding", "a recurrent model writes by greedy search alone; choose that");
  if (options.alternatives < 0) throw Error("decoding", "alternatives must be at least 0");
  for (const int id : options.forced) {
    if (id < 0 || id >= vocabulary) {
      throw Error("decoding", "forced ids go from 0 to " + std::to_string(vocabulary - 1) + ", found " +
                                  std::to_string(id));
    }
  }
}

}  // namespace

template <class Scalar>
std::vector<DecodeResult> decode(const RecurrentModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going) {
  check_greedy(options, model.config.target_vocab);
  DecoderInput input;
  input.sources = sources;
  input.max_length = model.config.max_length;
  if (options.max_length > 0) input.max_length = std::min(input.max_length, options.max_length);
  input.pool = options.pool;
  RecurrentDecoder<Scalar> decoder(model, input);

  std::vector<DecodeResult> results(sources.size());
  std::vector<std::size_t> open(sources.size());  // sentences that are still being written
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  std::vector<int> ids(open.size(), model.config.bos_id);
  for (int written = 0; written + 1 < input.max_length && !open.empty(); ++written) {
    if (keep_going && !keep_going()) break;
    const Matrix<Scalar>& logits = decoder.step(ids);  // (rows, V_t)
    std::vector<int> kept, next_ids;
    std::vector<std::size_t> next_open;
    for (std::size_t row = 0; row < open.size(); ++row) {
      const std::span<const Scalar> scores(logits.row(static_cast<Eigen::Index>(row)).data(),
                                           static_cast<std::size_t>(logits.cols()));
      const int id = take_word(scores, options, results[open[row]]);
      if (id == model.config.eos_id) continue;
      kept.push_back(static_cast<int>(row));
      next_open.push_back(open[row]);
      next_ids.push_back(id);
    }
    decoder.select(kept);
    open = std::move(next_open);
    ids = std::move(next_ids);
  }
  return results;
}

template std::vector<DecodeResult> decode(const RecurrentModel<float>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);
template std::vector<DecodeResult> decode(const RecurrentModel<double>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);

}  // namespace glassformer
