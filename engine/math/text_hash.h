// A number for a text, the same on every machine and in every build (FNV-1a): to distinguish texts, not to
// keep secrets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace glassformer {

constexpr std::uint64_t kHashOfNothing = 0xCBF29CE484222325U;

// Of a text behind another one, whose number is `before`.
constexpr std::uint64_t text_hash(std::string_view text, std::uint64_t before = kHashOfNothing) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return before;
}

// Sixteen hexadecimal digits.
inline std::string hash_digits(std::uint64_t hash) {
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 0xFU];
  return digits;
}

}  // namespace glassformer
