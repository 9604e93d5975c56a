// The forward pass in words, from the first token to the probabilities.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {
namespace {

using enum StepKind;

constexpr std::array kForwardTexts = {
    // Words become vectors.
    StepText{tokenize, pattern::tokens, "Tokenize", "{=} = tokenizer(text)",
             "The tokenizer cuts the text into pieces and looks each up in its vocabulary. From here on the "
             "model knows only these numbers.",
             "5.1"},
    StepText{shift_target, pattern::tokens, "Shift right", "{=} = <bos>, then the words but the last",
             "The decoder reads the words it is asked for, moved one place to the right, so that each row "
             "has seen "
             "everything up to the word it is asked for, and no more. This is called teacher forcing.",
             "3.1"},
    StepText{look_up, pattern::look_up, "Look up", "{=} = {1}[{0}]",
             "Each id picks its row of the embedding table. The rows were learned: words used alike come to "
             "have rows alike.",
             "3.4"},
    StepText{scale_embedding, pattern::times_root_width, "Scale by √d", "{=} = √d · {0}",
             "The rows are small numbers, of the order of 1/√d, and are stretched before the positions are "
             "added. Without this the positions would drown the words.",
             "3.4"},
    StepText{sinusoids, pattern::position_signal, "Position signal", "{=} = sin, cos(pos / 10000^(2i/d))",
             "Each place in the sentence gets a pattern of sines and cosines of its own, from fast waves in "
             "the first columns to slow ones in the last. Nothing here is learned.",
             "3.5"},
    StepText{learned_positions, pattern::same_cell, "Position rows", "{=} = first rows of {0}",
             "Each place in the sentence has a learned row, looked up like a word. Places never trained on "
             "mean nothing to the model.",
             "3.5"},
    StepText{add_positions, pattern::sum, "Add positions", "{=} = {0} + {1}",
             "Attention alone cannot tell one order of the words from another, so where a word stands is "
             "added to what it means. Both live in the same d numbers from here on.",
             "3.5"},
    StepText{layer_norm, pattern::layer_norm, "LayerNorm", "{=} = ({0} − {a}) / {b} × {1} + {2}",
             "Every row is moved to mean 0 and scaled to deviation 1, then stretched by γ and moved by β, "
             "which are learned. This keeps the numbers in a range that trains well, whatever stood before.",
             "3.1"},
    StepText{dropout, pattern::same_cell, "Dropout (off)", "{=} = {0}",
             "In training some of these numbers are set to 0 at random and the others grow to make up for "
             "it, so that the model relies on none of them alone. Here it is off, as whenever one "
             "wants to see what the model knows.",
             "5.4"},
    StepText{hand_on, pattern::same_cell, "Hand on", "{=} = {0}",
             "Nothing is computed: the same numbers go on under another name. The next block reads them "
             "there.",
             "3.1"},

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
             "This is what a token hands over when somebody looks at it. It need not resemble the key by "
             "which it was found.",
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
             "Each query is multiplied with each key, pair by pair, and the products are added up: a large "
             "sum means that the two point the same way. Row i, column j tells how well query i matches "
             "key j.",
             "3.2.1"},
    StepText{scale_scores, pattern::by_root_head_width, "Scale by 1/√k", "{=} = {0} / √k",
             "Sums of k products grow like √k, and a softmax of large numbers lets almost no gradient "
             "through. The division takes that growth out: queries and keys that spread by about 1 give "
             "scores that do so too.",
             "3.2.1"},
    StepText{keep_scores, pattern::same_cell, "Scores", "{=} = {0}",
             "This model leaves out the division by √k. The matches are the scores as they stand.", "3.2.1"},
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
    StepText{weighted_sum, pattern::times, "Weighted sum of V", "{=} = {0} {1}",
             "Each row of the result is a mean of the values, with the weights just found. This is what a "
             "head brings back from where it looked.",
             "3.2.1"},

    // The rest of a layer.
    StepText{concat, pattern::side_by_side, "Heads side by side", "",
             "The heads' results are put next to each other, so that head h owns columns h·k to h·k + k − 1. "
             "Nothing is mixed yet.",
             "3.2.2"},
    StepText{project_heads, pattern::times_transposed, "Project the heads", "{=} = {0} {1}ᵀ[ + {2}]",
             "Here the heads meet: every number of the result draws on all of them. The rows are d wide "
             "again, as the residual stream wants them.",
             "3.2.2"},
    StepText{add, pattern::sum, "Add", "{=} = {0} + {1}",
             "What the block found is added to what was there, not put in its place. Along this path the "
             "gradient flows back unchanged.",
             "3.1"},
    StepText{expand, pattern::times_transposed, "First product", "{=} = {0} {1}ᵀ + {2}",
             "Each token by itself is spread out to f numbers, each a detector for some pattern in its row. "
             "Nothing passes between tokens here.",
             "3.3"},
    StepText{relu, pattern::relu, "ReLU", "{=} = max(0, {0})",
             "What is negative becomes 0: a detector fires or it does not. Without such a bend the two "
             "products would be one.",
             "3.3"},
    StepText{gelu, pattern::gelu, "GELU", "{=} = {0} × Φ({0})",
             "Each number is multiplied by the share of a normal distribution that lies below it: a smooth "
             "ReLU. Later models prefer it to the paper's ReLU.",
             ""},
    StepText{swish, pattern::swish, "Swish", "{=} = {0} × sigmoid({0})",
             "Each number is multiplied by its own sigmoid: a smooth ReLU that dips a little below 0. Later "
             "models prefer it to the paper's ReLU.",
             ""},
    StepText{
        contract, pattern::times_transposed, "Second product", "{=} = {0} {1}ᵀ + {2}",
        "The detectors that fired write to the residual stream, each its own column of the weights. The rows "
        "are d wide again.",
        "3.3"},

    // What comes out.
    StepText{memory, pattern::same_cell, "Memory", "{=} = {0}",
             "What the last encoder layer hands on is the memory. Every decoder layer's cross-attention "
             "makes its keys and values of it.",
             "3.1"},
    StepText{decoder_output, pattern::same_cell, "Decoder output", "{=} = {0}",
             "What the last decoder layer hands on goes to the vocabulary projection. Row i has seen the "
             "source and the words up to i.",
             "3.1"},
    StepText{final_norm, pattern::layer_norm, "Final LayerNorm", "{=} = ({0} − {a}) / {b} × {1} + {2}",
             "A last LayerNorm stands after the whole stack. A pre-norm model needs it, since nothing "
             "has yet bounded the sums on its residual stream.",
             "3.1"},
    StepText{logits, pattern::times_transposed, "Logits", "{=} = {0} {1}ᵀ[ + {2}]",
             "Each row is compared with a row for every word of the vocabulary. The larger the number, the "
             "likelier the word.",
             "3.4"},
    StepText{shared_logits, pattern::times_transposed, "Logits", "{=} = {0} {1}ᵀ[ + {2}]",
             "Each row is compared with the embedding of every word: the table that turned words into "
             "vectors turns vectors into words. The larger the number, the likelier the word.",
             "3.4"},
    StepText{log_softmax, pattern::log_softmax, "Softmax, as logarithms", "{=} = {0} − log Σ exp {0}",
             "Softmax turns a row of logits into probabilities that add up to 1. Their logarithms are kept, "
             "since the loss adds them and tiny probabilities stay exact.",
             "3.4"},
};

static_assert(kForwardTexts.size() == static_cast<std::size_t>(log_softmax) + 1);

}  // namespace

std::span<const StepText> forward_texts() {
  return kForwardTexts;
}

}  // namespace glassformer
