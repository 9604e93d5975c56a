#include "engine/decode/prefix_decoder.h"

#include "engine/decode/incremental.h"
#include "engine/decode/whole_prefix.h"
#include "engine/math/error.h"

namespace glassformer {

void refuse_more_words(int max_length) {
  throw Error("decoding", "the model writes at most " + std::to_string(max_length) + " tokens, bos included");
}

template <class Scalar>
std::unique_ptr<PrefixDecoder<Scalar>> make_decoder(const ChangedModel<Scalar>& model,
                                                    const DecoderPanels<Scalar>* panels,
                                                    const DecoderInput& input) {
  if (reads_ahead(model.what_if())) return std::make_unique<WholePrefixDecoder<Scalar>>(model, input);
  return std::make_unique<IncrementalDecoder<Scalar>>(model, panels, input);
}

template std::unique_ptr<PrefixDecoder<float>> make_decoder(const ChangedModel<float>&,
                                                            const DecoderPanels<float>*, const DecoderInput&);
template std::unique_ptr<PrefixDecoder<double>> make_decoder(const ChangedModel<double>&,
                                                             const DecoderPanels<double>*,
                                                             const DecoderInput&);

}  // namespace glassformer
