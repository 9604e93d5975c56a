// Greedy search and sampling: one token after another, never looking back.
#include "engine/decode/choices.h"
#include "engine/decode/search.h"
#include "engine/math/softmax.h"

namespace glassformer {

template <class Scalar>
void search_step_by_step(PrefixDecoder<Scalar>& decoder, const SearchJob& job, const DecodeOptions& options) {
  std::vector<int> sentences, ids;  // of the rows that are still being written
  std::vector<Random> random;       // of all sentences
  for (std::size_t i = 0; i < job.results.size(); ++i) {
    sentences.push_back(static_cast<int>(i));
    const auto number = static_cast<std::uint64_t>(job.first_sentence) + i;
    random.emplace_back(derive_seed(options.seed, number));
  }
  ids.assign(sentences.size(), job.bos_id);

  for (int written = 0; written + 1 < job.max_length && !sentences.empty(); ++written) {
    if (job.keep_going && !job.keep_going()) return;
    const Matrix<Scalar>& logits = decoder.step(ids);  // (rows, V_t)
    std::vector<int> kept, next_sentences, next_ids;
    for (std::size_t row = 0; row < sentences.size(); ++row) {
      const std::span<const Scalar> scores(logits.row(static_cast<Eigen::Index>(row)).data(),
                                           static_cast<std::size_t>(logits.cols()));
      const auto sentence = static_cast<std::size_t>(sentences[row]);
      DecodeResult& result = job.results[sentence];

      // Choose.
      int id = 0;
      if (written < std::ssize(options.forced)) {
        id = options.forced[static_cast<std::size_t>(written)];
      } else if (options.search == Search::sampling) {
        id = sample(scores, options, random[sentence]);
      } else {
        id = arg_max(scores.data(), static_cast<int>(scores.size()));
      }

      // Note down.
      const auto log_sum = static_cast<double>(log_sum_exp(scores.data(), static_cast<int>(scores.size())));
      DecodeStep step;
      step.id = id;
      step.log_probability = static_cast<double>(scores[static_cast<std::size_t>(id)]) - log_sum;
      likeliest(scores, log_sum, options.alternatives, step.top);
      result.ids.push_back(id);
      result.log_probabilities.push_back(step.log_probability);
      result.score += step.log_probability;
      result.steps.push_back(std::move(step));

      if (id != job.eos_id) {
        kept.push_back(static_cast<int>(row));
        next_sentences.push_back(sentences[row]);
        next_ids.push_back(id);
      }
    }
    decoder.select(kept);
    sentences = std::move(next_sentences);
    ids = std::move(next_ids);
  }
}

template void search_step_by_step(PrefixDecoder<float>&, const SearchJob&, const DecodeOptions&);
template void search_step_by_step(PrefixDecoder<double>&, const SearchJob&, const DecodeOptions&);

}  // namespace glassformer
