// The values of a lesson's Scene lines: "cross 2", "beam 4 alpha 0.6", "query "fille" key 2".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/value.h"
#include "engine/decode/decode.h"
#include "engine/model/names.h"

namespace glassformer {

// All throw Mismatch.
AttentionKind attention_kind(const std::string& text);
// "greedy", "beam K alpha A", "sample temperature T top-k K top-p P seed N", in any order behind the first
// word.
DecodeOptions decode_options(const std::string& text);
// A word that stands there, "a"#2 the second of it, or a number from 0; `what` as an error calls them:
// "rows".
int place_in(const std::string& text, const std::vector<std::string>& words, const std::string& what);
// A whole number, at most 2^31; `what` as an error calls it: "step".
long whole_number(std::string_view text, const std::string& what, long from = 0);
// Words and quoted words between blanks: {"query", "\"la fille\"#2"}.
std::vector<std::string> words_of_line(const std::string& text);

}  // namespace glassformer
