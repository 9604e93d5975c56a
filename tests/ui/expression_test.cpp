// The expressions with which lessons compute their answers.
#include "app/lessons/expression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace glassformer;

namespace {

Value table() {
  return {.shape = {2, 3},
          .axes = {{.words = {"la", "fille"}}, {.words = {"the", "tired", "the"}}},
          .numbers = {0.5, 0.3, 0.2, 0.1, 0.7, 0.2},
          .words = {}};
}

Value named(const std::string& before, const std::string& name) {
  if (name == "weights") return table();
  if (name == "output")
    return row_of_words(before == "untouched" ? std::vector<std::string>{"la", "fille"}
                                              : std::vector<std::string>{"le", "garçon", "voit"});
  if (name == "lost") return row_of({1.2, 1.9, 1.4}, {.words = {}, .counted = true});
  if (name == "loss") return one_number(before == "run" ? 2 : before == "gradient" ? 3 : 1.5);
  throw Mismatch("a name", "“" + name + "”");
}

double number(const std::string& text) {
  const Value value = Expression::read(text).value(named);
  CAPTURE(text);
  REQUIRE(value.is_one());
  REQUIRE_FALSE(value.is_words());
  return value.numbers.front();
}

std::string refusal(const std::string& text) {
  try {
    Expression::read(text).value(named);
    return "";
  } catch (const Mismatch& mismatch) {
    return mismatch.what();
  }
}

}  // namespace

TEST_CASE("operators bind as in arithmetic and go entry by entry") {
  CHECK(number("1 + 2 * 3 ^ 2") == 19);
  CHECK(number("(1 + 2) * 3 - 4 / 8") == 8.5);
  CHECK(number("8 / 4 / 2") == 1);
  CHECK(number("-2 + 5") == 3);
  CHECK(number("2 - -3") == 5);
  CHECK(number("sum(weights * 2)") == doctest::Approx(4));
  CHECK(number("sum(weights[\"la\", :] + weights[\"fille\", :])") == doctest::Approx(2));
  CHECK(number("count(weights > 0.2)") == 3);
  CHECK(number("if(loss < 2, 7, 8)") == 7);
  CHECK(number("if(weights > 0.15, 7, 8)") == 8);  // of a table, all of it
  CHECK(number("max(exp(log(weights)))") == doctest::Approx(0.7));
  CHECK(number("deviation(lost)") == doctest::Approx(std::sqrt((0.09 + 0.16 + 0.01) / 3)));
}

TEST_CASE("an entry is named by its number, its word or what was found") {
  CHECK(number("weights[1, 1]") == 0.7);
  CHECK(number("weights[\"fille\", \"tired\"]") == 0.7);
  CHECK(number("weights[\"la\", \"the\"]") == 0.5);
  CHECK(number("weights[\"la\", \"the\"#2]") == 0.2);
  CHECK(number("weights[\"la\", argmax(weights[\"fille\", :])]") == 0.3);
  CHECK(number("columns(weights) * 10 + rows(weights)") == 32);
  const Value found = Expression::read("argmax(weights[\"fille\", :])").value(named);
  REQUIRE(found.place);
  CHECK(found.place->at == 1);
  CHECK(found.place->axis.words[1] == "tired");
  CHECK(found.place->among == std::vector<double>{0.1, 0.7, 0.2});
  CHECK(number("argmax(lost)") == 2);  // heads are counted from 1
  CHECK(number("lost[argmax(lost)]") == 1.9);
  CHECK(number("argmin(lost)") == 1);
  CHECK(number("if(argmax(weights[\"fille\", :]) = \"tired\", 1, 0)") == 1);
}

TEST_CASE("words are compared, alone and as a whole") {
  CHECK(number("output[0] = \"le\"") == 1);
  CHECK(number("count(output = \"voit\")") == 1);
  CHECK(number("count(output)") == 3);
  CHECK(number("if(output = untouched output, 1, 0)") == 0);
  CHECK(number("if(untouched output = untouched output, 1, 0)") == 1);
  CHECK(Expression::read("if(run loss > loss, \"higher\", \"lower\")").value(named).words.front() ==
        "higher");
  CHECK(number("gradient loss") == 3);
}

TEST_CASE("what cannot be is refused in one sentence") {
  CHECK(refusal("weights[\"fatigue\", :]") == "expected a word of the rows (la, fille), got “fatigue”");
  CHECK(refusal("weights[\"la\", \"the\"#3]") ==
        "expected a word of the columns (the, tired, the), got “the” number 3");
  CHECK(refusal("argmax(weights)") == "expected one row for argmax, got a table of 2 × 3");
  CHECK(refusal("weights[5, :]") == "expected a whole number from 0 to 1 for the rows, got 5.000000");
  CHECK(refusal("weights[0]") == "expected 2 numbers or words in brackets for a table of 2 × 3, got 1");
  CHECK(refusal("1 +") == "expected a number, a word or a name, got the end of the expression");
  CHECK(refusal("(1") == "expected “)”, got the end of the expression");
  CHECK(refusal("1 2") == "expected an operator or the end of the expression, got “2”");
  CHECK(refusal("most(weights)").find("got “most”") != std::string::npos);
  CHECK(refusal("output + 1").find("numbers on both sides") != std::string::npos);
  CHECK(refusal("weights + lost") == "expected two of one size for “+”, got a table of 2 × 3 and a row of 3");
  CHECK(refusal("\"a") == "expected a closing quotation mark, got “\"a”");
  CHECK(refusal("sum(output)") == "expected numbers for sum, got words");
  CHECK(refusal("no_such") == "expected a name, got “no_such”");
  CHECK_FALSE(refusal(std::string(70, '(')).empty());
  CHECK_FALSE(refusal(std::string(70, '-') + "1").empty());
  CHECK_FALSE(refusal(std::string(5000, '1')).empty());
}

TEST_CASE("any text is an expression or a refusal") {
  const std::string signs = "weights[\"la\", :]()+-*/^=<>#12.,:ifargmaxsum output";
  std::mt19937 random(5);
  int values = 0, refusals = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = i % 2 == 0 ? "sum(weights[\"la\", :]) / argmax(lost) + 1" : "";
    const int edits = i % 2 == 0 ? 1 + i % 3 : 12;
    for (int e = 0; e < edits; ++e)
      text.insert(text.empty() ? 0 : random() % text.size(), 1, signs[random() % signs.size()]);
    (refusal(text).empty() ? values : refusals) += 1;
  }
  CHECK(values > 20);
  CHECK(refusals > 1000);
}
