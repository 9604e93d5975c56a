// The colours of the two themes: chrome is ink on paper, colour belongs to data.
#pragma once

#include "app/theme/geometry.h"

namespace glassformer {

struct Theme {
  bool dark = false;
  Color paper, panel, sunken, hover, border, control;
  Color faint_text, second_text, ink;
  Color on_ink;                       // text on a primary button
  Color query, query_tint, on_query;  // Q blue
  Color key, key_tint, on_key;        // K orange
  Color value, value_tint, on_value;  // V green
  Color reference;                    // what is compared against
  Color wrong, wrong_tint;            // wrong word, error; always with a mark
  Color signed_middle;                // zero of signed data
  Color not_a_number;                 // the magenta cross
};

Theme light_theme();
Theme dark_theme();

}  // namespace glassformer
