// What the numbers of the head report say in words.
#pragma once

#include <optional>
#include <string>

#include "engine/train/head_report.h"

namespace glassformer {

// What a head does with most of its weight, by its measured shares alone.
struct HeadHabit {
  std::string brief;  // "previous", for a column
  std::string words;  // "reads the previous word"
  double share = 0;   // 0 to 1: the weight there; of "spread" the largest weight of a row
};
inline constexpr double kHabitShare = 0.5;    // weight that goes to one kind of place, at the least
inline constexpr double kSpreadShare = 0.25;  // largest weight of a row, on average, at the most
// The largest of the shares that pass; nothing where none does, and of a sub-block.
std::optional<HeadHabit> habit_of(const PartRow& row);
std::string habit_rule();  // a sentence

// "9 of 24 heads can be muted, each time the one that costs least, before exact match falls below 97.5 %:
// ..."
enum class PruneOrder { stepwise, one_shot };
std::string reach_words(const HeadReport& report, PruneOrder order);
std::string reach_words(const HeadReport& report);  // of both orders, with the rule
std::string reach_rule();                           // a sentence: what falls means, and what the interval is

}  // namespace glassformer
