#include "app/inspector/provenance.h"

#include "engine/model/names.h"

namespace glassformer {

namespace {

std::string in_place(const LayerPlace& place, BlockKind block, ValueKind value, int sublayer = 0) {
  return written({block, value, place.encoder, place.layer, sublayer});
}

}  // namespace

std::string layer_prefix(const LayerPlace& place) {
  return layer_name(place.encoder, place.layer) + ".";
}

int sublayers(const LayerPlace& place) {
  return place.encoder ? 2 : 3;
}

std::string layer_input_name(const LayerPlace& place) {
  if (place.layer == 0) return in_place(place, BlockKind::embedding, ValueKind::input);
  return in_place({place.encoder, place.layer - 1}, BlockKind::layer, ValueKind::output);
}

std::string stream_name(const Config& config, const LayerPlace& place, int sublayer) {
  if (sublayer == 1) return layer_input_name(place);
  const ValueKind value = config.norm == NormPlace::post ? ValueKind::normed : ValueKind::residual;
  return in_place(place, BlockKind::add_norm, value, sublayer - 1);
}

std::string sublayer_input_name(const Config& config, const LayerPlace& place, int sublayer) {
  if (config.norm == NormPlace::pre) return in_place(place, BlockKind::add_norm, ValueKind::normed, sublayer);
  return stream_name(config, place, sublayer);
}

std::string sublayer_output_name(const LayerPlace& place, int sublayer) {
  const BlockKind block = sublayer == 1                 ? BlockKind::self_attention
                          : sublayer < sublayers(place) ? BlockKind::cross_attention
                                                        : BlockKind::feed_forward;
  return in_place(place, block, ValueKind::output);
}

std::string norm_input_name(const Config& config, const LayerPlace& place, int sublayer) {
  if (config.norm == NormPlace::pre) return stream_name(config, place, sublayer);
  return in_place(place, BlockKind::add_norm, ValueKind::residual, sublayer);
}

std::string layer_output_source(const Config& config, const LayerPlace& place) {
  return stream_name(config, place, sublayers(place) + 1);
}

std::string stack_output_name(const Config& config, bool encoder) {
  const int layers = encoder ? config.encoder_layers : config.decoder_layers;
  return in_place({encoder, layers - 1}, BlockKind::layer, ValueKind::output);
}

}  // namespace glassformer
