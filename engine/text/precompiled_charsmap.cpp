#include "engine/text/precompiled_charsmap.h"

#include <utf8proc.h>

#include <cstring>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kWholeGrapheme = 6;  // bytes; longer ones are replaced sign by sign

std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view kSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char sign : text) {
    const std::size_t value = kSigns.find(sign);
    if (value == kSigns.npos) return std::nullopt;
    held = held << 6U | static_cast<std::uint32_t>(value);
    if ((bits += 6) < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return bytes;
}

// Units of the trie (darts-clone).
std::uint32_t offset_of(std::uint32_t unit) {
  return unit >> 10U << ((unit & 1U << 9U) >> 6U);
}
std::uint32_t label_of(std::uint32_t unit) {
  return unit & (1U << 31U | 0xFFU);
}
bool ends_entry(std::uint32_t unit) {
  return (unit >> 8U & 1U) != 0;
}

// What a reader sees as one sign, with its marks; `position` moves behind it.
std::string_view next_grapheme(std::string_view text, std::size_t& position) {
  const std::size_t begin = position;
  char32_t before = next_code_point(text, position);
  utf8proc_int32_t state = 0;
  while (position < text.size()) {
    std::size_t next = position;
    const char32_t sign = next_code_point(text, next);
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                         static_cast<utf8proc_int32_t>(sign), &state))
      break;
    before = sign;
    position = next;
  }
  return text.substr(begin, position - begin);
}

}  // namespace

PrecompiledCharsmap::PrecompiledCharsmap(std::string_view base64, const std::string& where) {
  const std::optional<std::string> bytes = from_base64(base64);
  std::uint32_t size = 0;
  if (bytes && bytes->size() >= sizeof size) std::memcpy(&size, bytes->data(), sizeof size);
  if (size == 0 || size % sizeof(std::uint32_t) != 0 || size > bytes->size() - sizeof size)
    throw Error(where, "its precompiled_charsmap is cut or broken");
  trie_.resize(size / sizeof(std::uint32_t));
  std::memcpy(trie_.data(), bytes->data() + sizeof size, size);
  replacements_ = bytes->substr(sizeof size + size);
}

std::optional<std::string_view> PrecompiledCharsmap::replacement(std::string_view text) const {
  std::size_t node = offset_of(trie_[0]);
  for (const char sign : text) {
    const auto byte = static_cast<unsigned char>(sign);
    node ^= byte;
    if (byte == 0 || node >= trie_.size() || label_of(trie_[node]) != byte) return std::nullopt;
    const std::uint32_t unit = trie_[node];
    node ^= offset_of(unit);
    if (!ends_entry(unit)) continue;
    const std::size_t at = node < trie_.size() ? trie_[node] & ~(1U << 31U) : replacements_.size();
    if (at >= replacements_.size()) return std::nullopt;
    return std::string_view(replacements_).substr(at, replacements_.find('\0', at) - at);
  }
  return std::nullopt;
}

std::string PrecompiledCharsmap::normalized(std::string_view text) const {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view grapheme = next_grapheme(text, at);
    const auto whole = grapheme.size() < kWholeGrapheme ? replacement(grapheme) : std::nullopt;
    if (whole) result += *whole;
    for (std::size_t i = 0; !whole && i < grapheme.size();) {
      const std::size_t begin = i;
      next_code_point(grapheme, i);
      const std::string_view sign = grapheme.substr(begin, i - begin);
      result += replacement(sign).value_or(sign);
    }
  }
  return result;
}

}  // namespace glassformer
