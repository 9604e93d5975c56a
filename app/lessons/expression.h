// The expressions with which a lesson computes its answers: numbers, words, rows and tables, no variables, no
// loops.
//
//   argmax(weights["fille", :])      count(pieces) - 5      if(output = untouched output, "no", "yes")
//
// Operators: + - * / ^ = < >, entry by entry, one number with all of a table. Functions: sum mean max min
// argmax argmin count rows columns abs sqrt exp log deviation, if(c, a, b). [i, j] takes a number from 0, a
// word that is along that axis ("a"#2 is the second) or ":" for all.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/value.h"

namespace glassformer {

// What a name is worth. `before` is the word before it: "gradient", "untouched", "run", "study", or nothing.
// Throws Mismatch.
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

// What an expression can become whatever is done on the stage: "weights[0, 1] > 2" never holds.

struct ValueRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

// Of every name the numbers that it can have, and whether it can be a word. All must allow what they do not
// know.
struct NameRanges {
  std::function<ValueRange(const std::string& before, const std::string& name)> numbers;
  std::function<bool(const std::string& name, const std::string& word)> words;
  std::function<std::vector<double>(const std::string& name)>
      lengths;  // most entries of each axis; empty: any
};

// False only where the expression, as a condition, is 0 for all values that its names can have.
bool can_hold(const Expression& condition, const NameRanges& names);

// An expression taken apart: what its reader writes and its evaluation walks over.

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
