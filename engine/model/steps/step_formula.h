// A step's formula, written out: with symbols, with shapes, and with the sizes of a sentence pair.
//
//   A V  of head 1:   C_1 = A V     (T × k) = (T × S) (S × k)     (8 × 8) = (8 × 6) (6 × 8)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/config.h"
#include "engine/model/steps/step.h"

namespace glassformer {

// The formula with symbols, in parts: words between operands, and the operands. Refers to the step.
struct FormulaPart {
  std::string text;                  // "dA", "Kᵀ", " × ("
  const Operand* operand = nullptr;  // null: words
  bool transposed = false;
};
std::vector<FormulaPart> formula_parts(const Step& step);

std::string symbols_formula(const Step& step);  // "Q = X W_Qᵀ + b_Q"
std::string shapes_formula(const Step& step);   // "(S × k) = (S × d) (d × k) + (k)"
std::string explanation(const Step& step);      // its two sentences, with the step's own symbols

// How long the sentence pair is; everything else is in the configuration.
struct StepSizes {
  const Config& config;
  int source = 0;  // S
  int target = 0;  // T
  int of(Extent extent) const;
};

std::string sizes_formula(const Step& step, const StepSizes& sizes);  // "(8 × 8) = (8 × 32) (32 × 8) + (8)"

// "W_1" where there are no scripts: "W₁"; what has no subscript letter is beside, "WO".
std::string plain_symbol(std::string_view symbol);

std::string extent_letter(Extent extent);  // "S", "d", "V_t"
std::string shape_text(const Operand& operand);
std::string shape_text(const Operand& operand, const StepSizes& sizes);

}  // namespace glassformer
