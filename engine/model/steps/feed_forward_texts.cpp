// The feed-forward in words, forward and backward.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {
namespace {

using enum StepKind;

constexpr std::array kFeedForwardTexts = {
    // Forward.
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

    // Backward.
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
};

}  // namespace

std::span<const StepText> feed_forward_texts() {
  return kFeedForwardTexts;
}

}  // namespace glassformer
