// How large a PNG is in print: its chunk pHYs (PNG specification, 11.3.5.3), which cairo does not write.
#pragma once

#include <cstdint>
#include <string>

namespace glassformer {

// The PNG with the chunk behind its head.
std::string with_density(const std::string& png, std::uint32_t dots_per_metre);

}  // namespace glassformer
