#include "app/views/positions/positions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/heatmap.h"
#include "engine/analysis/position_study.h"

namespace glassformer {

namespace {

constexpr const char *kWaves = "waves", *kTable = "whole-table", *kDistance = "by-distance",
                     *kSentencePart = "this-sentence";
constexpr float kWordRoom = 150;  // of the stage's width, so that a switch has a word more

// In the order of the switch: the chosen one, and as many as have room.
std::vector<PositionKind> kinds_offered(const Config& config, PositionKind chosen, float width) {
  std::vector<PositionKind> kinds;
  for (const PositionTraits& each : kPositionKinds) {
    const bool room = kinds.size() < 3 || width >= kWordRoom * static_cast<float>(kinds.size() + 1);
    if (each.kind == chosen || (room && fits_head(each, config.head_width()))) kinds.push_back(each.kind);
  }
  return kinds;
}

int place_among(const std::vector<PositionKind>& kinds, PositionKind kind) {
  return static_cast<int>(std::ranges::find(kinds, kind) - kinds.begin());
}

// What the title leaves free of this width for the switch's words as far as the chosen one.
float switch_room(const Config& config, PositionKind chosen, float width) {
  const int words = place_among(kinds_offered(config, chosen, width), chosen) + 1;
  return 90 * static_cast<float>(std::max(3, words)) - 30;
}

std::string kind_name(PositionKind kind) {
  return std::string(position_traits(kind).spelling);
}

std::string side_name(const ViewInput& input, TextSide side) {
  return side == TextSide::source ? source_language(input) : target_language(input);
}

std::string subtitle_of(const PositionTable& table) {
  if (table.untrained)
    return "A learned table starts as noise. This model has none: here is one before training, for "
           "comparison.";
  const std::string other = !table.own         ? " This model does otherwise: shown for comparison."
                            : table.given.none ? " A change switches them off."
                            : table.given.unchanged()
                                ? ""
                                : " A change gives the words other positions than their places.";
  return std::string(table.traits().idea) + other;
}

// Where the four parts are.
struct Parts {
  Rect waves, table, distance, sentence;
  float divider = 0;
};
Parts parts_in(const Rect& area, bool shifting) {
  const Rect content = stage_content(area);
  Parts parts;
  const float left = std::round(content.width * 0.454f);
  const float right_x = content.x + left + std::round(std::min(56.0f, content.width * 0.05f));
  // A rotation has its numbers below its hands.
  const float upper = std::round(content.height * (shifting ? 0.56f : 0.615f));
  parts.divider = content.y + upper;
  parts.waves = {content.x, content.y, left, upper - 16};
  parts.table = {right_x, content.y, content.right() - right_x, upper - 16};
  parts.distance = {content.x, parts.divider + 16, left, content.bottom() - parts.divider - 16};
  parts.sentence = {right_x, parts.distance.y, parts.table.width, parts.distance.height};
  return parts;
}

PositionKind kind_in(const ViewInput& input, const PositionChoice& choice) {
  const Config& config = input.snapshot.config;
  if (choice.kind && !fits_head(position_traits(*choice.kind), config.head_width())) return config.positions;
  return choice.kind.value_or(config.positions);
}

}  // namespace

std::unique_ptr<View> make_positions_view() {
  return std::make_unique<PositionsView>();
}

PositionTable shown_table(const ViewInput& input, const PositionChoice& choice) {
  const auto cell = position_cell(input.shown);
  return position_table(input, kind_in(input, choice), cell && cell->dimension ? cell->side : choice.side);
}

int shown_distances(const PositionTable& table) {
  return std::min(17, table.rows);
}

Point PositionsView::minimum_size(const ViewInput& input) const {
  return {560, choice_.shifts({.kind = kind_in(input, choice_)}) ? 600.0f : 540.0f};
}

void PositionsView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const PositionTable shown = table(input);
  const Rect content =
      draw_stage_title(canvas, area, "How a word knows its place", subtitle_of(shown),
                       switch_room(input.snapshot.config, shown.kind, stage_inner(area).width));

  const PositionPicture all{input, choice_, shown};
  // What gives no position a row has its own page.
  if (!shown.has_rows()) return draw_rowless(canvas, content, all);

  const Parts at = parts_in(area, choice_.shifts(shown));
  draw_waves(canvas, at.waves, all);
  draw_table(canvas, at.table, all);
  canvas.line({content.x, at.divider}, {content.right(), at.divider}, {.color = canvas.theme().border});
  if (choice_.shifts(shown))
    draw_shift(canvas, at.distance, all);
  else
    draw_distance(canvas, at.distance, all);
  draw_sentence(canvas, at.sentence, all);
}

void PositionsView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                          const Rect& area) const {
  const PositionTable shown = table(input);
  const PositionPicture all{input, choice_, shown};
  const Rect part = area.inset(kStagePadding);
  if (!shown.has_rows()) return draw_rowless(canvas, part, all);
  if (name == kWaves) draw_waves(canvas, part, all);
  if (name == kTable) draw_table(canvas, part, all);
  if (name == kDistance) draw_distance(canvas, part, all);
  if (name == kSentencePart) draw_sentence(canvas, part, all, true);
}

void PositionsView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  // Which table.
  const Rect inner = stage_inner(area);
  const std::vector<PositionKind> kinds =
      kinds_offered(input.snapshot.config, kind_in(input, choice_), inner.width);
  std::vector<std::string> names;
  for (const PositionKind each : kinds) names.emplace_back(position_traits(each).title);
  const float width = ui.segmented_width(names);
  int chosen = place_among(kinds, kind_in(input, choice_));
  if (Segmented(ui, {inner.right() - width, inner.y + 9, width, 32}, "Positions", names, chosen))
    choice_.kind = kinds[static_cast<std::size_t>(chosen)];

  const PositionTable shown = table(input);
  if (!shown.has_rows()) return;
  const Parts at = parts_in(area, choice_.shifts(shown));

  // Similarity or rotation, in the lower left part.
  if (shown.waves()) {
    int picture = choice_.shifts(shown) ? 1 : 0;
    const float switch_width = ui.segmented_width({"Alike", "Shift"});
    if (Segmented(ui, {at.distance.right() - switch_width, at.distance.y - 4, switch_width, 32},
                  "Lower picture", {"Alike", "Shift"}, picture))
      choice_.shift = picture == 1;
  }

  // A column is a distance; in the rotation's picture a slider chooses it.
  const int count = shown_distances(shown);
  if (choice_.shifts(shown)) {
    double k = choice_.distance;
    const Rect row{at.distance.x + 132, at.distance.y + kHeadingHeight, at.distance.width - 132, 32};
    if (Slider(ui, row, "Places to move", k, {.minimum = 1, .maximum = double(count - 1), .step = 1}))
      choice_.distance = static_cast<int>(std::lround(k));
  } else {
    const Rect plot = columns_plot(at.distance);
    for (int d = 0; d < count; ++d) {
      Rect bar = column_of(plot, d, count);
      bar.y = plot.y;
      bar.height = plot.height + 20;
      if (ui.area(bar, "distance " + std::to_string(d)).clicked) choice_.distance = d;
    }
  }

  // Which sentence.
  const std::array<std::string, 2> sides{side_name(input, TextSide::source),
                                         side_name(input, TextSide::target)};
  int side = choice_.side == TextSide::source ? 0 : 1;
  const float side_width = ui.segmented_width(sides);
  if (Segmented(ui, {at.sentence.right() - side_width, at.sentence.y - 4, side_width, 32}, "Sentence", sides,
                side))
    choice_.side = side == 0 ? TextSide::source : TextSide::target;
}

ViewPlace PositionsView::place(const ViewInput&) const {
  return {.path = {"Positions"}};
}

std::optional<InspectorPage> PositionsView::inspect(const ViewInput& input) const {
  const PositionTable shown = table(input);
  const auto cell = position_cell(input.shown, shown);
  if (!cell && input.shown.cell) return std::nullopt;
  InspectorPage page = cell ? position_page(input, shown, *cell) : position_overview(input, shown);
  if (const auto choice = shift_choice(shown, cell, choice_.distance); choice && choice_.shifts(shown))
    page.sections.push_back(shift_section(shown, *choice, cell.has_value()));
  return page;
}

// What its page shows where no position is added: how alike the words' inputs are.
std::vector<NumberTable> PositionsView::without_numbers(const ViewInput& input) const {
  std::vector<NumberTable> tables;
  const Trace& trace = *input.result.trace;
  const auto& words = words_of(input, choice_.side);
  for (const ValueKind value : {ValueKind::embedding, ValueKind::input}) {
    const std::string name = side_value(choice_.side, value);
    const bool added = value == ValueKind::input;
    if (!trace.find(name) || (added && !input.snapshot.config.adds_positions())) continue;
    Plane rows = trace.plane(name);
    rows.rows = std::min(rows.rows, static_cast<int>(words.size()));
    NumberTable& alike =
        tables.emplace_back(NumberTable{.title = std::string("dot product of two words’ inputs, ") +
                                                 (added ? "with" : "without") + " positions",
                                        .columns = {words.begin(), words.begin() + rows.rows},
                                        .rows = {words.begin(), words.begin() + rows.rows}});
    const std::vector<float> products = dot_products(rows);
    for (int row = 0; row < rows.rows; ++row) {
      const auto from = products.begin() + std::ptrdiff_t(row) * rows.rows;
      alike.values.emplace_back(from, from + rows.rows);
    }
  }
  return tables;
}

std::vector<NumberTable> PositionsView::numbers(const ViewInput& input) const {
  const PositionTable shown = table(input);
  if (shown.traits().biased) return bias_numbers(input, choice_.side);
  if (!shown.has_rows()) return without_numbers(input);
  const Plane plane = shown.plane();

  NumberTable whole{.title = "positions, " + kind_name(shown.kind)};
  for (int c = 0; c < plane.columns; ++c) whole.columns.push_back("dimension " + std::to_string(c));
  for (int r = 0; r < plane.rows; ++r) {
    whole.rows.push_back("position " + std::to_string(r));
    whole.values.emplace_back();
    for (int c = 0; c < plane.columns; ++c) whole.values.back().push_back(plane(r, c));
  }

  if (shown.turned()) {
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
  for (const DistanceSimilarity& one : similarity_by_distance(plane, shown_distances(shown))) {
    alike.rows.push_back("distance " + std::to_string(alike.rows.size()));
    alike.values.push_back({one.mean, one.smallest, one.largest, double(one.pairs)});
  }

  // The sentence's own rows.
  const auto& words = words_of(input, choice_.side);
  const int length = std::min(static_cast<int>(words.size()), plane.rows);
  NumberTable pairs{.title = "dot product of every pair of positions in the sentence"};
  const std::vector<float> own = shown.rows_of_places(length);
  const std::vector<float> products = dot_products({own.data(), length, plane.columns});
  for (int r = 0; r < length; ++r) {
    pairs.columns.push_back(std::to_string(r));
    pairs.rows.push_back(words[static_cast<std::size_t>(r)]);
    const auto from = products.begin() + std::ptrdiff_t(r) * length;
    pairs.values.emplace_back(from, from + length);
  }
  if (part_ == kTable) return {whole};
  if (part_ == kDistance) return {alike};
  if (part_ == kSentencePart) return {pairs};
  std::vector<NumberTable> tables{whole};
  if (part_ != kWaves) tables.insert(tables.end(), {alike, pairs});
  if (const auto choice = shift_choice(shown, position_cell(input.shown, shown), choice_.distance)) {
    tables.push_back(wavelength_numbers(shown));
    if (part_ == kWaves) return tables;
    tables.push_back(shift_numbers(shown, *choice));
  }
  return tables;
}

std::string PositionsView::caption(const ViewInput& input) const {
  const PositionTable shown = table(input);
  const auto cell = position_cell(input.shown, shown);
  std::string text = "Positions (" + kind_name(shown.kind) + (shown.own ? "" : ", for comparison") + ")";
  if (shown.traits().biased) return text + ": what each score of self-attention loses by distance";
  text +=
      ", " + std::to_string(shown.rows) + " positions of " + std::to_string(shown.columns) + " dimensions";
  if (shown.has_rows())
    text += "; the model’s longest position is " + std::to_string(longest_position(input.snapshot.config));
  if (part_ == kDistance || part_ == kSentencePart)
    return text + "; how alike they are, as dot products, " +
           (part_ == kDistance ? "by distance" : "for every two places of the sentence");
  if (const auto choice = shift_choice(shown, cell, choice_.distance); choice && part_ != kTable) {
    const std::vector<Frequency> waves = position_frequencies(shown.columns, shown.form);
    text += "; wavelengths from " + wavelength_text(waves.front().wavelength) + " to " +
            wavelength_text(waves.back().wavelength) + " positions";
    if (choice_.shifts(shown) && part_.empty())
      text += "; pair " + std::to_string(choice->pair) + " moved from position " +
              std::to_string(choice->from) + " to " + std::to_string(choice->from + choice->shift);
  }
  if (cell && cell->dimension)
    text += "; position " + std::to_string(cell->position) + ", dimension " +
            std::to_string(shown.column(*cell->dimension));
  return text;
}

ViewTraits PositionsView::traits() const {
  return {.shows = shows,
          .state = (choice_.kind ? kind_name(*choice_.kind) : std::string("the model's own")) +
                   (choice_.side == TextSide::source ? ", source" : ", target") +
                   (choice_.shift.value_or(choice_.kind && position_traits(*choice_.kind).turned)
                        ? ", shift by "
                        : ", alike at ") +
                   std::to_string(choice_.distance),
          .panels = {kWaves, kTable, kDistance, kSentencePart}};
}

}  // namespace glassformer
