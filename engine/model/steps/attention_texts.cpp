// Attention in words: one head, the heads together, and the chain rule of each operation.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {
namespace {

using enum StepKind;

constexpr std::array kAttentionTexts = {
    // One head.
    StepText{query, pattern::times_transposed, "Queries Q", "{=} = {0} {1}ᵀ[ + {2}]",
             "Every token asks a question, written as k numbers. Each head has weights of its own, so each "
             "head asks something else.",
             "3.2.2"},
    StepText{key, pattern::times_transposed, "Keys K", "{=} = {0} {1}ᵀ[ + {2}]",
             "Every token also puts up a label that questions are compared with. Keys come from the same "
             "rows as the queries, through other weights.",
             "3.2.2"},
    StepText{value, pattern::times_transposed, "Values V", "{=} = {0} {1}ᵀ[ + {2}]",
             "A token’s value is what it hands over when somebody looks at it. It need not resemble the key "
             "by which it was found.",
             "3.2.2"},
    StepText{memory_key, pattern::times_transposed, "Keys K, from the memory", "{=} = {0} {1}ᵀ[ + {2}]",
             "The labels belong to the source's tokens: they are made of the encoder's result, not of the "
             "decoder's rows. This is where the target first meets the source.",
             "3.2.3"},
    StepText{memory_value, pattern::times_transposed, "Values V, from the memory", "{=} = {0} {1}ᵀ[ + {2}]",
             "What is handed over comes from the source's tokens as well. Only the questions are the "
             "decoder's.",
             "3.2.3"},
    StepText{
        rotate, pattern::rotation, "Rotate by position", "{=} = pairs of {0}, turned by pos / 10000^(2i/k)",
        "Each pair of columns is turned like the hand of a clock, the first pairs fast and the last ones "
        "slowly, further at every place. Where a query and a key have both been turned, their match "
        "depends on the distance between them alone (RoFormer, section 3.4.2).",
        ""},
    StepText{dot_products, pattern::times_transposed, "Match Q with K", "{=} = {0} {1}ᵀ",
             "Each query is multiplied with each key, pair by pair, and the products are added up: the "
             "sum is large where both are long and point the same way. Row i, column j says how well query i "
             "matches key j.",
             "3.2.1"},
    StepText{scale_scores, pattern::by_root_head_width, "Scale by 1/√k", "{=} = {0} / √k",
             "Sums of k products grow like √k. The division takes that growth out: queries and keys that "
             "spread by about 1 give scores that do so too. A softmax of large numbers lets almost no "
             "gradient through.",
             "3.2.1"},
    StepText{keep_scores, pattern::same_cell, "Scores", "{=} = {0}",
             "Here the division by √k is left out. The matches are the scores as they stand.", "3.2.1"},
    StepText{padding_mask, pattern::sum, "Mask", "{=} = {0} + {1}",
             "Padding must not be seen, so its scores become −∞. In a sentence without padding nothing is "
             "hidden.",
             "3.2.3"},
    StepText{causal_mask, pattern::sum, "Mask the future", "{=} = {0} + {1}",
             "A word may look at itself and at those before it; everything after it becomes −∞. Otherwise "
             "the decoder would read the answer it is asked for.",
             "3.2.3"},
    StepText{softmax, pattern::softmax, "Softmax", "{=} = exp({0}) / row sums",
             "Each row of scores becomes shares that are positive and add up to 1. What was −∞ gets exactly "
             "0.",
             "3.2.1"},
    StepText{
        relu_weights, pattern::relu_weight, "ReLU, by the keys seen", "{=} = max(0, {0}) / n",
        "This model has a ReLU in place of the softmax: scores that are not above 0 get nothing, the others "
        "are divided by the number n of keys that the mask leaves. Nothing makes a row add up to 1.",
        ""},
    StepText{weighted_sum, pattern::times, "Weighted sum of V", "{=} = {0} {1}",
             "Each row of the result is the sum of the values, each times the weight just found. With the "
             "weights given that is linear: what is not linear in a head is how it makes them, a product of "
             "two rows and a softmax (or ReLU).",
             "3.2.1"},

    // All heads.
    StepText{concat, pattern::side_by_side, "Heads side by side", "",
             "The heads' results are put next to each other, so that head h owns columns h·k to h·k + k − 1. "
             "Nothing is mixed yet.",
             "3.2.2"},
    StepText{project_heads, pattern::times_transposed, "Project the heads", "{=} = {0} {1}ᵀ[ + {2}]",
             "Here the heads meet: every number of the result draws on all of them. The rows are d wide "
             "again, as the residual stream wants them.",
             "3.2.2"},

    // Backward.
    StepText{
        d_project_heads, pattern::times, "Projection, backward", "{=} = {0} {1}",
        "The gradient is shared out among all numbers of all heads. It goes back through the same weights "
        "that mixed them.",
        ""},
    StepText{d_concat, pattern::same_cell, "Split into heads", "{=} = {0}, one head's columns",
             "Side by side on the way forward, cut apart on the way back. Each head now hears only what "
             "concerns its own columns.",
             ""},
    StepText{d_weighted_sum, pattern::times_transposed, "Weights, backward", "{=} = {0} {1}ᵀ",
             "How much would it help to look more at this key? That is how well its value points along the "
             "gradient of the context.",
             ""},
    StepText{d_value, pattern::transposed_times, "Values, backward", "{=} = {0}ᵀ {1}",
             "A value is told what every query that looked at it would have liked. Those who looked harder "
             "count for more.",
             ""},
    StepText{
        d_softmax, pattern::d_softmax, "Softmax, backward", "{=} = {0} × ({1} − row sums({0} × {1}))",
        "Shares of one whole: a weight can grow only at the cost of the others, so the mean over the row "
        "is taken away first. Every row of the result adds up to 0.",
        ""},
    StepText{
        d_relu_weights, pattern::d_relu_weight, "ReLU, backward", "{=} = {0} / n, where {1} is above 0",
        "Where there was a weight its slope is 1/n, elsewhere 0. No weight grows at the cost of others, so "
        "nothing is taken off.",
        ""},
    StepText{d_mask, pattern::hide, "Mask, backward", "{=} = {0}, 0 where {1} hides",
             "A hidden score had no say, so it gets no gradient. All others pass unchanged.", ""},
    StepText{d_scale_scores, pattern::by_root_head_width, "Scale, backward", "{=} = {0} / √k",
             "What was divided on the way forward is divided on the way back. The slope of x/√k is 1/√k "
             "everywhere.",
             ""},
    StepText{d_keep_scores, pattern::same_cell, "Scores, backward", "{=} = {0}",
             "Nothing was divided by √k here. The gradient passes unchanged.", ""},
    StepText{
        d_query, pattern::times, "Queries, backward", "{=} = {0} {1}",
        "A query is pulled towards the keys it should match better and away from the others. The pull of "
        "each key is the gradient of their match.",
        ""},
    StepText{d_key, pattern::transposed_times, "Keys, backward", "{=} = {0}ᵀ {1}",
             "A key is pulled towards the queries that should find it. It hears from every query that could "
             "see it.",
             ""},
    StepText{d_rotate, pattern::rotation_back, "Rotation, backward",
             "{=} = pairs of {0}, turned back by pos / 10000^(2i/k)",
             "What was turned on the way forward is turned back by the same angle. Its length stays, so no "
             "gradient is lost or gained here.",
             ""},
    StepText{
        d_attention_input, pattern::products, "Q, K and V meet again", "{=} = {0} {1} + {2} {3} + {4} {5}",
        "Each row was used three times, as query, as key and as value, so three gradients come back. They "
        "are added up, all heads together.",
        ""},
    StepText{
        d_attention_input_and_stream, pattern::products_and_stream, "Q, K, V and the paths meet",
        "{=} = {0} + {1} {2} + {3} {4} + {5} {6}",
        "Each row was used three times in the block, as query, as key and as value, and once more past it. "
        "All four gradients are added up.",
        ""},
    StepText{
        d_memory, pattern::products, "Memory, backward", "",
        "Every decoder layer read the memory for its keys and values, so every one sends a gradient back. "
        "Their sum is all that the encoder ever hears of the loss.",
        "3.2.3"},
};

}  // namespace

std::span<const StepText> attention_texts() {
  return kAttentionTexts;
}

}  // namespace glassformer
