// How a step's output is made of its inputs, cell by cell. What a cell depends on and how it is computed
// are in the pattern's row (pattern_rule.h); where its matrices are in the picture follows from it too.
#pragma once

#include "engine/layers/activation.h"

namespace glassformer {

enum class PatternKind {
  // From no input of the step.
  tokens,           // ids of the sentence
  position_signal,  // the place of the cell alone: sines and cosines
  setting,          // a number that holds for the whole step

  // The same cell of each input.
  same_cell,   // unchanged
  sum,         // {0} + {1}
  scale,       // {0} times, or by, the root of a width
  activation,  // a function of {0}, times {1} where there is one
  slope,       // {0} times the slope of that function at {1}, times {2} where there is one
  hide,        // {0}, 0 where {1} hides

  // The optimizer's, of one number each.
  clipped,       // {0}, shortened as {1} is above {2}
  running_mean,  // {2} {0} + (1 - {2}) {1}, or of {1} squared
  corrected,     // {0} / (1 - {1}^{2})
  adam_step,     // {0} - {1} {2} / (√{3} + {4})

  // Rows of one input meet columns of the other.
  product,              // {0} {1}, either of them transposed, and a bias {2} where there is one
  products,             // {0} {1} + {2} {3} + .., or {0} + {1} {2} + .. where the residual stream comes in
  product_and_by_word,  // {0}ᵀ {1} + {3} by the words {2} + ..

  // A whole row.
  softmax,
  relu_weight,  // of the cell of {0} by the seen keys in the row of {1}
  log_softmax,
  layer_norm,       // of the row of {0}, times {1}, plus {2}
  rms_norm,         // of the row of {0}, times {1}
  cross_entropy,    // of the rows of {0} and {1}
  d_softmax,        // rows of {0} and {1}
  d_relu_weight,    // cells of {0} and {1}, the row of {2}
  d_log_softmax,    // the row of {0}, the cell of {1}
  d_layer_norm,     // rows of {0}, {1} and {2}; {3} and {4} of the row; {5} comes past
  d_rms_norm,       // rows of {0}, {1} and {2}; {3} of the row; {4} comes past
  d_cross_entropy,  // {0} of the row, the cell of {1}

  // A whole column, or all.
  column_sums,  // of {0}
  mean,         // of {0} over the words of {1}
  d_mean,       // of the words of {0}

  // Cells at another place.
  look_up,          // the row of {1} that {0} says
  position_rows,    // the row of {0} at which the token is
  by_position,      // the rows of {0} whose token is at this row, added up
  by_word,          // the rows of {1} whose word in {0} is this row's, added up
  smoothed_target,  // of the word in {0}
  rotation,         // the pair of columns of {0} that holds the cell, turned by the place of its row
  side_by_side,     // one input beside the other
};
inline constexpr int kPatternKinds = static_cast<int>(PatternKind::side_by_side) + 1;

constexpr bool is_norm(PatternKind kind) {
  return kind == PatternKind::layer_norm || kind == PatternKind::rms_norm;
}
constexpr bool is_norm_backward(PatternKind kind) {
  return kind == PatternKind::d_layer_norm || kind == PatternKind::d_rms_norm;
}

enum class ScaleFactor { root_of_width, by_root_of_head_width };  // √d, 1 / √k

struct StepPattern {
  PatternKind kind = PatternKind::same_cell;
  bool left_transposed = false, right_transposed = false;  // of a product
  bool turned_back = false;                                // of rotation
  bool with_stream = false;                                // of products: {0} is added unchanged
  bool squared = false;                                    // of running_mean
  ScaleFactor factor = ScaleFactor::root_of_width;         // of scale
  Activation function = Activation::relu;                  // of activation and slope
};

// The patterns by name, for the table of steps.
namespace pattern {

inline constexpr StepPattern tokens{PatternKind::tokens}, position_signal{PatternKind::position_signal},
    setting{PatternKind::setting}, same_cell{PatternKind::same_cell}, sum{PatternKind::sum},
    times_root_width{.kind = PatternKind::scale, .factor = ScaleFactor::root_of_width},
    by_root_head_width{.kind = PatternKind::scale, .factor = ScaleFactor::by_root_of_head_width},
    relu{.kind = PatternKind::activation, .function = Activation::relu},
    gelu{.kind = PatternKind::activation, .function = Activation::gelu},
    swish{.kind = PatternKind::activation, .function = Activation::swish},
    gelu_sigmoid{.kind = PatternKind::activation, .function = Activation::gelu_sigmoid},
    d_relu{.kind = PatternKind::slope, .function = Activation::relu},
    d_gelu{.kind = PatternKind::slope, .function = Activation::gelu},
    d_swish{.kind = PatternKind::slope, .function = Activation::swish},
    d_gelu_sigmoid{.kind = PatternKind::slope, .function = Activation::gelu_sigmoid}, hide{PatternKind::hide},
    position_rows{PatternKind::position_rows}, by_position{PatternKind::by_position},
    clipped{PatternKind::clipped}, running_mean{PatternKind::running_mean},
    running_mean_of_squares{.kind = PatternKind::running_mean, .squared = true},
    corrected{PatternKind::corrected}, adam_step{PatternKind::adam_step}, times{PatternKind::product},
    times_transposed{.kind = PatternKind::product, .right_transposed = true},
    transposed_times{.kind = PatternKind::product, .left_transposed = true}, products{PatternKind::products},
    products_and_stream{.kind = PatternKind::products, .with_stream = true},
    product_and_by_word{PatternKind::product_and_by_word, true}, softmax{PatternKind::softmax},
    relu_weight{PatternKind::relu_weight}, d_relu_weight{PatternKind::d_relu_weight},
    log_softmax{PatternKind::log_softmax}, layer_norm{PatternKind::layer_norm},
    rms_norm{PatternKind::rms_norm}, d_rms_norm{PatternKind::d_rms_norm},
    cross_entropy{PatternKind::cross_entropy}, d_softmax{PatternKind::d_softmax},
    d_log_softmax{PatternKind::d_log_softmax}, d_layer_norm{PatternKind::d_layer_norm},
    d_cross_entropy{PatternKind::d_cross_entropy}, column_sums{PatternKind::column_sums},
    mean{PatternKind::mean}, d_mean{PatternKind::d_mean}, look_up{PatternKind::look_up},
    by_word{PatternKind::by_word}, smoothed_target{PatternKind::smoothed_target},
    side_by_side{PatternKind::side_by_side}, rotation{PatternKind::rotation},
    rotation_back{.kind = PatternKind::rotation, .turned_back = true};

}  // namespace pattern

}  // namespace glassformer
