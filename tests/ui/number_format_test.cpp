#include "app/format/number_format.h"
#include "app/format/sentence_numbers.h"

#include <doctest/doctest.h>

#include <array>
#include <clocale>
#include <cmath>
#include <limits>

using namespace glassformer;

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
