#include "app/views/attention/attention_hits.h"

#include <cmath>

#include "app/inspector/operands.h"

namespace glassformer {

namespace {

// The head that is shown with these words alone, and what Ctrl makes of a click on them.
HitRegion word_region(const AttentionScene& scene, std::string label, std::optional<int> row,
                      std::optional<int> column, std::string tooltip) {
  Selection selection = scene.shown;
  selection.query = row;
  selection.key = column;
  selection.more_queries.clear();
  selection.more_keys.clear();
  HitRegion hit = picking(std::move(label), repinned(selection), std::move(tooltip));
  hit.add = AddPin{selection};
  return hit;
}

}  // namespace

HitRegion cell_hit(const AttentionScene& scene, int row, int column) {
  const auto query = static_cast<size_t>(row), key = static_cast<size_t>(column);
  if (row >= scene.computed_rows)
    return {
        .label = head_label(scene.shown) + " query " + std::to_string(row) + " key " + std::to_string(column),
        .tooltip = "not computed yet: this word is written in a later step"};
  const float value = scene.table.at(row, column);
  const std::string weight = scene.table.is_hidden(row, column) ? "hidden by the mask"
                             : scene.limit > 0                  ? "weight " + value_text(std::abs(value)) +
                                                     (value < 0 ? " less" : " more") + " than in the second"
                                               : "weight " + value_text(value);
  const std::string head =
      scene.shown.head < 0 ? "mean over heads" : "head " + std::to_string(scene.shown.head + 1);
  return word_region(
      scene, head_label(scene.shown) + " query " + std::to_string(row) + " key " + std::to_string(column),
      row, column,
      "query “" + scene.queries[query] + "”, key “" + scene.keys[key] + "”, " + head + "\n" + weight);
}

HitRegion line_hit(const AttentionScene& scene, std::optional<int> row, std::optional<int> column,
                   const std::string& where) {
  const std::string axis = row ? "query " + std::to_string(*row) : "key " + std::to_string(*column);
  const std::string& word =
      row ? scene.queries[static_cast<size_t>(*row)] : scene.keys[static_cast<size_t>(*column)];
  if (row && *row >= scene.computed_rows)
    return {.label = head_label(scene.shown) + " " + axis + where,
            .tooltip = "not computed yet: this word is written in a later step"};
  return word_region(scene, head_label(scene.shown) + " " + axis + where, row, column,
                     (row ? "query “" : "key “") + word + "”");
}

}  // namespace glassformer
