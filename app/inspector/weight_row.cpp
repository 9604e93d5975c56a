// What is said of an attention weight besides how it was computed: its row, and the mean over heads.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/number_format.h"
#include "app/inspector/pages.h"
#include "app/inspector/value_words.h"

namespace glassformer {

namespace {

struct TablePlace {
  int head = 0, query = 0, key = 0;
};

TablePlace place_of(const InspectedCell& inspected) {
  const std::vector<int> index = inspected.index();
  return {index[0], index[1], index[2]};
}

int key_count(const InspectedCell& inspected, const AttentionName& attention) {
  return attention.kind == AttentionKind::decoder ? inspected.target_length() : inspected.source_length();
}

}  // namespace

InspectorSection whole_row(const InspectedCell& inspected, const AttentionName& attention) {
  const TablePlace place = place_of(inspected);
  constexpr size_t kShown = 12;
  const std::string name = attention_value(attention.kind, attention.layer, ValueKind::weights);
  const std::string scores = attention_value(attention.kind, attention.layer, ValueKind::masked_scores);
  std::vector<double> weights = inspected.row(name, {place.head, place.query});
  double padding = 0;
  for (size_t key = static_cast<size_t>(key_count(inspected, attention)); key < weights.size(); ++key)
    padding += weights[key];
  weights.resize(std::min(weights.size(), static_cast<size_t>(key_count(inspected, attention))));
  // While the decoding is stepped, words to come are not shown.
  const int written = inspected.input().shown_steps;
  if (attention.kind == AttentionKind::decoder && written > place.key && inspected.sentence() == 0)
    weights.resize(std::min(weights.size(), static_cast<size_t>(written)));

  // Long rows show their strongest keys, in the order of the sentence.
  std::vector<size_t> order(weights.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto stronger = [&](size_t a, size_t b) { return weights[a] > weights[b]; };
  if (order.size() > kShown) {
    std::stable_sort(order.begin(), order.end(), stronger);
    order.resize(kShown);
    const auto own = static_cast<size_t>(place.key);
    if (std::find(order.begin(), order.end(), own) == order.end()) order.back() = own;
    std::sort(order.begin(), order.end());
  }

  InspectorSection section;
  section.heading = "The whole row";
  double sum = 0, shown = 0;
  for (const double weight : weights) sum += weight;
  section.note = "sum " + format_fixed(sum, 3);
  for (const size_t key : order) {
    const int column = static_cast<int>(key);
    InspectorRow row =
        operand_link(inspected, inspected.stack_word(attention.kind != AttentionKind::decoder, column),
                     inspected.at(name, {place.head, place.query, column}));
    const double score = inspected.value_at(scores, {place.head, place.query, column});
    const bool hidden = std::isinf(score) && weights[key] == 0;
    row.value = hidden ? "hidden" : format_fixed(weights[key], 3);
    row.share = weights[key];
    row.emphasized = column == place.key;
    shown += weights[key];
    section.rows.push_back(std::move(row));
  }
  if (order.size() < weights.size())
    section.text = "And " + std::to_string(weights.size() - order.size()) + " more, together " +
                   format_fixed(std::max(0.0, sum - shown), 3) + ".";
  if (padding >= 0.0005)
    section.text += std::string(section.text.empty() ? "" : " ") + "The padding behind the sentence takes " +
                    format_fixed(padding, 3) + ", because its mask is off.";
  return section;
}

InspectorPage mean_weight_page(const InspectedCell& inspected, const AttentionName& attention) {
  const TablePlace place = place_of(inspected);
  const std::string name = attention_value(attention.kind, attention.layer, ValueKind::weights);
  const int heads = inspected.config().heads;
  InspectorPage page = cell_page(inspected, "Attention weight, mean over heads",
                                 weight_subject(inspected, attention.kind, place.query, place.key));
  InspectorSection section;
  section.heading = "How it was computed";
  double sum = 0;
  for (int head = 0; head < heads; ++head) {
    InspectorRow row = operand_link(inspected, "head " + std::to_string(head + 1),
                                    inspected.at(name, {head, place.query, place.key}));
    row.share = inspected.value_at(name, {head, place.query, place.key});
    sum += *row.share;
    section.rows.push_back(std::move(row));
  }
  const double mean = sum / heads;
  section.formulas.push_back(
      formula_row({formula_text("mean ="),
                   formula_fraction(formula_text("sum of the heads’ weights"), formula_text("H"))}));
  section.formulas.push_back(
      formula_mono("= " + value_text(sum) + " / " + std::to_string(heads) + " = " + value_text(mean)));
  page.index = "[:, " + std::to_string(place.query) + ", " + std::to_string(place.key) + "] of " +
               format_shape(inspected.shape());
  page.value = value_text(mean);
  page.full_value = format_full(mean);
  page.sections.push_back(std::move(section));
  page.meaning =
      "Heads may look at different words; their mean hides that. Open one head to see what it does.";
  page.paper = "Paper, section 3.2.2";
  return page;
}

}  // namespace glassformer
