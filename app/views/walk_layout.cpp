#include "app/views/walk_layout.h"

#include <algorithm>
#include <cmath>

#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kRule = 40, kGap = 24, kAfterRule = 12;
constexpr std::size_t kMostPanels = 6, kMostChainRows = 3;  // in one row of a backward step; such rows

// A product in the textbook's place: the left operand left, the right one above, the result where they meet.
enum class Product { none, plain, right_transposed, left_transposed };

Product product_of(const Step& step) {
  if (step.inputs.size() < 2 || step.inputs.size() > 3) return Product::none;
  const std::string_view formula = step.formula;
  if (formula.starts_with("{=} = {0} {1}ᵀ")) return Product::right_transposed;
  if (formula.starts_with("{=} = {0}ᵀ {1}")) return Product::left_transposed;
  return formula == "{=} = {0} {1}" ? Product::plain : Product::none;
}

bool is_gradient(const Operand& operand) {
  return operand.store == OperandStore::gradient || operand.store == OperandStore::parameter_gradient;
}

// What the gradient is the gradient of.
Operand value_of(const Operand& gradient) {
  Operand value = gradient;
  value.symbol.erase(0, 1);
  value.store = gradient.store == OperandStore::gradient ? OperandStore::trace : OperandStore::parameter;
  return value;
}

WalkPart part_of(const WalkScene& scene, const Step& step, const WalkOperand& operand,
                 const WalkWindow& window, bool transposed = false) {
  WalkPart part;
  part.panel = walk_panel(scene, step, operand.operand, window, transposed);
  part.panel.place = operand.output       ? "result"
                     : operand.input >= 0 ? "input " + std::to_string(operand.input + 1)
                                          : "value of " + operand.operand.name;
  part.panel.note = operand.note;
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
      narrowest = std::min(narrowest, fits ? std::min(cell.x, cell.y) : 0);
    }
    if (narrowest > widest) widest = narrowest, best = rows;
  }
  return best;
}

// Inputs one after another, the result behind them. What does not fit is left out from behind.
void place_in_rows(const Canvas& canvas, const Rect& area, std::vector<WalkPart> parts, WalkLayout& layout) {
  std::size_t rows = best_rows(canvas, area, parts);
  while (rows == 0 && parts.size() > 2) {
    parts.erase(parts.end() - 2);
    ++layout.left_out;
    rows = best_rows(canvas, area, parts);
  }
  rows = std::max<std::size_t>(rows, 1);
  const Point place = place_size(area, parts.size(), rows);
  const std::size_t columns = (parts.size() + rows - 1) / rows;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    settle(canvas, parts[i],
           {area.x + static_cast<float>(i % columns) * (place.x + kGap),
            area.y + static_cast<float>(i / columns) * (place.y + kGap), place.x, place.y});
    layout.parts.push_back(std::move(parts[i]));
  }
}

void place_product(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                   const WalkWindow& window, WalkLayout& layout) {
  const Product product = product_of(step);
  WalkPart left =
      part_of(scene, step, {step.inputs[0], 0, false, {}}, window, product == Product::left_transposed);
  WalkPart right =
      part_of(scene, step, {step.inputs[1], 1, false, {}}, window, product == Product::right_transposed);
  WalkPart result = part_of(scene, step, {step.output, -1, true, {}}, window);

  // Rows of the left operand and columns of the right one go on in the result: they have its cells' size.
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

// Panels in so many rows on top of each other.
void set_out(const Canvas& canvas, std::vector<WalkPart>& parts, const Rect& area, std::size_t rows,
             WalkLayout& layout) {
  const Point place = place_size(area, std::max<std::size_t>(parts.size(), 2 * rows), rows);
  const std::size_t columns = (std::max<std::size_t>(parts.size(), 2 * rows) + rows - 1) / rows;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    settle(canvas, parts[i],
           {area.x + static_cast<float>(i % columns) * (place.x + kGap),
            area.y + static_cast<float>(i / columns) * (place.y + kGap), place.x, place.y});
    layout.parts.push_back(std::move(parts[i]));
  }
}

// What arrives above, in as many rows as it needs, the chain rule, what leaves below.
void place_chain(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                 const WalkWindow& window, WalkLayout& layout) {
  std::vector<WalkPart> above, below;
  for (const WalkOperand& operand : walk_operands(step)) {
    (operand.leaves ? below : above).push_back(part_of(scene, step, operand, window));
  }
  const float free = area.height - kRule - 2 * kAfterRule;
  const auto top_of = [&](std::size_t rows) {
    const float one = std::floor((free - kGap * static_cast<float>(rows - 1)) / static_cast<float>(rows + 1));
    return Rect{area.x, area.y, area.width, free - one};
  };
  const auto fits = [&](std::size_t rows) {
    const Point place = place_size(top_of(rows), above.size(), rows);
    return above.size() <= kMostPanels * rows && std::ranges::all_of(above, [&](const WalkPart& part) {
             return walk_panel_fits(canvas, place, part.panel);
           });
  };
  std::size_t rows = 1;
  while (rows < kMostChainRows && !fits(rows)) ++rows;
  while (!fits(rows) && above.size() > 1) {
    above.pop_back();
    ++layout.left_out;
  }
  const Rect top = top_of(rows);
  layout.rule = {area.x, top.bottom() + kAfterRule, area.width, kRule};
  const float y = layout.rule.bottom() + kAfterRule;
  set_out(canvas, above, top, rows, layout);
  set_out(canvas, below, {area.x, y, area.width, area.bottom() - y}, 1, layout);
}

}  // namespace

std::vector<WalkOperand> walk_operands(const Step& step) {
  std::vector<WalkOperand> all;
  const bool back = step.place.phase == StepPhase::backward;
  const auto stands = [&](const Operand& value) {
    return std::ranges::any_of(step.inputs, [&](const Operand& input) { return input == value; });
  };
  // A gradient stands right of its value.
  std::vector<bool> taken(step.inputs.size(), false);
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    const Operand& input = step.inputs[i];
    if (!back || !is_gradient(input)) continue;
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
  if (back && is_gradient(step.output)) {
    const Operand value = value_of(step.output);
    if (!stands(value)) all.push_back({value, -1, false, "value", true});
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

WalkLayout walk_layout(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                       const WalkWindow& window) {
  WalkLayout layout;
  if (step.place.phase == StepPhase::backward) {
    place_chain(canvas, area, scene, step, window, layout);
    return layout;
  }
  layout.rule = {area.x, area.y, area.width, kRule};
  const Rect stage{area.x, area.y + kRule + 16, area.width, area.height - kRule - 16};
  std::vector<WalkPart> parts;
  for (const WalkOperand& operand : walk_operands(step))
    parts.push_back(part_of(scene, step, operand, window));
  const bool matrices = std::ranges::all_of(parts, [](const WalkPart& part) { return part.panel.matrix(); });
  if (product_of(step) != Product::none && matrices) {
    place_product(canvas, stage, scene, step, window, layout);
    return layout;
  }
  place_in_rows(canvas, stage, std::move(parts), layout);
  return layout;
}

}  // namespace glassformer
