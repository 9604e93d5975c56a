// The Scene lines of lessons and sessions, and their values: "cross 2", "beam 4 alpha 0.6", "query "fille"
// key 2". What is written here is read back the same.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_lines.h"
#include "app/lessons/value.h"
#include "app/scene/selection.h"
#include "engine/decode/decode.h"
#include "engine/model/names.h"

namespace glassformer {

inline constexpr int kMostBeam = 1000;  // hypotheses of a decode line

// The words that Scene lines begin with.
inline constexpr std::array<std::string_view, 15> kSceneWords = {
    "model", "source",  "target", "step",    "view", "kind",  "layer", "head",
    "pin",   "what-if", "decode", "compare", "set",  "train", "seed"};
bool is_scene_word(std::string_view word);

// All throw Mismatch. A line whose value may be of its keyword, as far as that is known without a model.
SceneLine scene_line(const LessonLine& line);
AttentionKind attention_kind(const std::string& text);
std::string attention_text(AttentionKind kind);
// "greedy", "beam K alpha A", "sample temperature T top-k K top-p P seed N", in any order behind the first
// word; "width K" is the beam's where the search is another one.
DecodeOptions decode_options(const std::string& text);
// What a Scene may set of them; the rest is what each view itself asks for.
std::string decode_text(const DecodeOptions& options);
// "query 3 key 3 query 4": the first of each is the one explained; then "cell NAME[0,1]" or "gradient
// NAME[0,1]". Empty: nothing is pinned.
std::string pin_text(const Selection& selection);
CellRef cell_of(const std::string& text);
// ""training/Loss axis" Log": a control and its value, each in quotes where it has blanks.
std::pair<std::string, std::string> control_and_value(const std::string& text);
std::string control_text(const std::string& control, const std::string& value);
// A word that is there, "a"#2 the second of it, or a number from 0; `what` as an error calls them:
// "rows".
int place_in(const std::string& text, const std::vector<std::string>& words, const std::string& what);
// A whole number, at most 2^31; `what` as an error calls it: "step".
long whole_number(std::string_view text, const std::string& what, long from = 0);
// Words and quoted words between blanks: {"query", "\"la fille\"#2"}.
std::vector<std::string> words_of_line(const std::string& text);

}  // namespace glassformer
