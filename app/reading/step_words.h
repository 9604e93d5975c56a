// How a step of the Walk and its operands are written.
#pragma once

#include <string>
#include <string_view>

#include "app/widgets/formula.h"
#include "engine/model/steps/step.h"

namespace glassformer {

// "W_Q" and "C_1" with their indices lowered; everything else as it stands.
Formula walk_formula(std::string_view text);

// "Q" of "Q′": what a rotation has turned is still a query.
std::string_view without_prime(std::string_view symbol);

// Which of several operands with the same symbol it is: "layer 2", "source"; empty where there is but one.
std::string operand_which(const Step& step, const Operand& operand);

}  // namespace glassformer
