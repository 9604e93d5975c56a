#include "engine/train/history_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "engine/files/atomic_file.h"
#include "engine/recurrent/config.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "history/", kEnding = ".safetensors";

std::string name_of(long step) {
  return std::string(kFolder) + std::to_string(step) + std::string(kEnding);
}

}  // namespace

std::optional<long> history_step(std::string_view name) {
  if (!name.starts_with(kFolder) || !name.ends_with(kEnding)) return std::nullopt;
  const std::string_view number = name.substr(kFolder.size(), name.size() - kFolder.size() - kEnding.size());
  long step = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), step);
  const bool whole = error == std::errc() && end == number.data() + number.size() && step >= 0;
  return whole ? std::optional(step) : std::nullopt;
}

template <class Model>
void write_history(const HistoryOf<Model>& history, OwnedFolder& folder, std::set<long>& written) {
  std::set<long> kept;
  for (const auto& each : history.kept()) kept.insert(each->step());
  std::vector<std::string> gone;
  for (const std::string& name : folder.names()) {
    const std::optional<long> step = history_step(name);
    if (!step || (kept.contains(*step) && written.contains(*step))) continue;
    gone.push_back(name);
    written.erase(*step);
  }
  folder.remove(gone);
  std::vector<std::string> fresh;
  for (const auto& each : history.kept())
    if (!written.contains(each->step())) fresh.push_back(name_of(each->step()));
  if (fresh.empty()) return;
  folder.claim(fresh);
  create_folder(folder.file("history"));
  for (const auto& each : history.kept()) {
    if (written.contains(each->step())) continue;
    each->write(folder.file(name_of(each->step())));
    written.insert(each->step());
  }
}

template <class Model>
typename HistoryOf<Model>::Kept read_history(const std::string& folder, const ConfigOf<Model>& config,
                                             long last) {
  typename HistoryOf<Model>::Kept kept;
  const fs::path below = fs::path(folder) / "history";
  std::error_code absent;
  if (!fs::is_directory(fs::symlink_status(below, absent))) return kept;
  for (const auto& entry : fs::directory_iterator(below, absent)) {
    const std::optional<long> step = history_step("history/" + entry.path().filename().string());
    if (step && *step <= last && fs::is_regular_file(entry.symlink_status()))
      kept.push_back(std::make_shared<const KeptWeightsOf<Model>>(config, *step, entry.path().string()));
  }
  std::ranges::sort(kept, {}, [](const auto& each) { return each->step(); });
  return kept;
}

#define GLASSFORMER_HISTORY_FOLDER(Model)                                              \
  template void write_history(const HistoryOf<Model>&, OwnedFolder&, std::set<long>&); \
  template HistoryOf<Model>::Kept read_history<Model>(const std::string&, const ConfigOf<Model>&, long);
GLASSFORMER_HISTORY_FOLDER(Transformer<float>)
GLASSFORMER_HISTORY_FOLDER(RecurrentModel<float>)

}  // namespace glassformer
