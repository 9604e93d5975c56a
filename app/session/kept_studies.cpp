#include "app/session/kept_studies.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

namespace glassformer {

namespace fs = std::filesystem;

std::string KeptStudy::run_command() const {
  bool own_pairs = false;
  for (const SweepSetting& setting : study.sweep.settings)
    for (const std::string& option : setting.options)
      own_pairs = own_pairs || option.starts_with("--source=");
  return "glassformer study " + fs::path(file).stem().string() + " --run" +
         (own_pairs ? " --source FILE --target FILE" : "");
}

KeptStudy kept_study(const std::string& file) {
  KeptStudy kept{.file = file, .study = read_study(file), .runs = {}};
  const std::string results = study_results_path(file);
  if (fs::exists(results)) kept.runs = read_study_runs(kept.study, results);
  return kept;
}

const KeptStudy* study_read_once(const std::string& file) {
  static std::mutex mutex;
  static std::map<std::string, KeptStudy> kept;
  const std::scoped_lock lock(mutex);
  if (const auto found = kept.find(file); found != kept.end()) return &found->second;
  return fs::exists(file) ? &kept.emplace(file, kept_study(file)).first->second : nullptr;
}

std::vector<std::string> study_files(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".study") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

std::string studies_folder(const std::string& name) {
  return (cache_folder() / "studies" / name).string();
}

}  // namespace glassformer
