#include "app/format/part_names.h"

#include <algorithm>

namespace glassformer {

std::string part_named(std::string given) {
  std::ranges::replace(given, ' ', '-');
  return given;
}

std::string part_words(std::string name) {
  std::ranges::replace(name, '-', ' ');
  return name;
}

}  // namespace glassformer
