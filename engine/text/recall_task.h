// The task "recall": who carries what is said once, other things follow, and at the end it is asked for.
//
//   "alice carries a grape . bob walks . alice sings . fruit ?"    "grape"
//
// How many sentences stand between is the distance over which it has to be remembered: a recurrent model
// takes it through every state in between, attention reaches it in one step.
#pragma once

#include <string>

#include "engine/math/random.h"

namespace glassformer {

// Words of such a text: 4 and a full stop, 3 a sentence in between, and the question.
constexpr int recall_words(int between) {
  return 7 + 3 * between;
}

// Different texts of this distance, 8 names, fruits and verbs; 64^(between + 1), at most 10^18.
long recall_sources(int between);
std::string recall_source(int between, Random& random);
std::string recall_answer(const std::string& source);  // empty when the text has not that form

}  // namespace glassformer
