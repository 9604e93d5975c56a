#include "engine/train/history_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "engine/files/atomic_file.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".safetensors";

fs::path folder_of(const std::string& run) {
  return fs::path(run) / "history";
}
fs::path file_of(const std::string& run, long step) {
  return folder_of(run) / (std::to_string(step) + kEnding);
}

std::optional<long> step_of(const fs::path& file) {
  const std::string name = file.stem().string();
  long step = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  const bool number = error == std::errc() && end == name.data() + name.size() && step >= 0;
  return number && file.extension() == kEnding ? std::optional(step) : std::nullopt;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::error_code absent;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, absent)) files.push_back(entry.path());
  return files;
}

}  // namespace

void write_history(const History& history, const std::string& folder, std::set<long>& written,
                   const BeforeOperation& before) {
  std::set<long> kept;
  for (const auto& each : history.kept()) kept.insert(each->step());
  for (const fs::path& file : files_in(folder_of(folder))) {
    const std::optional<long> step = step_of(file);
    if (step && kept.contains(*step) && written.contains(*step)) continue;
    before("remove history/" + file.filename().string());
    std::error_code ignored;
    fs::remove(file, ignored);
    if (step) written.erase(*step);
  }
  if (kept.empty()) return;
  create_folder(folder_of(folder).string());
  for (const auto& each : history.kept()) {
    if (written.contains(each->step())) continue;
    before("write history/" + std::to_string(each->step()) + kEnding);
    each->write(file_of(folder, each->step()).string());
    written.insert(each->step());
  }
}

History::Kept read_history(const std::string& folder, const Config& config, long last) {
  History::Kept kept;
  for (const fs::path& file : files_in(folder_of(folder))) {
    const std::optional<long> step = step_of(file);
    if (step && *step <= last && fs::is_regular_file(file))
      kept.push_back(std::make_shared<const KeptWeights>(config, *step, file.string()));
  }
  std::ranges::sort(kept, {}, [](const auto& each) { return each->step(); });
  return kept;
}

}  // namespace glassformer
