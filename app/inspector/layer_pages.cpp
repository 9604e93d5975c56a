// Pages of what stands around the attentions: residual sums, LayerNorm, the feed-forward network, and what
// each layer and each stack hands on.
#include <charconv>
#include <string_view>

#include "app/inspector/layer_values.h"
#include "app/inspector/pages.h"
#include "app/inspector/provenance.h"

namespace glassformer {

namespace {

struct LayerCell {
  LayerPlace place;
  std::string prefix;  // "encoder.layers.0."
  std::string part;    // "norm1", "norm1.mean", "feed_forward.hidden", "memory", "decoder.output"
  int row = 0, column = 0;
  std::string word;
};

LayerCell layer_cell(const CellReader& reader) {
  const std::string& name = reader.cell().name;
  const std::vector<int> index = reader.index_without_batch();
  LayerCell cell;
  cell.row = index[0];
  cell.column = index.size() > 1 ? index[1] : 0;
  cell.place.encoder = name == "memory" || name.starts_with("encoder");
  const std::string stack = cell.place.encoder ? "encoder.layers." : "decoder.layers.";
  if (name.starts_with(stack)) {
    std::from_chars(name.data() + stack.size(), name.data() + name.size(), cell.place.layer);
    cell.prefix = layer_prefix(cell.place);
    cell.part = name.substr(cell.prefix.size());
  } else {
    cell.part = name;
  }
  cell.word = reader.stack_word(cell.place.encoder, cell.row);
  return cell;
}

// "norm2" -> 2
int number_of(const std::string& part, std::string_view kind) {
  return part.size() > kind.size() ? part[kind.size()] - '0' : 1;
}

std::string sublayer_words(const LayerPlace& place, int sublayer) {
  if (sublayer == 1) return "self-attention";
  return sublayer < sublayers(place) ? "cross-attention" : "the feed-forward network";
}

std::string for_word(const LayerCell& cell) {
  return "for **" + cell.word + "**";
}

// LayerNorm of `from`, whose gain and shift are parameters of `owner`.
void add_norm(InspectorPage& page, const CellReader& reader, const LayerCell& cell, const std::string& from,
              const std::string& owner) {
  const double x = reader.value_at(from, {cell.row, cell.column});
  const NormalizedRow row = normalized_row(reader.row(from, {cell.row}), reader.config().layer_norm_eps);
  const double gain = reader.bias(owner + ".weight", cell.column).value_or(1);
  const double shift = reader.bias(owner + ".bias", cell.column).value_or(0);
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas.push_back(formula_row(
      {formula_text("norm = gain ·"), formula_fraction(formula_text("x − mean"), formula_text("deviation")),
       formula_text("+ shift")}));
  computed.formulas.push_back(
      formula_row({formula_mono("= " + value_text(gain) + " ×"),
                   formula_fraction(formula_mono(value_text(x) + " − " + bracketed_text(row.mean)),
                                    formula_mono(value_text(row.deviation)))}));
  computed.formulas.push_back(
      formula_mono("+ " + bracketed_text(shift) + " = " + value_text(reader.value())));
  page.sections.push_back(std::move(computed));
  note_change(page, gain * row.values.at(static_cast<size_t>(cell.column)) + shift, reader.value());

  std::vector<InspectorRow> rows{operand_link(reader, "x", reader.at(from, {cell.row, cell.column}))};
  if (reader.has(owner + ".mean"))
    rows.push_back(operand_link(reader, "mean of the row", reader.at(owner + ".mean", {cell.row})));
  if (reader.has(owner + ".deviation"))
    rows.push_back(operand_link(reader, "deviation of the row", reader.at(owner + ".deviation", {cell.row})));
  rows.push_back(operand_link(reader, "gain", reader.parameter_at(owner + ".weight", {cell.column})));
  rows.push_back(operand_link(reader, "shift", reader.parameter_at(owner + ".bias", {cell.column})));
  add_rows(page, "Comes from", std::move(rows));
  page.meaning =
      "The row of “" + cell.word + "” is moved to mean 0 and deviation 1, then scaled and shifted.";
  page.paper = "Paper, section 3.1";
}

InspectorPage residual_page(const CellReader& reader, const LayerCell& cell) {
  const int n = number_of(cell.part, "residual");
  const std::string stream = stream_name(reader.config(), cell.place, n);
  const std::string output = sublayer_output_name(cell.place, n);
  const double kept = reader.value_at(stream, {cell.row, cell.column});
  const double added = reader.value_at(output, {cell.row, cell.column});
  InspectorPage page =
      cell_page(reader, "Residual sum, number " + std::to_string(cell.column), for_word(cell));
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {formula_text("sum = stream + output of " + sublayer_words(cell.place, n)),
                       formula_mono("= " + value_text(kept) + " + " + bracketed_text(added)),
                       formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, kept + added, reader.value());
  add_rows(page, "Comes from",
           {operand_link(reader, "stream", reader.at(stream, {cell.row, cell.column})),
            operand_link(reader, sublayer_words(cell.place, n), reader.at(output, {cell.row, cell.column}))});
  page.meaning = "The sublayer adds to what was there before; nothing is overwritten.";
  page.paper = "Paper, section 3.1";
  return page;
}

InspectorPage norm_page(const CellReader& reader, const LayerCell& cell) {
  const int n = number_of(cell.part, "norm");
  const std::string from = norm_input_name(reader.config(), cell.place, n);
  if (is_moment(cell.part)) return moment_page(reader, from, cell.word);
  InspectorPage page = cell_page(reader, "LayerNorm, number " + std::to_string(cell.column), for_word(cell));
  add_norm(page, reader, cell, from, cell.prefix + "norm" + std::to_string(n));
  return page;
}

const char* activation_words(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return "max( 0, x )";
    case Activation::gelu:
      return "x · Φ( x )";
    case Activation::swish:
      break;
  }
  return "x · sigmoid( x )";
}

InspectorPage hidden_page(const CellReader& reader, const LayerCell& cell) {
  const std::string unit = std::to_string(cell.column);
  const std::string from = cell.prefix + "feed_forward.pre_activation";
  const double x = reader.value_at(from, {cell.row, cell.column});
  InspectorPage page = cell_page(reader, "Hidden unit " + unit, for_word(cell));
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {formula_text(std::string("hidden = ") + activation_words(reader.config().activation)),
                       formula_mono("x = " + value_text(x)), formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, activated(reader.config().activation, x), reader.value());
  add_rows(page, "Comes from", {operand_link(reader, "x", reader.at(from, {cell.row, cell.column}))});
  add_rows(page, "Where it goes",
           {operand_link(reader, "× W₂", reader.at(cell.prefix + "feed_forward.output", {cell.row, 0}))});
  page.meaning = reader.value() == 0 ? "Unit " + unit + " stays silent for “" + cell.word + "”."
                                     : "Unit " + unit + " fires for “" + cell.word + "”.";
  page.paper = "Paper, section 3.3";
  return page;
}

InspectorPage dense_page(const CellReader& reader, const LayerCell& cell, bool first) {
  const std::string from = first ? sublayer_input_name(reader.config(), cell.place, sublayers(cell.place))
                                 : cell.prefix + "feed_forward.hidden";
  const std::string owner = cell.prefix + (first ? "linear1" : "linear2");
  const char* letter = first ? "1" : "2";
  InspectorPage page =
      cell_page(reader,
                first ? "Hidden unit " + std::to_string(cell.column) + " before the activation"
                      : "Feed-forward output, number " + std::to_string(cell.column),
                for_word(cell));
  const std::vector<Product> terms =
      paired(reader.row(from, {cell.row}), reader.parameter_row(owner + ".weight", cell.column));
  const std::optional<double> bias = reader.bias(owner + ".bias", cell.column);
  add_product_sum(page, reader,
                  {formula_row({formula_text(first ? "x =" : "output ="),
                                formula_index(formula_text("Σ"), formula_text("j")),
                                formula_index(formula_text(first ? "in" : "hidden"), formula_text("j")),
                                formula_text("·"), formula_index(formula_text("W"), formula_text(letter)),
                                formula_text("+"), formula_index(formula_text("b"), formula_text(letter))}),
                   terms, bias});
  const int largest = largest_term(terms);
  const std::string j = ", j = " + std::to_string(largest);
  add_rows(page, "Comes from, the largest pair",
           {operand_link(reader, (first ? "in “" + cell.word + "”" : "hidden unit") + j,
                         reader.at(from, {cell.row, largest})),
            operand_link(reader, "W" + std::string(letter) + j,
                         reader.parameter_at(owner + ".weight", {cell.column, largest})),
            operand_link(reader, "bias", reader.parameter_at(owner + ".bias", {cell.column}))});
  const std::string next = first ? cell.prefix + "feed_forward.hidden"
                                 : cell.prefix + "residual" + std::to_string(sublayers(cell.place));
  add_rows(page, "Where it goes",
           {operand_link(reader, first ? "activation" : "+ residual stream",
                         reader.at(next, {cell.row, cell.column}))});
  page.meaning =
      "The same two matrices work on every word alone; words do not meet in the feed-forward network.";
  page.paper = "Paper, section 3.3";
  return page;
}

InspectorPage same_as_page(const CellReader& reader, const LayerCell& cell, const std::string& from,
                           const std::string& caption) {
  InspectorPage page = cell_page(reader, caption + ", number " + std::to_string(cell.column), for_word(cell));
  const CellRef same = reader.at(from, {cell.row, cell.column});
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {formula_text("handed on unchanged"), formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, reader.value_of(same), reader.value());
  add_rows(page, "Comes from", {operand_link(reader, from.substr(from.rfind('.') + 1), same)});
  page.paper = "Paper, section 3.1";
  return page;
}

}  // namespace

bool is_moment(std::string_view name) {
  return name.ends_with(".mean") || name.ends_with(".deviation");
}

InspectorPage moment_page(const CellReader& reader, const std::string& from, const std::string& word) {
  const int at = reader.index_without_batch()[0];
  const bool mean = reader.cell().name.ends_with(".mean");
  InspectorPage page =
      cell_page(reader, mean ? "Mean of the row" : "Deviation of the row", "for **" + word + "**");
  const std::vector<double> row = reader.row(from, {at});
  const NormalizedRow normalized = normalized_row(row, reader.config().layer_norm_eps);
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {
      mean ? formula_row(
                 {formula_text("mean ="), formula_fraction(formula_text("sum of x"), formula_text("d"))})
           : formula_row({formula_text("deviation ="),
                          formula_root(formula_row({formula_text("mean of (x − mean)² + ε")}))}),
      formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, mean ? normalized.mean : normalized.deviation, reader.value());
  add_rows(page, "Comes from", {operand_link(reader, "x, first of the row", reader.at(from, {at, 0}))});
  page.meaning =
      "Taken over the " + std::to_string(row.size()) + " numbers of one word, not over the sentence.";
  page.paper = "Paper, section 3.1";
  return page;
}

InspectorPage layer_page(const CellReader& reader) {
  const LayerCell cell = layer_cell(reader);
  const Config& config = reader.config();
  if (cell.part.starts_with("encoder.norm.") || cell.part.starts_with("decoder.norm."))
    return moment_page(reader, stack_output_name(config, cell.place.encoder), cell.word);
  if (cell.part == "memory" || cell.part == "decoder.output") {
    const std::string caption = cell.part == "memory" ? "Memory" : "Decoder output";
    const std::string from = stack_output_name(config, cell.place.encoder);
    if (!config.final_norm) {
      InspectorPage page = same_as_page(reader, cell, from, caption);
      if (cell.place.encoder)
        page.meaning = "What the encoder found out about “" + cell.word + "”, for the decoder to read.";
      return page;
    }
    InspectorPage page =
        cell_page(reader, caption + ", number " + std::to_string(cell.column), for_word(cell));
    add_norm(page, reader, cell, from, cell.place.encoder ? "encoder.norm" : "decoder.norm");
    return page;
  }
  if (cell.part.starts_with("residual")) return residual_page(reader, cell);
  if (cell.part.starts_with("norm")) return norm_page(reader, cell);
  if (cell.part == "feed_forward.hidden") return hidden_page(reader, cell);
  if (cell.part == "feed_forward.pre_activation") return dense_page(reader, cell, true);
  if (cell.part == "feed_forward.output") return dense_page(reader, cell, false);
  InspectorPage page = same_as_page(reader, cell, layer_output_source(config, cell.place),
                                    "Layer " + std::to_string(cell.place.layer + 1) + " output");
  page.meaning =
      "What layer " + std::to_string(cell.place.layer + 1) + " hands on about “" + cell.word + "”.";
  return page;
}

}  // namespace glassformer
