// What a feed-forward is made of: a line of this table a kind. What the screen says of one is asked of the
// line.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace glassformer {

enum class FeedForwardKind { plain, swiglu };

struct FeedForwardTraits {
  FeedForwardKind kind = FeedForwardKind::plain;
  std::string_view spelling;  // in config.json
  std::string_view name;
  std::string_view shows;  // what to look at in a run that has this instead
  bool gated = false;      // units are x W_1 times the swish of x W_gate: a third matrix, and no biases
  int matrices = 2;        // (f, d) each, or (d, f)
};

inline constexpr std::array kFeedForwardKinds = {
    FeedForwardTraits{
        .kind = FeedForwardKind::plain,
        .spelling = "plain",
        .name = "plain",
        .shows = "Two products with a bend between them, as in the paper; about as many weights."},
    FeedForwardTraits{.kind = FeedForwardKind::swiglu,
                      .spelling = "swiglu",
                      .name = "SwiGLU",
                      .shows =
                          "Each unit is a product of two numbers, one of them a gate (Shazeer 2020). Three "
                          "matrices of 2/3 the width are about as many weights: compare the loss.",
                      .gated = true,
                      .matrices = 3},
};

// A line a kind, in the order of the enum: feed_forward_traits counts on it.
static_assert(kFeedForwardKinds[0].kind == FeedForwardKind::plain &&
              kFeedForwardKinds[1].kind == FeedForwardKind::swiglu);

constexpr const FeedForwardTraits& feed_forward_traits(FeedForwardKind kind) {
  return kFeedForwardKinds[static_cast<std::size_t>(kind)];
}

// The hidden width at which one kind has about as many weights as another with `hidden`: a multiple of 8 of a
// gated one, of 16 of a plain one, so that a usual width comes back unchanged.
constexpr int hidden_width_for(FeedForwardKind kind, FeedForwardKind instead_of, int hidden) {
  if (kind == instead_of) return hidden;
  const long ours = feed_forward_traits(kind).matrices, theirs = feed_forward_traits(instead_of).matrices;
  const long step = feed_forward_traits(kind).gated ? 8 : 16;
  const long steps = (2 * hidden * theirs + step * ours) / (2 * step * ours);  // rounded
  return static_cast<int>(std::max(1L, steps) * step);
}

}  // namespace glassformer
