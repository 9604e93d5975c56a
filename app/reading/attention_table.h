// One head's table of a sentence, cut out of the padded Trace: what heatmaps, tiles and ribbons of attention
// draw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reading/view_input.h"
#include "app/widgets/heatmap.h"
#include "engine/model/names.h"

namespace glassformer {

struct AttentionTable {
  int rows = 0, columns = 0;          // queries, keys: the sentence's real tokens
  std::vector<float> values;          // (rows, columns)
  std::vector<unsigned char> hidden;  // (rows, columns): 1 where a mask made the score −∞

  Plane plane() const { return {values.data(), rows, columns}; }
  float at(int row, int column) const { return values[index(row, column)]; }
  bool is_hidden(int row, int column) const { return !hidden.empty() && hidden[index(row, column)] != 0; }
  // Its numbers are 0 and hidden from here on.
  void cover(int row);
  // Refers to this table, which must outlive it.
  HeatmapData data() const;

 private:
  size_t index(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
  }
};

// `part` is what of the attention is shown: weights, scores and so on; head -1: the mean over heads. `trace`
// is one of the result's two.
AttentionTable attention_table(const Trace& trace, AttentionKind kind, int layer, int head, int sentence,
                               ValueKind part = ValueKind::weights);

// The row of a head's attention that a page of a lesson asks for, so that no picture shows it; head -1: of
// their mean, which would show it too.
std::optional<int> covered_row(const std::optional<CoveredRow>& covered, AttentionKind kind, int layer,
                               int head, int sentence);

// What a picture shows of one head: its weights, or how those of a second Scene differ from them.
AttentionTable shown_attention(const ViewInput& input, AttentionKind kind, int layer, int head, int sentence);

// The end of the symmetric scale for the differences of all heads of one attention; 0: the weights themselves
// are shown.
double difference_limit(const ViewInput& input, AttentionKind kind, int sentence);

// In nats, of the row's shares in their sum: 0 is one word alone. NaN: all its numbers are 0.
double row_entropy(const AttentionTable& table, int row);

// The same with every padded row and column of the batch.
AttentionTable padded_attention_table(const Trace& trace, AttentionKind kind, int layer, int head,
                                      int sentence, ValueKind part = ValueKind::weights);

// The same where only the first rows are there: the others are drawn like hidden cells, without a colour.
HeatmapData written_so_far(HeatmapData data, int rows);

// How many rows of all heads of this attention do not sum to 1, the padding counted: set by hand. Of a
// difference: in either of the two.
int rows_not_one(const ViewInput& input, AttentionKind kind, int sentence);

// What each of the sentence's queries gives to the padding behind its keys: above 0 only while the padding
// mask is off.
std::vector<double> padding_weights(const Trace& trace, const Selection& shown);

// The selection brought inside the model and the sentence that are shown now.
Selection within(const Selection& selection, const ViewInput& input);

// True for what an attention computes or learns, gradients apart; and for what it has of every query and key.
bool in_attention(const CellRef& cell);
bool is_weight(const CellRef& cell);

}  // namespace glassformer
