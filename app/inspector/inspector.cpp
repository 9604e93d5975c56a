#include "app/inspector/inspector.h"

#include <array>
#include <cmath>

#include "app/inspector/pages.h"
#include "app/reading/cell_reader.h"
#include "app/widgets/colormap.h"

namespace glassformer {

namespace {

InspectorPage attention_page(const CellReader& reader, const AttentionName& attention) {
  using Page = InspectorPage (*)(const CellReader&, const AttentionName&);
  struct Entry {
    ValueKind value;
    Page page;
  };
  constexpr std::array kPages = {Entry{ValueKind::weights, weight_page},
                                 Entry{ValueKind::scores, score_page},
                                 Entry{ValueKind::masked_scores, masked_score_page},
                                 Entry{ValueKind::dot_products, dot_product_page},
                                 Entry{ValueKind::query, projection_page},
                                 Entry{ValueKind::key, projection_page},
                                 Entry{ValueKind::value, projection_page},
                                 Entry{ValueKind::rotated_query, rotation_page},
                                 Entry{ValueKind::rotated_key, rotation_page},
                                 Entry{ValueKind::context, context_page},
                                 Entry{ValueKind::concat, concat_page},
                                 Entry{ValueKind::output, attention_output_page}};
  for (const Entry& entry : kPages)
    if (attention.value == entry.value) return entry.page(reader, attention);
  return cell_page(reader, std::string(word_of(attention.value)), head_words(attention.layer, 0));
}

bool mean_over_heads(const CellRef& cell, const std::optional<AttentionName>& attention) {
  return attention && attention->value == ValueKind::weights && cell.index.size() == 4 && cell.index[1] == -1;
}

// Colours as in the picture the number stands in: weights and probabilities on cividis, the rest signed, the
// largest number of its row at the end of the scale.
void add_swatch(InspectorPage& page, const CellReader& reader,
                const std::optional<AttentionName>& attention) {
  const Theme theme = reader.input().dark_theme ? dark_theme() : light_theme();
  const double value = reader.value();
  const std::string& name = reader.cell().name;
  if ((attention && attention->value == ValueKind::weights) || name == "smoothed_target") {
    page.swatch = cividis(value);
  } else if (name == "log_probabilities") {
    page.swatch = cividis(std::exp(value));
  } else if (std::isfinite(value) && !reader.parameter() && reader.index_without_batch().size() > 1) {
    std::vector<int> row = reader.index_without_batch();
    row.pop_back();
    double largest = std::abs(value);
    for (const double each : reader.row(name, row))
      if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
    page.swatch = signed_color(largest > 0 ? value / largest : 0, theme);
  }
}

InspectorPage page_of(const CellReader& reader, const std::optional<AttentionName>& attention) {
  const std::string& name = reader.cell().name;
  if (reader.parameter()) return parameter_page(reader);
  if (attention) return attention_page(reader, *attention);
  if (name.starts_with("source") || name.starts_with("target")) return input_page(reader);
  if (name == "logits" || name == "log_probabilities" || name == "smoothed_target" || name == "token_loss")
    return prediction_page(reader);
  return layer_page(reader);
}

}  // namespace

InspectorPage describe_cell(const ViewInput& input, const CellRef& cell) {
  const std::optional<AttentionName> attention = read_attention_name(cell.name);
  if (mean_over_heads(cell, attention)) {
    CellRef first = cell;
    first.index[1] = 0;
    const CellReader reader(input, first);
    if (reader.exists()) return mean_weight_page(reader, *attention);
  }
  const CellReader reader(input, cell);
  if (!reader.exists()) {
    InspectorPage page;
    page.caption = "Not in this sentence";
    page.name = cell.name;
    page.index = format_index(cell.index);
    page.meaning =
        "The sentence or the model has changed since this number was pinned. Click another one, or press "
        "Esc.";
    return page;
  }
  InspectorPage page = page_of(reader, attention);
  add_swatch(page, reader, attention);
  return page;
}

std::optional<CellRef> selected_cell(const Selection& selection) {
  if (selection.cell) return selection.cell;
  if (!selection.query || !selection.key) return std::nullopt;
  return CellRef{attention_value(selection.kind, selection.layer, ValueKind::weights),
                 {selection.sentence, selection.head, *selection.query, *selection.key}};
}

}  // namespace glassformer
