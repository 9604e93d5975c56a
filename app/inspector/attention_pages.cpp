#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/inspector/layer_values.h"
#include "app/inspector/pages.h"
#include "engine/model/attention_row.h"

namespace glassformer {

namespace {

// What every cell of a head's query x key table needs to know of itself.
struct TablePlace {
  int head = 0, query = 0, key = 0;
  std::string prefix;  // "decoder.layers.1.cross_attn."
  std::string query_word, key_word;
};

TablePlace place_of(const CellReader& reader, const AttentionName& attention) {
  const std::vector<int> index = reader.index_without_batch();
  TablePlace place{index[0], index[1], index[2], attention_name(attention.kind, attention.layer) + ".",
                   {},       {}};
  place.query_word = reader.stack_word(attention.kind == AttentionKind::encoder, place.query);
  place.key_word = reader.stack_word(attention.kind != AttentionKind::decoder, place.key);
  return place;
}

int key_count(const CellReader& reader, const AttentionName& attention) {
  return attention.kind == AttentionKind::decoder ? reader.target_length() : reader.source_length();
}

std::string asks(const TablePlace& place) {
  return "**" + place.query_word + "** asks **" + place.key_word + "**";
}

std::string meaning_of_weight(const CellReader& reader, const AttentionName& attention,
                              const TablePlace& place) {
  const std::string share = share_words(reader.value());
  const std::string from = " from “" + place.key_word + "”";
  if (attention.kind == AttentionKind::encoder)
    return "To describe “" + place.query_word + "” in this sentence the head takes " + share + from + ".";
  const bool own = reader.input().result.target_origin == TargetOrigin::model_output;
  const std::string written = "“" + reader.written_word(place.query) + "”";
  return "The decoder has just read “" + place.query_word + "”. To choose the next word it takes " + share +
         from + (own ? ", and writes " + written + "." : "; the right word is " + written + ".");
}

InspectorSection whole_row(const CellReader& reader, const AttentionName& attention,
                           const TablePlace& place) {
  constexpr size_t kShown = 12;
  const std::string name = place.prefix + "weights";
  std::vector<double> weights = reader.row(name, {place.head, place.query});
  double padding = 0;
  for (size_t key = static_cast<size_t>(key_count(reader, attention)); key < weights.size(); ++key)
    padding += weights[key];
  weights.resize(std::min(weights.size(), static_cast<size_t>(key_count(reader, attention))));
  // While the decoding is stepped, words to come are not told.
  const int written = reader.input().shown_steps;
  if (attention.kind == AttentionKind::decoder && written > place.key && reader.sentence() == 0)
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
        operand_link(reader, reader.stack_word(attention.kind != AttentionKind::decoder, column),
                     reader.at(name, {place.head, place.query, column}));
    const double score = reader.value_at(place.prefix + "masked_scores", {place.head, place.query, column});
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

}  // namespace

InspectorPage weight_page(const CellReader& reader, const AttentionName& attention) {
  const TablePlace place = place_of(reader, attention);
  InspectorPage page =
      cell_page(reader, "Attention weight", weight_subject(reader, attention.kind, place.query, place.key));
  const double weight = reader.value();
  const double score = reader.value_at(place.prefix + "masked_scores", {place.head, place.query, place.key});

  // Softmax of the row, from the trace's own scores.
  const double sum =
      std::exp(log_sum_exp_of(reader.row(place.prefix + "masked_scores", {place.head, place.query})));
  const double above = std::exp(score);
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas.push_back(
      formula_row({formula_text("weight ="),
                   formula_fraction(formula_text("exp( score )"), formula_text("sum of exp, row"))}));
  computed.formulas.push_back(
      formula_row({formula_mono("="), formula_fraction(formula_mono("exp( " + value_text(score) + " )"),
                                                       formula_mono(significant_text(sum, 6)))}));
  computed.formulas.push_back(formula_mono("= " + significant_text(above, 6) + " / " +
                                           significant_text(sum, 6) + " = " + value_text(weight)));
  if (std::isinf(score))
    computed.text = "The mask made this score −∞, and exp( −∞ ) is 0: the word is hidden here.";
  page.sections.push_back(std::move(computed));
  note_change(page, sum > 0 ? above / sum : 0, weight);

  page.sections.push_back(whole_row(reader, attention, place));
  add_rows(page, "Comes from",
           {operand_link(reader, "score",
                         reader.at(place.prefix + "masked_scores", {place.head, place.query, place.key}))});
  add_rows(page, "Where it goes",
           {operand_link(reader, "× V", reader.at(place.prefix + "context", {place.head, place.query, 0}))});
  page.meaning = meaning_of_weight(reader, attention, place);
  page.paper = "Paper, section 3.2.3";
  return page;
}

InspectorPage mean_weight_page(const CellReader& reader, const AttentionName& attention) {
  const TablePlace place = place_of(reader, attention);
  const int heads = reader.config().heads;
  InspectorPage page = cell_page(reader, "Attention weight, mean over heads",
                                 weight_subject(reader, attention.kind, place.query, place.key));
  InspectorSection section;
  section.heading = "How it was computed";
  double sum = 0;
  for (int head = 0; head < heads; ++head) {
    InspectorRow row = operand_link(reader, "head " + std::to_string(head + 1),
                                    reader.at(place.prefix + "weights", {head, place.query, place.key}));
    row.share = reader.value_at(place.prefix + "weights", {head, place.query, place.key});
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
               format_shape(reader.real_shape());
  page.value = value_text(mean);
  page.full_value = format_full(mean);
  page.sections.push_back(std::move(section));
  page.meaning = "Heads look at different words; their mean hides that. Open one head to see what it does.";
  page.paper = "Paper, section 3.2.2";
  return page;
}

InspectorPage score_page(const CellReader& reader, const AttentionName& attention) {
  const TablePlace place = place_of(reader, attention);
  const std::vector<int> index{place.head, place.query, place.key};
  InspectorPage page = cell_page(reader, "Score, scaled", asks(place));
  const double product = reader.value_at(place.prefix + "dot_products", index);
  const int width = reader.config().head_width();
  const bool scaled = reader.config().attention_scale && !reader.input().result.scene.what_if.drop_scale;

  InspectorSection computed;
  computed.heading = "How it was computed";
  if (scaled) {
    computed.formulas.push_back(formula_row(
        {formula_text("score ="), formula_fraction(formula_text("q · k"), formula_root(formula_text("k")))}));
    computed.formulas.push_back(
        formula_row({formula_mono("="),
                     formula_fraction(formula_mono(value_text(product)),
                                      formula_root(formula_mono(std::to_string(width)))),
                     formula_mono("= " + value_text(reader.value()))}));
  } else {
    computed.formulas.push_back(formula_text("score = q · k, not scaled"));
    computed.formulas.push_back(formula_mono("= " + value_text(reader.value())));
  }
  page.sections.push_back(std::move(computed));
  note_change(page, scaled ? product / std::sqrt(width) : product, reader.value());
  add_rows(page, "Comes from",
           {operand_link(reader, "q · k", reader.at(place.prefix + "dot_products", index))});
  add_rows(page, "Where it goes",
           {operand_link(reader, "+ mask", reader.at(place.prefix + "masked_scores", index)),
            operand_link(reader, "softmax", reader.at(place.prefix + "weights", index))});
  page.meaning =
      "Divided by √k, the spread of the scores does not grow with the width of the vectors, and softmax "
      "keeps a usable gradient.";
  page.paper = "Paper, section 3.2.1";
  return page;
}

InspectorPage masked_score_page(const CellReader& reader, const AttentionName& attention) {
  const TablePlace place = place_of(reader, attention);
  const std::vector<int> index{place.head, place.query, place.key};
  InspectorPage page = cell_page(reader, "Score, after the mask", asks(place));
  const bool hidden = std::isinf(reader.value());
  const double score = reader.value_at(place.prefix + "scores", index);
  InspectorSection computed;
  computed.heading = "How it was computed";
  computed.formulas.push_back(
      formula_text(hidden ? "hidden: the score becomes −∞" : "may look: the score stays"));
  computed.formulas.push_back(
      formula_mono(value_text(score) + (hidden ? " + −∞ = −∞" : " + 0 = " + value_text(reader.value()))));
  page.sections.push_back(std::move(computed));
  if (!hidden) note_change(page, score, reader.value());
  add_rows(page, "Comes from", {operand_link(reader, "score", reader.at(place.prefix + "scores", index))});
  add_rows(page, "Where it goes",
           {operand_link(reader, "softmax", reader.at(place.prefix + "weights", index))});
  const bool future = attention.kind == AttentionKind::decoder && place.key > place.query;
  page.meaning = !hidden  ? "“" + place.query_word + "” may look at “" + place.key_word + "”."
                 : future ? "“" + place.key_word + "” comes later: while “" + place.query_word +
                                "” is read it is not yet written."
                          : "Padding fills the row of a shorter sentence; nobody may look at it.";
  page.paper = "Paper, section 3.2.3";
  return page;
}

InspectorPage dot_product_page(const CellReader& reader, const AttentionName& attention) {
  const TablePlace place = place_of(reader, attention);
  InspectorPage page = cell_page(reader, "Match before scaling", asks(place));
  const Trace& trace = *reader.input().result.trace;
  const std::string block = attention_name(attention.kind, attention.layer);
  const std::string query = place.prefix + std::string(matched_query(trace, block)),
                    key = place.prefix + std::string(matched_key(trace, block));
  const std::vector<Product> terms =
      paired(reader.row(query, {place.head, place.query}), reader.row(key, {place.head, place.key}));
  add_product_sum(page, reader,
                  {formula_row({formula_text("match ="), formula_index(formula_text("Σ"), formula_text("d")),
                                formula_index(formula_text("Q"), formula_text(place.query_word + ",d")),
                                formula_text("·"),
                                formula_index(formula_text("K"), formula_text(place.key_word + ",d"))}),
                   terms,
                   {}});
  const int largest = largest_term(terms);
  const std::string pair = ", d = " + std::to_string(largest);
  add_rows(page, "Comes from, the largest pair",
           {operand_link(reader, "Q “" + place.query_word + "”" + pair,
                         reader.at(query, {place.head, place.query, largest})),
            operand_link(reader, "K “" + place.key_word + "”" + pair,
                         reader.at(key, {place.head, place.key, largest}))});
  const std::vector<int> index{place.head, place.query, place.key};
  const double masked = reader.value_at(place.prefix + "masked_scores", index);
  add_rows(page, "Where it goes",
           {operand_link(reader, "÷ √" + std::to_string(reader.config().head_width()),
                         reader.at(place.prefix + "scores", index)),
            operand_link(reader, "+ mask", reader.at(place.prefix + "masked_scores", index),
                         std::isinf(masked) ? "hidden" : "not hidden"),
            operand_link(reader, "softmax", reader.at(place.prefix + "weights", index))});
  const double weight = reader.value_at(place.prefix + "weights", index);
  page.meaning = "A large positive match means the two vectors point the same way in this head. Here “" +
                 place.query_word + "” gives “" + place.key_word + "” " + share_words(weight) +
                 " of its attention.";
  page.paper = "Paper, section 3.2.1";
  return page;
}

}  // namespace glassformer
