#include <nlohmann/json.hpp>

#include "engine/files/json_file.h"
#include "engine/model/config.h"
#include "tests/fuzz/readers.h"

void glassformer::fuzz_json_config(std::string_view bytes) {
  refused_or_read([&] {
    const nlohmann::json json = parse_json(bytes, "config.json");
    must_hold(shown(json).size() <= 4 * kLongestShown, "a value is quoted in few characters");
    const Config config = config_from_json(json);
    must_hold(config_from_json(to_json(config)) == config, "a configuration is written as it was read");
  });
}
