// What the pipeline of one attention head is drawn from: its operands in the order in which they are made.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/reading/step_reader.h"
#include "app/widgets/marks.h"
#include "engine/model/steps/step_values.h"

namespace glassformer {

// X -> Q, K, V -> QK^T -> / sqrt(k) -> + mask -> softmax -> x V -> concat -> W_O (paper, figure 2).
enum class HeadStage { project, match, scale, mask, softmax, sum, concat, output };
inline constexpr int kHeadStages = 8;

struct HeadScene {
  HeadScene(const ViewInput& input, StepLists& lists);

  StepReader reader;
  Selection shown;  // inside the model and the sentence; always one head
  bool cross = false;
  AttentionValues block;
  HeadValues head;

  // Queries and keys are turned by their positions before they are matched.
  bool rotates() const { return head.rotated_query.symbol != head.query.symbol; }
  // The steps of the Walk that a stage stands for; three for the projections, and for a match of turned ones.
  std::vector<const Step*> steps(HeadStage stage) const;
  // What a stage gives; of the projections the queries.
  const Operand& result(HeadStage stage) const;

  std::string short_name(HeadStage stage) const;  // over its picture: "÷ √k"
  std::string title(HeadStage stage) const;       // "Softmax"
  std::string why(HeadStage stage) const;         // its sentences
  std::string place() const;                      // "layer 1, head 2"
};

}  // namespace glassformer
