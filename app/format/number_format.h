// How numbers are written on screen and in files. Screen: U+2212 for minus, thin spaces between thousands.
// Files and what is copied to other programs: ASCII. Ties are rounded away from zero, as by hand. Nothing
// here looks at the locale.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glassformer {

std::string format_count(long long value);                   // "3 200", the space is thin (U+2009)
std::string format_fixed(double value, int decimals);        // "−0.60", "1 234.5"; "NaN", "∞", "−∞"
std::string format_signed(double value, int decimals);       // "+0.60", "−0.60"
std::string format_probability(double value);                // two decimals: "0.70"
std::string format_loss(double value);                       // three: "0.664"
std::string format_pinned(double value);                     // four: "0.6988", the big value of the inspector
std::string format_gradient(double value);                   // six: "−0.010612"
std::string format_percent(double share, int decimals = 0);  // 0.7: "70 %"
std::string format_short(
    double value);  // about three digits for axis ticks: "0.004", "1.6k", "12", "1 × 10⁻⁵"
std::string format_power(int power);  // " × 10⁻⁵", raised digits: such numbers are in plain text too
std::string format_duration(double seconds);           // "under 1 s", "45 s", "12 min", "3 hours"
std::string format_full(double value);                 // every digit that distinguishes it, U+2212
std::string format_shape(std::span<const int> shape);  // "8 × 32"
std::string format_index(std::span<const int> index);  // "[1, 3, 3]"

// The number in a cell of a heatmap. Weights (0 to 1): ".70", "1.0" from .995, nothing below .005. Signed
// values: one decimal below 100, whole numbers above. Values that no cell can hold give the empty text.
std::string format_weight_cell(double value);
std::string format_signed_cell(double value, int decimals = 1);

// For CSV and captions: shortest form that reads back as the same number; "nan", "inf", "-inf".
std::string format_file(double value);
// A text of the screen in ASCII signs: U+2212 to "-", thin and no-break spaces to blanks.
std::string to_file_text(std::string_view text);

// Probabilities of what did not win.

// Where there is room for more than in a cell: ".70" as there (format_weight_cell), and below .005 the two
// leading digits, ".0031", "4.2 × 10⁻⁵".
std::string format_small_probability(double value);

// Values of the model, and what is reckoned from them, as a person reads them.

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
