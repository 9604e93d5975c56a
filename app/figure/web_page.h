// The attention of one sentence as a page for a browser: all layers and heads, in one file.
#pragma once

#include <string>

#include "app/reading/view_input.h"

namespace glassformer {

inline constexpr std::size_t kLargestWebPage = 500'000;  // bytes

// Of a long sentence all heads may be too much.
bool fits_web_page(const ViewInput& input);
// `caption` is below its title. Throws Error where a lesson asks for a row of it, and when the sentence
// is so long that the page would be larger.
std::string attention_web_page(const ViewInput& input, const std::string& caption);

}  // namespace glassformer
