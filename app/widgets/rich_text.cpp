#include "app/widgets/rich_text.h"

#include <algorithm>
#include <vector>

namespace glassformer {
namespace {

struct Word {
  std::string_view text;
  bool bold = false;
  bool blank_before = false;
};

// Cut at blanks and at "**", which turns SemiBold on and off.
std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  bool bold = false, blank = false;
  std::size_t from = 0;
  const auto close = [&](std::size_t end) {
    if (end > from) {
      words.push_back({text.substr(from, end - from), bold, blank});
      blank = false;
    }
  };
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size()) {
      close(i);
    } else if (text[i] == ' ') {
      close(i);
      blank = true;
      from = i + 1;
    } else if (text.substr(i, 2) == "**") {
      close(i);
      bold = !bold;
      from = i + 2;
      ++i;
    }
  }
  return words;
}

}  // namespace

float draw_rich_text(Canvas& canvas, Point at, float width, std::string_view text,
                     const RichTextStyle& style) {
  TextStyle plain = style.plain, bold = style.plain;
  plain.x = bold.x = AlignX::left;
  plain.y = bold.y = AlignY::baseline;
  bold.font = Font::semibold;
  if (style.bold_size > 0) bold.size = style.bold_size;
  bold.color = style.bold_color.visible() ? style.bold_color : canvas.theme().ink;
  const float largest = std::max(plain.size, bold.size), line_height = largest * kLineHeight;
  const float baseline = line_height / 2 + largest * 0.3635f;  // capitals of Inter centred in the line
  const float blank = canvas.measure(" ", plain).x;

  const std::vector<Word> words = words_of(text);
  float x = 0, y = 0;
  for (std::size_t i = 0; i < words.size();) {
    // Words without a blank between them stay together.
    std::size_t end = i;
    float together = 0;
    do {
      together += canvas.measure(words[end].text, words[end].bold ? bold : plain).x;
      ++end;
    } while (end < words.size() && !words[end].blank_before);
    if (words[i].blank_before && x > 0) x += blank;
    if (x > 0 && x + together > width) {
      x = 0;
      y += line_height;
    }
    for (; i < end; ++i) {
      const TextStyle& word_style = words[i].bold ? bold : plain;
      canvas.text({at.x + x, at.y + y + baseline}, words[i].text, word_style);
      x += canvas.measure(words[i].text, word_style).x;
    }
  }
  return words.empty() ? 0 : y + line_height;
}

}  // namespace glassformer
