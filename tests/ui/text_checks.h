// What tests ask of texts.
#pragma once

#include <string_view>

namespace glassformer {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace glassformer
