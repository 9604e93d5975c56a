#include "engine/text/printable.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

bool breaks_line(char32_t c) {
  return (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

// Code points that Unicode keeps free for ever: U+FDD0 to U+FDEF and the last two of each plane.
bool is_noncharacter(char32_t c) {
  return (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

constexpr std::size_t kLeastQuoted = 40;
constexpr char32_t kEllipsis = U'\u2026', kOpening = U'\u201C', kClosing = U'\u201D';

using Letters = std::vector<char32_t>;

void cut(Letters& letters, std::size_t from, std::size_t count) {
  const auto begin = letters.begin() + static_cast<std::ptrdiff_t>(from);
  *begin = kEllipsis;
  letters.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
}

// Where the longest text between quotes begins, and its length.
std::pair<std::size_t, std::size_t> longest_quoted(const Letters& letters) {
  std::pair<std::size_t, std::size_t> longest{0, 0};
  for (std::size_t at = 0; at < letters.size(); ++at) {
    if (letters[at] != kOpening && letters[at] != U'"') continue;
    const char32_t closing = letters[at] == kOpening ? kClosing : U'"';
    const auto end = std::find(letters.begin() + static_cast<std::ptrdiff_t>(at) + 1, letters.end(), closing);
    if (end == letters.end()) continue;
    const std::size_t length = static_cast<std::size_t>(end - letters.begin()) - at - 1;
    if (length > longest.second) longest = {at + 1, length};
    at += length + 1;
  }
  return longest;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t c = next_code_point(text, at);
    const bool windows_end = c == '\r' && at < text.size() && text[at] == '\n';
    if (windows_end) continue;  // its line feed is the blank
    if (breaks_line(c)) {
      shown += ' ';
    } else if (c == kReplacement || is_control(c) || is_noncharacter(c)) {
      append_utf8(shown, kReplacement);
    } else {
      shown += text.substr(from, at - from);
    }
  }
  return shown;
}

std::string message_text(std::string_view text) {
  std::string shown = printable(text);
  if (shown.size() <= kMostMessageLetters) return shown;
  Letters letters = code_points(shown);
  const auto over = [&] {
    return letters.size() > kMostMessageLetters ? letters.size() - kMostMessageLetters : 0;
  };
  while (over() > 0) {
    const auto [from, length] = longest_quoted(letters);
    if (length <= kLeastQuoted) break;
    const std::size_t kept = std::max(kLeastQuoted, length - std::min(length, over()));
    cut(letters, from + kept - 1, length - kept + 1);
  }
  if (over() > 0) cut(letters, kMostMessageLetters * 2 / 3, over() + 1);
  return to_utf8(letters);
}

}  // namespace glassformer
