// What an expression of a lesson is worth: numbers or words in up to four axes, each with its words.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/math/error.h"

namespace glassformer {

// Why something in a lesson cannot be: "expected a word of the rows (<bos>, la), got “fatigue”".
class Mismatch : public std::runtime_error {
 public:
  Mismatch(const std::string& expected, const std::string& got)
      : std::runtime_error("expected " + expected + ", got " + got) {}
  explicit Mismatch(const Error& error) : std::runtime_error(error.what()) {}
};

struct ValueAxis {
  std::vector<std::string> words;  // one an entry; empty: none are there
  bool counted = false;            // counted from 1, as heads and layers are on screen
  bool operator==(const ValueAxis&) const = default;
};

struct Value {
  // Where something was found, which is worth its number or its word.
  struct Place {
    std::size_t at = 0;
    ValueAxis axis;
    std::vector<double> among;  // the numbers it was found among
  };

  std::vector<int> shape;          // empty: one number or one word
  std::vector<ValueAxis> axes;     // as many
  std::vector<double> numbers;     // row-major, where these are numbers
  std::vector<std::string> words;  // row-major, where these are words
  bool of_words = false;
  bool of_text = false;             // words that follow each other: "n", "'", "aime" read "n'aime"
  std::optional<Place> place = {};  // of argmax and argmin

  bool is_words() const { return of_words; }
  bool is_one() const { return shape.empty(); }
  std::size_t size() const { return is_words() ? words.size() : numbers.size(); }
};

Value one_number(double number);
Value one_word(std::string word);
Value row_of(std::vector<double> numbers, ValueAxis axis = {});
Value row_of_words(std::vector<std::string> words, ValueAxis axis = {});
// Where among the numbers of a row, from 0.
Value found_at(std::size_t at, const Value& row);

// "a number", "the word “la”", "a row of 8", "a table of 8 × 8".
std::string kind_of(const Value& value);
// The entry of an axis that is meant by a number from 0, a place, or a word that is there (`number`: the
// second "a" is 2). `axis_name` is how an error calls it: "rows". Throws Mismatch.
std::size_t entry_of(const Value& index, const ValueAxis& axis, int length, const std::string& axis_name,
                     int number = 1);

}  // namespace glassformer
