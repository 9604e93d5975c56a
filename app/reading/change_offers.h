// What can be tried out with what is selected: lines of a menu, each of which makes a change or takes it
// back.
#pragma once

#include <string>
#include <vector>

#include "app/reading/view_input.h"
#include "app/scene/command.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

struct Offer {
  std::string words;
  WhatIf what_if;  // with it, or without
  bool in_force = false;
  bool enabled = true;
  bool divider = false;   // the first of a group of others
  std::string note = {};  // a few words: why it cannot be taken, or what is to be known of it
};

// What a further change is added to: the changes of the open Scene, of two the first.
const WhatIf& open_changes(const ViewInput& input);

// Why a replacement cannot be taken from the Scene that is beside this one, in a few words; empty: it
// can. `second` is null where none does.
std::string why_not_from_second(const SceneResult& first, const SceneResult* second, const Change& change);

// The same of the places alone, of two passes of models that are alike.
std::string places_apart(const Trace& first, const Trace& second, const Change& change);

// Of a number, a head or a word, by what of the selection is most particular: an entry of a parameter, a
// weight, a hidden unit, a candidate of the output, a word of the source, a head. Empty: nothing can be
// changed there. Values may be taken from `other` of the input.
std::vector<Offer> change_offers(const ViewInput& input, const Selection& selection);
// Of a beginning of the output, its last word included: that everything that is written begins with it.
std::vector<Offer> beginning_offers(const ViewInput& input, const std::vector<int>& words);
// What a menu is about that offers this (HitRegion::menu, Ui::wish_menu).
Command about_beginning(std::vector<int> words);
// Of a block of the map, `whole`.
std::vector<Offer> block_offers(const ViewInput& input, const ValueName& block);

}  // namespace glassformer
