#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/positions/positions_view.h"
#include "app/widgets/heatmap.h"
#include "engine/model/position_study.h"

namespace glassformer {

namespace {

// The first rows of a table, one a word.
Plane first_rows(Plane plane, std::size_t words) {
  plane.rows = std::min(plane.rows, static_cast<int>(words));
  return plane;
}

// The largest product of two rows is a row's with itself.
double largest_product(const Plane& plane) {
  double largest = 0;
  for (int row = 0; row < plane.rows; ++row) {
    double square = 0;
    for (int column = 0; column < plane.columns; ++column)
      square += double(plane(row, column)) * double(plane(row, column));
    largest = std::max(largest, square);
  }
  return largest;
}

}  // namespace

Rect PositionsView::columns_plot(const Rect& distance) {
  return {distance.x + 40, distance.y + kHeadingHeight + 16, distance.width - 48,
          distance.height - kHeadingHeight - 16 - 44};
}

Rect PositionsView::column(const Rect& plot, int index, int count) {
  const float pitch = std::floor(plot.width / static_cast<float>(count));
  return {plot.x + pitch * static_cast<float>(index), plot.y, std::max(2.0f, pitch - 4), plot.height};
}

void PositionsView::draw_distance(Canvas& canvas, const Rect& part, const ViewInput& input,
                                  const PositionTable& table) const {
  const Theme& theme = canvas.theme();
  const bool switched = table.waves() && !canvas.is_file();
  draw_heading(
      canvas, part,
      table.turned()  ? "A query and an equal key, by distance"
      : table.waves() ? "Near positions look alike"
                      : "How alike, by distance",
      {.note = switched ? "" : "mean dot product of two positions", .reserved = switched ? 120.0f : 0.0f});
  const Rect plot = columns_plot(part);
  const auto values = similarity_by_distance(table.plane(), distances(table));

  // The scale: from 0, or from below when some are negative.
  double low = 0, high = 0;
  for (const ViewInput& each : sharing_inputs(input)) {
    const PositionTable one_table = this->table(each);
    for (const DistanceSimilarity& one : similarity_by_distance(one_table.plane(), distances(one_table))) {
      low = std::min(low, one.mean);
      high = std::max(high, one.mean);
    }
  }
  if (high > 0) high = round_limit(high);
  if (low < 0) low = -round_limit(-low);
  if (high == low) high = 1;
  const auto to_y = [&](double value) {
    return std::round(plot.bottom() - static_cast<float>((value - low) / (high - low)) * plot.height);
  };
  for (const double tick : {low, low < 0 ? 0.0 : (low + high) / 2, high}) {
    canvas.line({plot.x, to_y(tick)}, {plot.right(), to_y(tick)}, {.color = theme.border});
    TextStyle style = index_style(canvas);
    style.x = AlignX::right;
    if (tick >= 0 || to_y(tick) - to_y(0) > 14)
      canvas.text({plot.x - 10, to_y(tick)}, format_short(tick), style);
  }

  // The columns; the chosen distance in blue with its value.
  const int count = static_cast<int>(values.size());
  const float pitch = column(plot, 1, count).x - column(plot, 0, count).x;
  const int label_every = pitch < 14 ? 4 : pitch < 20 ? 2 : 1;
  for (int d = 0; d < count; ++d) {
    const double value = values[static_cast<std::size_t>(d)].mean;
    const Rect slot = column(plot, d, count);
    const float top = std::min(to_y(value), to_y(0)), bottom = std::max(to_y(value), to_y(0));
    const bool chosen = d == distance_;
    canvas.rectangle({slot.x, top, slot.width, bottom - top},
                     {.fill = chosen ? theme.query : theme.faint_text});
    TextStyle style = index_style(canvas);
    style.x = AlignX::center;
    if (chosen) style = {.font = Font::semibold, .size = 12, .color = theme.ink, .x = AlignX::center};
    if (chosen || (d % label_every == 0 && (label_every == 1 || std::abs(d - distance_) >= label_every)))
      canvas.text({slot.center().x, plot.bottom() + 14}, std::to_string(d), style);
    if (chosen) {
      const TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::center};
      float over = top;
      for (const int beside : {d - 1, d + 1})
        if (beside >= 0 && beside < count)
          over = std::min(over, to_y(values[static_cast<std::size_t>(beside)].mean));
      canvas.text({slot.center().x, over - 10}, format_fixed(value, 1), number);
    }
  }
  TextStyle title = caption_style(canvas);
  title.x = AlignX::right;
  canvas.text({plot.right(), plot.bottom() + 34}, "distance between two words →", title);
}

void PositionsView::draw_sentence(Canvas& canvas, const Rect& part, const ViewInput& input,
                                  const PositionTable& table, bool alone) const {
  const float reserved = alone || canvas.is_file() ? 0 : 160;
  const Rect below =
      draw_heading(canvas, part, "In this sentence",
                   {.note = "every pair of positions", .note_right = false, .reserved = reserved});
  const auto& words = words_of(input, side_);
  const int length = std::min(static_cast<int>(words.size()), table.rows);
  if (length == 0) return;
  const std::vector<float> products = dot_products({table.plane().data, length, table.columns});
  const auto cell = position_cell(input.shown, table);

  HeatmapOptions options;
  options.scale = ColorScale::signed_value;
  for (const ViewInput& each : sharing_inputs(input)) {
    const PositionTable one = this->table(each);
    options.limit =
        std::max(options.limit, largest_product(first_rows(one.plane(), words_of(each, side_).size())));
  }
  options.color_bar = false;
  options.row_labels.assign(words.begin(), words.begin() + length);
  options.columns_below = true;
  options.column_indices = true;
  options.decimals = 0;
  options.max_aspect = 2;
  options.max_cell = 40;
  options.ink_row = true;
  if (cell && cell->position < length && (cell->side == side_)) options.pinned_row = cell->position;
  options.row_hit = [before = input.pinned, words, side = side_](int row) {
    const auto cell_before = position_cell(before);
    const PositionCell target{row, cell_before ? cell_before->dimension : std::nullopt, side};
    const Selection selection = select_position(before, target, words.size());
    return HitRegion{.label = "position " + std::to_string(row) + " " + words[static_cast<std::size_t>(row)],
                     .hover = SetHover{selection},
                     .click = SetPin{selection}};
  };
  const Plane plane{products.data(), length, length};
  const float text_width = part.width > 380 && !alone ? 120 : 0;
  const Rect room{below.x, below.y, below.width - text_width - (text_width > 0 ? 20 : 0), below.height};
  const HeatmapLayout layout = draw_heatmap(canvas, room, {.values = plane}, options);

  // What to see in it.
  if (text_width == 0) return;
  std::string text = "A row peaks at the word itself: " + format_fixed(plane(0, 0), 0);
  if (table.waves()) {
    text += table.turned() ? ", half of k." : ", half of d.";
    if (length > 1) text += " Neighbours score " + format_fixed(plane(0, 1), 0) + " wherever they stand.";
  } else {
    text = "How alike the rows of two positions are. A learned table shows what the data asked for.";
  }
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  paragraph(canvas, {layout.bounds.right() + 20, layout.cells.y}, below.right() - layout.bounds.right() - 20,
            text, style);
}

void PositionsView::draw_without(Canvas& canvas, const Rect& content, const ViewInput& input) const {
  const Trace& trace = *input.result.trace;
  const auto& words = words_of(input, side_);

  // What attention compares without positions, beside what it compares with them.
  TextStyle body{.size = 14, .color = canvas.theme().second_text, .y = AlignY::top};
  const float used = paragraph(canvas, {content.x, content.y}, content.width,
                               "Every word then enters with its embedding alone. Swap two words and each of "
                               "them still gets the same numbers: “the cat drank the milk” and “the milk "
                               "drank the cat” become one bag of words. Only the decoder keeps some order, "
                               "since its mask shows it how many words have been written.",
                               body);
  const Rect below{content.x, content.y + used + 20, content.width, content.height - used - 20};
  const float gap = 40, half = (below.width - gap) / 2;
  const auto similarity = [&](const Rect& part, const std::string& heading, ValueKind value) {
    const std::string name = side_value(side_, value);
    const Rect room = draw_heading(canvas, part, heading, {.note = "dot product of two words' inputs"});
    if (!trace.find(name)) return;
    const Plane rows = first_rows(trace.plane(name), words.size());
    const std::vector<float> products = dot_products(rows);
    HeatmapOptions options;
    options.scale = ColorScale::signed_value;
    options.row_labels = words;
    options.columns_below = true;
    options.column_indices = true;
    options.decimals = 0;
    options.max_cell = 44;
    options.max_aspect = 1.5f;
    for (const ViewInput& each : sharing_inputs(input))
      if (each.result.trace->find(name))
        options.limit = std::max(options.limit, largest_product(first_rows(each.result.trace->plane(name),
                                                                           words_of(each, side_).size())));
    draw_heatmap(canvas, room, {.values = Plane{products.data(), rows.rows, rows.rows}}, options);
  };
  similarity({below.x, below.y, half, below.height}, "Without positions", ValueKind::embedding);
  if (input.snapshot.config.adds_positions())
    similarity({below.x + half + gap, below.y, half, below.height}, "As this model adds them",
               ValueKind::input);
}

}  // namespace glassformer
