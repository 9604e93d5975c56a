#include "engine/math/typed_number.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace glassformer;

TEST_CASE("a number is taken in every spelling that people use") {
  CHECK(typed_number(".25") == 0.25);
  CHECK(typed_number("3.") == 3.0);
  CHECK(typed_number("+7") == 7.0);
  CHECK(typed_number("007") == 7.0);
  CHECK(typed_number("-2E-1") == -0.2);
  CHECK(typed_number(" 4 ") == 4.0);
}

TEST_CASE("what is no number is not taken for one") {
  for (const char* text :
       {"", " ", "+", ".", "e3", "nan", "inf", "-inf", "0x10", "1,5", "+-3", "--3", "3 4", "1e999", "12a"}) {
    INFO(text);
    CHECK(!typed_number(text));
    CHECK(!typed_whole(text));
    CHECK(!typed_unsigned(text));
  }
}

TEST_CASE("whole numbers are exact, and a fraction is none") {
  CHECK(typed_whole("2e2") == 200);
  CHECK(typed_whole("+30.0") == 30);
  CHECK(typed_whole("-4") == -4);
  CHECK(typed_whole("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(typed_unsigned("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"2.5", "1e-1", "1e30", "9223372036854775808"}) CHECK(!typed_whole(text));
  for (const char* text : {"-1", "-1e3", "18446744073709551616", "0.5"}) CHECK(!typed_unsigned(text));
}
