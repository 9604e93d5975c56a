// What the numbers of the head report say in words.
#pragma once

#include <optional>
#include <string>

#include "engine/train/head_report.h"

namespace glassformer {

std::string row_name(const Change& part);  // "cross 2, head 1", "decoder feed-forward 1"

// Whether a part can be taken out, by what that alone costs.
enum class CanGo { yes, perhaps, no };
CanGo can_go(const PartRow& row);
const char* can_go_word(CanGo answer);                               // "yes", "perhaps", "no"
std::string can_go_rule();                                           // sentences
double points_lost(const PartRow& row);                              // of exact match, in points of a hundred
double right_without(const HeadReport& report, const PartRow& row);  // exact match, 0 to 1

// The report in two sentences: which heads can go together, by the stepwise curve, and what is left without
// three and six. Both may be empty: there is no curve yet.
struct HeadSentences {
  std::string can_go, left;
};
HeadSentences head_sentences(const HeadReport& report);
// "3 of 10 sub-blocks can go, each taken out alone: …"; nothing is left to be said, as there is no curve of
// them.
HeadSentences sub_block_sentences(const HeadReport& report);

// Of fewer pairs than this the report warns.
inline constexpr int kFewPairs = 30;
std::string few_pairs_words(int pairs);  // a sentence; empty: they are enough

// What a head does with most of its weight, by its measured shares alone.
struct HeadHabit {
  std::string brief;  // "the word before", for a column
  std::string words;  // "reads the previous word"
  double share = 0;   // 0 to 1: the weight there
};
inline constexpr double kHabitShare = 0.5;  // weight that goes to one kind of place, at the least
// The largest of the shares that pass; nothing where none does, and of a sub-block.
std::optional<HeadHabit> habit_of(const PartRow& row);

// The same for a column: its habit, else the word that it most often reads most, else "no fixed place".
struct HeadReads {
  std::string words;
  double share = 0;          // 0 to 1; NaN: no fixed place
  bool of_rows = false;      // the share counts rows, not weight
  std::string text() const;  // "62 %", "33 % of rows"
};
inline constexpr double kWordShare = 0.25;  // rows in which that word has the most, at the least
// `word`: the one that it most often reads most. Empty words: of a sub-block.
HeadReads reads_of(const PartRow& row, const std::string& word);
std::string habit_rule();  // sentences

// "9 of 24 heads can be muted, each time the one that costs least, before exact match falls below 97.5 %:
// ..."
enum class PruneOrder { stepwise, one_shot };
std::string reach_words(const HeadReport& report, PruneOrder order);
std::string reach_rule();  // a sentence: what falls means, and what the interval is

}  // namespace glassformer
