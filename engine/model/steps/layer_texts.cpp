// What stands around attention and feed-forward in words: sums, norms, dropout, what is handed on, and the
// products on the way back.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {
namespace {

using enum StepKind;

constexpr std::array kLayerTexts = {
    // Forward.
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
    StepText{
        add, pattern::sum, "Add", "{=} = {0} + {1}",
        "What the block found is added to what was there, not put in its place. The sum hands its "
        "gradient on unchanged; in a post-norm model the LayerNorm behind it rescales it, block by block.",
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
             "A last LayerNorm stands after the whole stack. A pre-norm model needs it, since nothing "
             "has yet bounded the sums on its residual stream.",
             "3.1"},

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
