#include "engine/model/steps/pattern_rule.h"

#include <algorithm>

#include "engine/math/error.h"

namespace glassformer {

const PatternRule& pattern_rule(PatternKind kind) {
  for (const auto& rules : {cell_patterns(), product_patterns(), row_patterns(), place_patterns()}) {
    const auto found = std::ranges::find(rules, kind, &PatternRule::kind);
    if (found != rules.end()) return *found;
  }
  throw Error("steps", "a pattern has no rule; give it a row in the table of its family");
}

}  // namespace glassformer
