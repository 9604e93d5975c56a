// From the last row to the loss in words, and the first gradients.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {
namespace {

using enum StepKind;

constexpr std::array kOutputTexts = {
    // What comes out.
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

    // The loss.
    StepText{smooth_target, pattern::smoothed_target, "Smoothed target",
             "{=} = (1 − e) · one-hot({0}) + e / V_t",
             "The word of the target should get most of the probability, and every word a little of the "
             "rest. This "
             "label smoothing keeps the model from being surer than it has reason to be.",
             "5.4"},
    StepText{token_loss, pattern::cross_entropy, "Loss per token", "{=} = − row sums({0} × {1})",
             "Each row pays −log p for every word, by the share the target gives it. Without smoothing "
             "a word of the target costs 0.69 at probability 1/2, and 4.6 at 1/100.",
             "5.4"},
    StepText{mean_loss, pattern::mean, "Loss", "{=} = mean({0})",
             "The loss is the mean over the real words of the target. Everything from here on asks how it "
             "would change.",
             "5.4"},

    // Backward.
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
};

}  // namespace

std::span<const StepText> output_texts() {
  return kOutputTexts;
}

}  // namespace glassformer
