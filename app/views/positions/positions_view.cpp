#include "app/views/positions/positions_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/heatmap.h"
#include "engine/model/position_study.h"

namespace glassformer {

namespace {

// Pairs of columns need an even head.
bool can_rotate(const Config& config) {
  return config.head_width() % 2 == 0;
}

// In the order of the switch; a fourth word needs some room.
std::vector<PositionKind> kinds_offered(const Config& config, PositionKind chosen, float width) {
  std::vector<PositionKind> kinds{PositionKind::sinusoidal, PositionKind::learned, PositionKind::none};
  if (chosen == PositionKind::rotary || (can_rotate(config) && width >= 600))
    kinds.push_back(PositionKind::rotary);
  return kinds;
}

std::string kind_name(PositionKind kind) {
  switch (kind) {
    case PositionKind::sinusoidal:
      return "sinusoidal";
    case PositionKind::learned:
      return "learned";
    case PositionKind::rotary:
      return "rotary";
    case PositionKind::none:
      break;
  }
  return "none";
}

std::string side_name(const ViewInput& input, TextSide side) {
  return side == TextSide::source ? source_language(input) : target_language(input);
}

std::string subtitle_of(const PositionTable& table) {
  if (table.untrained)
    return "A learned table starts as noise. This model has none: here is one before training, for "
           "comparison.";
  const std::string other = table.own ? "" : " This model does otherwise: shown for comparison.";
  switch (table.kind) {
    case PositionKind::sinusoidal:
      return "Attention ignores order, so every position gets a pattern of waves, added to its embedding." +
             other;
    case PositionKind::learned:
      return "Attention ignores order, so every position gets a learned row, added to its embedding.";
    case PositionKind::rotary:
      return "Nothing is added to the words: queries and keys are turned, pair by pair, as far as their "
             "position says." +
             other;
    case PositionKind::none:
      break;
  }
  return "Nothing is added: attention cannot tell one order of the words from another." + other;
}

}  // namespace

std::unique_ptr<View> make_positions_view() {
  return std::make_unique<PositionsView>();
}

PositionsView::Parts PositionsView::parts(const Rect& area) {
  const Rect content = stage_content(area);
  Parts parts;
  const float left = std::round(content.width * 0.454f);
  const float right_x = content.x + left + std::round(std::min(56.0f, content.width * 0.05f));
  const float upper = std::round(content.height * 0.615f);
  parts.divider = content.y + upper;
  parts.waves = {content.x, content.y, left, upper - 16};
  parts.table = {right_x, content.y, content.right() - right_x, upper - 16};
  parts.distance = {content.x, parts.divider + 16, left, content.bottom() - parts.divider - 16};
  parts.sentence = {right_x, parts.distance.y, parts.table.width, parts.distance.height};
  return parts;
}

PositionKind PositionsView::kind(const ViewInput& input) const {
  const Config& config = input.snapshot.config;
  if (kind_ == PositionKind::rotary && !can_rotate(config)) return config.positions;
  return kind_.value_or(config.positions);
}

bool PositionsView::shifts(const PositionTable& table) const {
  return table.waves() && shift_.value_or(table.kind == PositionKind::rotary);
}

PositionTable PositionsView::table(const ViewInput& input) const {
  const auto cell = position_cell(input.shown);
  return position_table(input, kind(input), cell && cell->dimension ? cell->side : side_);
}

double PositionsView::largest_magnitude_of(const ViewInput& input) const {
  double largest = 0;
  for (const ViewInput& each : sharing_inputs(input))
    largest = std::max(largest, largest_magnitude({.values = table(each).plane()}));
  return largest;
}

int PositionsView::distances(const PositionTable& table) const {
  return std::min(17, table.rows);
}

void PositionsView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const PositionTable shown = table(input);
  const Rect content = draw_stage_title(canvas, area, "How a word knows its place", subtitle_of(shown),
                                        shown.kind == PositionKind::rotary ? 330 : 240);

  // No positions at all have a page of their own.
  if (shown.kind == PositionKind::none) return draw_without(canvas, content, input);

  const Parts at = parts(area);
  const auto cell = position_cell(input.shown, shown);
  draw_waves(canvas, at.waves, input, shown);
  draw_table(canvas, at.table, input, shown);
  canvas.line({content.x, at.divider}, {content.right(), at.divider}, {.color = canvas.theme().border});
  if (shifts(shown))
    draw_shift(canvas, at.distance, shown, cell);
  else
    draw_distance(canvas, at.distance, input, shown);
  draw_sentence(canvas, at.sentence, input, shown);
}

void PositionsView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  // Which table.
  const Rect inner = stage_inner(area);
  const std::vector<PositionKind> kinds = kinds_offered(input.snapshot.config, kind(input), inner.width);
  std::vector<std::string> names{"Sinusoidal", "Learned", "None", "Rotary"};
  names.resize(kinds.size());
  const float width = ui.segmented_width(names);
  int chosen = static_cast<int>(std::ranges::find(kinds, kind(input)) - kinds.begin());
  if (ui.Segmented({inner.right() - width, inner.y + 9, width, 32}, "Positions", names, chosen))
    kind_ = kinds[static_cast<std::size_t>(chosen)];

  const PositionTable shown = table(input);
  if (shown.kind == PositionKind::none) return;
  const Parts at = parts(area);

  // Similarity or rotation, in the lower left part.
  if (shown.waves()) {
    int picture = shifts(shown) ? 1 : 0;
    const float switch_width = ui.segmented_width({"Alike", "Shift"});
    if (ui.Segmented({at.distance.right() - switch_width, at.distance.y - 4, switch_width, 32},
                     "Lower picture", {"Alike", "Shift"}, picture))
      shift_ = picture == 1;
  }

  // A column is a distance; in the rotation's picture a slider chooses it.
  const int count = distances(shown);
  if (shifts(shown)) {
    double k = distance_;
    const Rect row{at.distance.x + 132, at.distance.y + kHeadingHeight, at.distance.width - 132, 32};
    if (ui.Slider(row, "Places to move", k, {.minimum = 1, .maximum = double(count - 1), .step = 1}))
      distance_ = static_cast<int>(std::lround(k));
  } else {
    const Rect plot = columns_plot(at.distance);
    for (int d = 0; d < count; ++d) {
      Rect bar = column(plot, d, count);
      bar.y = plot.y;
      bar.height = plot.height + 20;
      if (ui.area(bar, "distance " + std::to_string(d)).clicked) distance_ = d;
    }
  }

  // Which sentence.
  const std::array<std::string, 2> sides{side_name(input, TextSide::source),
                                         side_name(input, TextSide::target)};
  int side = side_ == TextSide::source ? 0 : 1;
  const float side_width = ui.segmented_width(sides);
  if (ui.Segmented({at.sentence.right() - side_width, at.sentence.y - 4, side_width, 32}, "Sentence", sides,
                   side))
    side_ = side == 0 ? TextSide::source : TextSide::target;
}

ViewPlace PositionsView::place(const ViewInput&) const {
  return {.path = {"Positions"}};
}

std::optional<InspectorPage> PositionsView::inspect(const ViewInput& input) const {
  const PositionTable shown = table(input);
  const auto cell = position_cell(input.shown, shown);
  if (!cell && input.shown.cell) return std::nullopt;
  if (!cell) return position_overview(shown);
  return position_page(input, shown, *cell);
}

std::vector<NumberTable> PositionsView::numbers(const ViewInput& input) const {
  const PositionTable shown = table(input);
  const Plane plane = shown.plane();

  NumberTable whole{.title = "positions, " + kind_name(shown.kind)};
  for (int c = 0; c < plane.columns; ++c) whole.columns.push_back("dimension " + std::to_string(c));
  for (int r = 0; r < plane.rows; ++r) {
    whole.rows.push_back("position " + std::to_string(r));
    whole.values.emplace_back();
    for (int c = 0; c < plane.columns; ++c) whole.values.back().push_back(plane(r, c));
  }

  if (shown.kind == PositionKind::rotary) {
    const std::vector<float> angles = angles_of(shown);
    const Plane turned{angles.data(), shown.rows, shown.columns / 2};
    whole = {.title = "angle of each pair, radians from -pi to pi", .rows = std::move(whole.rows)};
    for (int pair = 0; pair < turned.columns; ++pair) whole.columns.push_back("pair " + std::to_string(pair));
    for (int r = 0; r < turned.rows; ++r) {
      whole.values.emplace_back();
      for (int pair = 0; pair < turned.columns; ++pair) whole.values.back().push_back(turned(r, pair));
    }
  }

  NumberTable alike{.title = "dot product by distance", .columns = {"mean", "smallest", "largest", "pairs"}};
  for (const DistanceSimilarity& one : similarity_by_distance(plane, distances(shown))) {
    alike.rows.push_back("distance " + std::to_string(alike.rows.size()));
    alike.values.push_back({one.mean, one.smallest, one.largest, double(one.pairs)});
  }

  // The sentence's own rows.
  const auto& words = words_of(input, side_);
  const int length = std::min(static_cast<int>(words.size()), plane.rows);
  NumberTable pairs{.title = "dot product of every pair of positions in the sentence"};
  const std::vector<float> products = dot_products({plane.data, length, plane.columns});
  for (int r = 0; r < length; ++r) {
    pairs.columns.push_back(std::to_string(r));
    pairs.rows.push_back(words[static_cast<std::size_t>(r)]);
    const auto from = products.begin() + std::ptrdiff_t(r) * length;
    pairs.values.emplace_back(from, from + length);
  }
  return {whole, alike, pairs};
}

std::string PositionsView::caption(const ViewInput& input) const {
  const PositionTable shown = table(input);
  std::string text = "Positions (" + kind_name(shown.kind) + (shown.own ? "" : ", for comparison") + "), " +
                     std::to_string(shown.rows) + " positions of " + std::to_string(shown.columns) +
                     " dimensions";
  if (const auto cell = position_cell(input.shown, shown); cell && cell->dimension)
    text +=
        "; position " + std::to_string(cell->position) + ", dimension " + std::to_string(*cell->dimension);
  return text;
}

ViewTraits PositionsView::traits() const {
  return {.shows = shows,
          .state = (kind_ ? kind_name(*kind_) : std::string("the model's own")) +
                   (side_ == TextSide::source ? ", source" : ", target") +
                   (shift_.value_or(kind_ == PositionKind::rotary) ? ", shift by " : ", alike at ") +
                   std::to_string(distance_)};
}

}  // namespace glassformer
