#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "scratch_folder.h"

using namespace glassformer;

namespace {

// A file with this header and so many bytes of data.
std::string file_with(const std::string& header, std::size_t data_bytes) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data_bytes, '\0');
}

void check_refused(const std::string& bytes, const char* because) {
  CAPTURE(because);
  CHECK_THROWS_WITH_AS(Safetensors::parse(bytes, "x.safetensors"), doctest::Contains(because), Error);
}

}  // namespace

TEST_CASE("what is written is read back, NaN and empty tensors included") {
  const ScratchFolder folder;
  const float matrix[] = {1, -2, std::nanf(""), std::numeric_limits<float>::infinity(), 0, 1e-40f};
  write_safetensors(folder.path("a"), {{"b.x", {2, 3}, matrix}, {"a", {0, 4}, nullptr}, {"c", {3}, matrix}},
                    {{"note", "five \"words\""}});
  const Safetensors file = Safetensors::read(folder.path("a"));
  CHECK(file.entries().size() == 3);
  CHECK(file.metadata().at("note") == "five \"words\"");
  CHECK(file.at("b.x").shape == std::vector<long>{2, 3});
  const auto values = file.floats("b.x");
  CHECK(std::memcmp(values.data(), matrix, sizeof matrix) == 0);
  CHECK(file.floats("a").empty());
  float three[3];
  file.copy_floats("c", {3}, three);
  CHECK(three[1] == -2);
}

TEST_CASE("integers of both widths are read") {
  std::string bytes = file_with(
      R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}})",
      16);
  const std::int32_t a[] = {-1, 7};
  const std::int64_t b = -5;
  std::memcpy(bytes.data() + bytes.size() - 16, a, 8);
  std::memcpy(bytes.data() + bytes.size() - 8, &b, 8);
  const Safetensors file = Safetensors::parse(bytes, "x");
  CHECK(file.integers("a") == std::vector<long>{-1, 7});
  CHECK(file.integers("b") == std::vector<long>{-5});
}

TEST_CASE("every kind of damage is refused in words") {
  const auto one = [](const std::string& entry) { return R"({"a":)" + entry + "}"; };
  check_refused("", "only 0 bytes");
  check_refused("abc", "only 3 bytes");
  check_refused(std::string(8, '\xff') + "{}", "cut off");
  check_refused(std::string("\x10\0\0\0\0\0\0\0{}", 10), "cut off");
  check_refused(file_with("not json", 0), "not JSON");
  check_refused(file_with("[1]", 0), "JSON object");
  check_refused(file_with(std::string(65, '['), 0), "64 levels");
  check_refused(file_with(one("5"), 0), "dtype, shape and data_offsets");
  check_refused(file_with(one(R"({"dtype":"F33","shape":[1],"data_offsets":[0,4]})"), 4), "number format");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), 4), "whole numbers");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})"), 4), "whole numbers");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"), 4),
                "cut off or damaged");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), 4),
                "cut off or damaged");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0]})"), 4), "two whole numbers");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[3],"data_offsets":[0,4]})"), 4), "does not fit");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]})"), 4),
                "does not fit");
  check_refused(file_with(one(R"({"dtype":"F32","shape":[1],"data_offsets":[18446744073709551612,0]})"), 4),
                "whole numbers");
  check_refused(
      file_with(
          R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          8),
      "overlap");
  check_refused(
      file_with(
          R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          8),
      "twice");
}

TEST_CASE("a pointer that git LFS left is called by its name") {
  check_refused("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "git lfs pull");
}

TEST_CASE("bytes that no tensor claims are refused, before they are read") {
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  CHECK(Safetensors::parse(file_with(header, 4), "x").floats("a").size() == 1);
  check_refused(file_with(header, 5), "tells of 4 bytes of numbers, the file holds 5");
  const ScratchFolder folder;
  const std::string path = folder.write("sparse", file_with(header, 4));
  std::filesystem::resize_file(path, 1UL << 42);
  CHECK_THROWS_WITH_AS(Safetensors::read(path), doctest::Contains("tells of 4 bytes"), Error);
}

TEST_CASE("numbers of half, brain and double precision are read as floats") {
  const auto read = [](const std::string& type, const auto& numbers) {
    const std::size_t size = sizeof numbers;
    std::string bytes =
        file_with(R"({"a":{"dtype":")" + type + R"(","shape":[)" + std::to_string(std::size(numbers)) +
                      R"(],"data_offsets":[0,)" + std::to_string(size) + "]}}",
                  size);
    std::memcpy(bytes.data() + bytes.size() - size, numbers, size);
    return Safetensors::parse(bytes, "x").floats("a");
  };
  const float infinity = std::numeric_limits<float>::infinity();
  const std::uint16_t halves[] = {0x0000, 0x3C00, 0xC000, 0x7BFF, 0x0001, 0x83FF, 0x0400, 0x7C00, 0x3555};
  CHECK(read("F16", halves) ==
        std::vector<float>{0, 1, -2, 65504, 0x1p-24f, -1023 * 0x1p-24f, 0x1p-14f, infinity, 0.333251953125f});
  const std::uint16_t not_a_number[] = {0x7E00};
  CHECK(std::isnan(read("F16", not_a_number)[0]));
  const std::uint16_t brains[] = {0x3F80, 0xC049, 0xFF80, 0x0080};
  CHECK(read("BF16", brains) == std::vector<float>{1, -3.140625f, -infinity, 0x1p-126f});
  const double doubles[] = {0.1, -1e300, 1e-300};
  CHECK(read("F64", doubles) == std::vector<float>{0.1f, -infinity, 0});
}

TEST_CASE("asking for the wrong thing names the tensor and what it is") {
  const Safetensors file = Safetensors::parse(
      file_with(
          R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
          16),
      "x");
  float to[2];
  CHECK_THROWS_WITH_AS(file.floats("a"), doctest::Contains("must be F32, F16, BF16 or F64, found I64"),
                       Error);
  CHECK_THROWS_WITH_AS(file.floats("z"), doctest::Contains("\"z\" is missing"), Error);
  CHECK_THROWS_WITH_AS(file.integers("b"), doctest::Contains("I32 or I64"), Error);
  CHECK_THROWS_WITH_AS(file.copy_floats("b", {1, 2}, to), doctest::Contains("(1, 2), found (2)"), Error);
}

TEST_CASE("an atomic file appears whole at commit and leaves nothing without it") {
  const ScratchFolder folder;
  const std::string path = folder.path("file");
  write_atomically(path, "old");
  {
    AtomicFile file(path);
    file.write("new");
    CHECK(read_file(path) == "old");
  }
  CHECK(read_file(path) == "old");
  AtomicFile file(path);
  file.write("new ");
  file.write(std::string("wor\0ds", 6));
  file.commit();
  CHECK(read_file(path) == std::string("new wor\0ds", 10));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path("")), {}) == 1);
  CHECK_THROWS_WITH_AS(write_atomically(folder.path("no/such/folder"), ""),
                       doctest::Contains("cannot be created"), Error);
  CHECK_THROWS_WITH_AS(read_file(folder.path("")), doctest::Contains("found a folder"), Error);
  CHECK_THROWS_AS(read_file(folder.path("missing")), Error);
}
