// The pages of the inspector by the family of values they explain. Each gets a reader whose cell exists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/inspector/operands.h"
#include "app/inspector/page.h"
#include "app/reading/cell_reader.h"
#include "app/scene/selection.h"

namespace glassformer {

// Of the token at this place; -1: there is none.
int id_at(const std::vector<std::vector<int>>& rows, int sentence, int at);

// Inside an attention (sections 3.2.1 to 3.2.3).
InspectorPage weight_page(const CellReader& reader, const AttentionName& attention);
InspectorPage mean_weight_page(const CellReader& reader, const AttentionName& attention);
InspectorPage score_page(const CellReader& reader, const AttentionName& attention);
InspectorPage masked_score_page(const CellReader& reader, const AttentionName& attention);
InspectorPage dot_product_page(const CellReader& reader, const AttentionName& attention);
InspectorPage projection_page(const CellReader& reader, const AttentionName& attention);  // query, key, value
InspectorPage rotation_page(const CellReader& reader,
                            const AttentionName& attention);  // rotated_query, rotated_key
InspectorPage context_page(const CellReader& reader, const AttentionName& attention);
InspectorPage concat_page(const CellReader& reader, const AttentionName& attention);
InspectorPage attention_output_page(const CellReader& reader, const AttentionName& attention);

// Where a sentence enters (sections 3.4 and 3.5): "source.embedding", "target.positions", "source.input".
InspectorPage input_page(const CellReader& reader);
// Inside a layer (sections 3.1 and 3.3): residual sums, LayerNorm, feed-forward, and what layers and stacks
// hand on.
InspectorPage layer_page(const CellReader& reader);
// Mean and deviation of a row of `from`, as LayerNorm takes them; "norm1.mean" and the like.
bool is_moment(std::string_view name);
InspectorPage moment_page(const CellReader& reader, const std::string& from, const std::string& word);
// Behind the decoder (sections 3.4 and 5.4): logits, log-probabilities, the smoothed target, the loss of a
// token.
InspectorPage prediction_page(const CellReader& reader);
InspectorPage parameter_page(const CellReader& reader);

// The page's head: caption, subject, value, name and index.
InspectorPage cell_page(const CellReader& reader, std::string caption, std::string subject);
// An operand: label, its value and the way to its page.
InspectorRow operand_link(const CellReader& reader, std::string label, const CellRef& cell);
InspectorRow operand_link(const CellReader& reader, std::string label, const CellRef& cell,
                          std::string value);
// Says so when the Trace's number is not what the formula gives, which only a what-if does.
void note_change(InspectorPage& page, double by_formula, double actual);

// "to write **voit** it reads **sees**"
std::string weight_subject(const CellReader& reader, AttentionKind kind, int query, int key);
// The same for a list, without marks: "voit reads sees".
std::string weight_words(const CellReader& reader, AttentionKind kind, int query, int key);
// "layer 2, head 3"
std::string head_words(int layer, int head);

// A sum of products as a section: symbols, the pairs, the result; notes a what-if when the sum is not the
// value.
struct ProductSum {
  Formula symbols;
  std::vector<Product> terms;
  std::optional<double> bias;
};
void add_product_sum(InspectorPage& page, const CellReader& reader, const ProductSum& sum);
int largest_term(
    const std::vector<Product>& terms);  // index of the pair with the largest product; 0 when empty
std::vector<Product> paired(const std::vector<double>& left, const std::vector<double>& right);
// A paragraph with a heading.
void add_rows(InspectorPage& page, std::string heading, std::vector<InspectorRow> rows);

}  // namespace glassformer
