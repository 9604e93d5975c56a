// The second page of the Lookup view: the same table, with the words of the sentence for facts and one row of
// the open model's attention for the lookup.
#pragma once

#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/lookup/lookup_table.h"
#include "engine/model/attention_row.h"

namespace glassformer {

// The row that the selection means: its own query, or one in the middle of the sentence; head 1 for the mean.
struct RowScene {
  const ViewInput& input;
  Selection shown;                 // inside the model; layer, head and query are set
  int rows = 0;                    // queries of the sentence
  std::string asker, writes;       // the row's word, and what it is to write; writes is empty in the encoder
  std::vector<std::string> words;  // of the keys; padding that is looked at besides
  double temperature = 1;
  AttentionRow row;

  std::string place() const;  // "layer 2, head 1"
  int seen() const;           // keys that the mask leaves
  // The model's own weights are shown, and a ReLU makes them: else a softmax of its scores.
  bool relu() const;
  std::string soft_name() const { return relu() ? "ReLU / n" : "softmax"; }
  CellRef cell(ValueKind value, int column) const;  // of the row: weights, masked_scores, query, context
  CellRef cell(ValueKind value, int key, int column) const;  // key, value
};
RowScene row_scene(const ViewInput& input, double temperature);

// The weighted sum in words, strongest first: "0.972 × a + 0.026 × <eos> + the rest".
std::string row_sum(const RowScene& scene);

// The shared selection on another row, without a key or a number.
Selection select_row(const RowScene& scene, int row);

struct RowLayout {
  Rect asker, back, next, temperature, kind;
  LookupTableLayout table;
  Rect hard, soft;
};
RowLayout layout_row(const Rect& content, int words);
float row_page_height(int words);
void draw_row(Canvas& canvas, const Rect& content, const RowScene& scene);
// Its table, in which the query has the name of who asks.
void draw_row_alone(Canvas& canvas, const Rect& content, const RowScene& scene);

// Nothing when the Trace's own number explains itself.
std::optional<InspectorPage> row_page(const RowScene& scene);
std::vector<NumberTable> row_numbers(const RowScene& scene);
std::string row_caption(const RowScene& scene);

}  // namespace glassformer
