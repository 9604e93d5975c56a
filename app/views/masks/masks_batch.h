// A page of the Masks view: the batch as the tensors that a training step reads, what of it the loss leaves
// out, and how the masks are spread over heads and queries.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/views/common/view.h"

namespace glassformer {

// One tensor of ids, (B, L), filled up with padding.
struct IdTensor {
  const char* name = "";
  std::vector<std::vector<int>> ids;
  std::vector<int> real;  // of each row; what stands behind is padding
  std::vector<std::vector<std::string>> words;
  bool in_loss = false;  // what the loss asks for: padding is ignored there
  bool answers = false;  // what the model answers: behind a row's end it is asked nothing
  int length() const { return ids.empty() ? 0 : static_cast<int>(ids.front().size()); }
};

// How the masks of one attention are spread: (B, 1, 1, L_k) for the padding, (1, L_q, L_k) for the future,
// and what both give, (B, H, L_q, L_k).
struct MaskShapes {
  const char* name = "";
  std::string letters;                       // of the result: "(B, H, T, S)"
  std::vector<int> padding, causal, result;  // causal empty: there is none
  std::string padding_letters, causal_letters;
};

struct BatchTensors {
  std::vector<IdTensor> tensors;             // source, target_input, target_predict, argmax of logits
  std::vector<MaskShapes> shapes;            // of the three attentions
  int pad_id = 0, counted = 0, cells = 0;    // target tokens that the loss is a mean over; all cells
  int width = 0, heads = 1, head_width = 0;  // d, h, k
  int vocabulary = 0;                        // V, of the target
};
BatchTensors batch_tensors(const ViewInput& input);

inline constexpr const char* kBatchTitle = "The batch as the model reads it";
inline constexpr const char* kBatchSubtitle =
    "The source, the target twice (read from <bos> on, asked for one word later), and what the model "
    "answers.";
void draw_batch_page(Canvas& canvas, const Rect& area, const ViewInput& input);
Point batch_minimum(const ViewInput& input);
std::string batch_loss_words(const BatchTensors& batch);
std::string shape_text(const std::vector<int>& shape);  // "(4, 8)"
// The shapes on the way from ids into the heads and to the logits: {"Q, K, V", "(4, 8, 64) → ...", "(B, S, d)
// →
// ..."}.
std::vector<std::array<std::string, 3>> shape_way(const BatchTensors& batch);
// The two ways to write a mask down, with what this batch has of each.
std::string mask_signs_words(const BatchTensors& batch);
// What dropping the last column of the target, and dropping each row's <eos>, leave. `causal`: that mask is
// on.
std::string target_slices_words(const BatchTensors& batch, bool causal);
std::vector<NumberTable> batch_numbers(const BatchTensors& batch);
InspectorPage batch_page(const ViewInput& input);

}  // namespace glassformer
