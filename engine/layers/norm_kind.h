// What normalises a row: a line of this table a kind. What the screen says of a norm is asked of the line.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace glassformer {

enum class NormKind { layer, rms };

struct NormTraits {
  NormKind kind = NormKind::layer;
  std::string_view spelling;  // in config.json
  std::string_view name;
  std::string_view does;   // "The row .."
  std::string_view shows;  // what to look at in a run that has this instead
  bool centred = false;    // the row's mean is taken off, and a shift added in the end
};

inline constexpr std::array kNormKinds = {
    NormTraits{.kind = NormKind::layer,
               .spelling = "layer",
               .name = "LayerNorm",
               .does = "is moved to mean 0 and deviation 1, then scaled and shifted",
               .shows = "LayerNorm takes the mean off each row before it scales the row, and has a shift.",
               .centred = true},
    NormTraits{.kind = NormKind::rms,
               .spelling = "rms",
               .name = "RMSNorm",
               .does = "is divided by its root mean square, then scaled",
               .shows = "RMSNorm takes no mean off and has no shift: each row is divided by its root mean "
                        "square (Zhang and Sennrich 2019). Compare loss and time per step."},
};

// A line a kind, in the order of the enum: norm_traits counts on it.
static_assert(kNormKinds[0].kind == NormKind::layer && kNormKinds[1].kind == NormKind::rms);

constexpr const NormTraits& norm_traits(NormKind kind) {
  return kNormKinds[static_cast<std::size_t>(kind)];
}

}  // namespace glassformer
