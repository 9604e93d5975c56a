// Formulas, the numbers in them, and the expressions of lessons.
#include <doctest/doctest.h>

#include <array>
#include <clocale>
#include <cmath>
#include <limits>
#include <random>

#include "app/format/number_format.h"
#include "app/format/sentence_numbers.h"
#include "app/lessons/expression.h"
#include "app/widgets/formula.h"
#include "app/widgets/rich_text.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/text_checks.h"

namespace glassformer::formula_test {

TEST_CASE("a fraction stands above and below its bar, centred") {
  RecordingCanvas canvas;
  const FormulaSize size =
      draw_formula(canvas, {20, 50}, formula_fraction(formula_text("exp( score )"), formula_text("sum")));
  const auto *above = canvas.find("exp( score )"), *below = canvas.find("sum");
  REQUIRE(above);
  REQUIRE(below);
  CHECK(above->box.bottom() < 50);
  CHECK(below->box.y > 50);
  CHECK(above->box.center().x == doctest::Approx(below->box.center().x));
  REQUIRE(canvas.lines.size() == 1);
  CHECK(canvas.lines[0][0].x <= above->box.x);
  CHECK(canvas.lines[0][1].x >= above->box.right());
  CHECK(above->box.y >= 50 - size.ascent);
  CHECK(below->box.bottom() <= 50 + size.descent);
}

TEST_CASE("scripts are smaller and stand higher or lower") {
  RecordingCanvas canvas;
  draw_formula(canvas, {0, 50},
               formula_row({formula_power(formula_text("x"), formula_text("2")),
                            formula_index(formula_text("d"), formula_text("k"))}));
  CHECK(canvas.find("2")->style.size < 14);
  CHECK(canvas.find("2")->box.center().y < 50);
  CHECK(canvas.find("k")->box.center().y > 50);
  CHECK(overlapping_texts(canvas).empty());
}

TEST_CASE("a formula is as wide as measured and nothing overlaps, however deep") {
  Formula formula = formula_text("position");
  for (int depth = 0; depth < 4; ++depth) {
    formula = formula_row(
        {formula_text("sin "),
         formula_parenthesis(formula_fraction(
             formula, formula_root(formula_power(formula_text("10000"), formula_mono("d/32")))))});
    RecordingCanvas canvas;
    const FormulaSize measured = measure_formula(canvas, formula),
                      drawn = draw_formula(canvas, {0, 100}, formula);
    CHECK(measured.width == drawn.width);
    CHECK(overlapping_texts(canvas).empty());
    CHECK(texts_outside(canvas, {0, 100 - drawn.ascent, drawn.width, drawn.height()}).empty());
  }
}

TEST_CASE("numbers, words and fractions of a row stand a blank apart, brackets hold what is theirs") {
  CHECK(formula_as_text(formula_row({formula_mono("= 0.0958"), formula_text("from the right word")})) ==
        "= 0.0958 from the right word");
  CHECK(formula_as_text(formula_row({formula_text("P = sin("), formula_text("x"), formula_text(")")})) ==
        "P = sin(x)");
  CHECK(formula_as_text(formula_row({formula_text("peak ·"), formula_text("(1 + x)")})) == "peak · (1 + x)");
  RecordingCanvas canvas;
  draw_formula(
      canvas, {0, 50},
      formula_row({formula_text("weight ="), formula_fraction(formula_text("1"), formula_text("2"))}));
  REQUIRE(canvas.lines.size() == 1);
  CHECK(canvas.lines[0][0].x >= canvas.find("weight =")->box.right() + 4);
}

TEST_CASE("a formula that is too wide goes on in the next line, whole and in order") {
  RecordingCanvas canvas;
  const Formula rate =
      formula_row({formula_text("rate = factor ·"), formula_power(formula_text("d"), formula_text("−0.5")),
                   formula_text("· min("), formula_power(formula_text("step"), formula_text("−0.5")),
                   formula_text(", step ·"), formula_power(formula_text("warm-up"), formula_text("−1.5")),
                   formula_text(")")});
  const float whole = measure_formula(canvas, rate).width;
  CHECK(formula_lines(canvas, rate, whole).size() == 1);
  const std::vector<Formula> lines = formula_lines(canvas, rate, whole * 0.6f);
  REQUIRE(lines.size() >= 2);
  std::string joined;
  for (const Formula& line : lines) {
    CHECK(measure_formula(canvas, line).width <= whole * 0.6f);
    joined += formula_as_text(line);
  }
  const auto without_blanks = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  CHECK(without_blanks(joined) == without_blanks(formula_as_text(rate)));
}

TEST_CASE("a line of a long formula breaks before the sign of equality, never within a number") {
  RecordingCanvas canvas;
  const Formula weight = formula_mono("= 0.00597500 / 43191.1 = 1.38 × 10⁻⁷");
  const float whole = measure_formula(canvas, weight).width;
  const std::vector<Formula> lines = formula_lines(canvas, weight, whole * 0.8f);
  REQUIRE(lines.size() == 2);
  CHECK(formula_as_text(lines[0]) == "= 0.00597500 / 43191.1");
  CHECK(formula_as_text(lines[1]) == "= 1.38 × 10⁻⁷");
}

TEST_CASE("a formula can be copied as one line of text") {
  CHECK(formula_as_text(formula_row({formula_text("weight = "), formula_fraction(formula_text("exp( score )"),
                                                                                 formula_mono("684.9"))})) ==
        "weight = (exp( score )) / 684.9");
  CHECK(formula_as_text(formula_power(formula_text("x"), formula_text("-0.5"))) == "x^-0.5");
  CHECK(formula_as_text(formula_root(formula_text("8"))) == "√(8)");
}

TEST_CASE("a formula with missing parts is drawn as far as it goes") {
  RecordingCanvas canvas;
  CHECK(draw_formula(canvas, {0, 0}, {.kind = Formula::Kind::fraction, .text = {}, .parts = {}}).width > 0);
}

TEST_CASE("words between double stars are SemiBold, and the line breaks at blanks") {
  RecordingCanvas canvas;
  const RichTextStyle style{.plain = {.size = 14, .color = rgb(0)}, .bold_size = 18};
  const float height = draw_rich_text(canvas, {10, 10}, 120, "to write **voit**, it reads **sees**", style);
  CHECK(canvas.find("voit")->style.font == Font::semibold);
  CHECK(canvas.find("reads")->style.font == Font::regular);
  CHECK(canvas.find(",")->box.x == doctest::Approx(canvas.find("voit")->box.right()));  // no blank was there
  CHECK(texts_outside(canvas, {10, 10, 120, height}).empty());
  CHECK(overlapping_texts(canvas).empty());
}

// ---- The expressions with which lessons compute their answers.

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
  CHECK(refusal("weights[5, :]") == "expected a whole number from 0 to 1 for the rows, got 5");
  CHECK(refusal("weights[0]") == "expected 2 numbers or words in brackets for a table of 2 × 3, got 1");
  CHECK(refusal("1 +") == "expected a number, a word or a name, got the end of the expression");
  CHECK(refusal("(1") == "expected “)”, got the end of the expression");
  CHECK(refusal("1 2") == "expected an operator or the end of the expression, got “2”");
  CHECK(contains(refusal("most(weights)"), "got “most”"));
  CHECK(contains(refusal("output + 1"), "numbers on both sides"));
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

TEST_CASE("numbers on screen have a true minus and thin spaces between thousands") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(3200) == "3\u2009200");
  CHECK(format_count(-45826123) == "−45\u2009826\u2009123");
  CHECK(format_fixed(-0.6, 2) == "−0.60");
  CHECK(format_fixed(-0.001, 2) == "0.00");  // no minus before nothing
  CHECK(format_signed(0.5, 1) == "+0.5");
  CHECK(format_signed(-0.5, 1) == "−0.5");
  CHECK(format_percent(0.7) == "70 %");
  CHECK(format_gradient(-0.010612) == "−0.010612");
  CHECK(format_pinned(0.69881) == "0.6988");
}

TEST_CASE("a number halfway between two is rounded away from zero, as by hand") {
  CHECK(format_fixed(0.125, 2) == "0.13");
  CHECK(format_fixed(-0.125, 2) == "−0.13");
  CHECK(format_fixed(0.375, 2) == "0.38");
  CHECK(format_fixed(0.5, 0) == "1");
  CHECK(format_fixed(-2.5, 0) == "−3");
  CHECK(format_fixed(4503599627370495.5, 0) == format_count(4503599627370496));
  CHECK(format_percent(0.125) == "13 %");
  CHECK(format_weight_cell(0.125) == ".13");
  CHECK(format_weight_cell(0.625) == ".63");
  CHECK(format_signed_cell(-0.25) == "−0.3");
  CHECK(format_short(2.125) == "2.13");
  // Beside a tie nothing changes: the double nearest to 1.005 is less.
  CHECK(format_fixed(1.005, 2) == "1.00");
  CHECK(format_fixed(std::nextafter(0.125, 0), 2) == "0.12");
  CHECK(format_fixed(std::nextafter(0.125, 1), 2) == "0.13");
  CHECK(format_fixed(0.25, 2) == "0.25");
  CHECK(to_file_text(format_fixed(1e300, 0)).size() == 401);
}

TEST_CASE("what is not a number says so") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(),
                   kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK(format_fixed(kNan, 2) == "NaN");
  CHECK(format_loss(kInfinity) == "∞");
  CHECK(format_loss(37687072) == "37.7M");
  CHECK(format_pinned(-kInfinity) == "−∞");
  CHECK(format_file(kNan) == "nan");
  CHECK(format_file(-kInfinity) == "-inf");
}

TEST_CASE("weights in cells drop the leading zero, end at 1.0 and leave nothing blank") {
  CHECK(format_weight_cell(0.702) == ".70");
  CHECK(format_weight_cell(0.0049) == "");
  CHECK(format_weight_cell(0.005) == ".01");
  CHECK(format_weight_cell(0.9949) == ".99");
  CHECK(format_weight_cell(0.995) == "1.0");
  CHECK(format_weight_cell(1) == "1.0");
}

TEST_CASE("signed cells have one decimal below a hundred") {
  CHECK(format_signed_cell(-10.63) == "−10.6");
  CHECK(format_signed_cell(0.04) == "0.0");
  CHECK(format_signed_cell(123.4) == "123");
}

TEST_CASE("axis ticks are short at every size") {
  CHECK(format_short(0) == "0");
  CHECK(format_short(0.004) == "0.004");
  CHECK(format_short(0.25) == "0.25");
  CHECK(format_short(-12) == "−12");
  CHECK(format_short(1600) == "1\u2009600");
  CHECK(format_short(12000) == "12k");
  CHECK(format_short(3.5e6) == "3.5M");
  CHECK(format_short(-1.64e20) == "−1.6 × 10²⁰");
  CHECK(format_short(1e-5) == "1 × 10⁻⁵");
}

TEST_CASE("shapes and indices are written as in the trace") {
  CHECK(format_shape(std::array{4, 8, 8}) == "4 × 8 × 8");
  CHECK(format_index(std::array{1, 3, 3}) == "[1, 3, 3]");
}

TEST_CASE("numbers in files are ASCII and read back as they were") {
  for (double value : {0.1, -1.0 / 3, 1e-300, 123456789.0, -0.0})
    CHECK(std::stod(format_file(value)) == value);
  CHECK(to_file_text("1.6 × 10⁻⁵, 2 × 10²⁰ and −3 × 10⁷") == "1.6e-5, 2e20 and -3e7");
  CHECK(format_fixed(-12345.67, 1) == "−12\u2009345.7");
  CHECK(to_file_text("−3\u2009200 % of 4\u00A0000") == "-3 200 % of 4 000");
}

TEST_CASE("the locale does not change a number") {
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8"))
    MESSAGE("no German locale installed: checked in the plain one alone");
  CHECK(format_fixed(0.5, 2) == "0.50");
  CHECK(format_file(0.5) == "0.5");
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("numbers in the engine's sentences are written as on screen, and nothing else is touched") {
  CHECK(numbers_on_screen("step 12000: the rate (2e+05) is -0.25, at most 1e+06.") ==
        "step 12\u2009000: the rate (200\u2009000) is \u22120.25, at most 1\u2009000\u2009000.");
  CHECK(numbers_on_screen("found 1e+15; the loss is 0.1443.") == "found 1 × 10¹⁵; the loss is 0.1443.");
  for (const char* kept : {"“1e18” of /tmp/run-4000/3000x, v1.2.3 and layers.0.4000", "2 000 000 pairs",
                           "all 300 steps", "95.3 % of 64 pieces"})
    CHECK(numbers_on_screen(kept) == kept);
}

}  // namespace glassformer::formula_test
