// The one text in a zip archive.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "engine/math/error.h"

namespace glassformer {

bool is_zip(std::string_view bytes);

// What the archive's only file holds; folders and what macOS adds do not count. Throws Error when there are
// several, when it is an office document, locked, damaged, holds more than `max_bytes`, or unpacks to a
// thousand times its size.
std::string unzipped(std::string_view bytes, const std::string& where, long max_bytes);

// How much packed text may unpack to.

// No text repeats itself so often. Throws Error when `unpacked` bytes came of `packed` ones.
inline void refuse_bomb(const std::string& where, std::size_t unpacked, std::size_t packed) {
  constexpr std::size_t kFrom = 1 << 20, kMostTimes = 1000;
  if (unpacked <= kFrom || unpacked / kMostTimes <= packed) return;
  throw Error(where, "it unpacks to more than " + std::to_string(kMostTimes) +
                         " times its size; unpack it yourself if you trust it");
}

// The bytes of a text that a person gives us, packed with gzip or zip or not.

// The whole file, unpacked when its first bytes say gzip (the name does not matter; several members in a row
// are one file) or zip. What gzip packed is unpacked while it is read, so that no packed copy
// is in memory. The text may come
// through a pipe of this process (/dev/stdin). Throws Error when it cannot be read, is a folder or a device,
// is damaged or cut short, holds more than `max_bytes` after unpacking, or unpacks to a thousand times its
// size.
std::string read_unpacked(const std::string& path, long max_bytes);

// Its beginning, where that is enough: so many bytes after unpacking or somewhat more.
struct TextStart {
  std::string bytes;
  bool whole = true;
};
TextStart read_start(const std::string& path, std::size_t enough, long max_bytes);

// A file of any size, unpacked part by part: of what gzip packed, or did not, no more than a part is in
// memory.
class TextStream {
 public:
  TextStream(const std::string& path, long max_bytes);
  ~TextStream();

  // Adds the next part to `bytes`; false when there is none. Throws Error as read_unpacked does.
  bool add_to(std::string& bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same of bytes that came from somewhere else.
std::string unpacked(std::string_view bytes, const std::string& where, long max_bytes);

}  // namespace glassformer
