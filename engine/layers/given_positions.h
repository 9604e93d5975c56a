// Where each token of a sentence stands: in its place, unless somebody tries out what happens otherwise.
#pragma once

#include <cstddef>
#include <vector>

namespace glassformer {

struct GivenPositions {
  bool none = false;       // no token has any
  int shift = 0;           // all stand so much further on
  std::vector<int> order;  // the position of each place, before the shift; further places keep theirs

  int at(int place) const {
    return shift + (place < std::ssize(order) ? order[static_cast<std::size_t>(place)] : place);
  }
  bool as_they_stand() const { return !none && shift == 0 && order.empty(); }
  // One more than the largest position of the first `places`; 0 where none has any.
  int end(int places) const;
};

}  // namespace glassformer
