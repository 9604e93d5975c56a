// What of a tree of beams is drawn where there is room for a part.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "app/views/decode/decode.h"

using namespace glassformer;

TEST_CASE("a part of the tree keeps the node that it goes round, from whatever lane") {
  DecodeTree tree{.columns = 3, .folded = {0, 0, 0}};
  for (int lane = 0; lane < 4; ++lane) {
    tree.lanes = lane + 1;
    for (int step = 0; step < 3; ++step)
      tree.nodes.push_back({.place = {step, lane},
                            .parent = step == 0 ? -1 : static_cast<int>(tree.nodes.size()) - 1,
                            .lane = lane});
  }
  for (int around = 0; around < static_cast<int>(tree.nodes.size()); ++around)
    for (int lanes = 1; lanes <= 4; ++lanes) {
      const DecodeTree part = part_of_tree(tree, around, 2, lanes);
      CAPTURE(around);
      CAPTURE(lanes);
      CHECK(part.find(tree.nodes[static_cast<std::size_t>(around)].place));
      CHECK(part.lanes == lanes);
      std::vector<int> used;
      for (const TreeNode& node : part.nodes) used.push_back(node.lane);
      for (int lane = 0; lane < lanes; ++lane) CHECK(std::ranges::count(used, lane) == 2);
    }
}
