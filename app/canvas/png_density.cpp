#include "app/canvas/png_density.h"

#include <zlib.h>

namespace glassformer {

namespace {

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

}  // namespace

std::string with_density(const std::string& png, std::uint32_t dots_per_metre) {
  constexpr std::size_t kBehindHead = 8 + 12 + 13;  // signature; a chunk's frame; what the head holds
  const std::string chunk = "pHYs" + big_endian(dots_per_metre) + big_endian(dots_per_metre) + '\1';
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
  return png.substr(0, kBehindHead) + big_endian(static_cast<std::uint32_t>(chunk.size() - 4)) + chunk +
         big_endian(static_cast<std::uint32_t>(sum)) + png.substr(kBehindHead);
}

}  // namespace glassformer
