// The loss and the way back in words: at each step the chain rule of one operation.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {
namespace {

using enum StepKind;

constexpr std::array kBackwardTexts = {
    // The loss.
    StepText{smooth_target, pattern::smoothed_target, "Smoothed target",
             "{=} = (1 − e) · one-hot({0}) + e / V_t",
             "The right word should get most of the probability, and every word a little of the rest. This "
             "label smoothing keeps the model from being surer than it has reason to be.",
             "5.4"},
    StepText{token_loss, pattern::cross_entropy, "Loss per token", "{=} = − row sums({0} × {1})",
             "Each row pays −log p for every word, by the share the target gives it. A right word at "
             "probability 1/2 would cost 0.69, at 1/100 4.6.",
             "5.4"},
    StepText{mean_loss, pattern::mean, "Loss", "{=} = mean({0})",
             "The loss is the mean over the real words of the target. Everything from here on asks how it "
             "would change.",
             "5.4"},

    // The loss and the output, backward.
    StepText{d_mean_loss, pattern::d_mean, "Loss, backward", "{=} = 1 / number of words in {0}",
             "Each word's loss counts for its share of the mean. This is the first gradient; all others "
             "follow from it by the chain rule.",
             "5.4"},
    StepText{d_token_loss, pattern::d_cross_entropy, "Loss per token, backward", "{=} = − {0} × {1}",
             "The loss falls when the log-probability of a wanted word rises, by the share the target "
             "gives the word. A word that the target leaves out gets 0; with label smoothing there is none.",
             "5.4"},
    StepText{d_log_softmax, pattern::d_log_softmax, "Softmax, backward",
             "{=} = {0} − exp({1}) × row sums({0})",
             "What comes out is (p − y) / n: the probability given minus the probability wanted. A word with "
             "too much is pushed down, one with too little is pulled up.",
             "5.4"},
    StepText{d_logits, pattern::times, "Logits, backward", "{=} = {0} {1}",
             "Each row gathers the rows of the words it should have resembled less and takes away those it "
             "should have resembled more. The gradient passes from words to vectors.",
             ""},
    StepText{d_weight, pattern::transposed_times, "Gradient of the weights",
             "{=} = {0}ᵀ {1}[, {a} = column sums of {0}]",
             "A weight's gradient is the sum over all tokens of what came in times the gradient of what went "
             "out. It waits for the optimizer; the way back does not need it.",
             "5.3"},
    StepText{d_bias, pattern::column_sums, "Gradient of the bias", "{=} = column sums of {0}",
             "A bias is added to every row, so its gradient is the sum over the rows. It waits for the "
             "optimizer.",
             "5.3"},

    // Around the layers.
    StepText{d_hand_on, pattern::same_cell, "Handed back", "{=} = {0}",
             "Nothing was computed on the way forward, so nothing changes on the way back. The same "
             "gradient goes by the name of what was handed on.",
             ""},
    StepText{
        d_norm, pattern::d_layer_norm, "LayerNorm, backward", "{=} = (g − mean g − n × mean(g × n)) / {4}",
        "With n = ({1} − {3}) / {4} and g = {0} × {2}: moving or stretching a whole row changes nothing, "
        "so these two directions are taken out of the gradient. γ gets the sum of gradient times n, β the "
        "sum of the gradient.",
        ""},
    StepText{d_norm_and_stream, pattern::d_layer_norm, "LayerNorm, backward, and the paths meet",
             "{=} = {5} + (g − mean g − n × mean(g × n)) / {4}",
             "With n = ({1} − {3}) / {4} and g = {0} × {2}: the way through the block comes back through its "
             "LayerNorm and joins the way around it. Gradients of paths that part are added where they meet.",
             ""},
    StepText{
        d_add, pattern::same_cell, "Add, backward", "{=} = {0}",
        "A sum hands its gradient to both of its terms unchanged. One copy goes into the block, the other "
        "past it.",
        "3.1"},
    StepText{d_product_and_stream, pattern::products_and_stream, "Product, backward, and the paths meet",
             "{=} = {0} + {1} {2}",
             "What comes back through the block is multiplied by the block's weights and joins what came "
             "back past it. Gradients of paths that part are added where they meet.",
             ""},
    StepText{
        d_product, pattern::times, "Product, backward", "{=} = {0} {1}",
        "Each input is moved by every output that it fed, in proportion to the weight between them. That "
        "is a product with the same weights, the other way round.",
        ""},

    // The feed-forward.
    StepText{
        d_contract, pattern::times, "Second product, backward", "{=} = {0} {1}",
        "Each detector hears from all d numbers that it wrote to. The weights are the same, read the other "
        "way.",
        ""},
    StepText{d_relu, pattern::d_relu, "ReLU, backward", "{=} = {0} where {1} > 0, else 0",
             "Where a detector fired the gradient passes; where it did not, it stops. A detector that never "
             "fires never learns.",
             ""},
    StepText{
        d_gelu, pattern::d_gelu, "GELU, backward", "{=} = {0} × (Φ({1}) + {1} × φ({1}))",
        "The gradient is multiplied by the slope of the curve at the number that went in. Φ and φ are the "
        "normal distribution and its density.",
        ""},
    StepText{d_swish, pattern::d_swish, "Swish, backward", "{=} = {0} × s × (1 + {1} × (1 − s))",
             "The gradient is multiplied by the slope of the curve at the number that went in. Here s is the "
             "sigmoid of {1}.",
             ""},

    // Attention.
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
    StepText{d_mask, pattern::hide, "Mask, backward", "{=} = {0}, 0 where {1} hides",
             "A hidden score had no say, so it gets no gradient. All others pass unchanged.", ""},
    StepText{d_scale_scores, pattern::by_root_head_width, "Scale, backward", "{=} = {0} / √k",
             "What was divided on the way forward is divided on the way back. The slope of x/√k is 1/√k "
             "everywhere.",
             ""},
    StepText{d_keep_scores, pattern::same_cell, "Scores, backward", "{=} = {0}",
             "This model does not divide by √k. The gradient passes unchanged.", ""},
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

    // The embeddings.
    StepText{d_add_positions, pattern::same_cell, "Add positions, backward", "{=} = {0}",
             "A sum hands its gradient to both of its terms unchanged. This copy goes to the words.", "3.5"},
    StepText{d_position_signal, pattern::same_cell, "Positions, backward", "{=} = {0}",
             "A sum hands its gradient to both of its terms unchanged. This copy goes to the positions; a "
             "fixed signal does not learn from it.",
             "3.5"},
    StepText{d_learned_positions, pattern::first_rows, "Gradient of the position rows",
             "{=} = {0} in the first rows",
             "Each place's row learns from the token that stood there. Places beyond the sentence get 0.",
             "3.5"},
    StepText{d_scale_embedding, pattern::times_root_width, "Scale, backward", "{=} = √d · {0}",
             "The slope of a stretch by √d is √d. So the rows of the table hear the message louder.", "3.4"},
    StepText{d_look_up, pattern::by_word, "Gradient of the table", "row {0} of {=} = sum of its tokens' {1}",
             "Only the rows that were looked up learn, each from every place where its word stood. All other "
             "words get 0.",
             "3.4"},
    StepText{d_shared_table, pattern::product_and_by_word, "Gradient of the shared table", "",
             "One matrix serves as embedding and as projection, so it learns from both uses. The gradients "
             "are added up.",
             "3.4"},
};

static_assert(kBackwardTexts.size() ==
              static_cast<std::size_t>(d_shared_table) - static_cast<std::size_t>(log_softmax));

}  // namespace

std::span<const StepText> backward_texts() {
  return kBackwardTexts;
}

}  // namespace glassformer
