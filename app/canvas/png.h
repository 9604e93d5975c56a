// PNG files (the PNG specification, second edition).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/theme/geometry.h"

namespace glassformer {

// A PNG of colours, one a pixel, row by row. Throws Error when there is no memory for it.
std::string encode_png(int width, int height, std::span<const Color> colors);

// The PNG with the chunk behind its head that says how large it is in print (pHYs, 11.3.5.3).
std::string with_density(const std::string& png, std::uint32_t dots_per_metre);

}  // namespace glassformer
