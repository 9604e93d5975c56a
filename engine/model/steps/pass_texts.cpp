// From ids to the residual stream in words, and the way back to the table.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {

namespace {

using enum StepKind;

constexpr std::array kEmbeddingTexts = {
    // Words become vectors.
    StepText{tokenize, pattern::tokens, "Tokenize", "{=} = tokenizer(text)",
             "The tokenizer cuts the text into pieces and looks each up in its vocabulary. From here on the "
             "model knows only these numbers.",
             "5.1"},
    StepText{shift_target, pattern::tokens, "Shift right", "{=} = start, then the words but the last",
             "The decoder reads the words it is asked for, moved one place to the right behind a start: "
             "<bos>, or what the makers of a model took. Each row begins with the word before the one it is "
             "asked for. This is called teacher forcing.",
             "3.1"},
    StepText{look_up, pattern::look_up, "Look up", "{=} = {1}[{0}]",
             "Each id picks its row of the embedding table. The rows are learned: words used alike come to "
             "have rows alike.",
             "3.4"},
    StepText{scale_embedding, pattern::times_root_width, "Scale by √d", "{=} = √d · {0}",
             "Every number of the row is multiplied by √d. Beside a position that is added next, the word "
             "then weighs more.",
             "3.4"},
    StepText{sinusoids, pattern::position_signal, "Position signal", "{=} = sin, cos(pos / 10000^(2i/d))",
             "Each place in the sentence gets a pattern of sines and cosines of its own, from fast waves in "
             "the first columns to slow ones in the last. Nothing here is learned.",
             "3.5"},
    StepText{sinusoids_of_form, pattern::position_signal, "Position signal",
             "{=} = sin, cos(pos / 10000^(2i/w))",
             "Each place in the sentence gets a pattern of sines and cosines of its own. They are laid out "
             "as the program has them that trained the model; a number says its i, and whether w is d or "
             "d − 2.",
             "3.5"},
    StepText{learned_positions, pattern::position_rows, "Position rows", "{=} = {0}[pos]",
             "Each place in the sentence has a learned row, looked up like a word. Places never trained on "
             "mean nothing to the model.",
             "3.5"},
    StepText{add_positions, pattern::sum, "Add positions", "{=} = {0} + {1}",
             "Attention alone cannot tell one order of the words from another, so where a word stands is "
             "added to what it means. Both live in the same d numbers from here on.",
             "3.5"},

    // Backward.
    StepText{d_add_positions, pattern::same_cell, "Add positions, backward", "{=} = {0}",
             "A sum hands its gradient to both of its terms unchanged. This copy goes to the words.", "3.5"},
    StepText{d_position_signal, pattern::same_cell, "Positions, backward", "{=} = {0}",
             "A sum hands its gradient to both of its terms unchanged. This copy goes to the positions; a "
             "fixed signal does not learn from it.",
             "3.5"},
    StepText{d_learned_positions, pattern::by_position, "Gradient of the position rows",
             "row pos of {=} = {0} of its token",
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

}  // namespace

std::span<const StepText> embedding_texts() {
  return kEmbeddingTexts;
}

// Attention in words: one head, the heads together, and the chain rule of each operation.
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
    StepText{
        distance_mask, pattern::sum, "Mask, and distance", "{=} = {0} + {1}",
        "Padding becomes −∞. Every other score loses the head's slope times the distance of query and key: "
        "the same for all sentences, and not learned (ALiBi, section 3).",
        ""},
    StepText{
        causal_distance_mask, pattern::sum, "Mask the future, and distance", "{=} = {0} + {1}",
        "What comes after the word becomes −∞. Every other score loses the head's slope times how far back "
        "its key is: the same for all sentences, and not learned (ALiBi, section 3).",
        ""},
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

// What is around attention and feed-forward in words: sums, norms, dropout, what is handed on, and the
// products on the way back.
namespace {

using enum StepKind;

constexpr std::array kLayerTexts = {
    // Forward.
    StepText{layer_norm, pattern::layer_norm, "LayerNorm", "{=} = ({0} − {a}) / {b} × {1} + {2}",
             "Every row is moved to mean 0 and scaled to deviation 1, then stretched by γ and moved by β, "
             "which are learned. This keeps the numbers in a range that trains well, whatever stood before.",
             "3.1"},
    StepText{rms_norm, pattern::rms_norm, "RMSNorm", "{=} = {0} / {a} × {1}",
             "Every row is divided by the root of its mean square, then stretched by γ, which is learned. "
             "Unlike LayerNorm it takes no mean off and adds no shift (Zhang and Sennrich 2019).",
             ""},
    StepText{dropout, pattern::same_cell, "Dropout (off)", "{=} = {0}",
             "In training some of these numbers are set to 0 at random and the others grow to make up for "
             "it, so that the model relies on none of them alone. Here it is off, as whenever one "
             "wants to see what the model knows.",
             "5.4"},
    StepText{hand_on, pattern::same_cell, "Hand on", "{=} = {0}",
             "Nothing is computed: the same numbers go on under another name. The next block reads them "
             "there.",
             "3.1"},
    StepText{add, pattern::sum, "Add", "{=} = {0} + {1}",
             "What the block found is added to what was there, not put in its place. The sum hands its "
             "gradient on unchanged; in a post-norm model the norm behind it rescales it, block by block.",
             "3.1"},
    StepText{memory, pattern::same_cell, "Memory", "{=} = {0}",
             "What the last encoder layer hands on is the memory. Every decoder layer's cross-attention "
             "makes its keys and values of it.",
             "3.1"},
    StepText{decoder_output, pattern::same_cell, "Decoder output", "{=} = {0}",
             "What the last decoder layer hands on goes to the vocabulary projection. Row i holds what "
             "the word behind its own is told from.",
             "3.1"},
    StepText{final_norm, pattern::layer_norm, "Final LayerNorm", "{=} = ({0} − {a}) / {b} × {1} + {2}",
             "A last LayerNorm stands after the whole stack, in some post-norm models too. A pre-norm model "
             "needs it, since nothing has yet bounded the sums on its residual stream.",
             "3.1"},
    StepText{final_rms_norm, pattern::rms_norm, "Final RMSNorm", "{=} = {0} / {a} × {1}",
             "A last RMSNorm stands after the whole stack, in some post-norm models too. A pre-norm model "
             "needs it, since nothing has yet bounded the sums on its residual stream.",
             ""},

    // Backward.
    StepText{d_weight, pattern::transposed_times, "Gradient of the weights",
             "{=} = {0}ᵀ {1}[, {a} = column sums of {0}]",
             "A weight's gradient is the sum over all tokens of what came in times the gradient of what went "
             "out. It waits for the optimizer; the way back does not need it.",
             "5.3"},
    StepText{d_bias, pattern::column_sums, "Gradient of the bias", "{=} = column sums of {0}",
             "A bias is added to every row, so its gradient is the sum over the rows. It waits for the "
             "optimizer.",
             "5.3"},
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
    StepText{d_rms_norm, pattern::d_rms_norm, "RMSNorm, backward", "{=} = (g − n × mean(g × n)) / {3}",
             "With n = {1} / {3} and g = {0} × {2}: stretching a whole row changes nothing, so this "
             "direction is taken out of the gradient. γ gets the sum of gradient times n.",
             ""},
    StepText{d_rms_norm_and_stream, pattern::d_rms_norm, "RMSNorm, backward, and the paths meet",
             "{=} = {4} + (g − n × mean(g × n)) / {3}",
             "With n = {1} / {3} and g = {0} × {2}: the way through the block comes back through its "
             "RMSNorm and joins the way around it. Gradients of paths that part are added where they meet.",
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
};

}  // namespace

std::span<const StepText> layer_texts() {
  return kLayerTexts;
}

}  // namespace glassformer
