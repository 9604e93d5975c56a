// Pages of the vectors around an attention: queries, keys, values, what a head gathered, and the output
// projection.
#include <cmath>

#include "app/inspector/pages.h"
#include "app/inspector/provenance.h"
#include "engine/layers/rotary.h"

namespace glassformer {

namespace {

int sublayer_of(AttentionKind kind) {
  return kind == AttentionKind::cross ? 2 : 1;
}

// Parameters carry torch's name for cross-attention.
std::string parameter_prefix(const AttentionName& attention) {
  const LayerPlace place{attention.kind == AttentionKind::encoder, attention.layer};
  return layer_prefix(place) + (attention.kind == AttentionKind::cross ? "multihead_attn." : "self_attn.");
}

}  // namespace

InspectorPage projection_page(const CellReader& reader, const AttentionName& attention) {
  const std::vector<int> index = reader.index_without_batch();
  const int head = index[0], row = index[1], column = index[2];
  const Config& config = reader.config();
  const bool encoder = attention.kind == AttentionKind::encoder;
  const bool query = attention.value == ValueKind::query, key = attention.value == ValueKind::key;
  const bool from_memory = attention.kind == AttentionKind::cross && !query;

  const std::string letter = query ? "Q" : key ? "K" : "V";
  const std::string word = reader.stack_word(encoder || from_memory, row);
  InspectorPage page = cell_page(reader,
                                 query ? "Query, number " + std::to_string(column)
                                       : (key ? "Key, number " : "Value, number ") + std::to_string(column),
                                 "the " + std::string(word_of(attention.value)) + " of **" + word + "**");

  // Head h owns rows h·k .. h·k + k − 1 of its third of the stacked matrix.
  const std::string x =
      from_memory ? "memory"
                  : sublayer_input_name(config, {encoder, attention.layer}, sublayer_of(attention.kind));
  const int third = query ? 0 : key ? 1 : 2;
  const int weight_row = third * config.d_model + head * config.head_width() + column;
  const std::string weight = parameter_prefix(attention) + "in_proj_weight";
  const std::string bias = parameter_prefix(attention) + "in_proj_bias";
  const std::vector<Product> terms = paired(reader.row(x, {row}), reader.parameter_row(weight, weight_row));
  add_product_sum(
      page, reader,
      {formula_row({formula_text(letter + " ="), formula_index(formula_text("Σ"), formula_text("j")),
                    formula_index(formula_text("x"), formula_text(word + ",j")), formula_text("·"),
                    formula_index(formula_text("W"), formula_text(letter)), formula_text("+"),
                    formula_index(formula_text("b"), formula_text(letter))}),
       terms, reader.bias(bias, weight_row)});

  const int largest = largest_term(terms);
  std::vector<InspectorRow> rows{
      operand_link(reader, "x “" + word + "”, j = " + std::to_string(largest), reader.at(x, {row, largest})),
      operand_link(reader, "W" + letter + ", j = " + std::to_string(largest),
                   reader.parameter_at(weight, {weight_row, largest}))};
  if (reader.bias(bias, weight_row))
    rows.push_back(operand_link(reader, "bias", reader.parameter_at(bias, {weight_row})));
  add_rows(page, "Comes from, the largest pair", std::move(rows));

  const std::string prefix = attention_name(attention.kind, attention.layer) + ".";
  const ValueKind rotated = query ? ValueKind::rotated_query : ValueKind::rotated_key;
  const std::string rotated_name = prefix + std::string(word_of(rotated));
  const bool rotates = (query || key) && reader.input().result.trace->find(rotated_name) != nullptr;
  add_rows(
      page, "Where it goes",
      {rotates ? operand_link(reader, "rotated by position", reader.at(rotated_name, {head, row, column}))
       : query ? operand_link(reader, "Q Kᵀ", reader.at(prefix + "dot_products", {head, row, 0}))
       : key   ? operand_link(reader, "Q Kᵀ", reader.at(prefix + "dot_products", {head, 0, row}))
               : operand_link(reader, "weights × V", reader.at(prefix + "context", {head, 0, column}))});
  page.meaning = query ? "The query is what “" + word + "” is looking for in this head."
                 : key ? "The key is what “" + word + "” can be found by in this head."
                       : "The value is what “" + word + "” hands over to whoever reads it in this head.";
  page.paper = "Paper, section 3.2.2";
  return page;
}

InspectorPage rotation_page(const CellReader& reader, const AttentionName& attention) {
  const std::vector<int> index = reader.index_without_batch();
  const int head = index[0], row = index[1], column = index[2];
  const int pair = column / 2, first = 2 * pair, k = reader.config().head_width();
  const bool query = attention.value == ValueKind::rotated_query, even = column % 2 == 0;
  const std::string letter = query ? "Q" : "K",
                    prefix = attention_name(attention.kind, attention.layer) + ".";
  const std::string word = reader.stack_word(attention.kind == AttentionKind::encoder, row);
  InspectorPage page =
      cell_page(reader, (query ? "Rotated query, number " : "Rotated key, number ") + std::to_string(column),
                "the " + std::string(query ? "query" : "key") + " of **" + word + "**");

  // The pair of columns, turned like the hand of a clock.
  const std::string from = prefix + std::string(word_of(query ? ValueKind::query : ValueKind::key));
  const CellRef x = reader.at(from, {head, row, first}), y = reader.at(from, {head, row, first + 1});
  const double angle = rotary_angle(row, pair, k), cosine = std::cos(angle), sine = std::sin(angle);
  const double a = reader.value_of(x), b = reader.value_of(y);
  const std::string columns[] = {std::to_string(first), std::to_string(first + 1)};
  const auto at = [&](const std::string& place) {
    return formula_index(formula_text(letter), formula_text(place));
  };
  InspectorSection computed{.heading = "How it was computed"};
  computed.formulas = {
      formula_row({formula_text("angle ="),
                   formula_fraction(formula_text("position"),
                                    formula_power(formula_text("10000"), formula_text("2i / k")))}),
      formula_row({formula_mono("= "),
                   formula_fraction(formula_mono(std::to_string(row)),
                                    formula_power(formula_mono("10000"),
                                                  formula_mono(columns[0] + "/" + std::to_string(k)))),
                   formula_mono("= " + value_text(angle))}),
      formula_row({at(columns[0]), formula_text(even ? "cos − " : "sin + "), at(columns[1]),
                   formula_text(even ? "sin" : "cos")}),
      formula_mono("= " + value_text(a) + " × " + value_text(even ? cosine : sine)),
      formula_mono((even ? "− " : "+ ") + value_text(b) + " × " + value_text(even ? sine : cosine)),
      formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, even ? a * cosine - b * sine : a * sine + b * cosine, reader.value());
  add_rows(page, "Comes from",
           {operand_link(reader, letter + ", column " + columns[0], x),
            operand_link(reader, letter + ", column " + columns[1], y)});
  add_rows(page, "Where it goes",
           {operand_link(reader, "Q Kᵀ",
                         reader.at(prefix + "dot_products", {head, query ? row : 0, query ? 0 : row}))});
  page.meaning =
      "Both were turned as far as their position says, so the match of a query and a key depends on how far "
      "apart “" +
      word + "” and the other word stand, not on where.";
  page.paper = "RoFormer (Su et al. 2021), section 3.4.2";
  return page;
}

InspectorPage context_page(const CellReader& reader, const AttentionName& attention) {
  const std::vector<int> index = reader.index_without_batch();
  const int head = index[0], row = index[1], column = index[2];
  const std::string prefix = attention_name(attention.kind, attention.layer) + ".";
  const bool over_source = attention.kind != AttentionKind::decoder;
  const int keys = over_source ? reader.source_length() : reader.target_length();
  const std::string word = reader.stack_word(attention.kind == AttentionKind::encoder, row);
  InspectorPage page = cell_page(reader, "What the head gathered, number " + std::to_string(column),
                                 "for **" + word + "**, " + head_words(attention.layer, head));

  std::vector<double> weights = reader.row(prefix + "weights", {head, row});
  weights.resize(std::min(weights.size(), static_cast<size_t>(keys)));
  const std::vector<Product> terms = paired(weights, reader.column(prefix + "value", {head}, column, keys));
  add_product_sum(
      page, reader,
      {formula_row({formula_text("context ="), formula_index(formula_text("Σ"), formula_text("key")),
                    formula_text("weight · V")}),
       terms,
       {}});
  const int largest = largest_term(terms);
  const std::string key_word = reader.stack_word(over_source, largest);
  add_rows(
      page, "Comes from, the largest pair",
      {operand_link(reader, "weight on “" + key_word + "”",
                    reader.at(prefix + "weights", {head, row, largest})),
       operand_link(reader, "V “" + key_word + "”", reader.at(prefix + "value", {head, largest, column}))});
  const int concat_column = head * reader.config().head_width() + column;
  add_rows(page, "Where it goes",
           {operand_link(reader, "heads side by side", reader.at(prefix + "concat", {row, concat_column}))});
  page.meaning = "The values of all words, mixed by the attention weights of “" + word + "”.";
  page.paper = "Paper, section 3.2.1";
  return page;
}

InspectorPage concat_page(const CellReader& reader, const AttentionName& attention) {
  const std::vector<int> index = reader.index_without_batch();
  const int row = index[0], column = index[1], width = reader.config().head_width();
  const std::string prefix = attention_name(attention.kind, attention.layer) + ".";
  const CellRef context = reader.at(prefix + "context", {column / width, row, column % width});
  const std::string word = reader.stack_word(attention.kind == AttentionKind::encoder, row);
  InspectorPage page = cell_page(reader, "Heads side by side", "for **" + word + "**");
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {
      formula_text("concat = head 1 | head 2 | …"),
      formula_text("column " + std::to_string(column) + " is head " + std::to_string(column / width + 1) +
                   ", number " + std::to_string(column % width)),
      formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, reader.value_of(context), reader.value());
  add_rows(page, "Comes from", {operand_link(reader, "head " + std::to_string(column / width + 1), context)});
  add_rows(page, "Where it goes", {operand_link(reader, "× W_O", reader.at(prefix + "output", {row, 0}))});
  page.meaning =
      "Each head owns " + std::to_string(width) + " columns; side by side they are as wide as the model.";
  page.paper = "Paper, section 3.2.2";
  return page;
}

InspectorPage attention_output_page(const CellReader& reader, const AttentionName& attention) {
  const std::vector<int> index = reader.index_without_batch();
  const int row = index[0], column = index[1];
  const std::string prefix = attention_name(attention.kind, attention.layer) + ".";
  const std::string weight = parameter_prefix(attention) + "out_proj.weight";
  const std::string bias = parameter_prefix(attention) + "out_proj.bias";
  const bool encoder = attention.kind == AttentionKind::encoder;
  const std::string word = reader.stack_word(encoder, row);
  InspectorPage page =
      cell_page(reader, "Attention output, number " + std::to_string(column), "for **" + word + "**");

  const std::vector<Product> terms =
      paired(reader.row(prefix + "concat", {row}), reader.parameter_row(weight, column));
  add_product_sum(page, reader,
                  {formula_row({formula_text("output ="), formula_index(formula_text("Σ"), formula_text("j")),
                                formula_index(formula_text("concat"), formula_text("j")), formula_text("·"),
                                formula_index(formula_text("W"), formula_text("O")), formula_text("+"),
                                formula_index(formula_text("b"), formula_text("O"))}),
                   terms, reader.bias(bias, column)});
  const int largest = largest_term(terms);
  const std::string head = "head " + std::to_string(largest / reader.config().head_width() + 1);
  std::vector<InspectorRow> rows{
      operand_link(reader, "concat, " + head, reader.at(prefix + "concat", {row, largest})),
      operand_link(reader, "W_O, j = " + std::to_string(largest),
                   reader.parameter_at(weight, {column, largest}))};
  if (reader.bias(bias, column))
    rows.push_back(operand_link(reader, "bias", reader.parameter_at(bias, {column})));
  add_rows(page, "Comes from, the largest pair", std::move(rows));
  const LayerPlace place{encoder, attention.layer};
  const std::string residual = layer_prefix(place) + "residual" + std::to_string(sublayer_of(attention.kind));
  add_rows(page, "Where it goes",
           {operand_link(reader, "+ residual stream", reader.at(residual, {row, column}))});
  page.meaning =
      "The output projection mixes what the heads gathered into one vector, which is added to the stream.";
  page.paper = "Paper, section 3.2.2";
  return page;
}

}  // namespace glassformer
