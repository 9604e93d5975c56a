#include "app/canvas/canvas.h"

#include <algorithm>
#include <vector>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

// "1 000": three digits follow a digit.
bool inside_number(std::string_view before, std::string_view after) {
  const auto digit = [](std::string_view text, std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  return digit(before, before.size() - 1) && digit(after, 0) && digit(after, 1) && digit(after, 2) &&
         !digit(after, 3);
}

// The next blank that a line may end at, the text's end if there is none: a sign that is apart, as in
// "90 %", "4 × 16" and French quotation marks, stays with its word.
std::size_t next_break(std::string_view text, std::size_t from) {
  static constexpr std::string_view kBegins[] = {"%", "×", ":", ";", "?", "!", "»"}, kEnds[] = {"×", "«"};
  for (std::size_t at = text.find(' ', from); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    const std::string_view before = text.substr(0, at), after = text.substr(at + 1);
    const bool holds =
        inside_number(before, after) ||
        std::ranges::any_of(kBegins, [&](std::string_view sign) { return after.starts_with(sign); }) ||
        std::ranges::any_of(kEnds, [&](std::string_view sign) { return before.ends_with(sign); });
    if (!holds) return at;
  }
  return text.size();
}

// Lines as parts of the text, broken at blanks; '\n' always breaks. A word wider than the line is alone.
std::vector<std::string_view> lines_of(const Canvas& canvas, float width, std::string_view text,
                                       const TextStyle& style) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    do {
      // As many words as fit.
      std::size_t fits = rest.size();
      if (canvas.measure(rest, style).x > width) {
        // What belongs together is parted where it alone is wider than the line.
        const bool together = canvas.measure(rest.substr(0, next_break(rest, 0)), style).x <= width;
        const auto next = [&](std::size_t from) {
          return together ? next_break(rest, from) : std::min(rest.find(' ', from), rest.size());
        };
        std::size_t word_end = next(0);
        fits = word_end;
        while (word_end < rest.size()) {
          word_end = next(word_end + 1);
          if (canvas.measure(rest.substr(0, word_end), style).x > width) break;
          fits = word_end;
        }
      }
      lines.push_back(rest.substr(0, fits));
      rest.remove_prefix(std::min(fits + 1, rest.size()));
    } while (!rest.empty());
  }
  return lines;
}

}  // namespace

std::string elided(const Canvas& canvas, std::string_view text, const TextStyle& style, float width) {
  if (canvas.measure(text, style).x <= width) return std::string(text);
  const std::string dots = "…";
  if (canvas.measure(dots, style).x > width) return {};
  // Drop code points from the end until text and ellipsis fit.
  std::size_t fits = 0;
  for (std::size_t i = 0; i < text.size();) {
    next_code_point(text, i);
    if (canvas.measure(std::string(text.substr(0, i)) + dots, style).x > width) break;
    fits = i;
  }
  return std::string(text.substr(0, fits)) + dots;
}

float paragraph(Canvas& canvas, Point at, float width, std::string_view text, const TextStyle& style) {
  TextStyle line_style = style;
  line_style.y = AlignY::top;
  const float x = at.x + (style.x == AlignX::center ? width / 2 : style.x == AlignX::right ? width : 0);
  const float line_height = canvas.type_size(style) * kLineHeight;
  float y = at.y;
  for (std::string_view line : lines_of(canvas, width, text, style)) {
    canvas.text({x, y}, line, line_style);
    y += line_height;
  }
  return y - at.y;
}

float paragraph_height(const Canvas& canvas, float width, std::string_view text, const TextStyle& style) {
  return static_cast<float>(lines_of(canvas, width, text, style).size()) * canvas.type_size(style) *
         kLineHeight;
}

}  // namespace glassformer
