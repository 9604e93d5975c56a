// Pages of where a sentence enters the model: rows of the embedding table, positions, and their sum.
#include <cmath>

#include "app/inspector/layer_values.h"
#include "app/inspector/pages.h"
#include "engine/layers/embedding.h"

namespace glassformer {

int id_at(const std::vector<std::vector<int>>& rows, int sentence, int at) {
  const auto row = static_cast<size_t>(sentence), column = static_cast<size_t>(at);
  return row < rows.size() && column < rows[row].size() ? rows[row][column] : -1;
}

namespace {

// The matrix an embedding row is looked up in: shared ones are stored once.
std::string embedding_parameter(const Config& config, bool source) {
  return source && config.sharing != Sharing::all ? "source_embedding.weight" : "target_embedding.weight";
}

// The row of the table alone, before it is scaled.
InspectorPage lookup_page(const CellReader& reader, bool source, int row, int column) {
  const Trace& trace = *reader.input().result.trace;
  const std::string word = reader.stack_word(source, row);
  const int id = id_at(source ? trace.source : trace.target_in, reader.sentence(), row);
  const CellRef weight = reader.parameter_at(embedding_parameter(reader.config(), source), {id, column});
  InspectorPage page =
      cell_page(reader, "Looked up, number " + std::to_string(column), "for **" + word + "**");
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {formula_text("E[ id ]: row " + format_count(id) + " of the table"),
                       formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, reader.value_of(weight), reader.value());
  add_rows(page, "Comes from",
           {operand_link(reader, "table row " + format_count(id) + ", “" + word + "”", weight)});
  const std::string side = source ? "source" : "target";
  add_rows(page, "Where it goes",
           {operand_link(reader, "× √d", reader.at(side + ".embedding", {row, column}))});
  page.meaning = "Every “" + word + "” starts with the same numbers, whatever stands around it.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage embedding_page(const CellReader& reader, bool source, int row, int column) {
  const Config& config = reader.config();
  const Trace& trace = *reader.input().result.trace;
  const std::string word = reader.stack_word(source, row);
  const int id = id_at(source ? trace.source : trace.target_in, reader.sentence(), row);
  const CellRef weight = reader.parameter_at(embedding_parameter(config, source), {id, column});
  const double entry = reader.value_of(weight);
  const double factor = config.scale_embeddings ? std::sqrt(config.d_model) : 1;
  InspectorPage page =
      cell_page(reader, "Embedding, number " + std::to_string(column), "of **" + word + "**");
  InspectorSection computed;
  computed.heading = "How it was computed";
  if (config.scale_embeddings) {
    computed.formulas = {formula_row({formula_text("x = E[ id ] ·"), formula_root(formula_text("d"))}),
                         formula_row({formula_mono("= " + value_text(entry) + " ×"),
                                      formula_root(formula_mono(std::to_string(config.d_model)))})};
  } else {
    computed.formulas = {formula_text("x = E[ id ]")};
  }
  computed.formulas.push_back(formula_mono("= " + value_text(reader.value())));
  page.sections.push_back(std::move(computed));
  note_change(page, entry * factor, reader.value());
  add_rows(page, "Comes from",
           {operand_link(reader, "table row " + format_count(id) + ", “" + word + "”", weight)});
  const std::string side = source ? "source" : "target";
  add_rows(page, "Where it goes",
           {operand_link(reader, "+ position", reader.at(side + ".input", {row, column}))});
  page.meaning = "Every “" + word + "” starts with the same numbers, whatever stands around it.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage position_page(const CellReader& reader, const std::string& side, int row, int column) {
  const Config& config = reader.config();
  InspectorPage page = cell_page(reader, "Position, number " + std::to_string(column),
                                 "position **" + std::to_string(row) + "** of the " + side);
  InspectorSection computed;
  computed.heading = "How it was computed";
  if (config.positions == PositionKind::sinusoidal) {
    const int pair = column / 2 * 2;
    const double angle = row / position_divisor(column, config.d_model);
    const std::string wave = column % 2 == 0 ? "sin" : "cos";
    computed.formulas = {
        formula_row({formula_text("P = " + wave + "("),
                     formula_fraction(formula_text("pos"),
                                      formula_power(formula_text("10000"), formula_text("2i / d"))),
                     formula_text(")")}),
        formula_row({formula_mono("= " + wave + "("),
                     formula_fraction(
                         formula_mono(std::to_string(row)),
                         formula_power(formula_mono("10000"), formula_mono(std::to_string(pair) + "/" +
                                                                           std::to_string(config.d_model)))),
                     formula_mono(")")}),
        formula_mono("= " + wave + "( " + value_text(angle) + " ) = " + value_text(reader.value()))};
    page.sections.push_back(std::move(computed));
    note_change(page, position_wave(row, column, config.d_model), reader.value());
  } else {
    const CellRef weight = reader.parameter_at(side + "_positions.weight", {row, column});
    computed.formulas = {formula_text("learned: row " + std::to_string(row) + " of a table"),
                         formula_mono("= " + value_text(reader.value()))};
    page.sections.push_back(std::move(computed));
    note_change(page, reader.value_of(weight), reader.value());
    add_rows(page, "Comes from", {operand_link(reader, "table row " + std::to_string(row), weight)});
  }
  add_rows(page, "Where it goes",
           {operand_link(reader, "+ embedding", reader.at(side + ".input", {row, column}))});
  page.meaning = "It tells the model where the word stands; attention alone does not see the order.";
  page.paper = "Paper, section 3.5";
  return page;
}

InspectorPage sum_page(const CellReader& reader, const std::string& side, int row, int column) {
  const Config& config = reader.config();
  const CellRef embedding = reader.at(side + ".embedding", {row, column});
  const CellRef position{side + ".positions", {row, column}};
  const bool positions = reader.has(position.name);
  const std::string word = reader.stack_word(side == "source", row);
  const bool before_norm = reader.cell().name.ends_with(".sum");
  InspectorPage page =
      cell_page(reader, (before_norm ? "Word and place, number " : "Input, number ") + std::to_string(column),
                "of **" + word + "**");

  std::vector<double> sums = reader.row(side + ".embedding", {row});
  if (positions) {
    const std::vector<double> added = reader.row(position.name, {row});
    for (size_t i = 0; i < sums.size() && i < added.size(); ++i) sums[i] += added[i];
  }
  double result = sums.at(static_cast<size_t>(column));
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {formula_text(positions ? "x = embedding + position" : "x = embedding, no position"),
                       formula_mono("= " + value_text(reader.value_of(embedding)) +
                                    (positions ? " + " + bracketed_text(reader.value_of(position)) : ""))};
  if (config.embedding_norm && !before_norm) {
    const std::string owner = side + "_embedding_norm";
    const NormalizedRow row_values = normalized_row(sums, config.layer_norm_eps);
    result = row_values.values.at(static_cast<size_t>(column)) *
                 reader.bias(owner + ".weight", column).value_or(1) +
             reader.bias(owner + ".bias", column).value_or(0);
    computed.formulas.push_back(formula_text("then LayerNorm over the row"));
  }
  computed.formulas.push_back(formula_mono("= " + value_text(reader.value())));
  page.sections.push_back(std::move(computed));
  note_change(page, result, reader.value());
  std::vector<InspectorRow> rows{operand_link(reader, "embedding", embedding)};
  if (positions) rows.push_back(operand_link(reader, "position " + std::to_string(row), position));
  add_rows(page, "Comes from", std::move(rows));
  page.meaning = before_norm ? "Word and place in one vector, before LayerNorm."
                             : "Word and place in one vector: what the first layer reads.";
  page.paper = "Paper, section 3.4";
  return page;
}

}  // namespace

InspectorPage input_page(const CellReader& reader) {
  const std::string& name = reader.cell().name;
  const std::vector<int> index = reader.index_without_batch();
  const std::string side = name.starts_with("source") ? "source" : "target";
  if (is_moment(name)) {
    const std::string from = side + (reader.has(side + ".sum") ? ".sum" : ".embedding");
    return moment_page(reader, from, reader.stack_word(side == "source", index[0]));
  }
  if (name.ends_with(".lookup")) return lookup_page(reader, side == "source", index[0], index[1]);
  if (name.ends_with(".embedding")) return embedding_page(reader, side == "source", index[0], index[1]);
  if (name.ends_with(".positions")) return position_page(reader, side, index[0], index[1]);
  return sum_page(reader, side, index[0], index[1]);
}

}  // namespace glassformer
