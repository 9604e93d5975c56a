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

// The optimizer's step in words, for one chosen weight.
namespace {

using enum StepKind;

constexpr std::array kUpdateTexts = {
    StepText{
        chosen_gradient, pattern::same_cell, "Gradient of one weight", "{=} = one cell of {0}",
        "Of all the gradients just found we follow a single one to its weight. Every other weight goes the "
        "same way at the same time.",
        "5.3"},
    StepText{gradient_norm, pattern::setting, "Length of the whole gradient",
             "{=} = √(sum of all gradients²)",
             "All gradients of the model are seen as one long arrow, and this is its length. A shared matrix "
             "counts once.",
             ""},
    StepText{clip, pattern::clipped, "Clip", "{=} = {0} × min(1, {2} / ({1} + 10⁻⁶))",
             "If the arrow is longer than c it is shortened to c, keeping its direction. One bad batch then "
             "cannot throw the weights far off.",
             ""},
    StepText{no_clip, pattern::same_cell, "Clip (off)", "{=} = {0}",
             "This run does not limit the length of the gradient. It is used as it stands.", ""},
    StepText{
        noam_rate, pattern::setting, "Learning rate", "{=} = factor · d^−½ · min(s^−½, s · warmup^−1½)",
        "The rate rises in a straight line for the warm-up and then falls as 1/√s. Early gradients point "
        "anywhere, so the first steps are kept small.",
        "5.3"},
    StepText{constant_rate, pattern::setting, "Learning rate", "{=} = peak",
             "The rate is the same at every step. The paper warms up first; without that large models often "
             "diverge.",
             "5.3"},
    StepText{
        linear_rate, pattern::setting, "Learning rate", "{=} = peak · (s / warmup, then straight down to 0)",
        "The rate rises in a straight line and falls in another. It reaches 0 with the last step.", "5.3"},
    StepText{
        cosine_rate, pattern::setting, "Learning rate",
        "{=} = peak · (s / warmup, then half a cosine down to 0)",
        "The rate rises in a straight line and falls along half a cosine. It reaches 0 with the last step.",
        "5.3"},
    StepText{
        first_moment, pattern::running_mean, "Running mean m", "{=} = {2} · {0} + (1 − {2}) · {1}",
        "Adam does not follow the gradient of one batch but a running mean of them. What all batches agree "
        "on adds up, and noise cancels. The paper’s β₁ is 0.9.",
        "5.3"},
    StepText{second_moment, pattern::running_mean_of_squares, "Running mean of squares v",
             "{=} = {2} · {0} + (1 − {2}) · {1}²",
             "A running mean of the squared gradients tells how large they usually are for this weight. Each "
             "weight gets a pace of its own by it. The paper’s β₂ is 0.98.",
             "5.3"},
    StepText{
        correct_first, pattern::corrected, "Correct the bias of m", "{=} = {0} / (1 − {1}^{2})",
        "The mean began at 0 and is still too small in the first steps. Dividing makes up for exactly the "
        "share that is missing.",
        "5.3"},
    StepText{correct_second, pattern::corrected, "Correct the bias of v", "{=} = {0} / (1 − {1}^{2})",
             "The mean of squares began at 0 too, and is corrected in the same way. It is the slower of the "
             "two, so it needs this longer.",
             "5.3"},
    StepText{
        new_weight, pattern::adam_step, "New weight", "{=} = {0} − {1} · {2} / (√{3} + {4})",
        "The weight moves against its mean gradient, by about one learning rate however large the gradient "
        "is. The paper’s ε is 10⁻⁹. That was one step of training.",
        "5.3"},
};

}  // namespace

std::span<const StepText> update_texts() {
  return kUpdateTexts;
}

}  // namespace glassformer
