// A number that is typed in a dialog, with its name before it and what it means behind.
#pragma once

#include <optional>
#include <string>

#include "app/ui/ui.h"

namespace glassformer {

struct NumberRow {
  const char* label;
  const char* note;
  double below = 1e6;  // from 0 to less than this
  bool whole = false;
};
// What learning takes, in every dialog that asks for it.
inline constexpr NumberRow kDropoutRow{"Dropout", "share of numbers dropped, below 1", 1},
    kSmoothingRow{"Label smoothing", "share of the target spread out, below 1", 1},
    kClipRow{"Clip gradients at", "their largest length; 0: never"};
inline constexpr float kNumberRow = 46;  // px from one to the next

// What may be typed there: "a number from 0 to below 1", "a whole number from 0 to 999999".
std::string range_of(const NumberRow& row);

// The shortest text that reads back as the number.
std::string as_typed(double value);

struct TypedNumber {
  std::optional<double> value;
  bool entered = false;  // by the Enter key
};
// Without a value `error` names the row and what is wrong, unless it names an earlier row already.
TypedNumber number_row(ui::Ui& ui, const Rect& place, const NumberRow& row, std::string& text,
                       std::string& error);

}  // namespace glassformer
