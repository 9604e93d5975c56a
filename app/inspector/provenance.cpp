#include "app/inspector/provenance.h"

namespace glassformer {

std::string layer_prefix(const LayerPlace& place) {
  return (place.encoder ? "encoder.layers." : "decoder.layers.") + std::to_string(place.layer) + ".";
}

int sublayers(const LayerPlace& place) {
  return place.encoder ? 2 : 3;
}

std::string layer_input_name(const LayerPlace& place) {
  if (place.layer > 0) return layer_prefix({place.encoder, place.layer - 1}) + "output";
  return place.encoder ? "source.input" : "target.input";
}

std::string stream_name(const Config& config, const LayerPlace& place, int sublayer) {
  if (sublayer == 1) return layer_input_name(place);
  const char* kind = config.norm == NormPlace::post ? "norm" : "residual";
  return layer_prefix(place) + kind + std::to_string(sublayer - 1);
}

std::string sublayer_input_name(const Config& config, const LayerPlace& place, int sublayer) {
  if (config.norm == NormPlace::pre) return layer_prefix(place) + "norm" + std::to_string(sublayer);
  return stream_name(config, place, sublayer);
}

std::string sublayer_output_name(const LayerPlace& place, int sublayer) {
  const char* part = sublayer == 1                 ? "self_attn.output"
                     : sublayer < sublayers(place) ? "cross_attn.output"
                                                   : "feed_forward.output";
  return layer_prefix(place) + part;
}

std::string norm_input_name(const Config& config, const LayerPlace& place, int sublayer) {
  if (config.norm == NormPlace::pre) return stream_name(config, place, sublayer);
  return layer_prefix(place) + "residual" + std::to_string(sublayer);
}

std::string layer_output_source(const Config& config, const LayerPlace& place) {
  const char* kind = config.norm == NormPlace::post ? "norm" : "residual";
  return layer_prefix(place) + kind + std::to_string(sublayers(place));
}

std::string stack_output_name(const Config& config, bool encoder) {
  const int layers = encoder ? config.encoder_layers : config.decoder_layers;
  return layer_prefix({encoder, layers - 1}) + "output";
}

}  // namespace glassformer
