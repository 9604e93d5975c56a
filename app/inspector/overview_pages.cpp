#include "app/inspector/overview_pages.h"

#include <cmath>

#include "app/inspector/pages.h"
#include "app/reading/attention_table.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

struct Strongest {
  int query = -1, key = -1;
  float weight = 0;
};

// Among the real tokens, of one head or of the mean over all; a given row or column is kept. Of a difference
// the largest in size, with its sign.
Strongest strongest_weight(const ViewInput& input, const Selection& shown) {
  Strongest best;
  const AttentionTable weights = shown_attention(input, shown.kind, shown.layer, shown.head, shown.sentence);
  for (int row = 0; row < weights.rows; ++row) {
    for (int column = 0; column < weights.columns; ++column) {
      if ((shown.query && *shown.query != row) || (shown.key && *shown.key != column)) continue;
      if (weights.is_hidden(row, column)) continue;
      if (best.query < 0 || std::abs(weights.at(row, column)) > std::abs(best.weight))
        best = {row, column, weights.at(row, column)};
    }
  }
  return best;
}

InspectorRow fact(std::string label, std::string value) {
  InspectorRow row;
  row.label = std::move(label);
  row.value = std::move(value);
  return row;
}

// How the weights of one head come about, or the mean over heads.
InspectorSection how_computed(const Config& config, bool mean, bool turned) {
  InspectorSection section;
  section.heading = "How it is computed";
  if (mean) {
    section.formulas = {
        formula_row({formula_text("mean ="),
                     formula_fraction(formula_text("sum of the heads’ weights"), formula_text("H"))})};
    section.rows = {fact("heads, H", std::to_string(config.heads))};
    return section;
  }
  const bool relu = config.attention_activation == AttentionActivation::relu;
  const bool scaled = config.attention_scale;
  const auto match = formula_text(turned ? "Q′ K′ᵀ" : "Q Kᵀ");
  section.formulas = {formula_row({formula_text(relu ? "weights = max( 0, " : "weights = softmax("),
                                   scaled ? formula_fraction(match, formula_root(formula_text("k"))) : match,
                                   formula_text(relu ? ") / keys left by the mask" : ")")}),
                      formula_text("output = weights · V")};
  section.rows = {fact("heads", std::to_string(config.heads)),
                  fact("k, width of a head", std::to_string(config.head_width())),
                  fact("width of the model", std::to_string(config.d_model))};
  return section;
}

std::string strongest_caption(const ViewInput& input, const Selection& shown) {
  if (input.difference_to) return shown.head < 0 ? "Largest difference of the means" : "Largest difference";
  return shown.head < 0 ? "Strongest mean weight" : "Strongest weight";
}

const char* meaning_of(AttentionKind kind, const WhatIf& what_if) {
  switch (kind) {
    case AttentionKind::encoder:
      return "Every word of the source looks at every other one, so that its vector comes to mean the word "
             "in this sentence.";
    case AttentionKind::decoder:
      if (what_if.has(ChangeKind::causal_mask_off))
        return "Every word of the target looks at all of them, those not yet written too: the causal mask is "
               "off.";
      return "Every word of the target looks back at the words before it. What is not yet written stays "
             "hidden.";
    case AttentionKind::cross:
      break;
  }
  return "Every word that is being written looks at the source. Its query comes from the decoder, keys and "
         "values from the encoder.";
}

}  // namespace

std::optional<InspectorRow> strongest_row(const ViewInput& input, const Selection& shown) {
  const Strongest best = strongest_weight(input, shown);
  if (best.query < 0) return std::nullopt;
  const CellRef cell{attention_value(shown.kind, shown.layer, ValueKind::weights),
                     {shown.sentence, shown.head, best.query, best.key}};
  const InspectedCell inspected(input, cell);
  return operand_link(inspected, weight_words(inspected, shown.kind, best.query, best.key), cell,
                      value_text(best.weight));
}

InspectorPage attention_overview(const ViewInput& input, const Selection& shown) {
  const Strongest best = strongest_weight(input, shown);
  const std::string name = attention_value(shown.kind, shown.layer, ValueKind::weights);
  const CellRef cell{name, {shown.sentence, shown.head, best.query, best.key}};

  // A row or a column is pinned: its strongest weight represents it.
  if ((shown.query || shown.key) && best.query >= 0) {
    InspectorPage page = describe_cell(input, cell);
    page.caption = strongest_caption(input, shown) + (shown.query ? " of this row" : " of this column");
    if (input.difference_to) {
      page.value = value_text(best.weight);
      page.full_value = format_full(best.weight);
      page.swatch.reset();
      page.sections.clear();  // how the first one's own weight came about
    }
    return page;
  }

  InspectorPage page;
  page.caption = "Attention";
  page.subject = "**" + head_words(shown.layer, shown.head) + "**";
  page.name = name;
  const Config config = config_under(input.snapshot.config, input.result.scene.what_if);
  const bool turned = config.turns_queries() && shown.kind != AttentionKind::cross;
  page.sections.push_back(how_computed(config, shown.head < 0, turned));
  if (auto row = strongest_row(input, shown)) add_rows(page, strongest_caption(input, shown), {*row});
  page.meaning =
      shown.head < 0
          ? "Every head weighs the words in its own way. The mean over heads adds their weights and "
            "divides by their number: what all heads read together. The model itself never "
            "computes it."
          : meaning_of(shown.kind, input.result.scene.what_if);
  page.paper = shown.head < 0 ? "Paper, section 3.2.2" : "Paper, section 3.2.3";
  return page;
}

}  // namespace glassformer
