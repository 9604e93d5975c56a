#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/format/number_format.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/positions/positions.h"
#include "app/widgets/heatmap.h"
#include "engine/analysis/position_study.h"

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

Rect columns_plot(const Rect& distance) {
  return {distance.x + 40, distance.y + kHeadingHeight + 16, distance.width - 48,
          distance.height - kHeadingHeight - 16 - 44};
}

Rect column_of(const Rect& plot, int index, int count) {
  const float pitch = std::floor(plot.width / static_cast<float>(count));
  return {plot.x + pitch * static_cast<float>(index), plot.y, std::max(2.0f, pitch - 4), plot.height};
}

void draw_distance(Canvas& canvas, const Rect& part, const PositionPicture& picture) {
  const PositionTable& table = picture.table;
  const Theme& theme = canvas.theme();
  const bool switched = table.waves() && !canvas.is_file();
  draw_heading(
      canvas, part,
      table.turned()  ? "A query and an equal key, by distance"
      : table.waves() ? "Near positions look alike"
                      : "How alike, by distance",
      {.note = switched ? "" : "mean dot product of two positions", .reserved = switched ? 120.0f : 0.0f});
  const Rect plot = columns_plot(part);
  const auto values = similarity_by_distance(table.plane(), shown_distances(table));

  // The scale: from 0, or from below when some are negative.
  double low = 0, high = 0;
  for (const ViewInput& each : sharing_inputs(picture.input)) {
    const PositionTable one_table = shown_table(each, picture.choice);
    for (const DistanceSimilarity& one :
         similarity_by_distance(one_table.plane(), shown_distances(one_table))) {
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
  const float pitch = column_of(plot, 1, count).x - column_of(plot, 0, count).x;
  const int label_every = pitch < 14 ? 4 : pitch < 20 ? 2 : 1;
  for (int d = 0; d < count; ++d) {
    const double value = values[static_cast<std::size_t>(d)].mean;
    const Rect slot = column_of(plot, d, count);
    const float top = std::min(to_y(value), to_y(0)), bottom = std::max(to_y(value), to_y(0));
    const bool chosen = d == picture.choice.distance;
    canvas.rectangle({slot.x, top, slot.width, bottom - top},
                     {.fill = chosen ? theme.query : theme.faint_text});
    TextStyle style = index_style(canvas);
    style.x = AlignX::center;
    if (chosen) style = {.font = Font::semibold, .size = 12, .color = theme.ink, .x = AlignX::center};
    if (chosen ||
        (d % label_every == 0 && (label_every == 1 || std::abs(d - picture.choice.distance) >= label_every)))
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

void draw_sentence(Canvas& canvas, const Rect& part, const PositionPicture& picture, bool alone) {
  const PositionTable& table = picture.table;
  const float reserved = alone || canvas.is_file() ? 0 : 160;
  const Rect below =
      draw_heading(canvas, part, "In this sentence",
                   {.note = "every pair of positions", .note_right = false, .reserved = reserved});
  const auto& words = words_of(picture.input, picture.choice.side);
  const int length = std::min(static_cast<int>(words.size()), table.rows);
  if (length == 0) return;
  const std::vector<float> rows = table.rows_of_places(length);
  const std::vector<float> products = dot_products({rows.data(), length, table.columns});
  const auto cell = position_cell(picture.input.shown, table);

  HeatmapOptions options;
  options.scale = ColorScale::signed_value;
  for (const ViewInput& each : sharing_inputs(picture.input)) {
    const PositionTable one = shown_table(each, picture.choice);
    const int places = static_cast<int>(words_of(each, picture.choice.side).size());
    const std::vector<float> own = one.rows_of_places(places);
    options.limit = std::max(options.limit, largest_product({own.data(), places, one.columns}));
  }
  options.color_bar = false;
  options.row_labels.assign(words.begin(), words.begin() + length);
  options.columns_below = true;
  options.column_indices = true;
  options.decimals = 0;
  options.max_aspect = 2;
  options.max_cell = 40;
  options.ink_row = true;
  if (cell && cell->side == picture.choice.side)
    if (const auto place = table.place_of(cell->position); place && *place < length)
      options.pinned_row = *place;
  options.row_hit = [before = picture.input.pinned, words, side = picture.choice.side](int row) {
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
  if (table.given.none) {
    text = "A change leaves the words without positions: nothing tells two places apart.";
  } else if (table.waves()) {
    text += table.turned() ? ", half of k." : ", half of d.";
    if (length > 1 && table.given.order.empty())
      text += " Neighbours score " + format_fixed(plane(0, 1), 0) + " wherever they stand.";
  } else {
    text = "How alike the rows of two positions are. A learned table shows what the data asked for.";
  }
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  paragraph(canvas, {layout.bounds.right() + 20, layout.cells.y}, below.right() - layout.bounds.right() - 20,
            text, style);
}

void draw_rowless(Canvas& canvas, const Rect& content, const PositionPicture& picture) {
  const PositionTable& table = picture.table;
  if (table.traits().biased) return draw_bias(canvas, content, picture.input, picture.choice.side);
  const Trace& trace = *picture.input.result.trace;
  const auto& words = words_of(picture.input, picture.choice.side);

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
    const std::string name = side_value(picture.choice.side, value);
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
    for (const ViewInput& each : sharing_inputs(picture.input))
      if (each.result.trace->find(name))
        options.limit =
            std::max(options.limit, largest_product(first_rows(each.result.trace->plane(name),
                                                               words_of(each, picture.choice.side).size())));
    draw_heatmap(canvas, room, {.values = Plane{products.data(), rows.rows, rows.rows}}, options);
  };
  similarity({below.x, below.y, half, below.height}, "Without positions", ValueKind::embedding);
  if (picture.input.snapshot.config.adds_positions())
    similarity({below.x + half + gap, below.y, half, below.height}, "As this model adds them",
               ValueKind::input);
}

// Moving on by k places is one rotation: every pair of columns as a clock hand, and the map of one of them
// with its numbers.
namespace {

constexpr float kMapHeight = 60, kMapWidth = 420;  // the least that the map needs
constexpr float kMapRow = 20;

// From the fastest on, over half of the pairs: the others hardly turn. Of few pairs each once; the chosen one
// is among them.
std::vector<int> dial_pairs(int pairs, int dials, int chosen) {
  std::vector<int> shown;
  const int reach = std::max(2 * (dials - 1), pairs - 1);
  for (int i = 0; i < dials; ++i) shown.push_back(reach * i / std::max(1, 2 * (dials - 1)));
  if (shown.empty() || std::ranges::find(shown, chosen) != shown.end()) return shown;
  *std::ranges::min_element(shown, {}, [chosen](int pair) { return std::abs(pair - chosen); }) = chosen;
  return shown;
}

// Two numbers above each other in square brackets, under a word; gives the right end.
float draw_column(Canvas& canvas, Point at, std::string_view word, std::array<std::string, 2> numbers,
                  bool brackets) {
  const TextStyle number{.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right};
  const float inside = brackets ? 5 : 0;
  const float width =
      std::max(canvas.measure(numbers[0], number).x, canvas.measure(numbers[1], number).x) + 2 * inside;
  canvas.text({at.x + inside, at.y}, word, caption_style(canvas));
  for (std::size_t row = 0; row < numbers.size(); ++row)
    canvas.text({at.x + width - inside, at.y + kMapRow * static_cast<float>(row + 1)}, numbers[row], number);
  if (brackets)
    for (const bool right : {false, true}) {
      const float x = right ? at.x + width : at.x, tip = right ? x - 4 : x + 4;
      const float top = at.y + kMapRow - 10, bottom = at.y + 2 * kMapRow + 10;
      const std::array bracket{Point{tip, top}, Point{x, top}, Point{x, bottom}, Point{tip, bottom}};
      canvas.polyline(bracket, {.color = canvas.theme().second_text});
    }
  return at.x + std::max(width, inside + canvas.measure(word, caption_style(canvas)).x);
}

// The 2 x 2 matrix of one pair, on what the row has, gives what the row k places on has.
void draw_map(Canvas& canvas, const Rect& room, const ShiftChoice& choice, const MovedPair& moved) {
  const auto [angle, cosine, sine] = moved.rotation;
  const auto symbol = [&](float x, std::string_view text) {
    canvas.text({x, room.y + 8 + kMapRow * 1.5f}, text,
                {.size = 14, .color = canvas.theme().second_text, .x = AlignX::center});
  };
  const auto pair_of = [](double above, double below) {
    return std::array{format_pinned(above), format_pinned(below)};
  };
  const auto padded = [](double value) { return (value < 0 ? "" : " ") + format_pinned(value); };
  float x = draw_column(canvas, {room.x, room.y + 8}, "cos ωk, sin ωk",
                        {padded(cosine) + " " + padded(sine), padded(-sine) + " " + padded(cosine)}, true);
  symbol(x + 9, "×");
  x = draw_column(canvas, {x + 18, room.y + 8}, "row " + std::to_string(choice.from),
                  pair_of(moved.sine, moved.cosine), true);
  symbol(x + 9, "=");
  x = draw_column(canvas, {x + 18, room.y + 8}, "moved", pair_of(moved.moved_sine, moved.moved_cosine), true);
  x = draw_column(canvas, {x + 11, room.y + 8}, "row " + std::to_string(choice.from + choice.shift),
                  pair_of(moved.there_sine, moved.there_cosine), true);
  draw_column(
      canvas, {x + 10, room.y + 8}, "apart",
      {format_short(std::abs(moved.sine_difference())), format_short(std::abs(moved.cosine_difference()))},
      false);
}

}  // namespace

void draw_shift(Canvas& canvas, const Rect& part, const PositionPicture& picture) {
  const PositionTable& table = picture.table;
  const Theme& theme = canvas.theme();
  draw_heading(canvas, part, "Moving on is one rotation", {.reserved = 120});
  const auto choice = shift_choice(table, position_cell(picture.input.shown, table), picture.choice.distance);
  if (!choice) return;
  const int k = choice->shift, from = choice->from;
  canvas.text({part.x, part.y + kHeadingHeight + 16},
              "position " + std::to_string(from) + " → " + std::to_string(from + k), caption_style(canvas));

  // One clock hand a pair of dimensions: where it is, how far it turns. Below, one of them in numbers.
  const std::vector<ShiftRotation> turns = shift_rotations(table.columns, k, table.form);
  Rect room{part.x, part.y + kHeadingHeight + 40, part.width, part.height - kHeadingHeight - 40};
  const bool map = part.width >= kMapWidth && room.height >= kMapHeight + 70;
  if (map) room.height -= kMapHeight;
  const int dials = std::min(static_cast<int>(turns.size()), std::max(3, static_cast<int>(room.width / 72)));
  const float pitch = room.width / static_cast<float>(dials);
  const std::vector<int> pairs = dial_pairs(static_cast<int>(turns.size()), dials, choice->pair);
  const float radius = std::max(8.0f, std::min({pitch / 2 - 8, (room.height - 44) / 2, 36.0f}));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const int pair = pairs[i];
    const Point center{room.x + pitch * (static_cast<float>(i) + 0.5f), room.y + radius + 2};
    const auto hand = [&](int position) {
      const double sine = table.plane()(position, table.sine(pair)),
                   cosine = table.plane()(position, table.cosine(pair));
      return Point{center.x + radius * static_cast<float>(cosine),
                   center.y - radius * static_cast<float>(sine)};
    };
    const bool chosen = pair == choice->pair;
    canvas.circle(center, radius, theme.panel,
                  {.color = chosen ? theme.ink : theme.control, .width = chosen ? 2.0f : 1.0f});

    // The way it turns, as an arc inside the circle.
    const double start = std::atan2(double(table.plane()(from, table.sine(pair))),
                                    double(table.plane()(from, table.cosine(pair))));
    const double angle = std::remainder(turns[static_cast<std::size_t>(pair)].angle, 2 * std::numbers::pi);
    std::vector<Point> arc;
    for (int s = 0; s <= 24; ++s) {
      const double a = start + angle * s / 24;
      arc.push_back({center.x + radius * 0.6f * static_cast<float>(std::cos(a)),
                     center.y - radius * 0.6f * static_cast<float>(std::sin(a))});
    }
    canvas.polyline(arc, {.color = theme.query, .width = 1.5f});
    canvas.line(center, hand(from), {.color = theme.faint_text, .width = 1.5f});
    canvas.line(center, hand(from + k), {.color = theme.query, .width = 2});

    TextStyle style = index_style(canvas);
    style.x = AlignX::center;
    if (chosen) style = {.font = Font::semibold, .size = 12, .color = theme.ink, .x = AlignX::center};
    canvas.text({center.x, center.y + radius + 14},
                std::to_string(table.column(table.sine(pair))) + ", " +
                    std::to_string(table.column(table.cosine(pair))),
                style);
    const double degrees = turns[static_cast<std::size_t>(pair)].angle * 180 / std::numbers::pi;
    style = index_style(canvas);
    style.x = AlignX::center;
    style.color = theme.ink;
    canvas.text({center.x, center.y + radius + 31}, format_fixed(degrees, degrees < 9.95 ? 1 : 0) + "°",
                style);

    // Chosen by a click, as the numbers of its wave are.
    HitRegion hit{.rect = {center.x - pitch / 2, room.y, pitch, 2 * radius + 42},
                  .label = "pair " + std::to_string(pair)};
    select_on(hit, table, {from, table.sine(pair), picture.choice.side}, picture.input.pinned,
              words_of(picture.input, picture.choice.side).size());
    canvas.hit(hit);
  }
  if (!map) return;
  const Rect numbers{part.x, part.bottom() - kMapHeight + 4, part.width, kMapHeight};
  draw_map(canvas, numbers, *choice, moved_pair(table.plane(), choice->pair, from, k, table.form));
}

}  // namespace glassformer
