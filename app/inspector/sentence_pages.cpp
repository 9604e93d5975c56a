// Pages of where a sentence enters the model and where the next word leaves it, and of the parameters
// themselves.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/inspector/pages.h"

namespace glassformer {

namespace {

int id_at(const std::vector<std::vector<int>>& rows, int sentence, int at) {
  const auto row = static_cast<size_t>(sentence), column = static_cast<size_t>(at);
  return row < rows.size() && column < rows[row].size() ? rows[row][column] : -1;
}

// The matrix an embedding row is looked up in: shared ones are stored once.
std::string embedding_parameter(const Config& config, bool source) {
  return source && config.sharing != Sharing::all ? "source_embedding.weight" : "target_embedding.weight";
}

std::string output_parameter(const Config& config) {
  return config.sharing == Sharing::none ? "output_projection.weight" : "target_embedding.weight";
}

InspectorPage embedding_page(const CellReader& reader, bool source, int row, int column) {
  const Config& config = reader.config();
  const Trace& trace = *reader.input().result.trace;
  const std::string word = reader.stack_word(source, row);
  const int id = id_at(source ? trace.source : trace.target_in, reader.sentence(), row);
  const CellRef weight = reader.parameter_at(embedding_parameter(config, source), {id, column});
  const double entry = reader.value_of(weight);
  const double factor = config.scale_embeddings ? std::sqrt(config.d_model) : 1;
  InspectorPage page = reader.page("Embedding, number " + std::to_string(column), "of **" + word + "**");
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
  add_rows(page, "Comes from", {reader.link("table row " + format_count(id) + ", “" + word + "”", weight)});
  const std::string side = source ? "source" : "target";
  add_rows(page, "Where it goes", {reader.link("+ position", reader.at(side + ".input", {row, column}))});
  page.meaning = "Every “" + word + "” starts with the same numbers, whatever stands around it.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage position_page(const CellReader& reader, const std::string& side, int row, int column) {
  const Config& config = reader.config();
  InspectorPage page = reader.page("Position, number " + std::to_string(column),
                                   "position **" + std::to_string(row) + "** of the " + side);
  InspectorSection computed;
  computed.heading = "How it was computed";
  if (config.positions == PositionKind::sinusoidal) {
    const int pair = column / 2 * 2;
    const double angle = row / std::pow(10000.0, static_cast<double>(pair) / config.d_model);
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
    note_change(page, column % 2 == 0 ? std::sin(angle) : std::cos(angle), reader.value());
  } else {
    const CellRef weight = reader.parameter_at(side + "_positions.weight", {row, column});
    computed.formulas = {formula_text("learned: row " + std::to_string(row) + " of a table"),
                         formula_mono("= " + value_text(reader.value()))};
    page.sections.push_back(std::move(computed));
    note_change(page, reader.value_of(weight), reader.value());
    add_rows(page, "Comes from", {reader.link("table row " + std::to_string(row), weight)});
  }
  add_rows(page, "Where it goes", {reader.link("+ embedding", reader.at(side + ".input", {row, column}))});
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
  InspectorPage page = reader.page("Input, number " + std::to_string(column), "of **" + word + "**");

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
                                    (positions ? " + " + value_text(reader.value_of(position)) : ""))};
  if (config.embedding_norm) {
    double mean = 0, variance = 0;
    const auto count = static_cast<double>(sums.size());
    for (const double each : sums) mean += each / count;
    for (const double each : sums) variance += (each - mean) * (each - mean) / count;
    const std::string owner = side + "_embedding_norm";
    result = (result - mean) / std::sqrt(variance + config.layer_norm_eps) *
                 reader.bias(owner + ".weight", column).value_or(1) +
             reader.bias(owner + ".bias", column).value_or(0);
    computed.formulas.push_back(formula_text("then LayerNorm over the row"));
  }
  computed.formulas.push_back(formula_mono("= " + value_text(reader.value())));
  page.sections.push_back(std::move(computed));
  note_change(page, result, reader.value());
  std::vector<InspectorRow> rows{reader.link("embedding", embedding)};
  if (positions) rows.push_back(reader.link("position " + std::to_string(row), position));
  add_rows(page, "Comes from", std::move(rows));
  page.meaning = "Word and place in one vector: what the first layer reads.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage logit_page(const CellReader& reader, int row, int id, const std::string& token) {
  const std::string weight = output_parameter(reader.config());
  InspectorPage page = reader.page("Logit of “" + token + "”", "after **" + reader.target_word(row) + "**");
  const std::vector<Product> terms =
      paired(reader.row("decoder.output", {row}), reader.parameter_row(weight, id));
  const std::optional<double> bias = reader.bias("output_projection.bias", id);
  add_product_sum(
      page, reader,
      {formula_row({formula_text("logit ="), formula_index(formula_text("Σ"), formula_text("j")),
                    formula_index(formula_text("x"), formula_text("j")), formula_text("·"),
                    formula_index(formula_text("W"), formula_text("P")), formula_text(bias ? "+ b" : "")}),
       terms, bias});
  const int largest = largest_term(terms);
  const std::string j = ", j = " + std::to_string(largest);
  std::vector<InspectorRow> rows{
      reader.link("decoder output" + j, reader.at("decoder.output", {row, largest})),
      reader.link("row of “" + token + "”" + j, reader.parameter_at(weight, {id, largest}))};
  if (bias) rows.push_back(reader.link("bias", reader.parameter_at("output_projection.bias", {id})));
  add_rows(page, "Comes from, the largest pair", std::move(rows));
  add_rows(page, "Where it goes", {reader.link("log-softmax", reader.at("log_probabilities", {row, id}))});
  page.meaning = "How well “" + token + "” would fit as the next word, before softmax makes shares of it.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage log_probability_page(const CellReader& reader, int row, int id, const std::string& token) {
  InspectorPage page =
      reader.page("Log-probability of “" + token + "”", "after **" + reader.target_word(row) + "**");
  const std::vector<double> logits = reader.row("logits", {row});
  const double highest = logits.empty() ? 0 : *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const double each : logits) sum += std::exp(each - highest);
  const double logit = reader.value_at("logits", {row, id});
  const double normalizer = highest + std::log(sum);
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.note = format_count(static_cast<long>(logits.size())) + " words";
  computed.formulas = {formula_text("log p = logit − log( sum of exp( logits ) )"),
                       formula_mono("= " + value_text(logit) + " − " + value_text(normalizer)),
                       formula_mono("= " + value_text(reader.value()))};
  computed.rows.resize(1);
  computed.rows[0].label = "p = exp( log p )";
  computed.rows[0].value = value_text(std::exp(reader.value()));
  page.sections.push_back(std::move(computed));
  note_change(page, logit - normalizer, reader.value());
  add_rows(page, "Comes from", {reader.link("logit", reader.at("logits", {row, id}))});
  page.meaning =
      "The model gives “" + token + "” " + format_percent(std::exp(reader.value())) + " as the next word.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage target_page(const CellReader& reader, int row, int id, const std::string& token) {
  const int right = id_at(reader.input().result.trace->target_out, reader.sentence(), row);
  InspectorPage page =
      reader.page("Target for “" + token + "”", "the right word is **" + reader.written_word(row) + "**");
  const std::vector<double> target = reader.row("smoothed_target", {row});
  const double classes = static_cast<double>(target.size());
  double lowest = target.empty() ? 0 : *std::min_element(target.begin(), target.end());
  const double smoothing = lowest * classes;
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {
      formula_row({formula_text(id == right ? "y = 1 − e +" : "y ="),
                   formula_fraction(formula_text("e"), formula_text("V"))}),
      formula_row({formula_mono(id == right ? "= 1 − " + operand_text(smoothing) + " +" : "="),
                   formula_fraction(formula_mono(operand_text(smoothing)),
                                    formula_mono(format_count(std::lround(classes))))}),
      formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, (id == right ? 1 - smoothing : 0) + smoothing / classes, reader.value());
  add_rows(page, "Compared with",
           {reader.link("log p of “" + token + "”", reader.at("log_probabilities", {row, id}))});
  page.meaning = "Label smoothing leaves every word a small share, so that the model never becomes too sure.";
  page.paper = "Paper, section 5.4";
  return page;
}

InspectorPage token_loss_page(const CellReader& reader, int row) {
  InspectorPage page =
      reader.page("Loss of one word", "given the right word **" + reader.written_word(row) + "**");
  const std::vector<double> target = reader.row("smoothed_target", {row});
  const std::vector<double> log_p = reader.row("log_probabilities", {row});
  const int right = id_at(reader.input().result.trace->target_out, reader.sentence(), row);
  double loss = 0, entropy = 0;
  for (size_t i = 0; i < target.size() && i < log_p.size(); ++i) {
    loss -= target[i] * log_p[i];
    if (target[i] > 0) entropy -= target[i] * std::log(target[i]);
  }
  const double own = right >= 0 ? -target[static_cast<size_t>(right)] * log_p[static_cast<size_t>(right)] : 0;
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas = {
      formula_row({formula_text("loss = −"), formula_index(formula_text("Σ"), formula_text("words")),
                   formula_text("y · log p")}),
      formula_row({formula_mono("= " + value_text(own)), formula_text("from the right word")}),
      formula_row({formula_mono("+ " + value_text(loss - own)), formula_text("from all others")}),
      formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, loss, reader.value());
  add_rows(page, "Comes from",
           {reader.link("log p of the right word", reader.at("log_probabilities", {row, right})),
            reader.link("its target", reader.at("smoothed_target", {row, right}))});
  InspectorSection parts;
  parts.heading = "Its two parts";
  parts.rows.resize(2);
  parts.rows[0].label = "entropy of the target";
  parts.rows[0].value = value_text(entropy);
  parts.rows[1].label = "KL, what can be learned";
  parts.rows[1].value = value_text(loss - entropy);
  page.sections.push_back(std::move(parts));
  page.meaning =
      "The loss cannot fall below the entropy of the smoothed target; the rest is what learning removes.";
  page.paper = "Paper, section 5.4";
  return page;
}

}  // namespace

InspectorPage input_page(const CellReader& reader) {
  const std::string& name = reader.cell().name;
  const std::vector<int> index = reader.index_without_batch();
  const std::string side = name.substr(0, name.find('.'));
  if (name.ends_with(".embedding")) return embedding_page(reader, side == "source", index[0], index[1]);
  if (name.ends_with(".positions")) return position_page(reader, side, index[0], index[1]);
  return sum_page(reader, side, index[0], index[1]);
}

InspectorPage prediction_page(const CellReader& reader) {
  const std::string& name = reader.cell().name;
  const std::vector<int> index = reader.index_without_batch();
  if (name == "token_loss") return token_loss_page(reader, index[0]);
  const Tokenizer* tokenizer = reader.input().tokenizers.target.get();
  const std::string token = tokenizer ? tokenizer->piece(index[1]) : "#" + std::to_string(index[1]);
  if (name == "logits") return logit_page(reader, index[0], index[1], token);
  if (name == "log_probabilities") return log_probability_page(reader, index[0], index[1], token);
  return target_page(reader, index[0], index[1], token);
}

InspectorPage parameter_page(const CellReader& reader) {
  const CellRef& cell = reader.cell();
  const std::string& name = cell.name;
  std::string subject = "a weight of the model";
  const bool source = name == "source_embedding.weight";
  const bool embedding = source || name == "target_embedding.weight";
  const bool vocabulary = embedding || name.starts_with("output_projection.");
  const Tokenizers& tokenizers = reader.input().tokenizers;
  const Tokenizer* tokenizer = source ? tokenizers.source.get() : tokenizers.target.get();
  if (vocabulary && tokenizer && cell.index[0] < tokenizer->size())
    subject = "of **" + tokenizer->piece(cell.index[0]) + "**";
  InspectorPage page = reader.page(name.ends_with("bias") ? "Bias"
                                   : embedding            ? "Embedding weight"
                                                          : "Weight",
                                   subject);
  page.full_value = format_full(reader.value());
  InspectorSection learned;
  learned.heading = "How it was computed";
  learned.rows.resize(1);
  learned.rows[0].label = "training step";
  learned.rows[0].value = format_count(reader.input().snapshot.step);
  learned.text = reader.input().snapshot.step > 0
                     ? "Learned: it began as a random number and was moved by Adam at every step."
                     : "Not trained yet: it is the random number it began as.";
  page.sections.push_back(std::move(learned));
  page.meaning =
      "Weights are the same for every sentence; everything else on screen follows from them and the words.";
  page.paper = "Paper, section 5.3";
  return page;
}

}  // namespace glassformer
