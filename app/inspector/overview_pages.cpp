#include "app/inspector/overview_pages.h"
#include "app/inspector/operands.h"
#include "app/inspector/pages.h"

namespace glassformer {

namespace {

struct Strongest {
  int query = -1, key = -1;
  float weight = -1;
};

// Among the real tokens; a given row or column is kept.
Strongest strongest_weight(const ViewInput& input, const Selection& shown) {
  Strongest best;
  const Trace& trace = *input.result.trace;
  const std::string name = attention_name(shown.kind, shown.layer) + ".weights";
  const auto sentence = static_cast<size_t>(shown.sentence);
  if (!trace.find(name) || sentence >= trace.source.size()) return best;
  const Plane weights = trace.plane(name, shown.sentence, std::max(shown.head, 0));
  const int source = static_cast<int>(trace.source[sentence].size());
  const int target = static_cast<int>(trace.target_in[sentence].size());
  const int rows = shown.kind == AttentionKind::encoder ? source : target;
  const int columns = shown.kind == AttentionKind::decoder ? target : source;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if ((shown.query && *shown.query != row) || (shown.key && *shown.key != column)) continue;
      if (weights(row, column) > best.weight) best = {row, column, weights(row, column)};
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

const char* meaning_of(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::encoder:
      return "Every word of the source looks at every other one, so that its vector comes to mean the word "
             "in this "
             "sentence.";
    case AttentionKind::decoder:
      return "Every word of the target looks back at the words before it. What is not yet written stays "
             "hidden.";
    case AttentionKind::cross:
      break;
  }
  return "Every word that is being written looks at the source. Its query comes from the decoder, keys and "
         "values from "
         "the encoder.";
}

}  // namespace

InspectorPage attention_overview(const ViewInput& input, const Selection& shown) {
  const Strongest best = strongest_weight(input, shown);
  const std::string name = attention_name(shown.kind, shown.layer) + ".weights";
  const CellRef cell{name, {shown.sentence, shown.head, best.query, best.key}};

  // A row or a column is pinned: its strongest weight stands for it.
  if ((shown.query || shown.key) && best.query >= 0) {
    InspectorPage page = describe_cell(input, cell);
    page.caption = shown.query ? "Strongest weight of this row" : "Strongest weight of this column";
    return page;
  }

  InspectorPage page;
  page.caption = "Attention";
  page.subject = "**" + head_words(shown.layer, shown.head) + "**";
  page.name = name;
  const Config& config = input.snapshot.config;
  InspectorSection computed;
  computed.heading = "How it is computed";
  computed.formulas = {formula_row({formula_text("weights = softmax("),
                                    formula_fraction(formula_text("Q Kᵀ"), formula_root(formula_text("k"))),
                                    formula_text(")")}),
                       formula_text("output = weights · V")};
  computed.rows = {fact("heads", std::to_string(config.heads)),
                   fact("k, width of a head", std::to_string(config.head_width())),
                   fact("width of the model", std::to_string(config.d_model))};
  page.sections.push_back(std::move(computed));
  if (best.query >= 0) {
    const CellReader reader(input, cell);
    InspectorRow row = reader.link(weight_words(reader, shown.kind, best.query, best.key), cell);
    add_rows(page, "Strongest weight", {std::move(row)});
  }
  page.meaning = meaning_of(shown.kind);
  page.paper = "Paper, section 3.2.3";
  return page;
}

}  // namespace glassformer
