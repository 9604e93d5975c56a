#include "app/scene/selection.h"

#include <algorithm>
#include <charconv>

namespace glassformer {

namespace {

constexpr std::string_view kAttentionParts[] = {"encoder.layers.", "decoder.layers."};

bool one_of(std::string_view part, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), part) != names.end();
}

// The word becomes the one explained; the one before it stays lit.
void lead(std::optional<int>& first, std::vector<int>& more, int place) {
  if (first == place) return;
  std::erase(more, place);
  if (first) more.push_back(*first);
  first = place;
}

void drop_first(std::optional<int>& first, std::vector<int>& more) {
  first.reset();
  if (more.empty()) return;
  first = more.back();
  more.pop_back();
}

void toggle(std::optional<int>& first, std::vector<int>& more, int place) {
  if (first == place) return drop_first(first, more);
  if (std::erase(more, place) == 0) lead(first, more, place);
}

bool one_of_them(const std::optional<int>& first, const std::vector<int>& more, int place) {
  return first == place || std::find(more.begin(), more.end(), place) != more.end();
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
  base.more_queries.clear();
  base.more_keys.clear();
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

Selection adding(Selection base, const Selection& added) {
  if (base.kind != added.kind || base.layer != added.layer || base.head != added.head ||
      base.sentence != added.sentence)
    return added;
  base.cell.reset();
  if (added.query && added.key) {
    if (base.query == added.query && base.key == added.key) {
      drop_first(base.query, base.more_queries);
      drop_first(base.key, base.more_keys);
    } else {
      lead(base.query, base.more_queries, *added.query);
      lead(base.key, base.more_keys, *added.key);
    }
  } else if (added.query) {
    toggle(base.query, base.more_queries, *added.query);
  } else if (added.key) {
    toggle(base.key, base.more_keys, *added.key);
  }
  return base;
}

Selection of_kind(Selection base, AttentionKind kind) {
  if (base.kind == kind) return base;
  if (base.kind == AttentionKind::encoder || kind == AttentionKind::encoder) {
    base.query.reset();
    base.more_queries.clear();
  }
  base.key.reset();
  base.more_keys.clear();
  base.cell.reset();
  base.kind = kind;
  return base;
}

Selection at_step(Selection base, int row) {
  if (base.kind == AttentionKind::encoder) return base;
  base.query = row;
  base.key.reset();
  base.cell.reset();
  base.more_queries.clear();
  base.more_keys.clear();
  return base;
}

bool has_query(const Selection& selection, int row) {
  return one_of_them(selection.query, selection.more_queries, row);
}

bool has_key(const Selection& selection, int column) {
  return one_of_them(selection.key, selection.more_keys, column);
}

}  // namespace glassformer
