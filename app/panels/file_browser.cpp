#include <algorithm>
#include <chrono>
#include <future>
#include <tuple>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/session/paths.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

std::string size_words(std::uintmax_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  if (bytes < 1'000'000) return std::to_string(bytes / 1000) + " kB";
  return format_fixed(static_cast<double>(bytes) / 1e6, 1) + " MB";
}

}  // namespace

bool is_model_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "config.json", ignored) && fs::exists(folder / "weights.safetensors", ignored);
}

void FileBrowser::start(Purpose why, const Settings& settings) {
  const std::string& at = settings.last_folder;
  purpose = why;
  listing = why == Purpose::open_model;
  focus_path = why != Purpose::save_model && why != Purpose::keep_run;
  const bool listing_still = being_listed.valid() &&  // asked for by a browser that was closed at once
                             being_listed.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  if (listing && !listing_still) {
    being_listed = std::async(
        std::launch::async, [recent = settings.recent_models] { return list_models(runs_folder(), recent); });
  }
  first.clear();
  chosen.clear();
  data = {};
  if (why == Purpose::choose_test || why == Purpose::open_session) pair = false;  // it is one file
  error.clear();
  name = why == Purpose::save_model ? "my-model" : "";
  std::error_code ignored;
  const fs::path wanted = at.empty() ? fs::path(expanded("~")) : fs::path(at);
  folder.clear();
  enter(fs::is_directory(wanted, ignored) ? wanted : fs::path("/"));
}

void FileBrowser::enter(const fs::path& to) {
  std::error_code problem;
  const fs::path real = fs::weakly_canonical(to, problem);
  fs::directory_iterator all(real, problem);
  if (problem) {
    error = "“" + to.string() + "” cannot be read: " + problem.message() + ".";
    return;
  }
  error.clear();
  folder = real;
  path_text = folder.string();
  entries.clear();
  for (; all != fs::directory_iterator(); all.increment(problem)) {
    if (problem) break;
    Entry entry{.name = all->path().filename().string()};
    if (entry.name.starts_with(".")) continue;
    std::error_code ignored;
    entry.folder = all->is_directory(ignored);
    if (entry.folder) {
      entry.model = is_model_folder(all->path());
    } else {
      const auto bytes = all->file_size(ignored);
      if (!ignored) entry.size = size_words(bytes);
    }
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::tuple(!a.folder, a.name) < std::tuple(!b.folder, b.name);
  });
}

}  // namespace glassformer
