#include "app/inspector/inspector.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/inspector/explained_cell.h"
#include "app/inspector/inspected_cell.h"
#include "app/inspector/pages.h"
#include "app/inspector/value_words.h"
#include "app/session/change_words.h"
#include "app/session/run_scene.h"
#include "app/widgets/colormap.h"
#include "engine/model/steps/steps.h"

namespace glassformer {

namespace {

bool mean_over_heads(const CellRef& cell, const std::optional<AttentionName>& attention) {
  return attention && attention->value == ValueKind::weights && cell.index.size() == 4 && cell.index[1] == -1;
}

// Colours as in the picture the number is in: weights and probabilities on cividis, the rest signed, the
// largest number of its row at the end of the scale.
void add_swatch(InspectorPage& page, const InspectedCell& inspected,
                const std::optional<AttentionName>& attention) {
  const Theme theme = inspected.input().dark_theme ? dark_theme() : light_theme();
  const double value = inspected.value();
  const std::string& name = inspected.cell().name;
  if ((attention && attention->value == ValueKind::weights) || is_name_of(ValueKind::smoothed_target, name)) {
    page.swatch = cividis(value);
  } else if (is_name_of(ValueKind::log_probabilities, name)) {
    page.swatch = cividis(std::exp(value));
  } else if (std::isfinite(value) && !inspected.parameter() && inspected.index().size() > 1) {
    std::vector<int> row = inspected.index();
    row.pop_back();
    double largest = std::abs(value);
    for (const double each : inspected.row(name, row))
      if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
    page.swatch = signed_color(largest > 0 ? value / largest : 0, theme);
  }
}

// The steps that can make a value or read it, on the way forward as this Scene takes it: those of its layer
// and of the next one. What is before the layers is read by the first, what is behind them made by
// the last, and the memory read by every layer of the decoder alike.
std::vector<Step> steps_around(const InspectedCell& inspected, const ValueName& name) {
  const Config config = config_under(inspected.config(), inspected.input().result.scene.what_if);
  const bool before = name.block == BlockKind::embedding || name.block == BlockKind::embedding_norm;
  const bool memory = name.block == BlockKind::stack && name.encoder;
  const int last = (name.encoder ? config.encoder_layers : config.decoder_layers) - 1;
  const int own = before ? -1 : in_layer(name.block) ? name.layer : last;
  return forward_steps(config, [=](bool encoder, int layer) {
    if (encoder != name.encoder) return memory && layer == 0;
    return layer == own || layer == own + 1;
  });
}

void add_explanation(InspectorPage& page, const InspectedCell& inspected, const std::vector<Step>& steps) {
  const NumberReader& reader = inspected.reader();
  const StoredCell cell = reader.stored(inspected.cell()).value();
  const Maker maker = maker_of(cell, steps, reader.numbers().sizes());
  if (maker.step != nullptr) page.meaning = explanation(*maker.step);
  add_explanation(page, {.reader = reader,
                         .steps = steps,
                         .cell = cell,
                         .maker = maker,
                         .smoothing = inspected.input().result.scene.smoothing,
                         .link = [&](const StoredCell& to) -> std::optional<Command> {
                           const std::optional<CellRef> shown = reader.shown(to);
                           if (!shown || !has_page(to)) return std::nullopt;
                           return SetPin{selecting(inspected.input().pinned, *shown)};
                         },
                         .input = inspected.input()});
}

// A word's place in the vocabulary, where every way back ends: made of text, and read by the look-up.
InspectorPage id_page(const InspectedCell& inspected) {
  const Config config = config_under(inspected.config(), inspected.input().result.scene.what_if);
  const std::vector<Step> steps = forward_steps(config, [](bool, int) { return false; });
  const NumberReader& reader = inspected.reader();
  const StoredCell cell = reader.stored(inspected.cell()).value();
  const Maker maker = maker_of(cell, steps, reader.numbers().sizes());
  InspectorPage page{.caption = "Id", .value = format_count(std::llround(inspected.value()))};
  if (maker.step != nullptr) {
    const Operand& list = maker.also < 0 ? maker.step->output : maker.step->also.front();
    page.subject = "**" + reader.word(list, false, cell.row) + "**";
  }
  page.name = inspected.cell().name;
  add_explanation(page, inspected, steps);
  return page;
}

InspectorPage page_of(const InspectedCell& inspected, const std::optional<AttentionName>& attention) {
  if (inspected.parameter()) return parameter_page(inspected);
  if (inspected.id()) return id_page(inspected);
  const std::optional<ValueName> name = read_name(inspected.cell().name);
  if (!name) return cell_page(inspected, inspected.cell().name, {});
  const ValueWords words = words_of_value(inspected, *name);
  InspectorPage page = cell_page(inspected, words.caption, words.subject);
  add_explanation(page, inspected, steps_around(inspected, *name));
  if (attention && attention->value == ValueKind::weights) {
    const auto behind_change = std::ranges::find(page.sections, "Comes from", &InspectorSection::heading);
    page.sections.insert(behind_change, whole_row(inspected, *attention));
  }
  if (name->block == BlockKind::output) add_beside_prediction(page, inspected, name->value);
  if (!words.meaning.empty()) page.meaning = words.meaning;
  return page;
}

}  // namespace

namespace {

// What was changed in the block that the number lies in, and the way back.
void add_changes(InspectorPage& page, const ViewInput& input, const CellRef& cell) {
  std::optional<ValueName> block = read_name(cell.name);
  const WhatIf& what_if = input.result.scene.what_if;
  if (!block || what_if.empty()) return;
  block->value = ValueKind::whole;
  const ChangeWords words = change_words(input.result, input.tokenizers);
  InspectorSection section{.heading = "Changed here", .note = "a click takes it back"};
  for (std::size_t i = 0; i < what_if.changes.size(); ++i) {
    const Change& change = what_if.changes[i];
    if (!traits_of(change.kind).touches(change, *block)) continue;
    section.rows.push_back({.label = chip_words(change, words), .link = SetWhatIf{what_if.without(i)}});
  }
  if (!section.rows.empty()) page.sections.insert(page.sections.begin(), std::move(section));
}

}  // namespace

InspectorPage describe_cell(const ViewInput& input, const CellRef& cell) {
  const std::optional<AttentionName> attention = read_attention_name(cell.name);
  if (mean_over_heads(cell, attention)) {
    CellRef first = cell;
    first.index[1] = 0;
    const InspectedCell inspected(input, first);
    if (inspected.exists()) return mean_weight_page(inspected, *attention);
  }
  const InspectedCell inspected(input, cell);
  if (!inspected.exists()) {
    InspectorPage page;
    page.caption = "Not in this sentence";
    page.name = cell.name;
    page.index = format_index(cell.index);
    page.meaning =
        "The sentence or the model has changed since this number was pinned. Click another one, or press "
        "Esc.";
    return page;
  }
  InspectorPage page = page_of(inspected, attention);
  add_swatch(page, inspected, attention);
  add_changes(page, input, cell);
  return page;
}

std::optional<CellRef> selected_cell(const Selection& selection) {
  if (selection.cell) return selection.cell;
  if (!selection.query || !selection.key) return std::nullopt;
  return CellRef{attention_value(selection.kind, selection.layer, ValueKind::weights),
                 {selection.sentence, selection.head, *selection.query, *selection.key}};
}

}  // namespace glassformer
