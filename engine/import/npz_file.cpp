// NumPy's files: an .npz is a zip archive of .npy arrays.
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

#include "engine/files/json_file.h"
#include "engine/files/safetensors.h"
#include "engine/import/foreign_tensors.h"
#include "engine/import/zip_archive.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostHeaderBytes = 1 << 16;
constexpr std::size_t kMostYamlBytes = 1 << 20;

// What a .npy says before its numbers: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
struct ArrayHeader {
  std::string type;  // "F32", "F16", "F64", "I8"
  bool columns_first = false;
  std::vector<long> shape;
  std::size_t begin = 0;  // of the numbers
};

// What is behind 'key': in the dictionary.
std::string_view value_of(std::string_view dictionary, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "'";
  const std::size_t at = dictionary.find(quoted);
  if (at == dictionary.npos) return {};
  std::string_view rest = dictionary.substr(at + quoted.size());
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == ':')) rest.remove_prefix(1);
  return rest;
}

std::string type_of(std::string_view descr, const std::string& where) {
  constexpr std::pair<std::string_view, const char*> kTypes[] = {
      {"'<f4'", "F32"}, {"'<f2'", "F16"}, {"'<f8'", "F64"}, {"'|i1'", "I8"}};
  for (const auto& [name, type] : kTypes)
    if (descr.starts_with(name)) return type;
  const std::string found(descr.substr(0, descr.find(',')));
  throw Error(where, "its numbers are " + shown(found) +
                         "; weights are read as little-endian f2, f4 or f8, and objects never");
}

std::optional<std::vector<long>> shape_of(std::string_view text) {
  std::vector<long> shape;
  if (!text.starts_with('(')) return std::nullopt;
  text.remove_prefix(1);
  for (;;) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
    if (text.starts_with(')')) return shape;
    long extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || extent < 0) return std::nullopt;
    shape.push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

// `size`: of the whole array, of which `bytes` are the first.
ArrayHeader read_header(std::string_view bytes, std::size_t size, const std::string& where) {
  const Error damaged(where, "it is no .npy array of numbers, or is damaged");
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) throw damaged;
  const int version = bytes[6];
  if (version < 1 || version > 3) throw damaged;
  std::uint32_t length = 0;  // two bytes in version 1, else four
  std::memcpy(&length, bytes.data() + 8, version == 1 ? 2 : 4);
  ArrayHeader header{.begin = (version == 1 ? 10u : 12u) + std::size_t{length}};
  if (length > kMostHeaderBytes || header.begin > bytes.size()) throw damaged;
  const std::string_view text = bytes.substr(header.begin - length, length);
  header.type = type_of(value_of(text, "descr"), where);
  header.columns_first = value_of(text, "fortran_order").starts_with("True");
  const auto shape = shape_of(value_of(text, "shape"));
  if (!shape) throw damaged;
  header.shape = *shape;
  std::size_t count = bytes_per_number(header.type);
  for (const long extent : header.shape) {
    if (extent != 0 && count > (std::size_t{1} << 40) / static_cast<std::size_t>(extent)) throw damaged;
    count *= static_cast<std::size_t>(extent);
  }
  if (size - header.begin != count)
    throw Error(where, "its shape " + shape_text(header.shape) + " does not fit its " +
                           std::to_string(size - header.begin) + " bytes; the file is damaged");
  return header;
}

std::vector<float> numbers_of(const std::string& bytes, const std::string& where) {
  const ArrayHeader header = read_header(bytes, bytes.size(), where);
  const std::string_view data = std::string_view(bytes).substr(header.begin);
  std::vector<float> numbers(data.size() / bytes_per_number(header.type));
  convert_floats(header.type, data, numbers.data());
  if (!header.columns_first || header.shape.size() < 2) return numbers;
  if (header.shape.size() > 2) throw Error(where, "arrays of three axes in Fortran's order are not read");
  const auto rows = static_cast<std::size_t>(header.shape[0]),
             columns = static_cast<std::size_t>(header.shape[1]);
  std::vector<float> turned(numbers.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      turned[row * columns + column] = numbers[column * rows + row];
  return turned;
}

}  // namespace

ForeignTensors read_npz_file(const std::string& path) {
  constexpr std::string_view kEnding = ".npy", kSettings = "special:model.yml";
  const auto archive = std::make_shared<const ZipArchive>(path);
  ForeignTensors found{.where = path};
  for (const auto& [lower, entry] : archive->entries()) {
    std::string name = entry.name;
    if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
    const std::string where = path + ", array " + shown(name);
    const std::string first = archive->beginning(entry, kMostHeaderBytes + 12);
    const ArrayHeader header = read_header(first, entry.size, where);
    if (name == kSettings) {
      if (header.type != "I8" || entry.size > kMostYamlBytes)
        throw Error(where, "it must be text in bytes; the file is damaged");
      found.settings = archive->read(entry).substr(header.begin);
      found.settings.resize(found.settings.find_last_not_of('\0') + 1);
      continue;
    }
    const auto read = [archive, entry = entry, where] { return numbers_of(archive->read(entry), where); };
    found.tensors.insert({name, {name, path, header.type, header.shape, read}});
  }
  return found;
}

}  // namespace glassformer
