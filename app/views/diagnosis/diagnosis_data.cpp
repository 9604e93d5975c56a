#include "app/views/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

using ValueOf = std::function<float(const Look&, std::size_t row)>;

std::vector<double> values_of(const std::vector<Look>& looks, std::size_t row, const ValueOf& value) {
  std::vector<double> values;
  values.reserve(looks.size());
  for (const Look& look : looks) values.push_back(static_cast<double>(value(look, row)));
  return values;
}

// The parts of the model, or its layers alone.
struct Parts {
  std::vector<std::string> names;
  std::vector<ValueName> blocks;
};

Parts layers_of(const Parts& parts) {
  Parts layers;
  for (std::size_t i = 0; i < parts.names.size(); ++i) {
    if (!in_layer(parts.blocks[i].block)) continue;
    layers.names.push_back(parts.names[i]);
    layers.blocks.push_back(parts.blocks[i]);
  }
  return layers;
}

FindingTable layer_table(const Parts& parts, const std::vector<Look>& looks, const ValueOf& value) {
  using Stack = FindingRow::Stack;
  FindingTable table;
  const auto stack_of = [](const ValueName& part) {
    if (!in_layer(part.block)) return Stack::none;
    return part.encoder ? Stack::encoder : Stack::decoder;
  };
  for (std::size_t row = 0; row < parts.names.size(); ++row)
    table.rows.push_back({.name = parts.names[row],
                          .values = values_of(looks, row, value),
                          .stack = stack_of(parts.blocks[row])});
  for (const Stack stack : {Stack::none, Stack::encoder, Stack::decoder}) {
    const auto count = std::ranges::count(table.rows, stack, &FindingRow::stack);
    double place = 0;
    for (FindingRow& row : table.rows)
      if (row.stack == stack) row.height = ++place / static_cast<double>(count);
  }
  return table;
}

FindingTable head_table(const Config& config, const std::vector<Look>& looks, const ValueOf& value) {
  FindingTable table;
  table.heads = static_cast<std::size_t>(config.heads);
  for (const ValueName& place : diagnosed_places(config).attentions) {
    const AttentionKind kind = *attention_of(place);
    for (int head = 0; head < config.heads; ++head)
      table.rows.push_back({.name = attention_title(kind) + ", " + head_words(place.layer, head),
                            .values = values_of(looks, table.rows.size(), value),
                            .kind = kind,
                            .layer = place.layer,
                            .head = head});
  }
  return table;
}

FindingTable titled(FindingTable table, Finding finding, const char* heading, const char* advice) {
  table.finding = finding;
  table.heading = heading;
  table.advice = std::string("What to look at: ") + advice;
  return table;
}

std::vector<FindingTable> tables_of(const std::vector<Look>& looks, const Config& config, bool recorded) {
  const DiagnosedPlaces places = diagnosed_places(config);
  const Parts parts{places.parts, places.part_blocks};
  std::vector<FindingTable> tables;
  if (recorded) {
    const auto norm = [](const Look& look, std::size_t row) { return look.gradient_norms[row]; };
    tables.push_back(titled(layer_table(parts, looks, norm), Finding::gradient, "Gradient norm",
                            "all layers should lie within a factor of ten or so. A sudden tenfold jump "
                            "warns of divergence."));
    const auto ratio = [](const Look& look, std::size_t row) { return look.update_ratios[row]; };
    tables.push_back(titled(layer_table(parts, looks, ratio), Finding::update, "Update / weight",
                            "near a thousandth a step learning is steady. Far above it weights are thrown "
                            "about, far below they stand still."));
  }
  const bool relu = config.unit_activation() == Activation::relu;
  const auto silent = [](const Look& look, std::size_t row) { return look.silent[row]; };
  if (!places.feed_forwards.empty())
    tables.push_back(titled(layer_table(layers_of(parts), looks, silent), Finding::silent,
                            relu ? "Dead feed-forward units" : "Silent feed-forward units",
                            relu ? "units above 0 for none of these words. While that lasts ReLU passes "
                                   "nothing through them, and they do not learn."
                                 : "units above 0 for none of these words. They add little, but unlike "
                                   "those of ReLU they still learn."));
  const auto entropy = [](const Look& look, std::size_t row) { return look.heads[row].entropy; };
  tables.push_back(titled(head_table(config, looks, entropy), Finding::entropy, "Attention entropy",
                          "a yellow head reads all words alike. Heads that turn blue have found the "
                          "words they want."));
  const auto saturation = [](const Look& look, std::size_t row) { return look.heads[row].saturation; };
  const bool softmax = config.attention_activation == AttentionActivation::softmax;
  tables.push_back(titled(head_table(config, looks, saturation), Finding::saturation,
                          softmax ? "Saturated attention" : "Rows that read one word",
                          softmax ? "the share of rows with one weight above 0.99. Such a row passes "
                                    "hardly any gradient back; a model may learn all the same."
                                  : "the share of rows with one weight above 0.99 of what they add up to. "
                                    "ReLU passes a gradient back through it all the same."));
  return tables;
}

}  // namespace

std::string finding_text(Finding finding, double value) {
  if (!std::isfinite(value)) return "–";
  switch (finding) {
    case Finding::gradient:
    case Finding::update:
      return format_short(value);
    case Finding::silent:
    case Finding::saturation:
      return format_percent(value);
    case Finding::entropy:
      break;
  }
  return format_fixed(value, 2);
}

std::string FindingTable::value(std::size_t row, std::size_t look) const {
  return finding_text(finding, rows[row].values[look]);
}

double FindingTable::mean(std::size_t look) const {
  double sum = 0;
  int known = 0;
  for (const FindingRow& row : rows) {
    if (!std::isfinite(row.values[look])) continue;
    sum += row.values[look];
    ++known;
  }
  return known > 0 ? sum / known : std::numeric_limits<double>::quiet_NaN();
}

std::size_t Findings::look_at(long step) const {
  const auto after = std::ranges::upper_bound(steps, static_cast<double>(step));
  return after == steps.begin() ? 0 : static_cast<std::size_t>(after - steps.begin()) - 1;
}

Findings findings(const Diagnosis& diagnosis, const Config& config) {
  Findings found{.recorded = true, .steps = {}, .tables = tables_of(diagnosis.looks, config, true)};
  for (const Look& look : diagnosis.looks) found.steps.push_back(static_cast<double>(look.step));
  return found;
}

Findings findings_now(const Look& look, const Config& config) {
  return {.recorded = false,
          .steps = {static_cast<double>(look.step)},
          .tables = tables_of({look}, config, false)};
}

std::optional<std::size_t> row_of(const FindingTable& table, const Selection& selection) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const FindingRow& row = table.rows[i];
    if (table.heads > 0 && row.kind == selection.kind && row.layer == selection.layer &&
        row.head == selection.head)
      return i;
  }
  return std::nullopt;
}

}  // namespace glassformer
