#include "app/lessons/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace glassformer {

namespace {

// How many letters have to be changed, added or left out.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
  std::string_view nearest;
  std::size_t least = 3;
  for (const std::string_view each : known) {
    if (word.size() > each.size() + 2) continue;
    if (const std::size_t far = distance(word, each); far < least) least = far, nearest = each;
  }
  return nearest;
}

}  // namespace glassformer
