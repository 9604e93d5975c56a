#include "app/session/selection.h"

#include <algorithm>
#include <charconv>

namespace glassformer {

namespace {

constexpr std::string_view kAttentionParts[] = {"encoder.layers.", "decoder.layers."};

bool one_of(std::string_view part, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), part) != names.end();
}

}  // namespace

std::string attention_name(AttentionKind kind, int layer) {
  const std::string stack = kind == AttentionKind::encoder ? "encoder" : "decoder";
  const std::string attention = kind == AttentionKind::cross ? "cross_attn" : "self_attn";
  return stack + ".layers." + std::to_string(layer) + "." + attention;
}

std::optional<AttentionName> parse_attention_name(std::string_view name) {
  for (const std::string_view prefix : kAttentionParts) {
    if (!name.starts_with(prefix)) continue;
    AttentionName parsed;
    const std::string_view rest = name.substr(prefix.size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), parsed.layer);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view tail(end, static_cast<size_t>(rest.data() + rest.size() - end));
    const bool encoder = prefix[0] == 'e';
    const bool cross = tail.starts_with(".cross_attn.") && !encoder;
    if (!cross && !tail.starts_with(".self_attn.")) return std::nullopt;
    parsed.kind = encoder ? AttentionKind::encoder : cross ? AttentionKind::cross : AttentionKind::decoder;
    parsed.part = std::string(tail.substr(cross ? 12 : 11));
    return parsed;
  }
  return std::nullopt;
}

Selection selecting(Selection base, const CellRef& cell) {
  base.cell = cell;
  const std::optional<AttentionName> attention = parse_attention_name(cell.name);
  const std::vector<int>& at = cell.index;
  if (!attention || at.size() < 3) return base;
  if (one_of(attention->part, {"concat", "output"})) {
    base.kind = attention->kind;
    base.layer = attention->layer;
    base.sentence = at[0];
    return base;
  }
  if (at.size() != 4) return base;
  base.kind = attention->kind;
  base.layer = attention->layer;
  base.sentence = at[0];
  base.head = at[1];
  if (one_of(attention->part, {"weights", "scores", "masked_scores", "dot_products"})) {
    base.query = at[2];
    base.key = at[3];
  } else if (one_of(attention->part, {"query", "context"})) {
    base.query = at[2];
  } else if (one_of(attention->part, {"key", "value"})) {
    base.key = at[2];
  }
  return base;
}

}  // namespace glassformer
