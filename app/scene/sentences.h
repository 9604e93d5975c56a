// Messages that are said together.
#pragma once

#include <string>
#include <vector>

namespace glassformer {

// One after the other, the empty ones left out: "This cannot be written. Neither can that".
inline std::string joined(const std::vector<std::string>& sentences) {
  std::string all;
  for (const std::string& sentence : sentences) {
    if (sentence.empty()) continue;
    if (!all.empty()) all += all.ends_with('.') ? " " : ". ";
    all += sentence;
  }
  return all;
}

}  // namespace glassformer
