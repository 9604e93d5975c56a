#include "app/views/walk_drawing.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/views/stage_text.h"
#include "app/views/walk_panel.h"
#include "app/widgets/formula.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kFormulaHeight = 40, kGap = 24;
constexpr std::size_t kMostPanels = 5;  // inputs that fit beside the result

// A product in the textbook's place: the left operand left, the right one above, the result where they meet.
enum class Product { none, plain, right_transposed, left_transposed };

Product product_of(const Step& step) {
  if (step.inputs.size() < 2 || step.inputs.size() > 3) return Product::none;
  const std::string_view formula = step.formula;
  if (formula.starts_with("{=} = {0} {1}ᵀ")) return Product::right_transposed;
  if (formula.starts_with("{=} = {0}ᵀ {1}")) return Product::left_transposed;
  return formula == "{=} = {0} {1}" ? Product::plain : Product::none;
}

void draw_formula_box(Canvas& canvas, const Rect& box, const WalkScene& scene, const Step& step) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(box, {.fill = theme.panel, .outline = theme.border, .radius = 8});
  const Formula symbols = walk_formula(symbols_formula(step));
  const FormulaStyle style{.size = 14, .color = theme.ink};
  const FormulaSize size = measure_formula(canvas, symbols, style);
  draw_formula(canvas, {box.x + 16, box.center().y}, symbols, style);

  TextStyle sizes = index_style(canvas);
  sizes.x = AlignX::right;
  const float room = box.width - 32 - size.width - kGap;
  const std::string text = sizes_formula(step, scene.numbers().sizes());
  if (room > 60) canvas.text({box.right() - 16, box.center().y}, elided(canvas, text, sizes, room), sizes);
}

Point place_size(const Rect& area, std::size_t count, std::size_t rows) {
  const std::size_t columns = (count + rows - 1) / rows;
  const auto share = [](float length, std::size_t parts) {
    return std::floor((length - kGap * static_cast<float>(parts - 1)) / static_cast<float>(parts));
  };
  return {share(area.width, columns), share(area.height, rows)};
}

// How many rows of panels make the narrowest cells widest; 0 when some panel does not fit in any.
std::size_t best_rows(const Canvas& canvas, const Rect& area, const std::vector<WalkPanel>& panels) {
  std::size_t best = 0;
  float widest = 0;
  for (std::size_t rows = 1; rows <= panels.size(); ++rows) {
    const Point place = place_size(area, panels.size(), rows);
    float narrowest = 1e6f;
    for (const WalkPanel& panel : panels) {
      const bool fits = walk_panel_fits(canvas, place, panel);
      narrowest = std::min(narrowest, fits ? walk_cell_size(canvas, place, panel).x : 0);
    }
    if (narrowest > widest) widest = narrowest, best = rows;
  }
  return best;
}

// Inputs one after another, the result behind them. What does not fit is counted.
void draw_row(Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step) {
  std::vector<WalkPanel> panels;
  for (const Operand& input : step.inputs) {
    if (panels.size() == kMostPanels) break;
    panels.push_back(walk_panel(scene, input));
    panels.back().place = "input " + std::to_string(panels.size());
  }
  panels.push_back(walk_panel(scene, step.output));
  std::size_t rows = best_rows(canvas, area, panels);
  while (rows == 0 && panels.size() > 2) {
    panels.erase(panels.end() - 2);
    rows = best_rows(canvas, area, panels);
  }
  rows = std::max<std::size_t>(rows, 1);
  const Point place = place_size(area, panels.size(), rows);
  const std::size_t columns = (panels.size() + rows - 1) / rows;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Rect cell{area.x + static_cast<float>(i % columns) * (place.x + kGap),
                    area.y + static_cast<float>(i / columns) * (place.y + kGap), place.x, place.y};
    draw_walk_panel(canvas, cell, panels[i], i + 1 == panels.size());
  }
  const std::size_t left_out = step.inputs.size() + 1 - panels.size();
  if (left_out == 0) return;
  TextStyle note = caption_style(canvas);
  note.x = AlignX::right;
  canvas.text({area.right(), area.bottom() + 6},
              "and " + std::to_string(left_out) + " more inputs, named in the inspector", note);
}

void draw_product(Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                  Product product) {
  WalkPanel left = walk_panel(scene, step.inputs[0], product == Product::left_transposed);
  WalkPanel right = walk_panel(scene, step.inputs[1], product == Product::right_transposed);
  left.place = "input 1";
  right.place = "input 2";
  const WalkPanel result = walk_panel(scene, step.output);

  // Rows of the left operand and columns of the right one go on in the result: they have its cells' size.
  const auto count = [](const WalkAxis& axis) { return static_cast<float>(axis.shown.size()); };
  const float label = walk_label_width(canvas, left), right_label = walk_label_width(canvas, right);
  const float between = std::max(kGap + right_label, 40.0f), heading = kWalkHeading + kWalkLabels;
  const float room = area.height - 2 * heading - 8;
  const float avail = area.width - label - between;
  const auto fit = [](float length, float parts, float least, float most) {
    return std::clamp(std::floor(length / std::max(1.0f, parts)), least, most);
  };
  // Rows of words get height to be read before the operand above gets any.
  const float words_room = std::min(18 * count(left.rows), room / 2);
  const float left_width =
      fit(avail - std::min(avail * 0.6f, 32 * count(right.columns)), count(left.columns), 2, 32);
  const float right_width = fit(avail - left_width * count(left.columns), count(right.columns), 2, 36);
  const float right_height = fit(room - words_room, count(right.rows), 2, std::max(20.0f, right_width));
  const float height = fit(room - right_height * count(right.rows), count(left.rows), 2,
                           std::max(20.0f, std::min(left_width, right_width)));
  const Point corner{area.x + label + count(left.columns) * left_width + between,
                     area.y + heading + count(right.rows) * right_height + 8 + heading};
  WalkCellOptions words{.words_left = true, .words_above = true};
  words.title_width = corner.x - area.x - label - 12;
  draw_walk_cells(canvas, {area.x + label, corner.y}, {left_width, height}, left, words);
  words.title_width = area.right() - corner.x;
  draw_walk_cells(canvas, {corner.x, area.y + heading}, {right_width, right_height}, right, words);
  draw_walk_cells(canvas, corner, {right_width, height}, result,
                  {.result = true, .title_width = words.title_width});
  if (step.inputs.size() > 2 && corner.x - right_label - area.x > 220) {
    draw_formula(canvas, {area.x, area.y + 12},
                 walk_formula(step.inputs[2].symbol + " is added to every row"),
                 {.size = 12, .color = canvas.theme().second_text});
  }
}

}  // namespace

Formula walk_formula(std::string_view text) {
  std::vector<Formula> parts;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool index = text[i] == '_' && !plain.empty() && i + 1 < text.size() &&
                       std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0;
    if (!index) {
      plain += text[i];
      continue;
    }
    // The base is the word before the underscore.
    const std::size_t start = plain.find_last_of(" ([") + 1;
    std::string base = plain.substr(start), low;
    plain.resize(start);
    while (i + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0)
      low += text[++i];
    if (!plain.empty()) parts.push_back(formula_text(plain));
    plain.clear();
    parts.push_back(formula_index(formula_text(base), formula_text(low)));
  }
  if (!plain.empty()) parts.push_back(formula_text(plain));
  return formula_row(std::move(parts));
}

void draw_walk_step(Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step) {
  draw_formula_box(canvas, {area.x, area.y, area.width, kFormulaHeight}, scene, step);
  const Rect stage{area.x, area.y + kFormulaHeight + 16, area.width, area.height - kFormulaHeight - 16};
  const Product product = product_of(step);
  if (product == Product::none) {
    draw_row(canvas, stage, scene, step);
  } else {
    draw_product(canvas, stage, scene, step, product);
  }
}

Point walk_minimum(std::size_t tokens) {
  return {640, tokens <= 16 ? 476.0f : 560.0f};
}

}  // namespace glassformer
