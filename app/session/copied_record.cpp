#include "app/session/copied_record.h"

#include <filesystem>
#include <vector>

#include "app/scene/held_out.h"
#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"

namespace glassformer {

nlohmann::json recorded_training(const std::string& folder) {
  const std::string path = folder + "/training.json";
  if (folder.empty() || !std::filesystem::exists(path)) return {};
  try {
    return read_json(path);
  } catch (const Error&) {
    return {};
  }
}

void copy_record(const std::string& from, long step, const std::string& to) {
  nlohmann::json record = recorded_training(from);
  if (!record.is_object()) return;
  record.erase("files");
  record.erase("averaged_steps");
  nlohmann::json& kept = record["kept"];
  if (!kept.is_object() || kept.value("step", nlohmann::json()) != nlohmann::json(step))
    kept = {{"step", step}};
  OwnedFolder(to, {}, OwnedFolder::Use::beside).write("training.json", record.dump() + "\n");
  if (const std::vector<HeldOutSentence> sentences = kept_held_out(from); !sentences.empty())
    keep_held_out(to, sentences);
}

}  // namespace glassformer
