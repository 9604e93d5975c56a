#include "engine/train/state_files.h"

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

// States that no training.json names any more.
bool is_leftover(std::string_view name, const RunFiles& files) {
  if (name == files.weights || name == files.optimizer || name == files.averages || name == files.best)
    return false;
  return (name.starts_with("last-") || name.starts_with("best-")) && name.ends_with(".safetensors");
}

}  // namespace

void remove_leftovers(OwnedFolder& home, const RunFiles& files) {
  std::vector<std::string> leftovers;
  for (const std::string& name : home.names()) {
    if (is_leftover(name, files)) leftovers.push_back(name);
  }
  home.remove(leftovers);
}

RunFiles free_names(const std::string& folder, long step, const StateParts& parts) {
  const auto named = [&](const std::string& number) -> RunFiles {
    return {.weights = "last-" + number + ".weights.safetensors",
            .optimizer = "last-" + number + ".optimizer.safetensors",
            .averages = parts.averages ? "last-" + number + ".averages.safetensors" : "",
            .best = parts.best ? "best-" + number + ".weights.safetensors" : ""};
  };
  const auto taken = [&](const RunFiles& files) {
    const auto stands = [&](const std::string& name) {
      return !name.empty() && fs::exists(folder + "/" + name);
    };
    return stands(files.weights) || stands(files.optimizer) || stands(files.averages) || stands(files.best);
  };
  const std::string first = std::to_string(step);
  RunFiles files = named(first);
  for (int number = 2; taken(files); ++number) files = named(first + "-" + std::to_string(number));
  return files;
}

nlohmann::json read_record(const std::string& folder) {
  const std::string training = folder + "/training.json";
  if (!fs::exists(training))
    throw Error(folder,
                "there is no training.json that tells of a run, so it cannot go on; train a new model");
  return read_json(training);
}

}  // namespace glassformer
