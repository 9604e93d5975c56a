#include "engine/model/names.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/math/error.h"

namespace glassformer {

namespace {

// {side} source or target, {stack} encoder or decoder, {layer} "encoder.layers.0", {n} the sub-layer,
// {attention} and {projection} what values and parameters call an attention.
struct NamePattern {
  BlockKind block;
  ValueKind value;
  std::string_view text;
};

constexpr auto name_patterns() {
  using enum ValueKind;
  return std::to_array<NamePattern>({
      {BlockKind::embedding, lookup, "{side}.lookup"},
      {BlockKind::embedding, embedding, "{side}.embedding"},
      {BlockKind::embedding, positions, "{side}.positions"},
      {BlockKind::embedding, sum, "{side}.sum"},
      {BlockKind::embedding, input, "{side}.input"},
      {BlockKind::embedding, embedding_table, "{side}_embedding.weight"},
      {BlockKind::embedding, position_table, "{side}_positions.weight"},
      {BlockKind::embedding_norm, whole, "{side}_embedding_norm"},
      {BlockKind::embedding_norm, mean, "{side}_embedding_norm.mean"},
      {BlockKind::embedding_norm, deviation, "{side}_embedding_norm.deviation"},
      {BlockKind::embedding_norm, rms, "{side}_embedding_norm.rms"},
      {BlockKind::embedding_norm, gain, "{side}_embedding_norm.weight"},
      {BlockKind::embedding_norm, shift, "{side}_embedding_norm.bias"},

      {BlockKind::self_attention, whole, "{layer}.{attention}"},
      {BlockKind::self_attention, query, "{layer}.{attention}.query"},
      {BlockKind::self_attention, key, "{layer}.{attention}.key"},
      {BlockKind::self_attention, value, "{layer}.{attention}.value"},
      {BlockKind::self_attention, rotated_query, "{layer}.{attention}.rotated_query"},
      {BlockKind::self_attention, rotated_key, "{layer}.{attention}.rotated_key"},
      {BlockKind::self_attention, dot_products, "{layer}.{attention}.dot_products"},
      {BlockKind::self_attention, scores, "{layer}.{attention}.scores"},
      {BlockKind::self_attention, mask, "{layer}.{attention}.mask"},
      {BlockKind::self_attention, masked_scores, "{layer}.{attention}.masked_scores"},
      {BlockKind::self_attention, weights, "{layer}.{attention}.weights"},
      {BlockKind::self_attention, context, "{layer}.{attention}.context"},
      {BlockKind::self_attention, concat, "{layer}.{attention}.concat"},
      {BlockKind::self_attention, output, "{layer}.{attention}.output"},
      {BlockKind::self_attention, projections_weight, "{layer}.{projection}.in_proj_weight"},
      {BlockKind::self_attention, projections_bias, "{layer}.{projection}.in_proj_bias"},
      {BlockKind::self_attention, output_weight, "{layer}.{projection}.out_proj.weight"},
      {BlockKind::self_attention, output_bias, "{layer}.{projection}.out_proj.bias"},

      {BlockKind::feed_forward, whole, "{layer}.feed_forward"},
      {BlockKind::feed_forward, pre_activation, "{layer}.feed_forward.pre_activation"},
      {BlockKind::feed_forward, gate, "{layer}.feed_forward.gate"},
      {BlockKind::feed_forward, gated_value, "{layer}.feed_forward.value"},
      {BlockKind::feed_forward, hidden, "{layer}.feed_forward.hidden"},
      {BlockKind::feed_forward, output, "{layer}.feed_forward.output"},
      {BlockKind::feed_forward, weight1, "{layer}.linear1.weight"},
      {BlockKind::feed_forward, bias1, "{layer}.linear1.bias"},
      {BlockKind::feed_forward, gate_weight, "{layer}.linear_gate.weight"},
      {BlockKind::feed_forward, weight2, "{layer}.linear2.weight"},
      {BlockKind::feed_forward, bias2, "{layer}.linear2.bias"},

      {BlockKind::add_norm, residual, "{layer}.residual{n}"},
      {BlockKind::add_norm, normed, "{layer}.norm{n}"},
      {BlockKind::add_norm, mean, "{layer}.norm{n}.mean"},
      {BlockKind::add_norm, deviation, "{layer}.norm{n}.deviation"},
      {BlockKind::add_norm, rms, "{layer}.norm{n}.rms"},
      {BlockKind::add_norm, gain, "{layer}.norm{n}.weight"},
      {BlockKind::add_norm, shift, "{layer}.norm{n}.bias"},

      {BlockKind::layer, whole, "{layer}"},
      {BlockKind::layer, output, "{layer}.output"},
      {BlockKind::final_norm, whole, "{stack}.norm"},
      {BlockKind::final_norm, mean, "{stack}.norm.mean"},
      {BlockKind::final_norm, deviation, "{stack}.norm.deviation"},
      {BlockKind::final_norm, rms, "{stack}.norm.rms"},
      {BlockKind::final_norm, gain, "{stack}.norm.weight"},
      {BlockKind::final_norm, shift, "{stack}.norm.bias"},

      {BlockKind::output, whole, "output_projection"},
      {BlockKind::output, logits, "logits"},
      {BlockKind::output, log_probabilities, "log_probabilities"},
      {BlockKind::output, smoothed_target, "smoothed_target"},
      {BlockKind::output, token_loss, "token_loss"},
      {BlockKind::output, output_weight, "output_projection.weight"},
      {BlockKind::output, output_bias, "output_projection.bias"},
  });
}

constexpr auto kNamePatterns = name_patterns();

// The two stacks pass on under their own names.
constexpr std::string_view kMemory = "memory", kDecoderOutput = "decoder.output";

constexpr std::string_view kLayers = ".layers.", kSelf = "self_attn", kCross = "cross_attn",
                           kCrossProjection = "multihead_attn";

std::string layer_name(bool encoder, int layer) {
  return (encoder ? "encoder" : "decoder") + std::string(kLayers) + std::to_string(layer);
}

std::string filled_in(std::string_view slot, const ValueName& name) {
  if (slot == "{side}") return name.encoder ? "source" : "target";
  if (slot == "{stack}") return name.encoder ? "encoder" : "decoder";
  if (slot == "{layer}") return layer_name(name.encoder, name.layer);
  if (slot == "{n}") return std::to_string(name.sublayer);
  if (name.block == BlockKind::self_attention) return std::string(kSelf);
  return std::string(slot == "{attention}" ? kCross : kCrossProjection);
}

bool take_word(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  return true;
}

bool take_number(std::string_view& rest, int& number) {
  const auto end = std::ranges::find_if_not(rest, [](char c) { return c >= '0' && c <= '9'; });
  const auto digits = static_cast<std::size_t>(end - rest.begin());
  if (digits == 0 || (digits > 1 && rest[0] == '0')) return false;
  if (std::from_chars(rest.data(), rest.data() + digits, number).ec != std::errc{}) return false;
  rest.remove_prefix(digits);
  return true;
}

bool take_side(std::string_view& rest, std::string_view first, std::string_view second, bool& encoder) {
  encoder = take_word(rest, first);
  return encoder || take_word(rest, second);
}

bool take_slot(std::string_view slot, std::string_view& rest, ValueName& name) {
  if (slot == "{side}") return take_side(rest, "source", "target", name.encoder);
  if (slot == "{stack}") return take_side(rest, "encoder", "decoder", name.encoder);
  if (slot == "{layer}")
    return take_side(rest, "encoder", "decoder", name.encoder) && take_word(rest, kLayers) &&
           take_number(rest, name.layer);
  if (slot == "{n}")
    return take_number(rest, name.sublayer) && name.sublayer >= 1 && name.sublayer <= (name.encoder ? 2 : 3);
  if (take_word(rest, kSelf)) return true;
  name.block = BlockKind::cross_attention;
  return !name.encoder && take_word(rest, slot == "{attention}" ? kCross : kCrossProjection);
}

std::optional<ValueName> read_as(const NamePattern& pattern, std::string_view rest) {
  ValueName name{pattern.block, pattern.value};
  for (std::string_view text = pattern.text; !text.empty();) {
    const std::size_t length = text[0] == '{' ? text.find('}') + 1 : std::min(text.find('{'), text.size());
    const std::string_view part = text.substr(0, length);
    if (!(part[0] == '{' ? take_slot(part, rest, name) : take_word(rest, part))) return std::nullopt;
    text.remove_prefix(length);
  }
  if (!rest.empty()) return std::nullopt;
  return name;
}

}  // namespace

std::string written(const ValueName& name) {
  if (name.block == BlockKind::stack && name.value == ValueKind::output)
    return std::string(name.encoder ? kMemory : kDecoderOutput);
  const BlockKind block = is_attention(name.block) ? BlockKind::self_attention : name.block;
  for (const NamePattern& pattern : kNamePatterns) {
    if (pattern.block != block || pattern.value != name.value) continue;
    std::string all;
    for (std::string_view text = pattern.text; !text.empty();) {
      const std::size_t length = text[0] == '{' ? text.find('}') + 1 : std::min(text.find('{'), text.size());
      const std::string_view part = text.substr(0, length);
      all += part[0] == '{' ? filled_in(part, name) : std::string(part);
      text.remove_prefix(length);
    }
    return all;
  }
  throw Error("names", "no such value in this block");
}

std::string written(ValueName name, ValueKind value) {
  name.value = value;
  return written(name);
}

std::optional<ValueName> read_name(std::string_view name) {
  for (const bool encoder : {true, false})
    if (name == (encoder ? kMemory : kDecoderOutput))
      return ValueName{BlockKind::stack, ValueKind::output, encoder};
  for (const NamePattern& pattern : kNamePatterns)
    if (const auto read = read_as(pattern, name)) return read;
  return std::nullopt;
}

std::optional<AttentionKind> attention_of(const ValueName& name) {
  if (name.block == BlockKind::cross_attention) return AttentionKind::cross;
  if (name.block != BlockKind::self_attention) return std::nullopt;
  return name.encoder ? AttentionKind::encoder : AttentionKind::decoder;
}

ValueName value_in(AttentionKind kind, int layer, ValueKind value) {
  const bool cross = kind == AttentionKind::cross;
  return {cross ? BlockKind::cross_attention : BlockKind::self_attention, value,
          kind == AttentionKind::encoder, layer};
}

std::optional<AttentionName> read_attention_name(std::string_view name) {
  const std::optional<ValueName> read = read_name(name);
  if (!read || is_parameter(read->value) || read->value == ValueKind::whole) return std::nullopt;
  const std::optional<AttentionKind> kind = attention_of(*read);
  if (!kind) return std::nullopt;
  return AttentionName{*kind, read->layer, read->value};
}

std::string attention_value(AttentionKind kind, int layer, ValueKind value) {
  return written(value_in(kind, layer, value));
}

std::string embedding_value(bool source, ValueKind value) {
  return written({BlockKind::embedding, value, source});
}

std::string output_value(ValueKind value) {
  return written({BlockKind::output, value});
}

std::string name_in_layer(const ValueName& name) {
  if (!in_layer(name.block) ||
      name == ValueName{BlockKind::layer, ValueKind::whole, name.encoder, name.layer})
    return {};
  return written(name).substr(layer_name(name.encoder, name.layer).size() + 1);
}

std::string parameters_block(const ValueName& name) {
  if (!in_embedding(name.block) && !is_attention(name.block)) return written(name, ValueKind::whole);
  ValueName first = name;
  if (in_embedding(name.block)) first.block = BlockKind::embedding;
  const std::string tensor =
      written(first, is_attention(name.block) ? ValueKind::projections_weight : ValueKind::embedding_table);
  return tensor.substr(0, tensor.rfind('.'));
}

bool is_name_of(ValueKind value, std::string_view name) {
  if (name == kMemory || name == kDecoderOutput) return value == ValueKind::output;
  return std::ranges::any_of(kNamePatterns, [&](const NamePattern& pattern) {
    return pattern.value == value && read_as(pattern, name);
  });
}

bool is_name_of_parameter(std::string_view name) {
  const std::optional<ValueName> read = read_name(name);
  return read && is_parameter(read->value);
}

std::string_view word_of(ValueKind value) {
  for (const NamePattern& pattern : kNamePatterns)
    if (pattern.value == value) return pattern.text.substr(pattern.text.rfind('.') + 1);
  return {};
}

std::string head_name(AttentionKind kind, int layer, int head) {
  const char* of = kind == AttentionKind::encoder   ? "encoder "
                   : kind == AttentionKind::decoder ? "decoder "
                                                    : "cross ";
  return of + std::to_string(layer + 1) + ", head " + std::to_string(head + 1);
}

std::string sub_block_name(const ValueName& block) {
  std::string name = block.block == BlockKind::cross_attention ? "" : block.encoder ? "encoder " : "decoder ";
  name += block.block == BlockKind::cross_attention  ? "cross-attention "
          : block.block == BlockKind::self_attention ? "self-attention "
                                                     : "feed-forward ";
  return name + std::to_string(block.layer + 1);
}

}  // namespace glassformer
