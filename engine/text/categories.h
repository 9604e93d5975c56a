// What a sign is by the tables of Unicode (utf8proc's), for tokenizers that others made: their cuts follow
// these tables to the letter, where unicode.h knows what our own need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

bool is_white_space(char32_t c);  // Unicode's White_Space, what \s means
bool is_word_sign(char32_t c);    // \w: letters, marks, decimal digits, joiners and what binds words (_)
bool is_decimal_or_number(char32_t c);   // categories Nd, Nl and No
bool is_letter_by_category(char32_t c);  // \p{L}
bool is_mark(char32_t c);                // \p{M}
bool is_plain_mark(char32_t c);          // a mark that takes no room (Mn): an accent
bool is_private(char32_t c);             // of private use (Co)

// \w+|[^\w\s]+: runs of word signs and runs of others that are no blanks.
std::vector<std::string> split_at_signs(std::string_view text);

// As BERT has them.
bool is_bert_punctuation(char32_t c);  // what ASCII has besides letters and digits, and Unicode's category P
bool is_bert_blank(char32_t c);        // tab, line ends and blanks of category Zs
bool is_bert_dropped(char32_t c);      // control and format characters, and what could not be read
bool is_chinese(char32_t c);

}  // namespace glassformer
