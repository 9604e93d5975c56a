#include "app/inspector/inspector.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/inspector/explained_cell.h"
#include "app/inspector/pages.h"
#include "app/inspector/value_words.h"
#include "app/reading/cell_reader.h"
#include "app/session/run_scene.h"
#include "app/widgets/colormap.h"
#include "engine/model/steps/steps.h"

namespace glassformer {

namespace {

bool mean_over_heads(const CellRef& cell, const std::optional<AttentionName>& attention) {
  return attention && attention->value == ValueKind::weights && cell.index.size() == 4 && cell.index[1] == -1;
}

// Colours as in the picture the number stands in: weights and probabilities on cividis, the rest signed, the
// largest number of its row at the end of the scale.
void add_swatch(InspectorPage& page, const CellReader& reader,
                const std::optional<AttentionName>& attention) {
  const Theme theme = reader.input().dark_theme ? dark_theme() : light_theme();
  const double value = reader.value();
  const std::string& name = reader.cell().name;
  if ((attention && attention->value == ValueKind::weights) || name == "smoothed_target") {
    page.swatch = cividis(value);
  } else if (name == "log_probabilities") {
    page.swatch = cividis(std::exp(value));
  } else if (std::isfinite(value) && !reader.parameter() && reader.index_without_batch().size() > 1) {
    std::vector<int> row = reader.index_without_batch();
    row.pop_back();
    double largest = std::abs(value);
    for (const double each : reader.row(name, row))
      if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
    page.swatch = signed_color(largest > 0 ? value / largest : 0, theme);
  }
}

// Of a sentence's words, or of a vocabulary's; those are counted that the tokenizer does not know.
std::string word_on_axis(const CellReader& reader, const Operand& operand, bool columns, int at) {
  const Extent extent = columns ? operand.columns : operand.rows;
  if (extent == Extent::source) return reader.source_word(at);
  if (extent == Extent::target)
    return operand.name == "target_out" ? reader.written_word(at) : reader.target_word(at);
  const Tokenizers& tokenizers = reader.input().tokenizers;
  const Tokenizer* const tokenizer =
      extent == Extent::source_vocab ? tokenizers.source.get() : tokenizers.target.get();
  return tokenizer && at < tokenizer->size() ? word_of(tokenizer, reader.config(), at) : std::to_string(at);
}

// The steps that can make a value or read it, on the way forward as this Scene takes it: those of its layer
// and of the next one. What stands before the layers is read by the first, what stands behind them made by
// the last, and the memory read by every layer of the decoder alike.
std::vector<Step> steps_around(const CellReader& reader, const ValueName& name) {
  Config config = reader.config();
  if (reader.input().result.scene.what_if.drop_scale) config.attention_scale = false;
  const bool before = name.block == BlockKind::embedding || name.block == BlockKind::embedding_norm;
  const bool memory = name.block == BlockKind::stack && name.encoder;
  const int last = (name.encoder ? config.encoder_layers : config.decoder_layers) - 1;
  const int own = before ? -1 : in_layer(name.block) ? name.layer : last;
  return forward_steps(config, [=](bool encoder, int layer) {
    if (encoder != name.encoder) return memory && layer == 0;
    return layer == own || layer == own + 1;
  });
}

void add_explanation(InspectorPage& page, const CellReader& reader, const ValueName& name) {
  const StepNumbers numbers = reader.numbers();
  const std::vector<Step> steps = steps_around(reader, name);
  const StoredCell cell = reader.stored();
  const Maker maker = maker_of(cell, steps, numbers.sizes());
  if (maker.step != nullptr) page.meaning = explanation(*maker.step);
  add_explanation(page, {.numbers = numbers,
                         .steps = steps,
                         .cell = cell,
                         .maker = maker,
                         .value = reader.value(),
                         .smoothing = reader.input().result.scene.smoothing,
                         .word = [&](const Operand& operand, bool columns,
                                     int at) { return word_on_axis(reader, operand, columns, at); },
                         .link = [&](const StoredCell& to) -> std::optional<Command> {
                           const std::optional<CellRef> shown = reader.shown(to);
                           if (!shown) return std::nullopt;
                           return SetPin{selecting(reader.input().pinned, *shown)};
                         }});
}

InspectorPage page_of(const CellReader& reader, const std::optional<AttentionName>& attention) {
  if (reader.parameter()) return parameter_page(reader);
  const std::optional<ValueName> name = read_name(reader.cell().name);
  if (!name) return cell_page(reader, reader.cell().name, {});
  const ValueWords words = words_of_value(reader, *name);
  InspectorPage page = cell_page(reader, words.caption, words.subject);
  add_explanation(page, reader, *name);
  if (attention && attention->value == ValueKind::weights) {
    const auto behind_change = std::ranges::find(page.sections, "Comes from", &InspectorSection::heading);
    page.sections.insert(behind_change, whole_row(reader, *attention));
  }
  if (name->block == BlockKind::output) add_beside_prediction(page, reader, name->value);
  if (!words.meaning.empty()) page.meaning = words.meaning;
  return page;
}

}  // namespace

InspectorPage describe_cell(const ViewInput& input, const CellRef& cell) {
  const std::optional<AttentionName> attention = read_attention_name(cell.name);
  if (mean_over_heads(cell, attention)) {
    CellRef first = cell;
    first.index[1] = 0;
    const CellReader reader(input, first);
    if (reader.exists()) return mean_weight_page(reader, *attention);
  }
  const CellReader reader(input, cell);
  if (!reader.exists()) {
    InspectorPage page;
    page.caption = "Not in this sentence";
    page.name = cell.name;
    page.index = format_index(cell.index);
    page.meaning =
        "The sentence or the model has changed since this number was pinned. Click another one, or press "
        "Esc.";
    return page;
  }
  InspectorPage page = page_of(reader, attention);
  add_swatch(page, reader, attention);
  return page;
}

std::optional<CellRef> selected_cell(const Selection& selection) {
  if (selection.cell) return selection.cell;
  if (!selection.query || !selection.key) return std::nullopt;
  return CellRef{attention_value(selection.kind, selection.layer, ValueKind::weights),
                 {selection.sentence, selection.head, *selection.query, *selection.key}};
}

}  // namespace glassformer
