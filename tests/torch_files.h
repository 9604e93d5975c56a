// Files as torch.save writes them, made for a test: the opcodes of the pickle one by one.
#pragma once

#include <zip.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace glassformer::testing {

template <class Number>
std::string raw(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

// ---- pickles

inline std::string text(const std::string& value) {
  return "X" + raw(static_cast<std::uint32_t>(value.size())) + value;
}
inline std::string number(std::int32_t value) {
  return "J" + raw(value);
}
inline std::string global(const std::string& module, const std::string& name) {
  std::string bytes = "c";
  return bytes.append(module).append("\n").append(name).append("\n");
}
inline std::string tuple(const std::vector<std::string>& items) {
  std::string bytes = "(";
  for (const std::string& item : items) bytes += item;
  return bytes + "t";
}
inline std::string numbers(const std::vector<std::int32_t>& values) {
  std::vector<std::string> items;
  for (const std::int32_t value : values) items.push_back(number(value));
  return tuple(items);
}
inline std::string storage(const std::string& kind, const std::string& key, std::int32_t count) {
  return tuple({text("storage"), global("torch", kind), text(key), text("cpu"), number(count)}) + "Q";
}
inline std::string tensor(const std::string& storage, std::int32_t offset,
                          const std::vector<std::int32_t>& shape, const std::vector<std::int32_t>& strides) {
  return global("torch._utils", "_rebuild_tensor_v2") +
         tuple({storage, number(offset), numbers(shape), numbers(strides), "\x89",
                global("collections", "OrderedDict") + ")R"}) +
         "R";
}
inline std::string pickle(const std::string& value) {
  return "\x80\x02" + value + ".";
}

// Names and what they are, in pairs.
inline std::string dictionary(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string bytes = "}(";
  for (const auto& [name, value] : entries) bytes += text(name) + value;
  return bytes + "u";
}

// ---- the archive around it

struct ZipFile {
  std::string name, bytes;
  bool deflated = false;
};
inline void write_zip(const std::string& path, const std::vector<ZipFile>& files) {
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  for (const ZipFile& file : files) {
    zip_source_t* const source = zip_source_buffer(archive, file.bytes.data(), file.bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, file.name.c_str(), source, 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                             file.deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  zip_close(archive);
}

inline std::string bytes_of(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace glassformer::testing
