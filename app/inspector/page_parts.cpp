#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/inspector/inspected_cell.h"
#include "app/inspector/pages.h"
#include "app/inspector/value_words.h"
#include "app/reading/walk_scene.h"
#include "app/session/run_scene.h"

namespace glassformer {

void add_rows(InspectorPage& page, std::string heading, std::vector<InspectorRow> rows) {
  InspectorSection section;
  section.heading = std::move(heading);
  section.rows = std::move(rows);
  page.sections.push_back(std::move(section));
}

InspectorPage cell_page(const InspectedCell& inspected, std::string caption, std::string subject) {
  InspectorPage page;
  page.caption = std::move(caption);
  page.subject = std::move(subject);
  page.value = value_text(inspected.value());
  page.full_value = format_full(inspected.value());
  page.name = inspected.cell().name;
  page.index = format_index(inspected.index()) + " of " + format_shape(inspected.shape());
  if (inspected.sentence() > 0 && !inspected.parameter())
    page.index += ", sentence " + std::to_string(inspected.sentence());
  return page;
}

InspectorRow operand_link(const InspectedCell& inspected, std::string label, const CellRef& cell) {
  return operand_link(inspected, std::move(label), cell, value_text(inspected.reader().value(cell)));
}

InspectorRow operand_link(const InspectedCell& inspected, std::string label, const CellRef& cell,
                          std::string value) {
  InspectorRow row;
  row.label = std::move(label);
  row.value = std::move(value);
  row.link = SetPin{selecting(inspected.input().pinned, cell)};
  return row;
}

void note_change(InspectorPage& page, double by_formula, double actual) {
  const double tolerance = 2e-3 * std::max(1.0, std::abs(actual));
  if (!std::isfinite(by_formula) || !std::isfinite(actual) || std::abs(by_formula - actual) <= tolerance)
    return;
  InspectorSection section;
  section.heading = "Changed by a what-if";
  section.rows.resize(2);
  section.rows[0].label = "by the formula";
  section.rows[0].value = value_text(by_formula);
  section.rows[1].label = "with the change";
  section.rows[1].value = value_text(actual);
  section.rows[1].emphasized = true;
  page.sections.push_back(std::move(section));
}

std::vector<Formula> product_lines(const std::vector<Product>& terms, int shown, bool begun) {
  std::vector<Formula> lines;
  const int count = static_cast<int>(terms.size());
  const int printed = count <= shown + 1 ? count : shown;
  for (int i = 0; i < printed; ++i) {
    const Product& term = terms[static_cast<size_t>(i)];
    lines.push_back(formula_mono((i == 0 && !begun ? "= " : "+ ") + operand_text(term.left) + " × " +
                                 operand_text(term.right)));
  }
  if (printed < count) {
    const double rest = sum_of({terms.begin() + printed, terms.end()});
    lines.push_back(formula_row({formula_mono("+ " + value_text(rest) + " "),
                                 formula_text("from " + std::to_string(count - printed) + " more pairs")}));
  }
  return lines;
}

double sum_of(const std::vector<Product>& terms) {
  double sum = 0;
  for (const Product& term : terms) sum += term.left * term.right;
  return sum;
}

void add_other_value(InspectorPage& page, const CellRef& cell, const NamedInput& first,
                     const NamedInput& second, bool difference_alone) {
  const InspectedCell here(first.input, cell), there(second.input, cell);
  const double own = here.value(), other = there.value();
  if (std::isnan(own) || std::isnan(other) || here.id()) return;
  if (!here.parameter() && !same_shape(first.input.result, second.input.result)) return;
  InspectorSection section{.heading = "Compared"};
  section.rows = {{.label = first.name, .value = value_text(own), .emphasized = !difference_alone},
                  {.label = second.name, .value = value_text(other)},
                  {.label = "the second less the first",
                   .value = value_text(other - own),
                   .emphasized = difference_alone}};
  if (difference_alone) {
    page.value = value_text(other - own);
    page.full_value = format_full(other - own);
    page.swatch.reset();
    page.action.reset();
    page.switches.clear();
    page.sections.clear();
  }
  page.sections.insert(page.sections.begin(), std::move(section));
}

// The page of a weight of the model.
InspectorPage parameter_page(const InspectedCell& inspected) {
  const CellRef& cell = inspected.cell();
  const ValueName name = *read_name(cell.name);
  std::string subject = "a weight of the model";
  const bool embedding = name.value == ValueKind::embedding_table;
  const bool source = embedding && name.encoder;
  const bool vocabulary = embedding || name.block == BlockKind::output;
  const Tokenizers& tokenizers = inspected.input().tokenizers;
  const Tokenizer* tokenizer = source ? tokenizers.source.get() : tokenizers.target.get();
  if (vocabulary && tokenizer && cell.index[0] < tokenizer->size())
    subject = "of **" + tokenizer->piece(cell.index[0]) + "**";
  InspectorPage page = cell_page(inspected,
                                 is_bias(name.value) ? "Bias"
                                 : embedding         ? "Embedding weight"
                                                     : "Weight",
                                 subject);
  page.full_value = format_full(inspected.value());
  InspectorSection learned;
  learned.heading = "How it was computed";
  learned.rows.resize(1);
  learned.rows[0].label = "training step";
  learned.rows[0].value = format_count(inspected.input().snapshot.step);
  learned.text = embedding && is_frozen(inspected.input(), name.encoder)
                     ? "Frozen: training leaves this table as it began."
                 : inspected.input().snapshot.step > 0
                     ? "Learned: at every step Adam moves it a little against its gradient."
                     : "No training step here has moved it.";
  page.sections.push_back(std::move(learned));
  page.meaning =
      "Weights are the same for every sentence; everything else on screen follows from them and the words.";
  page.paper = "Paper, section 5.3";
  return page;
}

// What the page of a prediction and its loss shows besides their arithmetic.
namespace {

InspectorRow value_row(std::string label, double value) {
  return {.label = std::move(label), .value = value_text(value)};
}

// What the loss cannot fall below, and what training can take away.
void add_two_parts(InspectorPage& page, const InspectedCell& inspected, int row) {
  double entropy = 0;
  for (const double target : inspected.row(output_value(ValueKind::smoothed_target), {row}))
    if (target > 0) entropy -= target * std::log(target);
  add_rows(page, "Its two parts",
           {value_row("entropy of the target", entropy),
            value_row("KL, what can be learned", inspected.value() - entropy)});
}

}  // namespace

void add_beside_prediction(InspectorPage& page, const InspectedCell& inspected, ValueKind value) {
  const std::vector<int> index = inspected.index();
  if (value == ValueKind::token_loss) return add_two_parts(page, inspected, index[0]);
  if (value == ValueKind::log_probabilities && !page.sections.empty())
    page.sections.front().rows.push_back(value_row("p = exp( log p )", std::exp(inspected.value())));
  if (value != ValueKind::smoothed_target) return;
  const std::string token = word_of(inspected.input().tokenizers.target.get(), inspected.config(), index[1]);
  add_rows(page, "Compared with",
           {operand_link(inspected, "log p of “" + token + "”",
                         inspected.at(output_value(ValueKind::log_probabilities), index))});
}

namespace {

constexpr size_t kMostRows = 12;

std::vector<int> in_order(const std::optional<int>& first, std::vector<int> more) {
  if (first) more.push_back(*first);
  std::ranges::sort(more);
  return more;
}

}  // namespace

void add_selected_weights(InspectorPage& page, const ViewInput& input, const Selection& shown) {
  const std::vector<int> queries = in_order(shown.query, shown.more_queries);
  const std::vector<int> keys = in_order(shown.key, shown.more_keys);
  if (queries.size() * keys.size() < 2 || shown.head < 0) return;
  const std::string name = attention_value(shown.kind, shown.layer, ValueKind::weights);
  InspectorSection section;
  section.heading = "All selected";
  double sum = 0;
  for (const int query : queries) {
    for (const int key : keys) {
      const CellRef cell{name, {shown.sentence, shown.head, query, key}};
      const InspectedCell inspected(input, cell);
      if (!inspected.exists()) return;
      InspectorRow row = operand_link(inspected, weight_words(inspected, shown.kind, query, key), cell);
      // A click makes this pair the one explained; all stay selected.
      row.emphasized = shown.query == query && shown.key == key;
      Selection words = shown;
      words.query = query;
      words.key = key;
      row.link.reset();
      if (!row.emphasized) row.link = AddPin{words};
      sum += inspected.value();
      if (section.rows.size() < kMostRows) section.rows.push_back(std::move(row));
    }
  }
  if (queries.size() == 1) section.note = "together " + format_fixed(sum, 3);
  const size_t pairs = queries.size() * keys.size();
  if (pairs > section.rows.size())
    section.text = "and " + std::to_string(pairs - section.rows.size()) + " more";
  page.sections.insert(page.sections.begin(), std::move(section));
}

}  // namespace glassformer
