#include "engine/layers/given_positions.h"

#include <algorithm>

namespace glassformer {

int GivenPositions::end(int places) const {
  int end = 0;
  for (int place = 0; place < places && !none; ++place) end = std::max(end, at(place) + 1);
  return end;
}

}  // namespace glassformer
