#include "engine/decode/decode.h"

#include <optional>

#include "engine/decode/search.h"
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

}  // namespace glassformer
