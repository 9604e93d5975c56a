// What is said over the cell: which number it is, and how such a number comes about.
#include "app/views/cell/cell.h"

namespace glassformer {

std::string cell_title(const CellScene& scene) {
  const std::string what = scene.is_weight() ? "a weight" : std::string(scene.step->name);
  const std::string place = scene.place_words();
  return "One cell: " + what + (place.empty() ? "" : ", ") + place;
}

std::string cell_subtitle(const CellScene& scene) {
  if (scene.is_weight()) return "Everything that was computed comes from numbers like this one.";
  if (scene.work().products.size() > 1)
    return "It was used in several places, so several products come back: all are added up.";
  if (scene.work().product())
    return "The row on the left meets the column above. Multiply in pairs, add up, done.";
  using enum StepKind;
  switch (scene.step->kind) {
    case softmax:
      return "The largest score is taken off, the rest raised to powers of e and divided by their sum.";
    case relu_weights:
      return "Not below 0, and divided by the number of keys that the mask leaves.";
    case d_relu_weights:
      return "What arrives, by the number of keys that the mask leaves, where there was a weight.";
    case log_softmax:
      return "As a softmax, but the logarithm of the share is kept.";
    case layer_norm:
    case final_norm:
      return "Taken from the mean of its row, divided by the deviation, stretched and moved.";
    case rms_norm:
    case final_rms_norm:
      return "Divided by the root mean square of its row, and stretched.";
    case token_loss:
      return "Each word's share y of the target times −log p, added up. What flows back is p − y.";
    case d_softmax:
      return "What arrives, less the row's mean of it by the weights, times the weight itself.";
    case d_log_softmax:
      return "The probability given minus the probability wanted, p − y, shared out among the words.";
    case d_norm:
    case d_norm_and_stream:
      return "With g = gradient × γ: its mean and what points along the row are taken out, σ divides.";
    case d_rms_norm:
    case d_rms_norm_and_stream:
      return "With g = gradient × γ: what points along the row is taken out, its root mean square divides.";
    case d_bias:
      return "A bias is added to every row, so it hears from every row.";
    case d_look_up:
      return "A row of the table hears from every place where its word stands.";
    case look_up:
      return "The word's id picks a row of the table.";
    case sinusoids:
    case sinusoids_of_form:
      return "Computed from the place alone: nothing here is learned.";
    case tokenize:
    case shift_target:
      return "From here on the model knows only this number.";
    default:
      return "Each operand is a number of its own: click it to see how it was made.";
  }
}

}  // namespace glassformer
