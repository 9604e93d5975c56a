// The beam as lanes: which nodes of the record are drawn, and where. Steps run across; the winner keeps the
// first lane, and every branch lies in the highest free lane below the one it leaves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/decode/beam_record.h"

namespace glassformer {

struct TreeNode {
  BeamPlace place;
  int parent = -1;  // in DecodeTree::nodes; -1: <bos>
  int lane = 0;
  bool winner = false, greedy = false;  // on the way of either
  bool stub = false;                    // the first that was cut at its step: it never went on
  bool dies = false;                    // kept, but nothing of it was kept at the next step
  std::optional<int> finish;            // it ends the sentence of this rank, from 0
};

struct DecodeTree {
  std::vector<TreeNode> nodes;  // every parent before its children
  int first = 0;                // step of the first column
  int lanes = 1, columns = 0;   // a column a step, up to the last that has a node
  std::vector<int> folded;      // a step: kept or finished nodes that are not drawn

  std::optional<int> find(BeamPlace place) const;
};

inline constexpr int kMostLanes = 9;
inline constexpr double kFoldedShare = 0.02;  // of the best, finished ones too: less is folded

// What is not a finite number has no place. `winners`: so many of the finished ones are drawn whole.
// `greedy`: its words, drawn as far as the beam follows them.
DecodeTree lay_out_tree(const BeamRecord& record, int winners, const std::vector<int>& greedy);

// So many of its steps and lanes, a node of `around` among them: what an area too small for all of them has
// room for. What is left out of these steps is folded.
DecodeTree part_of_tree(const DecodeTree& tree, int around, int steps, int lanes);

}  // namespace glassformer
