#include "engine/text/categories.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

struct SignRange {
  char32_t first, last;
};

utf8proc_category_t category_of(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool is_between(utf8proc_category_t category, utf8proc_category_t first, utf8proc_category_t last) {
  return category >= first && category <= last;
}

}  // namespace

bool is_white_space(char32_t c) {
  return is_blank(c) && (c < 0x1C || c > 0x1F);
}

bool is_word_sign(char32_t c) {
  const utf8proc_category_t category = category_of(c);
  const bool joiner = c == 0x200C || c == 0x200D;
  const bool circled = (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
                       (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
  return is_between(category, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_NL) ||
         category == UTF8PROC_CATEGORY_PC || joiner || circled;
}

bool is_decimal_or_number(char32_t c) {
  return is_between(category_of(c), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool is_letter_by_category(char32_t c) {
  return is_between(category_of(c), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

bool is_mark(char32_t c) {
  return is_between(category_of(c), UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME);
}

bool is_plain_mark(char32_t c) {
  return category_of(c) == UTF8PROC_CATEGORY_MN;
}

bool is_private(char32_t c) {
  return category_of(c) == UTF8PROC_CATEGORY_CO;
}

std::vector<std::string> split_at_signs(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false, of_word = false;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t sign = next_code_point(text, i);
    const bool blank = is_white_space(sign), word = is_word_sign(sign);
    if (!blank && (!inside || word != of_word)) words.emplace_back();
    if (!blank) append_utf8(words.back(), sign);
    inside = !blank, of_word = word;
  }
  return words;
}

bool is_bert_punctuation(char32_t c) {
  const bool ascii_sign = (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) ||
                          (c >= 0x7B && c <= 0x7E);
  return ascii_sign || is_between(category_of(c), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}

bool is_bert_blank(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || category_of(c) == UTF8PROC_CATEGORY_ZS;
}

bool is_bert_dropped(char32_t c) {
  const utf8proc_category_t category = category_of(c);
  return c == kReplacement || category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF;
}

bool is_chinese(char32_t c) {
  constexpr std::array<SignRange, 6> kRanges = {{
      {0x4E00, 0x9FFF},
      {0x3400, 0x4DBF},
      {0x20000, 0x2A6DF},
      {0x2A700, 0x2CEAF},
      {0xF900, 0xFAFF},
      {0x2F800, 0x2FA1F},
  }};
  return std::ranges::any_of(kRanges, [&](SignRange each) { return c >= each.first && c <= each.last; });
}

}  // namespace glassformer
