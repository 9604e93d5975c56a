// What ALiBi takes from a score: a head's slope times the distance of two words.
#include <memory>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/positions/positions.h"
#include "app/widgets/heatmap.h"
#include "engine/layers/distance_bias.h"

namespace glassformer {

namespace {

constexpr float kBetween = 40;

// A number a head and distance, or for one head a number a pair of words.
Matrix<float> bias_by_distance(int heads, int distances) {
  Matrix<float> bias(heads, distances);
  for (int head = 0; head < heads; ++head)
    for (int distance = 0; distance < distances; ++distance)
      bias(head, distance) = static_cast<float>(-distance_slope(head, heads) * distance);
  return bias;
}

Matrix<float> bias_between(int head, int heads, int words) {
  Matrix<float> bias = Matrix<float>::Zero(words, words);
  add_distance_bias<float>(static_cast<float>(distance_slope(head, heads)), {}, 0, bias);
  return bias;
}

Plane plane_of(const Matrix<float>& matrix) {
  return {matrix.data(), static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols())};
}

int bias_head(const ViewInput& input) {
  return std::clamp(input.shown.head, 0, input.snapshot.config.heads - 1);
}

std::string head_name(int head) {
  return "head " + std::to_string(head + 1);
}

NumberTable numbers_of(std::string title, const Matrix<float>& values, std::vector<std::string> rows,
                       std::vector<std::string> columns) {
  NumberTable table{.title = std::move(title), .columns = std::move(columns), .rows = std::move(rows)};
  for (const auto& row : values.rowwise()) table.values.emplace_back(row.begin(), row.end());
  return table;
}

}  // namespace

void draw_bias(Canvas& canvas, const Rect& content, const ViewInput& input, TextSide side) {
  const int heads = input.snapshot.config.heads, head = bias_head(input);
  const auto& words = words_of(input, side);
  const float half = (content.width - kBetween) / 2;

  // Every head by distance.
  const Rect left =
      draw_heading(canvas, {content.x, content.y, half, content.height}, "What a score loses, by distance",
                   {.note = "rows: head, columns: words apart"});
  const auto all =
      std::make_shared<const Matrix<float>>(bias_by_distance(heads, std::min(17, shown_positions(input))));
  HeatmapOptions options;
  options.scale = ColorScale::signed_value;
  options.columns_below = options.column_indices = true;
  options.pinned_row = head;
  for (int row = 0; row < heads; ++row) options.row_labels.push_back(head_name(row));
  options.max_cell = 44;
  const auto pin = [pinned = input.pinned](int row) {
    Selection chosen = pinned;
    chosen.head = row;
    return chosen;
  };
  options.cell_hit = [all, pin](int row, int column) {
    return HitRegion{.label = head_name(row) + " distance " + std::to_string(column),
                     .click = SetPin{pin(row)},
                     .tooltip = head_name(row) + ", " + std::to_string(column) + " words apart\n" +
                                format_pinned((*all)(row, column))};
  };
  options.row_hit = [pin](int row) { return HitRegion{.label = head_name(row), .click = SetPin{pin(row)}}; };
  draw_heatmap(canvas, left, {.values = plane_of(*all)}, options);

  // One of them between the words at hand.
  const Rect right = draw_heading(
      canvas, {content.x + half + kBetween, content.y, half, content.height}, "Between two words",
      {.note = head_name(head) + ", slope " + format_short(distance_slope(head, heads))});
  const Matrix<float> between = bias_between(head, heads, static_cast<int>(words.size()));
  HeatmapOptions pairs;
  pairs.scale = ColorScale::signed_value;
  pairs.decimals = 2;  // slopes are small
  pairs.row_labels = pairs.column_labels = words;
  pairs.max_cell = 44;
  draw_heatmap(canvas, right, {.values = plane_of(between)}, pairs);
}

std::vector<NumberTable> bias_numbers(const ViewInput& input, TextSide side) {
  const int heads = input.snapshot.config.heads, distances = std::min(17, shown_positions(input));
  const auto& words = words_of(input, side);
  std::vector<std::string> rows, columns;
  for (int head = 0; head < heads; ++head) rows.push_back(head_name(head));
  for (int distance = 0; distance < distances; ++distance)
    columns.push_back("distance " + std::to_string(distance));
  return {numbers_of("what a score loses, by head and distance", bias_by_distance(heads, distances), rows,
                     columns),
          numbers_of("what a score loses between two words, " + head_name(bias_head(input)),
                     bias_between(bias_head(input), heads, static_cast<int>(words.size())), words, words)};
}

InspectorSection slopes_section(const ViewInput& input) {
  const int heads = input.snapshot.config.heads;
  InspectorSection section{.heading = "Slopes", .note = "taken from a score a word of distance"};
  for (int head = 0; head < heads; ++head)
    section.rows.push_back({.label = head_name(head),
                            .value = format_short(distance_slope(head, heads)),
                            .emphasized = head == bias_head(input)});
  section.text =
      "Given, not learned, and the same for every sentence: each head has its own. Cross-attention has none, "
      "since its two sides count differently.";
  return section;
}

}  // namespace glassformer
