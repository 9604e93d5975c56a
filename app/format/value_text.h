// Values of the model, and what is reckoned from them, as a person reads them.
#pragma once

#include <string>

namespace glassformer {

// Four decimals for a value, three for its operands; fewer from 100 on. A value too small or too large for
// that is written with a power of ten: "2.31 × 10⁻⁶".
std::string value_text(double value);
std::string operand_text(double value);
// value_text behind a plus or minus: a negative number in brackets.
std::string bracketed_text(double value);
// A share inside a sentence: "70 %", "0.4 %", "under 0.1 %", "nothing".
std::string share_words(double share);
// `significant` digits, so that a reader's own division gives the printed quotient.
std::string significant_text(double value, int significant);

}  // namespace glassformer
