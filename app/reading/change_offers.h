// What can be tried out with what is selected: lines of a menu, each of which makes a change or takes it
// back.
#pragma once

#include <string>
#include <vector>

#include "app/reading/view_input.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

struct Offer {
  std::string words;
  WhatIf what_if;  // with it, or without
  bool in_force = false;
};

// Of a number, a head or a word, by what of the selection is most particular: an entry of a parameter, a
// weight, a hidden unit, a candidate of the output, a word of the source, a head. Empty: nothing can be
// changed there.
std::vector<Offer> change_offers(const ViewInput& input, const Selection& selection);
// Of a block of the map, `whole`.
std::vector<Offer> block_offers(const WhatIf& what_if, const ValueName& block, const Config& config);

}  // namespace glassformer
