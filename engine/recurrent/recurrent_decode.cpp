#include "engine/recurrent/recurrent_decode.h"

#include "engine/decode/search.h"
#include "engine/recurrent/recurrent_decoder.h"

namespace glassformer {

template <class Scalar>
std::vector<DecodeResult> decode(const RecurrentModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going) {
  const Config config = batch_config(model.config);
  check_search(sources, options, config);
  const MakeDecoder<Scalar> make = [&](const DecoderInput& input) {
    return std::make_unique<RecurrentDecoder<Scalar>>(model, input);
  };
  return search_all(sources, options, config, config.max_length, make, keep_going);
}

template std::vector<DecodeResult> decode(const RecurrentModel<float>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);
template std::vector<DecodeResult> decode(const RecurrentModel<double>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);

}  // namespace glassformer
