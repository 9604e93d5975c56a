// What the pages of a lesson's card have in common.
#pragma once

#include <string>
#include <string_view>

#include "app/canvas/canvas.h"
#include "app/panels/lesson_words.h"

namespace glassformer {

// The card's words in one language.
struct Saying {
  std::string_view language;
  std::string operator()(std::string_view english) const { return lesson_words(english, language); }
};

// A line below y; returns where the next part begins.
float lesson_divider(Canvas& canvas, const Theme& t, const Rect& rect, float y);

}  // namespace glassformer
