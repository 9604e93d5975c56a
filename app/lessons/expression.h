// The expressions with which a lesson computes its answers: numbers, words, rows and tables, no variables, no
// loops.
//
//   argmax(weights["fille", :])      count(pieces) - 5      if(output = untouched output, "no", "yes")
//
// Operators: + - * / ^ = < >, entry by entry, one number with all of a table. Functions: sum mean max min
// argmax argmin count rows columns abs sqrt exp log deviation, if(c, a, b). [i, j] takes a number from 0, a
// word that stands along that axis ("a"#2 is the second) or ":" for all.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/lessons/value.h"

namespace glassformer {

// What a name is worth. `before` is the word before it: "gradient", "untouched", "run", or nothing. Throws
// Mismatch.
using NameValues = std::function<Value(const std::string& before, const std::string& name)>;

class Expression {
 public:
  // Throws Mismatch.
  static Expression read(std::string_view text);
  Value value(const NameValues& names) const;

  struct Node;
  const Node& root() const { return *root_; }

 private:
  explicit Expression(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace glassformer
