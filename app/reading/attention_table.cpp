#include "app/reading/attention_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/reading/difference.h"
#include "app/reading/scene_words.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

struct Size {
  int rows = 0, columns = 0;
};

Size real_size(const Trace& trace, AttentionKind kind, int sentence) {
  const auto at = static_cast<size_t>(sentence);
  if (at >= trace.source.size() || at >= trace.target_in.size()) return {};
  const int source = static_cast<int>(trace.source[at].size()),
            target = static_cast<int>(trace.target_in[at].size());
  switch (kind) {
    case AttentionKind::encoder:
      return {source, source};
    case AttentionKind::decoder:
      return {target, target};
    case AttentionKind::cross:
      break;
  }
  return {target, source};
}

// The first rows and columns of one head's plane.
std::vector<float> cut(const Plane& plane, const Size& size) {
  std::vector<float> values;
  values.reserve(static_cast<size_t>(size.rows) * static_cast<size_t>(size.columns));
  for (int row = 0; row < size.rows; ++row)
    for (int column = 0; column < size.columns; ++column) values.push_back(plane(row, column));
  return values;
}

AttentionTable table_of(const Trace& trace, const ValueName& value, int sentence, int head, Size size) {
  AttentionTable table;
  const std::string name = written(value), masked_name = written(value, ValueKind::masked_scores);
  const Tensor* tensor = trace.find(name);
  if (!tensor || tensor->rank() != 4 || sentence >= tensor->shape[0]) return table;
  table.rows = std::min(size.rows, tensor->rows());
  table.columns = std::min(size.columns, tensor->columns());
  size = {table.rows, table.columns};

  const int heads = tensor->shape[1];
  if (head >= 0) {
    table.values = cut(trace.plane(name, sentence, std::min(head, heads - 1)), size);
  } else {
    table.values.assign(static_cast<size_t>(size.rows) * static_cast<size_t>(size.columns), 0.0f);
    for (int each = 0; each < heads; ++each) {
      const std::vector<float> one = cut(trace.plane(name, sentence, each), size);
      for (size_t i = 0; i < one.size(); ++i) table.values[i] += one[i] / static_cast<float>(heads);
    }
  }

  const bool before_mask = value.value == ValueKind::scores || value.value == ValueKind::dot_products;
  if (!before_mask && trace.find(masked_name)) {
    const std::vector<float> masked = cut(trace.plane(masked_name, sentence, std::max(head, 0)), size);
    for (const float each : masked) table.hidden.push_back(std::isinf(each) && each < 0 ? 1 : 0);
  }
  return table;
}

}  // namespace

void AttentionTable::cover(int row) {
  if (row < 0 || row >= rows) return;
  hidden.resize(values.size(), 0);
  for (int column = 0; column < columns; ++column) {
    values[index(row, column)] = 0;
    hidden[index(row, column)] = 1;
  }
}

HeatmapData AttentionTable::data() const {
  HeatmapData data{.values = plane()};
  if (!hidden.empty()) data.masked = [this](int row, int column) { return is_hidden(row, column); };
  return data;
}

AttentionTable attention_table(const Trace& trace, AttentionKind kind, int layer, int head, int sentence,
                               ValueKind part) {
  return table_of(trace, value_in(kind, layer, part), sentence, head, real_size(trace, kind, sentence));
}

std::optional<int> covered_row(const std::optional<CoveredRow>& covered, AttentionKind kind, int layer,
                               int head, int sentence) {
  const bool here = covered && covered->kind == kind && covered->layer == layer && sentence == 0 &&
                    (head < 0 || covered->head < 0 || covered->head == head);
  return here ? std::optional(covered->query) : std::nullopt;
}

AttentionTable shown_attention(const ViewInput& input, AttentionKind kind, int layer, int head,
                               int sentence) {
  AttentionTable table = attention_table(*input.result.trace, kind, layer, head, sentence);
  if (const auto covered = covered_row(input.covered, kind, layer, head, sentence)) table.cover(*covered);
  if (!input.difference_to) return table;
  const AttentionTable second = attention_table(*input.difference_to->trace, kind, layer, head, sentence);
  if (second.rows != table.rows || second.columns != table.columns)
    throw Error("difference", "the two have other words or other heads");
  for (size_t i = 0; i < table.values.size(); ++i)
    table.values[i] = second_less_first(second.values[i], table.values[i]);
  if (second.hidden.empty()) table.hidden.clear();
  for (size_t i = 0; i < table.hidden.size(); ++i) table.hidden[i] &= second.hidden[i];
  return table;
}

double difference_limit(const ViewInput& input, AttentionKind kind, int sentence) {
  if (!input.difference_to) return 0;
  const Config& config = input.snapshot.config;
  double largest = 0;
  for (int layer = 0; layer < attention_layers(config, kind); ++layer)
    for (int head = 0; head < config.heads; ++head)
      largest =
          std::max(largest, largest_magnitude(shown_attention(input, kind, layer, head, sentence).data()));
  return largest > 0 ? round_limit(largest) : 1;
}

double row_entropy(const AttentionTable& table, int row) {
  double sum = 0, entropy = 0;
  for (int key = 0; key < table.columns; ++key) sum += static_cast<double>(table.at(row, key));
  if (sum <= 0) return std::nan("");
  for (int key = 0; key < table.columns; ++key)
    if (const double share = static_cast<double>(table.at(row, key)) / sum; share > 0)
      entropy -= share * std::log(share);
  return entropy;
}

AttentionTable padded_attention_table(const Trace& trace, AttentionKind kind, int layer, int head,
                                      int sentence, ValueKind part) {
  constexpr int kAll = 1 << 20;
  return table_of(trace, value_in(kind, layer, part), sentence, head, {kAll, kAll});
}

int rows_not_one(const ViewInput& input, AttentionKind kind, int sentence) {
  constexpr double kRounding = 1e-3;
  const Config& config = input.snapshot.config;
  std::set<std::array<int, 3>> rows;  // layer, head, row
  for (const SceneResult* const result : {&input.result, input.difference_to}) {
    if (!result) continue;
    const int real = real_size(*result->trace, kind, sentence).rows;
    for (int layer = 0; layer < attention_layers(config, kind); ++layer)
      for (int head = 0; head < config.heads; ++head) {
        const AttentionTable table = padded_attention_table(*result->trace, kind, layer, head, sentence);
        for (int row = 0; row < std::min(real, table.rows); ++row) {
          double sum = 0;
          for (int column = 0; column < table.columns; ++column)
            sum += static_cast<double>(table.at(row, column));
          if (!(std::abs(sum - 1) <= kRounding)) rows.insert({layer, head, row});
        }
      }
  }
  return static_cast<int>(rows.size());
}

std::vector<double> padding_weights(const Trace& trace, const Selection& shown) {
  const Size real = real_size(trace, shown.kind, shown.sentence);
  const AttentionTable all =
      padded_attention_table(trace, shown.kind, shown.layer, shown.head, shown.sentence);
  std::vector<double> sums(static_cast<size_t>(real.rows), 0.0);
  for (int row = 0; row < std::min(real.rows, all.rows); ++row)
    for (int column = real.columns; column < all.columns; ++column)
      sums[static_cast<size_t>(row)] += all.at(row, column);
  return sums;
}

HeatmapData written_so_far(HeatmapData data, int rows) {
  if (rows >= data.values.rows) return data;
  data.masked = [masked = std::move(data.masked), rows](int row, int column) {
    return row >= rows || (masked && masked(row, column));
  };
  return data;
}

Selection within(const Selection& selection, const ViewInput& input) {
  Selection inside = selection;
  const Config& config = input.snapshot.config;
  const Trace& trace = *input.result.trace;
  inside.layer = std::clamp(selection.layer, 0, attention_layers(config, selection.kind) - 1);
  inside.head = std::clamp(selection.head, -1, config.heads - 1);
  inside.sentence = std::clamp(selection.sentence, 0, std::max(0, static_cast<int>(trace.source.size()) - 1));
  const Size size = real_size(trace, selection.kind, inside.sentence);
  if (inside.query && *inside.query >= size.rows) inside.query.reset();
  if (inside.key && *inside.key >= size.columns) inside.key.reset();
  std::erase_if(inside.more_queries, [&](int row) { return row >= size.rows; });
  std::erase_if(inside.more_keys, [&](int column) { return column >= size.columns; });
  return inside;
}

bool in_attention(const CellRef& cell) {
  const std::optional<ValueName> name = read_name(cell.name);
  return !cell.gradient && name && is_attention(name->block);
}

bool is_weight(const CellRef& cell) {
  return in_attention(cell) && cell.index.size() == 4;
}

}  // namespace glassformer
