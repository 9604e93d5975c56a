// Reading a JSON file that takes seconds: the record of a run of a million steps.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace glassformer {

// Called now and then with the part of the file that is read, from 0 to 1; false gives the reading up, which
// then throws Error.
using JsonProgress = std::function<bool(double)>;
nlohmann::json read_json(const std::string& path, const JsonProgress& progress);

}  // namespace glassformer
