#include "engine/recurrent/names.h"

#include <array>
#include <charconv>
#include <utility>

namespace glassformer {
namespace {

using Spelling = std::pair<RecurrentPart, std::string_view>;

constexpr std::array<Spelling, 7> kOutsideGru = {{
    {RecurrentPart::source_embedding, "source_embedding.weight"},
    {RecurrentPart::target_embedding, "target_embedding.weight"},
    {RecurrentPart::query_weight, "attention.query.weight"},
    {RecurrentPart::key_weight, "attention.key.weight"},
    {RecurrentPart::score_weight, "attention.score.weight"},
    {RecurrentPart::output_weight, "output_projection.weight"},
    {RecurrentPart::output_bias, "output_projection.bias"},
}};
// Before the number of the layer.
constexpr std::array<Spelling, 4> kInGru = {{
    {RecurrentPart::input_weight, "weight_ih_l"},
    {RecurrentPart::state_weight, "weight_hh_l"},
    {RecurrentPart::input_bias, "bias_ih_l"},
    {RecurrentPart::state_bias, "bias_hh_l"},
}};
constexpr std::string_view kEncoder = "encoder.", kDecoder = "decoder.";

// A whole number as written: no sign, no zeros before it.
std::optional<int> read_layer(std::string_view text) {
  int layer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layer);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  if (std::to_string(layer) != text || layer < 0) return {};
  return layer;
}

}  // namespace

std::string written(const RecurrentName& name) {
  for (const auto& [part, spelling] : kOutsideGru)
    if (part == name.part) return std::string(spelling);
  std::string result(name.encoder ? kEncoder : kDecoder);
  for (const auto& [part, spelling] : kInGru)
    if (part == name.part) result += spelling;
  return result + std::to_string(name.layer);
}

std::string written(const RecurrentValueName& name) {
  const auto in_layer = [&](std::string_view value) {
    return std::string(name.encoder ? kEncoder : kDecoder).append(value) + "_l" + std::to_string(name.layer);
  };
  switch (name.value) {
    case RecurrentValue::embedded:
      return std::string(name.encoder ? kEncoder : kDecoder) + "embedded";
    case RecurrentValue::reset:
      return in_layer("reset");
    case RecurrentValue::update:
      return in_layer("update");
    case RecurrentValue::candidate:
      return in_layer("candidate");
    case RecurrentValue::state:
      return in_layer("state");
    case RecurrentValue::last:
      return in_layer("last");
    case RecurrentValue::weights:
      return "attention.weights";
    case RecurrentValue::context:
      return "attention.context";
    case RecurrentValue::logits:
      break;
  }
  return "logits";
}

std::optional<RecurrentName> read_recurrent_name(std::string_view name) {
  for (const auto& [part, spelling] : kOutsideGru)
    if (name == spelling) return RecurrentName{part, false, 0};
  const bool encoder = name.starts_with(kEncoder);
  if (!encoder && !name.starts_with(kDecoder)) return {};
  name.remove_prefix(encoder ? kEncoder.size() : kDecoder.size());
  for (const auto& [part, spelling] : kInGru) {
    if (!name.starts_with(spelling)) continue;
    if (const auto layer = read_layer(name.substr(spelling.size())))
      return RecurrentName{part, encoder, *layer};
  }
  return {};
}

}  // namespace glassformer
