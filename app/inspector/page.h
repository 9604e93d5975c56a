// What the inspector shows about one thing: always the same parts in the same order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/command.h"
#include "app/theme/geometry.h"
#include "app/widgets/formula.h"

namespace glassformer {

struct InspectorRow {
  std::string label = {};
  std::string value = {};            // mono, right-aligned
  std::optional<double> share = {};  // 0 to 1: a bar between label and value
  bool emphasized = false;
  bool wrong = false;                // in the colour of mistakes
  std::optional<Command> link = {};  // an operand that can be clicked
};

struct InspectorSwitch {
  std::string label;
  bool on = false;
  Command command;  // sent when it is flipped
};

// A way on from the number: a link under its value.
struct InspectorAction {
  std::string label;
  Command command;
};

struct InspectorSection {
  std::string heading = {};
  std::string note = {};               // right of the heading: "sum 1.000"
  std::vector<Formula> formulas = {};  // "how it was computed": symbols, then numbers, then the result
  std::vector<InspectorRow> rows = {};
  std::string text = {};   // a paragraph
  bool for_hands = false;  // says what can be done here: not in reports
};

struct InspectorPage {
  std::string caption = {};  // "Attention weight"
  std::string subject = {};  // "to write **voit** it reads **sees**": double stars are SemiBold
  std::optional<Color> swatch = {};
  std::string value = {};       // "0.6988"; empty: none
  std::string full_value = {};  // every digit, on click and for copying
  std::string name = {};        // trace name, mono
  std::string index = {};       // "[1, 3, 3] of 4 × 8 × 8", mono
  std::vector<InspectorSwitch> switches = {};
  std::optional<InspectorAction> action = {};  // "How was this computed?"
  std::vector<InspectorSection> sections = {};
  std::string meaning = {};  // one or two sentences
  std::string paper = {};    // "Paper, section 3.2.3"
};

}  // namespace glassformer
