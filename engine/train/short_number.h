// Floats in JSON without digits that they do not have.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace glassformer {

// The double whose shortest spelling is the float's own: 0.1f is written 0.1 and read back as the same float.
// Null for what is not finite.
nlohmann::json short_number(float value);

}  // namespace glassformer
