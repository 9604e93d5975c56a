// The three faces of the look.
#pragma once

namespace glassformer {

enum class Font { regular, semibold, mono };
constexpr int kFontCount = 3;

}  // namespace glassformer
