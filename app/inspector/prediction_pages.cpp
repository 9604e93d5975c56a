// Pages of where the next word leaves the model: logits, log-probabilities, the smoothed target, the loss.
#include <algorithm>
#include <cmath>

#include "app/inspector/layer_values.h"
#include "app/inspector/pages.h"

namespace glassformer {

namespace {

std::string output_parameter(const Config& config) {
  return config.sharing == Sharing::none ? "output_projection.weight" : "target_embedding.weight";
}

InspectorPage logit_page(const CellReader& reader, int row, int id, const std::string& token) {
  const std::string weight = output_parameter(reader.config());
  InspectorPage page =
      cell_page(reader, "Logit of “" + token + "”", "after **" + reader.target_word(row) + "**");
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
      operand_link(reader, "decoder output" + j, reader.at("decoder.output", {row, largest})),
      operand_link(reader, "row of “" + token + "”" + j, reader.parameter_at(weight, {id, largest}))};
  if (bias) rows.push_back(operand_link(reader, "bias", reader.parameter_at("output_projection.bias", {id})));
  add_rows(page, "Comes from, the largest pair", std::move(rows));
  add_rows(page, "Where it goes",
           {operand_link(reader, "log-softmax", reader.at("log_probabilities", {row, id}))});
  page.meaning = "How well “" + token + "” would fit as the next word, before softmax makes shares of it.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage log_probability_page(const CellReader& reader, int row, int id, const std::string& token) {
  InspectorPage page =
      cell_page(reader, "Log-probability of “" + token + "”", "after **" + reader.target_word(row) + "**");
  const std::vector<double> logits = reader.row("logits", {row});
  const double logit = reader.value_at("logits", {row, id});
  const double normalizer = log_sum_exp_of(logits);
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.note = format_count(static_cast<long>(logits.size())) + " words";
  computed.formulas = {formula_text("log p = logit − log( sum of exp( logits ) )"),
                       formula_mono("= " + value_text(logit) + " − " + bracketed_text(normalizer)),
                       formula_mono("= " + value_text(reader.value()))};
  computed.rows.resize(1);
  computed.rows[0].label = "p = exp( log p )";
  computed.rows[0].value = value_text(std::exp(reader.value()));
  page.sections.push_back(std::move(computed));
  note_change(page, logit - normalizer, reader.value());
  add_rows(page, "Comes from", {operand_link(reader, "logit", reader.at("logits", {row, id}))});
  page.meaning =
      "The model gives “" + token + "” " + share_words(std::exp(reader.value())) + " as the next word.";
  page.paper = "Paper, section 3.4";
  return page;
}

InspectorPage target_page(const CellReader& reader, int row, int id, const std::string& token) {
  const int right = id_at(reader.input().result.trace->target_out, reader.sentence(), row);
  InspectorPage page = cell_page(reader, "Target for “" + token + "”",
                                 "the right word is **" + reader.written_word(row) + "**");
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
           {operand_link(reader, "log p of “" + token + "”", reader.at("log_probabilities", {row, id}))});
  page.meaning = "Label smoothing leaves every word a small share, so that the model never becomes too sure.";
  page.paper = "Paper, section 5.4";
  return page;
}

InspectorPage token_loss_page(const CellReader& reader, int row) {
  InspectorPage page =
      cell_page(reader, "Loss of one word", "given the right word **" + reader.written_word(row) + "**");
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
      formula_row({formula_mono("+ " + bracketed_text(loss - own)), formula_text("from all others")}),
      formula_mono("= " + value_text(reader.value()))};
  page.sections.push_back(std::move(computed));
  note_change(page, loss, reader.value());
  add_rows(page, "Comes from",
           {operand_link(reader, "log p of the right word", reader.at("log_probabilities", {row, right})),
            operand_link(reader, "its target", reader.at("smoothed_target", {row, right}))});
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

}  // namespace glassformer
