// Moving on by k places is one rotation: every pair of columns as a clock hand, and the map of one of them
// with its numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/positions/positions_view.h"
#include "app/views/positions/wave_sections.h"
#include "engine/model/position_study.h"

namespace glassformer {

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

void PositionsView::draw_shift(Canvas& canvas, const Rect& part, const ViewInput& input,
                               const PositionTable& table) const {
  const Theme& theme = canvas.theme();
  draw_heading(canvas, part, "Moving on is one rotation", {.reserved = 120});
  const auto choice = shift_choice(table, position_cell(input.shown, table), distance_);
  if (!choice) return;
  const int k = choice->shift, from = choice->from;
  canvas.text({part.x, part.y + kHeadingHeight + 16},
              "position " + std::to_string(from) + " → " + std::to_string(from + k), caption_style(canvas));

  // One clock hand a pair of dimensions: where it stands, how far it turns. Below, one of them in numbers.
  const std::vector<ShiftRotation> turns = shift_rotations(table.columns, k);
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
      const double sine = table.plane()(position, 2 * pair), cosine = table.plane()(position, 2 * pair + 1);
      return Point{center.x + radius * static_cast<float>(cosine),
                   center.y - radius * static_cast<float>(sine)};
    };
    const bool chosen = pair == choice->pair;
    canvas.circle(center, radius, theme.panel,
                  {.color = chosen ? theme.ink : theme.control, .width = chosen ? 2.0f : 1.0f});

    // The way it turns, as an arc inside the circle.
    const double start =
        std::atan2(double(table.plane()(from, 2 * pair)), double(table.plane()(from, 2 * pair + 1)));
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
                std::to_string(table.column(2 * pair)) + ", " + std::to_string(table.column(2 * pair + 1)),
                style);
    const double degrees = turns[static_cast<std::size_t>(pair)].angle * 180 / std::numbers::pi;
    style = index_style(canvas);
    style.x = AlignX::center;
    style.color = theme.ink;
    canvas.text({center.x, center.y + radius + 31}, format_fixed(degrees, degrees < 9.95 ? 1 : 0) + "°",
                style);

    // Chosen by a click, as the numbers of its wave are.
    const Selection selection =
        select_position(input.pinned, {from, 2 * pair, side_}, words_of(input, side_).size());
    canvas.hit({.rect = {center.x - pitch / 2, room.y, pitch, 2 * radius + 42},
                .label = "pair " + std::to_string(pair),
                .hover = SetHover{selection},
                .click = SetPin{selection}});
  }
  if (!map) return;
  const Rect numbers{part.x, part.bottom() - kMapHeight + 4, part.width, kMapHeight};
  draw_map(canvas, numbers, *choice, moved_pair(table.plane(), choice->pair, from, k));
}

}  // namespace glassformer
