// What the Decode view shows of one search: the lanes, the node that is explained, and what is said about
// them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/view_input.h"
#include "app/views/decode/decode_search.h"
#include "app/views/decode/decode_tree.h"

namespace glassformer {

struct DecodeScene {
  const ViewInput& input;
  std::shared_ptr<const BeamFound> found;  // null: being searched
  BeamKey wanted;                          // what the controls say; found may be of the one before
  DecodeTree tree;
  std::optional<int> explained;  // in tree.nodes
  bool pinned = false;           // a person chose it

  const BeamRecord& record() const { return found->record(); }
  const BeamNode& at(int node) const { return record().at(tree.nodes[static_cast<std::size_t>(node)].place); }
  std::string word(int node) const;
  std::string words(const std::vector<int>& ids) const;  // as text, with <eos> where it ends
  double probability(int node) const;                    // of its word
  bool visible(int node) const;                          // up to the step that the transport shows
};

DecodeScene decode_scene(const ViewInput& input, BeamCache& cache, const BeamKey& wanted,
                         const std::vector<int>& pinned_words, bool at_once);

// "5th, −3.41; the 4th had −3.38" of one that was cut; "cut at step 6" of one that nothing was kept of.
std::string cut_words(const DecodeScene& scene, int node);
// The same for less and less room: in one line, in two, without what it is compared with.
std::vector<std::vector<std::string>> cut_lines(const DecodeScene& scene, int node);
std::string end_words(const BeamFound& found);  // why the search ended
// Where the numbers are not finite, a sentence; empty: they are.
std::string not_finite_words(const BeamFound& found);
std::string verdict_words(const DecodeScene& scene);  // of the right translation; empty: none is known
std::string penalty_words(const BeamKey& key);        // "((5 + words) / 6)^α" or "words^α"
std::string ordinal(int rank);                        // "4th"

// The Scene's changes with this beginning forced, or with none.
WhatIf forcing(const WhatIf& what_if, const std::vector<int>& words);

}  // namespace glassformer
