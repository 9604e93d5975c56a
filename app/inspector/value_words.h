// What stays in words about a value of the model: what it is called, whose it is, and what it means. All that
// is arithmetic comes from the step that makes it.
#pragma once

#include <string>

#include "app/inspector/inspected_cell.h"
#include "engine/model/names.h"

namespace glassformer {

struct ValueWords {
  std::string caption;  // "Query, number 5"
  std::string subject;  // "the query of **voit**"
  std::string meaning;  // one or two sentences; empty: the step's own
};

// The cell exists and is the value `name`.
ValueWords words_of_value(const InspectedCell& inspected, const ValueName& name);

// "after **chat**, writing **voit**, it reads **sees**"
std::string weight_subject(const InspectedCell& inspected, AttentionKind kind, int query, int key);
// The same for a list, without marks, the row by its name in the table: "chat reads sees".
std::string weight_words(const InspectedCell& inspected, AttentionKind kind, int query, int key);

}  // namespace glassformer
