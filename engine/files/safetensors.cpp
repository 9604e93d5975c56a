#include "engine/files/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/files/atomic_file.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"

namespace glassformer {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensor files are read and written as they lie in memory");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMostHeaderBytes = 100'000'000;
constexpr long kMostWeightsBytes = 1L << 35;

float float_of_bfloat(std::uint16_t half) {  // the upper half of a float
  return std::bit_cast<float>(std::uint32_t{half} << 16);
}

float float_of_half(std::uint16_t half) {  // sign, 5 bits of exponent, 10 of fraction
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = (half >> 10) & 31u, fraction = half & 1023u;
  if (exponent == 0) return (sign ? -0x1p-24f : 0x1p-24f) * static_cast<float>(fraction);
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

// The numbers of a file need not be aligned for a Number.
template <class Number, class Convert>
void convert_each(std::span<const char> bytes, float* to, Convert to_float) {
  Number number;
  for (std::size_t i = 0; i + sizeof number <= bytes.size(); i += sizeof number) {
    std::memcpy(&number, bytes.data() + i, sizeof number);
    *to++ = to_float(number);
  }
}

template <class Shape>
std::string text_of(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + ")";
}

bool is_size(const nlohmann::json& value) {
  return as_whole<std::uint64_t>(value, 0, std::uint64_t{1} << 48).has_value();
}

Safetensors::Entry read_entry(const nlohmann::json& json, const std::string& where, std::size_t data_size) {
  if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() || !json.contains("shape") ||
      !json["shape"].is_array() || !json.contains("data_offsets") || !json["data_offsets"].is_array()) {
    throw Error(where, "the header must give dtype, shape and data_offsets; the file is damaged");
  }
  Safetensors::Entry entry;
  entry.type = json["dtype"].get<std::string>();
  const std::size_t width = bytes_per_number(entry.type);
  if (entry.type.starts_with("F8") || entry.type.starts_with("F4"))
    throw Error(where,
                "`" + entry.type.substr(0, kLongestShown) + "` is a quantised format; convert it to float32");
  if (width == 0) throw Error(where, "the number format " + shown(json["dtype"]) + " is not known");

  std::size_t count = 1;
  for (const nlohmann::json& extent : json["shape"]) {
    if (!is_size(extent))
      throw Error(where, "the shape must be whole numbers, found " + shown(json["shape"]));
    const auto size = extent.get<std::size_t>();
    if (size != 0 && count > data_size / size)
      count = std::numeric_limits<std::size_t>::max() / 16;
    else
      count *= size;
    entry.shape.push_back(static_cast<long>(size));
  }

  const nlohmann::json& offsets = json["data_offsets"];
  if (offsets.size() != 2 || !is_size(offsets[0]) || !is_size(offsets[1])) {
    throw Error(where, "data_offsets must be two whole numbers, found " + shown(offsets));
  }
  entry.begin = offsets[0].get<std::size_t>();
  entry.end = offsets[1].get<std::size_t>();
  if (entry.begin > entry.end || entry.end > data_size) {
    throw Error(where, "its data should stand at bytes " + shown(offsets) + " of " +
                           std::to_string(data_size) + "; the file is cut off or damaged");
  }
  if (entry.end - entry.begin != count * width) {
    throw Error(where, "shape " + text_of(entry.shape) + " in " + entry.type + " does not fit its " +
                           std::to_string(entry.end - entry.begin) + " bytes; the file is damaged");
  }
  return entry;
}

// Refuses a name that occurs twice: JSON readers differ in which one they keep.
nlohmann::json parse_header(std::string_view text, const std::string& where) {
  std::vector<std::string> names;
  const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    if (event == nlohmann::json::parse_event_t::key && depth == 1) names.push_back(value.get<std::string>());
    return true;
  };
  const nlohmann::json header = parse_json(text, "the header of " + where, watch);
  if (!header.is_object()) throw Error(where, "the header must be a JSON object; the file is damaged");
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw Error(where, "the tensor " + shown(*twice) + " stands in it twice; the file is damaged");
  return header;
}

// Of the JSON, as the file's first bytes say it.
std::size_t header_size(std::string_view bytes, std::size_t file_size, const std::string& where) {
  if (bytes.size() < kLengthBytes)
    throw Error(where, "expected a safetensors file, found only " + std::to_string(file_size) + " bytes");
  if (bytes.starts_with("version ") && file_size < 1000)
    throw Error(where,
                "it is a pointer that git LFS left in place of the file; fetch the file (git lfs pull)");
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), kLengthBytes);
  if (size <= file_size - kLengthBytes && size <= kMostHeaderBytes) return static_cast<std::size_t>(size);
  throw Error(where, "its header should be " + std::to_string(size) + " bytes long, the file has " +
                         std::to_string(file_size) + "; it is cut off, damaged, or no safetensors file");
}

}  // namespace

std::size_t bytes_per_number(std::string_view type) {
  if (type == "F64" || type == "I64" || type == "U64") return 8;
  if (type == "F32" || type == "I32" || type == "U32") return 4;
  if (type == "F16" || type == "BF16" || type == "I16" || type == "U16") return 2;
  if (type == "I8" || type == "U8" || type == "BOOL") return 1;
  return 0;
}

void convert_floats(std::string_view type, std::span<const char> bytes, float* to) {
  if (type == "F16")
    convert_each<std::uint16_t>(bytes, to, float_of_half);
  else if (type == "BF16")
    convert_each<std::uint16_t>(bytes, to, float_of_bfloat);
  else if (type == "F64")
    convert_each<double>(bytes, to, [](double number) { return static_cast<float>(number); });
  else if (type == "F32")
    std::memcpy(to, bytes.data(), bytes.size());
  else
    throw Error("numbers", "those of the format " + std::string(type) + " are no floats");
}

std::size_t Safetensors::Entry::count() const {
  return (end - begin) / bytes_per_number(type);
}

Safetensors Safetensors::read(const std::string& path) {
  const auto input = std::make_shared<InputFile>(path);
  Safetensors file;
  file.where_ = path;
  file.bytes_.resize(std::min(input->size(), kLengthBytes));
  input->read(file.bytes_.data(), file.bytes_.size());
  const std::size_t header = header_size(file.bytes_, input->size(), path);
  file.bytes_.resize(kLengthBytes + header);
  file.bytes_.resize(kLengthBytes + input->read(file.bytes_.data() + kLengthBytes, header));
  file.read_header(input->size());
  check_size(path, input->size(), kMostWeightsBytes);
  file.file_ = input;
  return file;
}

Safetensors Safetensors::parse(std::string bytes, const std::string& where) {
  Safetensors file;
  file.where_ = where;
  file.bytes_ = std::move(bytes);
  file.read_header(file.bytes_.size());
  return file;
}

void Safetensors::read_header(std::size_t file_size) {
  data_ = kLengthBytes + header_size(bytes_, file_size, where_);
  const std::size_t data_size = file_size - data_;
  const nlohmann::json header =
      parse_header(std::string_view(bytes_).substr(kLengthBytes, data_ - kLengthBytes), where_);
  for (const auto& [name, json] : header.items()) {
    if (name == "__metadata__") {
      if (!json.is_object()) throw Error(where_, "__metadata__ must be a JSON object; the file is damaged");
      for (const auto& [key, value] : json.items())
        metadata_[key] = value.is_string() ? value.get<std::string>() : shown(value);
      continue;
    }
    entries_[name] = read_entry(json, where_ + ", tensor " + shown(name), data_size);
  }

  // No two tensors may share bytes.
  std::vector<const Entry*> order;
  for (const auto& [name, entry] : entries_) {
    if (entry.begin < entry.end) order.push_back(&entry);
  }
  std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) { return a->begin < b->begin; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i]->begin < order[i - 1]->end) throw Error(where_, "two tensors overlap; the file is damaged");
  }
  const std::size_t described = order.empty() ? 0 : order.back()->end;
  if (described != data_size)
    throw Error(where_, "its header tells of " + std::to_string(described) +
                            " bytes of numbers, the file holds " + std::to_string(data_size) +
                            "; it is damaged, or was written over another");
}

const Safetensors::Entry& Safetensors::at(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw Error(where_, "the tensor " + shown(name) + " is missing");
  return found->second;
}

void Safetensors::copy_bytes(const Entry& entry, char* to) const {
  const std::size_t begin = data_ + entry.begin, size = entry.end - entry.begin;
  if (!file_)
    std::copy_n(bytes_.data() + begin, size, to);
  else if (file_->read_at(begin, to, size) != size)
    throw Error(where_, "the file changed while it was read; try again");
}

std::vector<char> Safetensors::bytes_of(const Entry& entry) const {
  std::vector<char> bytes(entry.end - entry.begin);
  copy_bytes(entry, bytes.data());
  return bytes;
}

bool Safetensors::holds_floats(const std::string& name) const {
  const std::string& type = at(name).type;
  return type == "F32" || type == "F16" || type == "BF16" || type == "F64";
}

void Safetensors::check_floats(const std::string& name) const {
  if (holds_floats(name)) return;
  throw Error(where_, "the tensor " + shown(name) + " must be F32, F16, BF16 or F64, found " + at(name).type);
}

void Safetensors::convert(const Entry& entry, float* to) const {
  if (entry.type == "F32")
    copy_bytes(entry, reinterpret_cast<char*>(to));
  else
    convert_floats(entry.type, bytes_of(entry), to);
}

bool Safetensors::same(const std::string& a, const std::string& b) const {
  const Entry &one = at(a), &other = at(b);
  return one.type == other.type && one.shape == other.shape &&
         std::ranges::equal(bytes_of(one), bytes_of(other));
}

std::vector<float> Safetensors::floats(const std::string& name) const {
  check_floats(name);
  const Entry& entry = at(name);
  std::vector<float> values(entry.count());
  convert(entry, values.data());
  return values;
}

std::vector<long> Safetensors::integers(const std::string& name) const {
  const Entry& entry = at(name);
  const auto bytes = bytes_of(entry);
  std::vector<long> values(entry.count());
  const auto copy_as = [&](auto number) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
      values[i] = static_cast<long>(number);
    }
  };
  if (entry.type == "I32") {
    copy_as(std::int32_t{});
  } else if (entry.type == "I64") {
    copy_as(std::int64_t{});
  } else {
    throw Error(where_, "the tensor " + shown(name) + " must be I32 or I64, found " + entry.type);
  }
  return values;
}

std::vector<std::int16_t> Safetensors::shorts(const std::string& name) const {
  const Entry& entry = at(name);
  if (entry.type != "I16")
    throw Error(where_, "the tensor " + shown(name) + " must be I16, found " + entry.type);
  std::vector<std::int16_t> values(entry.count());
  copy_bytes(entry, reinterpret_cast<char*>(values.data()));
  return values;
}

void Safetensors::copy_floats(const std::string& name, const std::vector<int>& shape, float* to) const {
  check_floats(name);
  const Entry& entry = at(name);
  if (!std::equal(shape.begin(), shape.end(), entry.shape.begin(), entry.shape.end())) {
    throw Error(where_, "the tensor " + shown(name) + " must have the shape " + text_of(shape) + ", found " +
                            text_of(entry.shape));
  }
  convert(entry, to);
}

void write_safetensors(const std::string& path, std::vector<TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::sort(tensors.begin(), tensors.end(),
            [](const TensorToWrite& a, const TensorToWrite& b) { return a.name < b.name; });
  nlohmann::json header = nlohmann::json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::vector<std::size_t> sizes;
  std::size_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    const std::string type = tensor.wholes ? "I32" : tensor.shorts ? "I16" : "F32";
    std::size_t bytes = bytes_per_number(type);
    for (const int extent : tensor.shape) bytes *= static_cast<std::size_t>(extent);
    header[tensor.name] = {
        {"dtype", type}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
    sizes.push_back(bytes);
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();

  AtomicFile file(path);
  file.write({reinterpret_cast<const char*>(&length), kLengthBytes});
  file.write(text);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const void* numbers = tensors[i].data;
    if (tensors[i].shorts) numbers = tensors[i].shorts;
    if (tensors[i].wholes) numbers = tensors[i].wholes;
    file.write({static_cast<const char*>(numbers), sizes[i]});
  }
  file.commit();
}

}  // namespace glassformer
