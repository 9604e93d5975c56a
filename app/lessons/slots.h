// Texts of a lesson with numbers that are computed: "“the” gets {weights["<bos>", "the"]:.3}".
//
// A slot is {expression}, {expression:%} (a share in per cent) or {expression:.3} (so many digits behind the
// point). Besides the names of an expression it knows {it}, what was answered, {answer}, and {at it} and {at
// answer}, the numbers there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/expression.h"

namespace glassformer {

struct Slot {
  std::string before;                    // the words in front of it
  std::optional<Expression> expression;  // nothing: only words are left
  bool percent = false;
  int digits = -1;  // behind the point; -1: as suits the number
};

// Throws Mismatch.
std::vector<Slot> read_slots(std::string_view text);
// `names` is also asked for "it" and "answer", with "at" before them or nothing.
std::string filled(std::string_view text, const NameValues& names);
// As a slot without a format shows it: a word, a whole number, a number with four digits that count, words in
// a row.
std::string shown(const Value& value);

}  // namespace glassformer
