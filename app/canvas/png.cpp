#include "app/canvas/png.h"

#include <zlib.h>

#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr std::size_t kBehindHead = 8 + 12 + 13;  // signature; a chunk's frame; what the head holds

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

std::string chunk(const std::string& kind, const std::string& held) {
  const std::string checked = kind + held;
  const auto sum =
      crc32_z(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<z_size_t>(checked.size()));
  return big_endian(static_cast<std::uint32_t>(held.size())) + checked +
         big_endian(static_cast<std::uint32_t>(sum));
}

}  // namespace

std::string encode_png(int width, int height, std::span<const Color> colors) {
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  std::string rows;
  rows.reserve(h * (4 * w + 1));
  for (std::size_t y = 0; y < h; ++y) {
    rows += '\1';  // the filter: each pixel less the one to its left
    Color left;
    for (const Color& c : colors.subspan(y * w, w)) {
      for (const int less : {c.r - left.r, c.g - left.g, c.b - left.b, c.a - left.a})
        rows += static_cast<char>(less);
      left = c;
    }
  }
  uLongf size = compressBound(rows.size());
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                rows.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error("writing a PNG", "there is no memory for it. Try a smaller picture.");
  packed.resize(size);
  // Eight bits a channel, red, green, blue and alpha, not interlaced.
  const std::string head = big_endian(static_cast<std::uint32_t>(width)) +
                           big_endian(static_cast<std::uint32_t>(height)) + std::string("\x08\x06\0\0\0", 5);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", packed) + chunk("IEND", "");
}

std::string with_density(const std::string& png, std::uint32_t dots_per_metre) {
  const std::string density = big_endian(dots_per_metre) + big_endian(dots_per_metre) + '\1';
  return png.substr(0, kBehindHead) + chunk("pHYs", density) + png.substr(kBehindHead);
}

}  // namespace glassformer
