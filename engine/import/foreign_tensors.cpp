#include "engine/import/foreign_tensors.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/files/text_file.h"
#include "engine/import/zip_archive.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

void add(ForeignTensors& found, const std::shared_ptr<const Safetensors>& file) {
  for (const auto& [name, entry] : file->entries()) {
    const auto read = [file, name = name] { return file->floats(name); };
    if (!found.tensors.insert({name, {name, file->where(), entry.type, entry.shape, read}}).second)
      throw Error(found.where, "the tensor " + shown(name) + " is in two of its files");
  }
}

std::shared_ptr<const Safetensors> open_safetensors(const std::string& path) {
  return std::make_shared<const Safetensors>(Safetensors::read(path));
}

bool starts_like_page(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == text.npos || text[at] != '<') return false;
  std::string begin(text.substr(at, 14));
  std::ranges::transform(begin, begin.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return begin.starts_with("<!doctype html") || begin.starts_with("<html") || begin.starts_with("<head");
}

}  // namespace

std::vector<float> ForeignTensor::numbers() const {
  if (holds_floats()) return read();
  throw Error(file,
              "the tensor `" + name + "` is of the format " + type + "; weights are F32, F16, BF16 or F64");
}

std::string shape_text(const std::vector<long>& shape) {
  std::string text;
  for (const long extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text.empty() ? "a number" : text;
}

void take_prefixes_off(ForeignTensors& found) {
  constexpr std::array<std::string_view, 4> kPrefixes{"module.", "_orig_mod.", "model.", "net."};
  const auto shared_by_all = [&](std::string_view prefix) {
    return !found.tensors.empty() && std::ranges::all_of(found.tensors, [&](const auto& entry) {
      return entry.first.starts_with(prefix);
    });
  };
  for (;;) {
    const auto prefix = std::ranges::find_if(kPrefixes, shared_by_all);
    if (prefix == kPrefixes.end()) return;
    std::map<std::string, ForeignTensor, std::less<>> shorter;
    for (auto& [name, tensor] : found.tensors) shorter[name.substr(prefix->size())] = std::move(tensor);
    found.tensors = std::move(shorter);
    found.prefix += *prefix;
  }
}

ForeignTensors read_safetensors_file(const std::string& path) {
  ForeignTensors found{.where = path};
  add(found, open_safetensors(path));
  return found;
}

ForeignTensors read_sharded_safetensors(const std::string& index) {
  const nlohmann::json json = read_json(index);
  const Error wrong(index, "it must be an object with a \"weight_map\" from tensors to files");
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object()) throw wrong;
  std::map<std::string, std::shared_ptr<const Safetensors>> files;
  const std::filesystem::path folder = std::filesystem::path(index).parent_path();
  ForeignTensors found{.where = index};
  for (const auto& [tensor, file] : json["weight_map"].items()) {
    if (!file.is_string()) throw wrong;
    const auto name = file.get<std::string>();
    if (name.empty() || name.find_first_of("/\\") != name.npos || name.find("..") != name.npos)
      throw Error(index,
                  "it names the file " + shown(name) + ", which is not one of its folder; nothing was read");
    if (files.contains(name)) continue;
    const std::string path = (folder / name).string();
    if (!std::filesystem::exists(path))
      throw Error(index, "the file " + shown(name) + " that it names is missing; fetch it too");
    add(found, files[name] = open_safetensors(path));
  }
  for (const auto& [tensor, file] : json["weight_map"].items())
    if (!files[file.get<std::string>()]->contains(tensor))
      throw Error(index,
                  "the tensor " + shown(tensor) + " is not in " + shown(file) + ", where it should be");
  found.files = static_cast<int>(files.size());
  return found;
}

ForeignTensors read_foreign_file(const std::string& path) {
  const InputFile file(path);
  std::string first(std::min<std::size_t>(file.size(), 4096), '\0');
  first.resize(file.read_at(0, first.data(), first.size()));
  if (first.empty()) throw Error(path, "the file is empty; download or save it anew");
  if (first.starts_with("version https://git-lfs"))
    throw Error(path,
                "it is a pointer that Git LFS left in place of the file; fetch the file (git lfs pull)");
  if (starts_like_page(first))
    throw Error(path,
                "it is an HTML page, as a web site answers in place of a file; download the file itself");
  if (is_zip(first)) {
    const ZipArchive archive(path);
    const bool arrays = std::ranges::any_of(archive.entries(),
                                            [](const auto& entry) { return entry.first.ends_with(".npy"); });
    return arrays ? read_npz_file(path) : read_torch_file(path);
  }
  if (first.starts_with('\x80')) return read_torch_file(path);
  if (first.size() > 8 && first[8] == '{') return read_safetensors_file(path);
  throw Error(
      path, "it is no file of weights that is known: a state dict of PyTorch, safetensors, or Marian's .npz");
}

}  // namespace glassformer
