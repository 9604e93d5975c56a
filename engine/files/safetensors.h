// The safetensors format: named arrays of numbers in one file.
//
//   8 bytes   length of the header, little-endian
//   header    JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ...,
//   "__metadata__": {...}} data      the raw numbers, little-endian; offsets count from here
//
// Nothing in a file is trusted: every length, offset, shape and number format is checked before it is used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

class InputFile;

class Safetensors {
 public:
  // Throws Error saying what is wrong with the file. The header is checked; the numbers are read when they
  // are asked for, from the file as opened.
  static Safetensors read(const std::string& path);
  static Safetensors parse(std::string bytes, const std::string& where);

  struct Entry {
    std::string type;         // "F32", "I64", ...
    std::vector<long> shape;  // outermost first; empty: a single number
    std::size_t begin = 0, end = 0;
    std::size_t count() const;  // numbers
  };

  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }
  const std::map<std::string, std::string, std::less<>>& metadata() const { return metadata_; }
  const std::string& where() const { return where_; }
  bool contains(const std::string& name) const { return entries_.contains(name); }

  const Entry& at(const std::string& name) const;                   // throws Error when missing
  bool holds_floats(const std::string& name) const;                 // F32, F16, BF16 or F64
  std::vector<float> floats(const std::string& name) const;         // of one of these, else Error
  std::vector<long> integers(const std::string& name) const;        // I32 or I64, else Error
  std::vector<std::int16_t> shorts(const std::string& name) const;  // I16, else Error

  // The numbers of such a tensor of exactly this shape, copied to where they belong; those of F64 are
  // rounded.
  void copy_floats(const std::string& name, const std::vector<int>& shape, float* to) const;
  // Whether two tensors are equal to the bit, in format and shape too.
  bool same(const std::string& a, const std::string& b) const;

 private:
  void check_floats(const std::string& name) const;
  void convert(const Entry& entry, float* to) const;
  void read_header(std::size_t file_size);

  void copy_bytes(const Entry& entry, char* to) const;
  std::vector<char> bytes_of(const Entry& entry) const;

  std::string where_;
  std::string bytes_;                      // as far as they are in memory: the header at least
  std::shared_ptr<const InputFile> file_;  // of the numbers that are not
  std::size_t data_ = 0;                   // where the data begin
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, std::string, std::less<>> metadata_;
};

// Of a format of numbers as the files name it: "F32", "BF16", "I8"; 0 for an unknown one.
std::size_t bytes_per_number(std::string_view type);
// Bytes of F32, F16, BF16 or F64 to as many floats; those of F64 are rounded.
void convert_floats(std::string_view type, std::span<const char> bytes, float* to);

// A tensor to be written; the numbers are read when the file is.
struct TensorToWrite {
  std::string name;
  std::vector<int> shape;
  const float* data = nullptr;           // F32
  const std::int16_t* shorts = nullptr;  // I16, instead of `data`
  const std::int32_t* wholes = nullptr;  // I32, instead of both
};

// Sorted by name, atomically. Throws Error when the file cannot be written.
void write_safetensors(const std::string& path, std::vector<TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace glassformer
