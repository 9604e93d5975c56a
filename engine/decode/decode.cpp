#include "engine/decode/decode.h"

#include <optional>

#include "engine/decode/choices.h"
#include "engine/decode/prefix_decoder.h"
#include "engine/decode/search.h"
#include "engine/math/error.h"
#include "engine/math/softmax.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

constexpr int kRowsWorthPanels = 5;

// So many words, bos included, have a position that the model knows.
template <class Scalar>
int words_with_positions(const ChangedModel<Scalar>& model) {
  Batch batch;
  model.change(batch);
  const GivenPositions& given = batch.rules.target_positions;
  const int limit = model.model().config.max_length;
  int words = 0;
  while (words < limit && (given.none || (given.at(words) >= 0 && given.at(words) < limit))) ++words;
  return words;
}

}  // namespace

template <class Scalar>
std::vector<DecodeResult> decode(const Transformer<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going) {
  return decode(ChangedModel<Scalar>(model, {}), sources, options, keep_going);
}

template <class Scalar>
std::vector<DecodeResult> decode(const ChangedModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources,
                                 const DecodeOptions& given_options,
                                 const std::function<bool()>& keep_going) {
  const Config& config = model.model().config;
  DecodeOptions options = given_options;
  if (options.forced.empty()) options.forced = forced_beginning(model.what_if());
  check_search(sources, options, config);
  const auto rows = std::ssize(sources) * (options.search == Search::beam ? options.beam : 1);
  std::optional<DecoderPanels<Scalar>> panels;
  if (rows >= kRowsWorthPanels) panels.emplace(model.model(), options.pool);
  const MakeDecoder<Scalar> make = [&](const DecoderInput& input) {
    return make_decoder(model, panels ? &*panels : nullptr, input);
  };
  return search_all(sources, options, config, words_with_positions(model), make, keep_going);
}

template std::vector<DecodeResult> decode(const ChangedModel<float>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);
template std::vector<DecodeResult> decode(const ChangedModel<double>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);
template std::vector<DecodeResult> decode(const Transformer<float>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);
template std::vector<DecodeResult> decode(const Transformer<double>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);

// Greedy search and sampling: one token after another, never looking back.
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

template <class Scalar>
FreeRun run_free(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                 const std::vector<int>& right) {
  const Config& config = model.model().config;
  for (const int id : right)
    if (id < 0 || id >= config.target_vocab)
      throw Error("right word", "ids go from 0 to " + std::to_string(config.target_vocab - 1) + ", found " +
                                    std::to_string(id));

  // What it writes; then once more over the same words, for the right one of each place.
  DecodeOptions options;
  options.alternatives = 0;
  DecodeResult written = decode(model, {source}, options).front();
  FreeRun run{std::move(written.ids), std::move(written.log_probabilities), {}};
  const std::vector<std::vector<int>> sources = {source};
  const auto decoder = without_forbidden(
      make_decoder<Scalar>(model, nullptr, {.sources = sources, .max_length = config.max_length}), config);
  int read = config.first_id();
  for (std::size_t place = 0; place < run.ids.size() && place < right.size(); ++place) {
    const Matrix<Scalar>& logits = decoder->step({&read, 1});  // (1, V_t)
    const auto log_sum = static_cast<double>(log_sum_exp(logits.data(), static_cast<int>(logits.cols())));
    run.right_log_probabilities.push_back(static_cast<double>(logits(0, right[place])) - log_sum);
    read = run.ids[place];
  }
  return run;
}

template FreeRun run_free(const ChangedModel<float>&, const std::vector<int>&, const std::vector<int>&);
template FreeRun run_free(const ChangedModel<double>&, const std::vector<int>&, const std::vector<int>&);

}  // namespace glassformer
