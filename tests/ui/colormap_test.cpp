#include "app/widgets/colormap.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace glassformer;

TEST_CASE("cividis grows brighter all the way and is the same in both themes") {
  double last = -1;
  for (int i = 0; i <= 100; ++i) {
    const double luminance = relative_luminance(cividis(i / 100.0));
    CHECK(luminance > last);
    last = luminance;
  }
  CHECK(value_color(ColorScale::weight, 0.3, 1, light_theme()) ==
        value_color(ColorScale::weight, 0.3, 1, dark_theme()));
  CHECK(cividis(-1) == cividis(0));
  CHECK(cividis(2) == cividis(1));
}

TEST_CASE("signed colours are blue above zero, red below, and zero recedes into the theme") {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    CHECK(signed_color(0, theme) == theme.signed_middle);
    const Color plus = signed_color(0.6, theme), minus = signed_color(-0.6, theme);
    CHECK(plus.b > plus.r);
    CHECK(minus.r > minus.b);
    // Larger values stand out more from the ground.
    CHECK(contrast(signed_color(1, theme), theme.signed_middle) >
          contrast(signed_color(0.4, theme), theme.signed_middle));
  }
}

TEST_CASE("a value that is not a number is magenta") {
  const Theme theme = light_theme();
  CHECK(value_color(ColorScale::weight, std::numeric_limits<double>::quiet_NaN(), 1, theme) ==
        theme.not_a_number);
}

TEST_CASE("text on every colour of the scales can be read") {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    for (int i = -100; i <= 100; ++i) {
      const Color signed_cell = signed_color(i / 100.0, theme), weight_cell = cividis(std::abs(i) / 100.0);
      CHECK(contrast(signed_cell, text_on(signed_cell)) >= 4.5);
      CHECK(contrast(weight_cell, text_on(weight_cell)) >= 4.5);
    }
  }
}

TEST_CASE("text colours of both themes have a contrast of 4.5 on every ground") {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    for (Color ground : {theme.paper, theme.panel, theme.sunken, theme.hover}) {
      for (Color text : {theme.faint_text, theme.second_text, theme.ink, theme.wrong, theme.reference}) {
        CHECK(contrast(ground, text) >= 4.5);
      }
    }
    CHECK(contrast(theme.ink, theme.on_ink) >= 4.5);
    CHECK(contrast(theme.query, theme.on_query) >= 4.5);
    CHECK(contrast(theme.key, theme.on_key) >= 4.5);
    CHECK(contrast(theme.value, theme.on_value) >= 4.5);
  }
}
