// How a step of each kind computes, what it is called, its formula, and why it is there: one row of a table a
// kind.
//
// In a formula {=} is the output, {0} {1} .. the inputs, {a} {b} what the step gives besides.
// A part in square brackets is left out when the step has no such input: "[ + {2}]" is a bias.
#pragma once

#include <span>
#include <string_view>

#include "engine/model/steps/step_kind.h"
#include "engine/model/steps/step_pattern.h"

namespace glassformer {

struct StepText {
  StepKind kind;
  StepPattern pattern;
  std::string_view name;
  std::string_view formula;
  std::string_view why;      // two sentences
  std::string_view section;  // of the paper; empty when it does not say
};

const StepText& step_text(StepKind kind);

// The parts of the table, each a file: what an operation says on the way forward is beside what it says
// on the way back.
std::span<const StepText> embedding_texts();
std::span<const StepText> attention_texts();
std::span<const StepText> feed_forward_texts();
std::span<const StepText> layer_texts();
std::span<const StepText> output_texts();
std::span<const StepText> update_texts();

}  // namespace glassformer
