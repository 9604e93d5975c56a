// How a model can know where a word is: a row of this table a kind. What the rest of the program asks is
// asked of the row ("is something added?", "are queries turned?"), so that few places know a kind by name.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "engine/layers/rotary.h"

namespace glassformer {

enum class PositionKind { sinusoidal, learned, none, rotary, alibi };

struct PositionTraits {
  PositionKind kind = PositionKind::none;
  std::string_view spelling;  // in config.json and in lists
  std::string_view title;     // on a switch
  std::string_view name;      // what a run is varied to

  // What the model does.
  bool added = false;    // each embedding gets a row for its position
  bool learned = false;  // that row is one of a learned table
  bool turned = false;   // queries and keys of self-attention are turned by their position (layers/rotary.h)
  bool biased = false;   // scores of self-attention lose by distance (layers/distance_bias.h)

  constexpr bool encodes_order() const { return added || turned || biased; }

  // What it says of itself.
  std::string_view idea;     // how a word knows its place
  std::string_view meaning;  // what to see in its numbers
  std::string_view source;   // where it was proposed
  std::string_view shows;    // what to look at in a run that has these instead
};

inline constexpr std::string_view kPaperPositions = "Paper, section 3.5",
                                  kBagOfWords =
                                      "Without positions the encoder sees a bag of words; learned "
                                      "ones come close to the sines.";

inline constexpr std::array kPositionKinds = {
    PositionTraits{
        .kind = PositionKind::sinusoidal,
        .spelling = "sinusoidal",
        .title = "Sinusoidal",
        .name = "sines and cosines",
        .added = true,
        .idea = "Attention ignores order, so every position gets a pattern of waves, added to its embedding.",
        .meaning = "Every pair of dimensions is a clock hand that turns at its own speed: fast ones tell "
                   "neighbours apart, slow ones tell the start from the end.",
        .source = kPaperPositions,
        .shows = kBagOfWords},
    PositionTraits{
        .kind = PositionKind::learned,
        .spelling = "learned",
        .title = "Learned",
        .name = "learned",
        .added = true,
        .learned = true,
        .idea = "Attention ignores order, so every position gets a learned row, added to its embedding.",
        .meaning = "Learned positions start as noise: what is near and what is far has to be learned from "
                   "the data.",
        .source = kPaperPositions,
        .shows = kBagOfWords},
    PositionTraits{
        .kind = PositionKind::none,
        .spelling = "none",
        .title = "None",
        .name = "none",
        .idea = "Nothing is added: attention cannot tell one order of the words from another.",
        .meaning = "Attention alone ignores order: without positions a sentence is a bag of words.",
        .source = kPaperPositions,
        .shows = kBagOfWords},
    PositionTraits{
        .kind = PositionKind::rotary,
        .spelling = "rotary",
        .title = "Rotary",
        .name = "rotary",
        .turned = true,
        .idea = "Nothing is added to the words: queries and keys are turned, pair by pair, as far as their "
                "position says.",
        .meaning = "Every pair of a head's columns is turned at its own speed; the match of two words then "
                   "tells how far apart they are.",
        .source = "RoFormer (Su et al. 2021), section 3.4.2",
        .shows = "Rotated queries and keys tell how far apart two words are; nothing is added to the words."},
    PositionTraits{
        .kind = PositionKind::alibi,
        .spelling = "alibi",
        .title = "ALiBi",
        .name = "ALiBi",
        .biased = true,
        .idea =
            "Nothing is added to the words: each score of self-attention loses the more, the further apart "
            "its two words are.",
        .meaning =
            "Every head has a slope of its own: steep ones read near words, flat ones all of them. None "
            "of it is learned.",
        .source = "ALiBi (Press et al. 2022), section 3",
        .shows = "Each score loses a head's slope times the distance; nothing is added to the words."},
};

// A row a kind, in the order of the enum: position_traits counts on it.
static_assert([] {
  for (std::size_t i = 0; i < kPositionKinds.size(); ++i)
    if (kPositionKinds[i].kind != static_cast<PositionKind>(i)) return false;
  return true;
}());

constexpr const PositionTraits& position_traits(PositionKind kind) {
  return kPositionKinds[static_cast<std::size_t>(kind)];
}

// Whether heads of k columns can have it: what is turned are pairs of columns.
constexpr bool fits_head(const PositionTraits& traits, int k) {
  return !traits.turned || k % 2 == 0;
}

// Which of a head's k columns a kind turns together: of the kinds there are, neighbours. One with other pairs
// says so here.
constexpr RotaryPairs rotary_pairs(const PositionTraits&, int k) {
  return {k};
}

}  // namespace glassformer
