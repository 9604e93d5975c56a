// The two colour scales of data. Attention and probability: cividis, fixed from 0 to 1, in both themes.
// Signed values: blue positive, red negative, symmetric about 0, whose middle is the theme's own, so that 0
// recedes.
#pragma once

#include "app/theme/geometry.h"
#include "app/theme/theme.h"

namespace glassformer {

enum class ColorScale { weight, signed_value };

Color cividis(double share);                           // clamped to 0..1
Color signed_color(double share, const Theme& theme);  // clamped to -1..1
// The colour of a value on a scale that ends at `limit` (weight: 0..limit, signed: -limit..limit). NaN:
// not_a_number.
Color value_color(ColorScale scale, double value, double limit, const Theme& theme);

double relative_luminance(Color color);  // of WCAG, 0 to 1
double contrast(Color a, Color b);       // of WCAG, 1 to 21
// Text on a coloured cell: white up to a luminance of 0.18, black to 0.26, #1B1F24 above. With one threshold
// the contrast would fall below 4.5.
Color text_on(Color background);

}  // namespace glassformer
