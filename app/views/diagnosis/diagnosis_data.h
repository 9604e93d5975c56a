// What the looks at a run found, as tables: a row for each part of the model, a number in it for each look.
// Each is a plot of the Diagnosis view and a table of its CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/selection.h"
#include "engine/train/diagnosis.h"

namespace glassformer {

enum class Finding { gradient, update, silent, entropy, saturation };

struct FindingRow {
  std::string name;            // "encoder layer 1", "cross-attention, layer 2, head 1"
  std::vector<double> values;  // one a look; NaN: not known
  // Of a layer: which stack it stands in, and how far up, from 0 to 1.
  enum class Stack { none, encoder, decoder } stack = Stack::none;
  double height = 1;
  // Of a head.
  AttentionKind kind = AttentionKind::cross;
  int layer = 0, head = 0;
};

struct FindingTable {
  Finding finding = Finding::gradient;
  std::string heading, advice;  // "What to look at: ..."
  std::vector<FindingRow> rows;
  std::size_t heads = 0;  // rows that belong together, those of one attention; 0: the rows are layers

  std::string value(std::size_t row, std::size_t look) const;  // as it is read: "0.012", "40 %"
  double mean(std::size_t look) const;                         // of the rows that are known; else NaN
};

struct Findings {
  bool recorded = false;             // false: one look at the open model, which knows nothing of gradients
  std::vector<double> steps;         // of the looks
  std::vector<FindingTable> tables;  // in the order of Finding; the first two only when recorded

  std::size_t look_at(long step) const;  // the last one up to this step, else the first
};

Findings findings(const Diagnosis& diagnosis, const Config& config);  // that fits the model
Findings findings_now(const Look& look, const Config& config);

// The row of this head; nothing when none is meant alone.
std::optional<std::size_t> row_of(const FindingTable& table, const Selection& selection);
std::string finding_text(Finding finding, double value);

}  // namespace glassformer
