#include "app/views/walk/walk.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "app/views/common/stage_text.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kRule = 40, kGap = 24, kAfterRule = 12;
constexpr float kNumbers = 84;          // the factors of one number, in two lines
constexpr std::size_t kMostPanels = 6;  // in one row of a backward step
constexpr float kNamedRow = 13;
constexpr float kWideCell = 3;  // a cell that the stage has room for at the least

WalkPart part_of(const WalkScene& scene, const Step& step, const WalkOperand& operand,
                 const WalkWindow& window, bool transposed = false) {
  WalkPart part;
  part.panel = walk_panel(scene, step, operand.operand, window, transposed);
  part.panel.place = operand.output       ? "result"
                     : operand.input >= 0 ? "input " + std::to_string(operand.input + 1)
                                          : "value of " + operand.operand.name;
  part.panel.note = operand.note;
  part.panel.which = operand_which(step, operand.operand);
  part.input = operand.input;
  part.output = operand.output;
  return part;
}

Point place_size(const Rect& area, std::size_t count, std::size_t rows) {
  const std::size_t columns = (count + rows - 1) / rows;
  const auto share = [](float length, std::size_t parts) {
    return std::floor((length - kGap * static_cast<float>(parts - 1)) / static_cast<float>(parts));
  };
  return {share(area.width, columns), share(area.height, rows)};
}

void settle(const Canvas& canvas, WalkPart& part, const Rect& place) {
  part.place = place;
  part.cell = walk_cell_size(canvas, {place.width, place.height}, part.panel);
  const float label = walk_label_width(canvas, part.panel);
  part.corner = {place.x + label, place.y + walk_head_room(canvas, part.panel, part.cell.x)};
  part.title_width = place.width - label;
}

// How many rows of panels make the smallest cells largest; 0 when some panel does not fit in any.
std::size_t best_rows(const Canvas& canvas, const Rect& area, const std::vector<WalkPart>& parts) {
  std::size_t best = 0;
  float widest = 0;
  for (std::size_t rows = 1; rows <= parts.size(); ++rows) {
    const Point place = place_size(area, parts.size(), rows);
    float narrowest = 1e6f;
    for (const WalkPart& part : parts) {
      const Point cell = walk_cell_size(canvas, place, part.panel);
      const bool fits = walk_panel_fits(canvas, place, part.panel);
      // Rows without room for their names are worth half.
      const bool named = part.panel.rows.shown.size() < 2 || cell.y >= kNamedRow;
      narrowest = std::min(narrowest, fits ? std::min(cell.x, cell.y) * (named ? 1 : 0.5f) : 0);
    }
    if (narrowest > widest) widest = narrowest, best = rows;
  }
  return best;
}

// A product in the textbook's place: the left operand left, the right one above, the result where they meet.
void place_product(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                   const WalkWindow& window, WalkLayout& layout) {
  WalkPart left = part_of(scene, step, {step.inputs[0], 0, false, {}}, window, step.pattern.left_transposed);
  WalkPart right =
      part_of(scene, step, {step.inputs[1], 1, false, {}}, window, step.pattern.right_transposed);
  WalkPart result = part_of(scene, step, {step.output, -1, true, {}}, window);
  left.panel.sums.clear();  // the words of the result are there

  // Rows of the left operand and columns of the right one continue in the result: they have its cells' size.
  const auto count = [](const WalkAxis& axis) { return static_cast<float>(axis.shown.size()); };
  const auto fit = [](float length, float parts, float least, float most) {
    return std::clamp(std::floor(length / std::max(1.0f, parts)), least, most);
  };
  const WalkAxis &left_columns = left.panel.columns, &left_rows = left.panel.rows,
                 &right_columns = right.panel.columns, &right_rows = right.panel.rows;
  const float label = walk_label_width(canvas, left.panel),
              right_label =
                  std::max(walk_label_width(canvas, right.panel), walk_label_width(canvas, result.panel));
  const float between = std::max(kGap + right_label, 40.0f);
  const float avail = area.width - label - between - 10;
  const float left_width =
      fit(avail - std::min(avail * 0.6f, 32 * count(right_columns)), count(left_columns), 2, 32);
  const float right_width = fit(avail - left_width * count(left_columns), count(right_columns), 2, 36);
  const float top = walk_head_room(canvas, right.panel, right_width);
  const float middle = std::max(walk_head_room(canvas, left.panel, left_width),
                                walk_head_room(canvas, result.panel, right_width));
  const float room = area.height - top - middle - 8;
  // Rows of words get height to be read before the operand above gets any.
  const float words_room = std::min(18 * count(left_rows), room / 2);
  const float right_height = fit(room - words_room, count(right_rows), 2, std::max(20.0f, right_width));
  const float height = fit(room - right_height * count(right_rows), count(left_rows), 2,
                           std::max(20.0f, std::min(left_width, right_width)));
  const Point corner{area.x + label + count(left_columns) * left_width + between,
                     area.y + top + count(right_rows) * right_height + 8 + middle};
  left.corner = {area.x + label, corner.y};
  left.cell = {left_width, height};
  left.title_width = corner.x - area.x - label - 12;
  right.corner = {corner.x, area.y + top};
  right.cell = {right_width, right_height};
  result.corner = corner;
  result.cell = {right_width, height};
  right.title_width = result.title_width = area.right() - corner.x;
  if (step.inputs.size() > 2 && corner.x - right_label - area.x > 220)
    layout.note = step.inputs[2].symbol + " is added to every row";
  for (WalkPart* part : {&left, &right, &result}) {
    part->place = {part->corner.x, part->corner.y, part->cell.x * count(part->panel.columns),
                   part->cell.y * count(part->panel.rows)};
    layout.parts.push_back(std::move(*part));
  }
}

// Panels beside each other, and what height they need.
struct ChainRow {
  std::size_t first = 0, count = 0;
  std::size_t columns = 2;  // as many as there would be room for
  float needed = 0;
  float cells = 1;  // one above the other: who has more of them gets more height
};

float row_width(float width, std::size_t columns) {
  return std::floor((width - kGap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
}

// What arrives in so many columns, and what leaves in the last row.
std::vector<ChainRow> chain_rows(const std::vector<WalkPart>& parts, std::size_t leaving, float width,
                                 std::size_t columns, float cell) {
  std::vector<ChainRow> rows;
  const std::size_t arriving = parts.size() - leaving;
  for (std::size_t i = 0; i < arriving; i += columns)
    rows.push_back({.first = i, .count = std::min(columns, arriving - i), .columns = columns});
  rows.push_back({.first = arriving, .count = leaving});
  for (ChainRow& row : rows) {
    for (std::size_t i = row.first; i < row.first + row.count; ++i) {
      const WalkPanel& panel = parts[i].panel;
      row.needed = std::max(row.needed, walk_least_height(panel, row_width(width, row.columns), cell));
      if (panel.matrix()) row.cells = std::max(row.cells, static_cast<float>(panel.rows.shown.size()));
    }
  }
  return rows;
}

float needed_by(const std::vector<ChainRow>& rows) {
  float sum = kRule + 2 * kAfterRule + kGap * static_cast<float>(rows.size() - 2);
  for (const ChainRow& row : rows) sum += row.needed;
  return sum;
}

// The most columns in which every panel of this width can be drawn; pairs stay together.
std::size_t most_columns(const std::vector<WalkPart>& parts, std::size_t leaving, float width) {
  const std::size_t arriving = parts.size() - leaving;
  const auto fits = [&](std::size_t columns) {
    return std::all_of(
        parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(arriving),
        [&](const WalkPart& part) { return walk_least_width(part.panel) <= row_width(width, columns); });
  };
  std::size_t columns = std::clamp<std::size_t>(arriving, 2, kMostPanels);
  while (columns > 2 && (!fits(columns) || (columns % 2 != 0 && arriving > columns))) --columns;
  return columns;
}

// As few as the widths allow: what has no room for its height is not pushed below the area.
std::size_t least_rows(const std::vector<WalkPart>& parts, float width) {
  std::size_t columns = std::clamp<std::size_t>(parts.size(), 1, kMostPanels);
  const auto fits = [&](const WalkPart& part) {
    return walk_least_width(part.panel) <= row_width(width, columns);
  };
  while (columns > 1 && !std::ranges::all_of(parts, fits)) --columns;
  return (parts.size() + columns - 1) / columns;
}

// Inputs one after another, the result behind them.
void place_in_rows(const Canvas& canvas, const Rect& area, std::vector<WalkPart> parts, WalkLayout& layout) {
  std::size_t rows = best_rows(canvas, area, parts);
  if (rows == 0) rows = least_rows(parts, area.width);
  const Point place = place_size(area, parts.size(), rows);
  const std::size_t columns = (parts.size() + rows - 1) / rows;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    settle(canvas, parts[i],
           {area.x + static_cast<float>(i % columns) * (place.x + kGap),
            area.y + static_cast<float>(i / columns) * (place.y + kGap), place.x, place.y});
    layout.parts.push_back(std::move(parts[i]));
  }
}

std::vector<WalkPart> parts_of(const WalkScene& scene, const Step& step, const WalkWindow& window) {
  std::vector<WalkPart> parts;
  for (const WalkOperand& operand : walk_operands(step))
    parts.push_back(part_of(scene, step, operand, window));
  return parts;
}

bool shown_as_product(const Step& step, const std::vector<WalkPart>& parts) {
  return step.pattern.kind == PatternKind::product &&
         std::ranges::all_of(parts, [](const WalkPart& part) { return part.panel.matrix(); });
}

// The parts of a backward step: what arrives first, what leaves behind it.
std::vector<WalkPart> chain_parts(const WalkScene& scene, const Step& step, const WalkWindow& window,
                                  std::size_t& leaving) {
  std::vector<WalkPart> parts, below;
  for (const WalkOperand& operand : walk_operands(step))
    (operand.leaves ? below : parts).push_back(part_of(scene, step, operand, window));
  leaving = below.size();
  std::ranges::move(below, std::back_inserter(parts));
  return parts;
}

// Its chain rule has means of a whole row, which no matrix shows.
float numbers_height(const Step& step) {
  return is_norm_backward(step.pattern.kind) ? kNumbers : 0;
}

// What arrives above, in as many rows as it needs, the chain rule, what leaves below.
void place_chain(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                 const WalkWindow& window, WalkLayout& layout) {
  std::size_t leaving = 0;
  std::vector<WalkPart> parts = chain_parts(scene, step, window, leaving);
  const std::size_t columns = most_columns(parts, leaving, area.width);
  const std::vector<ChainRow> rows = chain_rows(parts, leaving, area.width, columns, 2);
  float cells = 0;
  for (const ChainRow& row : rows) cells += row.cells;
  const float more = std::max(0.0f, area.height - needed_by(rows) - numbers_height(step)) / cells;
  float y = area.y;
  for (const ChainRow& row : rows) {
    if (&row == &rows.back()) {
      layout.rule = {area.x, y - kGap + kAfterRule, area.width, kRule};
      y = layout.rule.bottom() + kAfterRule;
      if (numbers_height(step) > 0) {
        layout.numbers = {area.x, layout.rule.bottom() + 4, area.width, numbers_height(step) - 4};
        y = layout.numbers.bottom() + kAfterRule;
      }
    }
    const float width = row_width(area.width, row.columns),
                height = std::floor(row.needed + more * row.cells);
    for (std::size_t i = 0; i < row.count; ++i) {
      const float x = area.x + static_cast<float>(i) * (width + kGap);
      settle(canvas, parts[row.first + i], {x, y, width, height});
    }
    y += height + kGap;
  }
  layout.parts = std::move(parts);
}

}  // namespace

std::vector<WalkOperand> walk_operands(const Step& step) {
  std::vector<WalkOperand> all;
  const bool back = step.place.phase == StepPhase::backward;
  const auto is_input = [&](const Operand& value) {
    return std::ranges::any_of(step.inputs, [&](const Operand& input) { return input == value; });
  };
  // A gradient is right of its value.
  std::vector<bool> taken(step.inputs.size(), false);
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    const Operand& input = step.inputs[i];
    if (!back || !is_gradient(input.store)) continue;
    const Operand value = value_of(input);
    const auto same = std::ranges::find(step.inputs, value);
    if (same != step.inputs.end()) {
      const auto at = static_cast<std::size_t>(same - step.inputs.begin());
      if (!taken[at]) all.push_back({value, static_cast<int>(at), false, "value"});
      taken[at] = true;
    } else {
      all.push_back({value, -1, false, "value"});
    }
    all.push_back({input, static_cast<int>(i), false, "arrives"});
    taken[i] = true;
  }
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    if (!taken[i]) all.push_back({step.inputs[i], static_cast<int>(i), false, {}});
  if (back && is_gradient(step.output.store)) {
    const Operand value = value_of(step.output);
    if (!is_input(value)) all.push_back({value, -1, false, "value", true});
    all.push_back({step.output, -1, true, "leaves", true});
  } else {
    all.push_back({step.output, -1, true, {}});
  }
  return all;
}

std::vector<WalkStretch> walk_stretches(const WalkScene& scene, const Step& step) {
  std::vector<WalkStretch> found;
  const auto add = [&](WalkSide side) {
    if (!walk_stretches(scene, side.extent)) return;
    if (std::ranges::find(found, side, &WalkStretch::side) != found.end()) return;
    found.push_back({side, extent_letter(side.extent) + (side.far ? ", far side" : ""),
                     scene.numbers().sizes().of(side.extent)});
  };
  for (const WalkOperand& operand : walk_operands(step)) {
    const WalkSides sides = walk_sides(step, operand.operand);
    add(sides.rows);
    add(sides.columns);
  }
  return found;
}

Point walk_minimum(const WalkScene& scene, const Step& step, float width) {
  constexpr Point kLeast{440, 484};  // the stage of a window of 1024 × 768, and of half its width
  constexpr float kAround = 200;     // title and explanation, transport
  const float inner = std::max(width, kLeast.x) - 2 * kStagePadding;
  const std::size_t tokens = std::max(scene.words->source.size(), scene.words->target.size());
  const float plain = tokens <= 16 ? kLeast.y : 600;
  std::size_t leaving = 0;
  if (step.place.phase == StepPhase::backward) {
    const std::vector<WalkPart> parts = chain_parts(scene, step, {}, leaving);
    const std::size_t columns = most_columns(parts, leaving, inner);
    return {kLeast.x, std::max(plain, kAround + numbers_height(step) +
                                          needed_by(chain_rows(parts, leaving, inner, columns, kWideCell)))};
  }
  const std::vector<WalkPart> parts = parts_of(scene, step, {});
  if (shown_as_product(step, parts)) return {kLeast.x, plain};
  const std::size_t rows = least_rows(parts, inner);
  const float place = place_size({0, 0, inner, 0}, parts.size(), rows).x;
  float needed = 0;
  for (const WalkPart& part : parts) needed = std::max(needed, walk_least_height(part.panel, place, 2));
  return {kLeast.x,
          std::max(plain, kAround + kRule + 16 + (needed + kGap) * static_cast<float>(rows) - kGap)};
}

WalkLayout walk_layout(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                       const WalkWindow& window) {
  WalkLayout layout;
  if (step.place.phase == StepPhase::backward) {
    place_chain(canvas, area, scene, step, window, layout);
    return layout;
  }
  layout.rule = {area.x, area.y, area.width, kRule};
  const Rect stage{area.x, area.y + kRule + 16, area.width, area.height - kRule - 16};
  std::vector<WalkPart> parts = parts_of(scene, step, window);
  if (shown_as_product(step, parts)) {
    place_product(canvas, stage, scene, step, window, layout);
    return layout;
  }
  place_in_rows(canvas, stage, std::move(parts), layout);
  return layout;
}

}  // namespace glassformer
