#include "engine/files/text_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "engine/files/atomic_file.h"
#include "engine/math/error.h"

namespace glassformer {
namespace {

constexpr std::size_t kChunk = 1 << 16;

std::string unpacked(const std::string& path, const std::string& packed, long max_bytes) {
  const auto damaged = [&](const std::string& how) -> Error {
    return {path, "the gzip file is " + how + "; pack it or download it anew"};
  };
  z_stream stream{};
  constexpr int kGzipAlone = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzipAlone) != Z_OK) throw Error(path, "no memory to unpack the file");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, &inflateEnd);

  std::string bytes;
  std::array<unsigned char, kChunk> chunk;
  std::size_t position = 0;
  int status = Z_OK;
  while (true) {
    const std::size_t input = std::min(packed.size() - position, std::size_t{1} << 30);
    // zlib reads the input alone, but its interface is older than const.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + position));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = chunk.data();
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = inflate(&stream, Z_NO_FLUSH);
    position += input - stream.avail_in;
    bytes.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
    check_size(path, bytes.size(), max_bytes);
    if (status == Z_STREAM_END) {
      // Another member may follow; zeros that fill up a tape or a disk block do not count.
      while (position < packed.size() && packed[position] == '\0') ++position;
      if (position == packed.size()) return bytes;
      if (inflateReset(&stream) != Z_OK) throw damaged("damaged");
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && position == packed.size() && stream.avail_out > 0)) {
      throw damaged("cut short");
    } else if (status != Z_OK) {
      throw damaged("damaged");
    }
  }
}

}  // namespace

std::string read_unpacked(const std::string& path, long max_bytes) {
  std::string bytes = read_file(path, max_bytes);
  return bytes.starts_with("\x1F\x8B") ? unpacked(path, bytes, max_bytes) : bytes;
}

}  // namespace glassformer
