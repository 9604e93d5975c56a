#include "app/widgets/formula.h"

#include <doctest/doctest.h>

#include "app/widgets/rich_text.h"
#include "tests/ui/recording_canvas.h"

using namespace glassformer;

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
