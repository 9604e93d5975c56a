// A configuration for other programs, which do not know what a key that is left out means.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/model/config.h"

namespace glassformer {

// Every key of config.json, but start_id where it is bos_id. config_from_json() reads it.
nlohmann::json all_keys(const Config& config);

}  // namespace glassformer
