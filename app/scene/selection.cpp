#include "app/scene/selection.h"

#include <algorithm>

namespace glassformer {

namespace {

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

std::optional<int> moved(int place, const SourcePlaces& places) {
  const auto at = static_cast<std::size_t>(place);
  return at < places.size() ? places[at] : std::nullopt;
}

void move_all(std::optional<int>& first, std::vector<int>& more, const SourcePlaces& places) {
  if (first) first = moved(*first, places);
  std::vector<int> kept;
  for (const int place : more)
    if (const auto there = moved(place, places)) kept.push_back(*there);
  more = std::move(kept);
  if (!first) drop_first(first, more);
}

// The axes of a value's index that are places in the source.
std::vector<std::size_t> source_axes(const CellRef& cell) {
  const std::optional<ValueName> name = read_name(cell.name);
  if (!name || is_parameter(name->value) || cell.index.size() < 2) return {};
  const bool of_source = name->encoder;
  if (!is_attention(name->block) || cell.index.size() < 4)
    return of_source ? std::vector<std::size_t>{1} : std::vector<std::size_t>{};
  if (has_heads(name->value)) {
    const bool moves = of_source || (name->block == BlockKind::cross_attention && of_keys(name->value));
    return moves ? std::vector<std::size_t>{2} : std::vector<std::size_t>{};
  }
  if (of_source) return {2, 3};
  return name->block == BlockKind::cross_attention ? std::vector<std::size_t>{3} : std::vector<std::size_t>{};
}

std::optional<CellRef> moved(CellRef cell, const SourcePlaces& places) {
  for (const std::size_t axis : source_axes(cell)) {
    const std::optional<int> there = moved(cell.index[axis], places);
    if (!there) return std::nullopt;
    cell.index[axis] = *there;
  }
  return cell;
}

bool one_of_them(const std::optional<int>& first, const std::vector<int>& more, int place) {
  return first == place || std::find(more.begin(), more.end(), place) != more.end();
}

}  // namespace

Selection selecting(Selection base, const CellRef& cell) {
  base.cell = cell;
  base.more_queries.clear();
  base.more_keys.clear();
  const std::optional<AttentionName> attention = read_attention_name(cell.name);
  const std::vector<int>& at = cell.index;
  if (!attention || at.size() < 3) return base;
  const bool of_all_heads = attention->value == ValueKind::concat || attention->value == ValueKind::output;
  if (!of_all_heads && at.size() != 4) return base;
  base.kind = attention->kind;
  base.layer = attention->layer;
  base.sentence = at[0];
  if (of_all_heads) return base;
  base.head = at[1];
  switch (attention->value) {
    case ValueKind::weights:
    case ValueKind::scores:
    case ValueKind::masked_scores:
    case ValueKind::dot_products:
      base.query = at[2];
      base.key = at[3];
      break;
    default:
      if (of_keys(attention->value)) {
        base.key = at[2];
      } else if (has_heads(attention->value)) {
        base.query = at[2];
      }
      break;
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

Selection in_source_places(Selection base, const SourcePlaces& places) {
  if (places.empty()) return base;
  if (base.cell) base.cell = moved(*base.cell, places);
  if (base.kind == AttentionKind::encoder) move_all(base.query, base.more_queries, places);
  if (base.kind != AttentionKind::decoder) move_all(base.key, base.more_keys, places);
  return base;
}

bool has_query(const Selection& selection, int row) {
  return one_of_them(selection.query, selection.more_queries, row);
}

bool has_key(const Selection& selection, int column) {
  return one_of_them(selection.key, selection.more_keys, column);
}

}  // namespace glassformer
