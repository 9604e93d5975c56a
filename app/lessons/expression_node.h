// An expression taken apart: what its reader writes and its evaluation walks over.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/lessons/expression.h"

namespace glassformer {

struct Expression::Node {
  enum class Kind { number, word, name, all, negative, operation, call, entry };

  Kind kind = Kind::number;
  double number = 0;
  int which = 1;       // of a word: "a"#2 is the second
  std::string text;    // the word, the name, the operator, the function
  std::string before;  // of a name: "gradient", "untouched"
  std::vector<std::shared_ptr<const Node>>
      parts;  // operands, arguments; of an entry: the table, then its indices
};

}  // namespace glassformer
