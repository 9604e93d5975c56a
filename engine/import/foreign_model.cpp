// Which files of a folder are a model's.
#include <algorithm>
#include <filesystem>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/files/text_file.h"
#include "engine/import/foreign_model.h"
#include "engine/import/zip_archive.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_ending(const fs::path& folder,
                                      std::initializer_list<std::string_view> endings) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const auto fits = [&](std::string_view ending) { return name.ends_with(ending); };
    if (entry.is_regular_file() && std::ranges::any_of(endings, fits)) found.push_back(entry.path().string());
  }
  std::ranges::sort(found);
  return found;
}

// Safetensors come first: they say the least that is not numbers.
ForeignTensors read_folder(const fs::path& folder) {
  const fs::path index = folder / "model.safetensors.index.json";
  const fs::path bins = folder / "pytorch_model.bin.index.json";
  if (fs::exists(index)) return read_sharded_safetensors(index.string());
  const std::vector<std::string> safe = files_ending(folder, {".safetensors"});
  if (safe.empty() && fs::exists(bins))
    throw Error(bins.string(), "weights in several .bin files are not read; save them as safetensors");
  if (fs::exists(folder / "model.safetensors") && safe.size() == 1) return read_foreign_file(safe.front());
  if (fs::exists(folder / "pytorch_model.bin") && safe.empty())
    return read_foreign_file((folder / "pytorch_model.bin").string());
  for (const auto& files :
       {safe, files_ending(folder, {".npz"}), files_ending(folder, {".pt", ".pth", ".bin"})}) {
    if (files.size() > 1)
      throw Error(folder.string(), "it holds several files of weights (" +
                                       fs::path(files[0]).filename().string() + ", " +
                                       fs::path(files[1]).filename().string() + ", …); name one of them");
    if (!files.empty()) return read_foreign_file(files[0]);
  }
  throw Error(folder.string(), "it holds no file of weights that is known: .safetensors, .pt, .bin or .npz");
}

nlohmann::json read_if_there(const fs::path& path) {
  return fs::is_regular_file(path) ? read_json(path.string(), kMostSettingsBytes) : nlohmann::json();
}

bool begins_as_weights(const std::string& path) {
  try {
    const InputFile file(path);
    std::string first(std::min<std::size_t>(file.size(), 16), '\0');
    first.resize(file.read_at(0, first.data(), first.size()));
    if (first.starts_with('\x80') || (first.size() > 8 && first[8] == '{')) return true;
    if (!is_zip(first)) return false;
    const ZipArchive archive(path);
    return std::ranges::any_of(archive.entries(), [](const auto& entry) {
      return entry.first.ends_with("data.pkl") || entry.first.ends_with(".npy");
    });
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

bool may_hold_foreign_model(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return begins_as_weights(path);
  if (fs::exists(fs::path(path) / "weights.safetensors", ignored)) return false;
  try {
    const auto files = files_ending(path, {".safetensors", ".npz", ".pt", ".pth", ".bin"});
    return std::ranges::any_of(files, begins_as_weights);
  } catch (const std::exception&) {
    return false;
  }
}

ForeignModel open_foreign_model(const std::string& source) {
  const bool folder = fs::is_directory(source);
  ForeignModel model{.weights = folder ? read_folder(source) : read_foreign_file(source)};
  model.folder = folder ? source : fs::path(source).parent_path().string();
  if (model.folder.empty()) model.folder = ".";
  model.config = read_if_there(fs::path(model.folder) / "config.json");
  model.generation = read_if_there(fs::path(model.folder) / "generation_config.json");
  // Marian's names keep "model.": final_logits_bias lacks it.
  if (!kMarianMt.is(model)) take_prefixes_off(model.weights);
  return model;
}

}  // namespace glassformer
