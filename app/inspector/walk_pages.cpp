#include "app/inspector/walk_pages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspector/explained_cell.h"
#include "app/inspector/inspected_cell.h"
#include "app/inspector/inspector.h"
#include "app/inspector/pages.h"
#include "app/inspector/wider_words.h"
#include "app/reading/cell_names.h"
#include "app/widgets/colormap.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr std::size_t kLargestChecked = 30'000'000;  // weights: beyond preset medium

std::string joined_path(const Step& step) {
  std::string text;
  for (const std::string& part : step_path(step)) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string symbol_of(const Operand& operand) {
  return plain_symbol(operand.symbol);
}

InspectorRow operand_row(const WalkScene& scene, const Step& step, const Operand& operand,
                         const std::string& role) {
  const std::string which = operand_which(step, operand);
  return {.label = symbol_of(operand) + (which.empty() ? " " : " of " + which + " ") + role,
          .value = shape_text(operand, scene.numbers().sizes())};
}

// The operand as whose part a number is best described: what made it, else any that holds it.
const Operand* operand_with(const WalkScene& scene, const Maker& maker, const StoredCell& cell) {
  if (maker.step != nullptr)
    return maker.also < 0 ? &maker.step->output : &maker.step->also[static_cast<std::size_t>(maker.also)];
  for (const Step& step : scene.steps) {
    for (const Operand& input : step.inputs)
      if (input.store == cell.store && input.name == cell.name && (cell.head < 0 || input.head == cell.head))
        return &input;
  }
  return nullptr;
}

// One end of a number's place in words: the word of a token, else its count.
std::string place_words(const WalkScene& scene, const Operand& operand, bool columns, int at) {
  const NumberReader reader = scene.reader();
  if (static_cast<std::size_t>(at) < reader.words(operand, columns).size())
    return "**" + reader.word(operand, columns, at) + "**";
  const Extent extent = columns ? operand.columns : operand.rows;
  if (is_vocabulary(extent)) return "word **" + reader.vocabulary_word(extent, at) + "**";
  return "number " + std::to_string(at);
}

bool tokens(Extent extent) {
  return extent == Extent::source || extent == Extent::target;
}

std::string subject_of(const WalkScene& scene, const Operand& operand, int row, int column) {
  std::string text;
  const bool attention = tokens(operand.rows) && tokens(operand.columns);
  if (operand.rows != Extent::one)
    text += (attention ? "query " : "") + place_words(scene, operand, false, row);
  if (operand.columns != Extent::one)
    text += (text.empty() ? "" : ", ") + std::string(attention ? "key " : "") +
            place_words(scene, operand, true, column);
  if (operand.head >= 0) text += ", head " + std::to_string(operand.head + 1);
  return text.empty() ? "**" + symbol_of(operand) + "**" : text;
}

// The colour as in a picture whose scale ends at the largest number of its row.
std::optional<Color> swatch_of(const ViewInput& input, const WalkScene& scene, const Operand& operand,
                               const StoredCell& cell, double value) {
  const OperandNumbers table = scene.numbers().of(operand);
  const int row = cell.row - operand.first_row;
  if (!table.recorded() || table.columns < 2 || !std::isfinite(value)) return std::nullopt;
  double largest = std::abs(value);
  for (int column = 0; column < table.columns; ++column) {
    const auto other = static_cast<double>(table(row, column));
    if (std::isfinite(other)) largest = std::max(largest, std::abs(other));
  }
  return signed_color(largest > 0 ? value / largest : 0, input.dark_theme ? dark_theme() : light_theme());
}

void add_check(InspectorPage& page, const WalkScene& scene, const StoredCell& cell, CheckCache& checks) {
  InspectorSection section;
  section.heading = "Check it: nudge the number";
  if (!can_check(cell)) {
    section.text =
        "The engine takes the loss from the logits at one stroke, which is more exact. So this number cannot "
        "be nudged on its way; a gradient of the logits can.";
    page.sections.push_back(std::move(section));
    return;
  }
  if (scene.weights->parameter_count() > kLargestChecked) {
    section.text = "This model is too large to be run twice in double precision while you wait.";
    page.sections.push_back(std::move(section));
    return;
  }
  const CheckKey key{scene.pass, cell};
  const auto found = checks.get(key, false, [weights = scene.weights, options = scene.options, key] {
    const Trace& trace = key.pass->trace;
    const std::vector<int> source = source_words(trace.source.front(), weights->config);
    return check_slope(*weights,
                       {{source}, {{trace.target_in.front().begin() + 1, trace.target_in.front().end()}}},
                       options, key.cell);
  });
  if (!found.current) {
    section.text = "Running the sentence twice more, in double precision …";
    page.sections.push_back(std::move(section));
    return;
  }
  const SlopeCheck& check = *found.value;
  const double gradient = walk_value(scene, cell, -1), slope = check.slope();
  const double size = std::max(std::abs(slope), std::abs(gradient));
  const std::string amount = format_fixed(check.amount, 4);
  section.rows = {{.label = "number + " + amount + ": loss", .value = format_fixed(check.above, 10)},
                  {.label = "number \u2212 " + amount + ": loss", .value = format_fixed(check.below, 10)},
                  {.label = "difference / " + format_fixed(2 * check.amount, 4),
                   .value = significant_text(slope, 6),
                   .emphasized = true},
                  {.label = "gradient", .value = significant_text(gradient, 6), .emphasized = true}};
  section.rows.push_back({.label = "relative difference",
                          .value = size == 0 ? "0" : significant_text(std::abs(slope - gradient) / size, 2)});
  page.sections.push_back(std::move(section));
}

// Links of the pages about values lead on inside the Walk.
void lead_to_steps(InspectorPage& page, int sentence) {
  for (InspectorSection& section : page.sections) {
    for (InspectorRow& row : section.rows) {
      const auto* pin = row.link ? row.link->get_if<SetPin>() : nullptr;
      if (pin == nullptr || !pin->selection.cell) continue;
      CellRef cell = *pin->selection.cell;
      if (cell.index.size() >= 3) cell.index[0] = sentence;
      row.link = OpenStep{cell};
    }
  }
}

// The page of a value of the forward pass, of a weight or of an id: the inspector's own, on the sentence run
// alone.
InspectorPage value_page(const ViewInput& input, const WalkScene& scene, CellRef cell) {
  const bool traced = scene.trace().find(cell.name) != nullptr;
  if (traced && !is_name_of(ValueKind::positions, cell.name)) cell.index[0] = 0;
  const ViewInput alone{.result = *scene.alone,
                        .snapshot = *scene.alone->snapshot,
                        .tokenizers = input.tokenizers,
                        .run = input.run,
                        .pinned = input.pinned,
                        .shown = input.shown,
                        .source_language = input.source_language,
                        .target_language = input.target_language,
                        .covered = input.covered,
                        .dark_theme = input.dark_theme};
  InspectorPage page = describe_cell(alone, cell);
  lead_to_steps(page, scene.pass->sentence);
  return page;
}

void add_explanation(InspectorPage& page, const ViewInput& input, const WalkScene& scene, const Maker& maker,
                     const StoredCell& cell) {
  const NumberReader reader = scene.reader();
  add_explanation(page, {.reader = reader,
                         .steps = scene.steps,
                         .cell = cell,
                         .maker = maker,
                         .smoothing = scene.options.smoothing,
                         .link = [&](const StoredCell& to) -> std::optional<Command> {
                           const bool made =
                               maker_of(to, scene.steps, reader.numbers().sizes()).step != nullptr;
                           const std::optional<CellRef> shown = reader.shown(to);
                           if (!shown || (!made && to.store != OperandStore::parameter)) return std::nullopt;
                           return OpenStep{*shown};
                         },
                         .input = input});
}

const char* meaning_of_gradient(double value) {
  if (value == 0) return "0: at this place the loss does not hear this number.";
  if (value < 0) return "Negative: were this number alone a little larger, the loss would be smaller.";
  return "Positive: were this number alone a little larger, the loss would be larger too.";
}

std::string shown_value(const StoredCell& cell, double value) {
  return is_gradient(cell.store) ? significant_text(value, 5) : value_text(value);
}

// The page of a gradient, of masks, the loss and the optimizer's numbers; no caption where no step made
// the number.
InspectorPage other_page(const ViewInput& input, const WalkScene& scene, const Maker& maker,
                         const StoredCell& cell) {
  const Operand* operand = operand_with(scene, maker, cell);
  const double value = walk_value(scene, cell, input.pinned.head);
  const bool gradient = is_gradient(cell.store);
  InspectorPage page;
  if (maker.step != nullptr) page.caption = maker.step->name;
  if (gradient && operand != nullptr) page.caption = "Gradient: d loss / d " + symbol_of(*operand).substr(1);
  if (operand != nullptr) {
    const int column = operand->head < 0 && cell.head >= 0
                           ? cell.column + cell.head * scene.weights->config.head_width()
                           : cell.column - operand->first_column;
    page.subject = subject_of(scene, *operand, cell.row - operand->first_row, column);
  }
  page.value = shown_value(cell, value);
  page.full_value = format_full(value);
  if (gradient && operand != nullptr) page.swatch = swatch_of(input, scene, *operand, cell, value);
  page.name = cell.name;
  const CellRef ref = scene.reader().shown(cell).value_or(CellRef{});
  page.index = (gradient ? "gradient " : "") + (ref.index.empty() ? std::string() : format_index(ref.index));
  add_explanation(page, input, scene, maker, cell);
  if (gradient) page.meaning = meaning_of_gradient(value);
  return page;
}

}  // namespace

double walk_value(const WalkScene& scene, const StoredCell& cell, int head) {
  if (cell.store != OperandStore::mask) return scene.reader().value(cell);
  // That of the head, which may have weights cut by hand.
  double value = std::numeric_limits<double>::quiet_NaN();
  for (const Step& step : scene.steps) {
    for (const Operand& input : step.inputs) {
      const bool asked = input.store == OperandStore::mask && !input.by_rule && input.name == cell.name;
      if (asked && (std::isnan(value) || input.head == head))
        value = static_cast<double>(scene.numbers().of(input)(cell.row, cell.column));
    }
  }
  return value;
}

InspectorPage walk_step_page(const WalkScene& scene, const Step& step) {
  InspectorPage page;
  page.caption = joined_path(step);
  page.subject = "**" + std::string(step.name) + "**";
  page.name = step.output.name;
  if (is_gradient(step.output.store)) page.index = "gradient";
  InspectorSection formula;
  formula.heading = "How it is computed";
  formula.formulas = {walk_formula(symbols_formula(step)), walk_formula(shapes_formula(step)),
                      walk_formula(sizes_formula(step, scene.numbers().sizes()))};
  page.sections.push_back(std::move(formula));
  InspectorSection operands;
  operands.heading = "What goes in and comes out";
  for (const Operand& operand : step.inputs)
    operands.rows.push_back(operand_row(scene, step, operand, "goes in"));
  operands.rows.push_back(operand_row(scene, step, step.output, "comes out"));
  for (const Operand& operand : step.also)
    operands.rows.push_back(operand_row(scene, step, operand, "as well"));
  page.sections.push_back(std::move(operands));
  for (InspectorSection& wider : wider_sections(step, scene.numbers()))
    page.sections.push_back(std::move(wider));
  page.meaning = explanation(step);
  if (!step.section.empty()) page.paper = "Paper, section " + std::string(step.section);
  return page;
}

InspectorPage walk_cell_page(const ViewInput& input, const WalkScene& scene, const Step& shown,
                             const StoredCell& cell, CheckCache* checks) {
  const StepNumbers numbers = scene.numbers();
  const Maker maker = maker_of(cell, scene.steps, numbers.sizes());
  const CellRef ref = scene.reader().shown(cell).value_or(CellRef{});
  InspectorPage page = has_page(cell) ? value_page(input, scene, ref) : other_page(input, scene, maker, cell);
  if (page.caption.empty()) page.caption = joined_path(shown);
  if (is_gradient(cell.store) && checks != nullptr) add_check(page, scene, cell, *checks);
  if (maker.step != nullptr && maker.step != &shown)
    page.action = InspectorAction{"How was this computed?", OpenStep{ref}};
  if (maker.step == nullptr && cell.store == OperandStore::parameter)
    page.action = InspectorAction{"How does training change it?", OpenStep{ref}};
  return page;
}

}  // namespace glassformer
