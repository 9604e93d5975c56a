#include "app/reading/head_words.h"

#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

std::optional<HeadHabit> habit_of(const PartRow& row) {
  if (row.part.kind != ChangeKind::mute_head) return std::nullopt;
  const HeadReading& reads = row.reading.attention;
  const bool cross = kind_of(row.part) == AttentionKind::cross;
  std::optional<HeadHabit> habit;
  const auto offer = [&](const char* brief, const char* words, double share) {
    if (share >= kHabitShare && (!habit || share > habit->share)) habit = {brief, words, share};
  };
  offer("previous", cross ? "reads one place before its own" : "reads the previous word", reads.previous);
  offer("next", cross ? "reads one place behind its own" : "reads the next word", reads.next);
  offer(cross ? "same place" : "itself", cross ? "reads the same place" : "reads its own word",
        reads.same_place);
  offer("<bos>", "reads <bos>", reads.bos);
  offer("<eos>", "reads <eos>", reads.eos);
  // Few rows have such a key: it speaks where nothing else does.
  if (!habit) offer("same word", "reads the same word, where it stands elsewhere too", reads.same_word);
  if (!habit && reads.largest <= kSpreadShare)
    habit = {"spread", "spread: its largest weight is small", reads.largest};
  return habit;
}

std::string habit_rule() {
  return "In words where at least " + format_percent(kHabitShare) +
         " of the weight goes to one kind of place, the largest such share; “spread” where the largest "
         "weight of a row is " +
         format_probability(kSpreadShare) + " or less. Else the word it most often reads most.";
}

std::string reach_words(const HeadReport& report, PruneOrder order) {
  const bool stepwise = order == PruneOrder::stepwise;
  const std::vector<PrunePoint>& curve = stepwise ? report.stepwise : report.one_shot;
  if (curve.size() < 2) return "";
  const auto heads = static_cast<long long>(curve.size()) - 1;
  const std::string how = stepwise ? "each time the one that costs least" : "in one-shot order";
  if (report.exact_match <= 0) return "Exact match is 0 as the model is: muting heads cannot lower it.";
  const PruneReach reach = prune_reach(curve);
  const std::string least = format_percent(std::max(0.0, reach.least), 1);
  if (reach.muted == 0)
    return "No head can be muted, " + how + ", before exact match falls below " + least + ".";
  std::string text = format_count(reach.muted) + " of " + format_count(heads) + " heads can be muted, " + how;
  text += reach.muted == heads ? ": exact match never falls below " + least
                               : ", before exact match falls below " + least;
  const Difference& change = reach.at.exact_change;
  return text + " (at " + format_count(reach.muted) + ": " + format_percent(reach.at.exact_match, 1) + ", " +
         format_signed(100 * change.mean, 1) + " points, " + format_signed(100 * change.low, 1) + " to " +
         format_signed(100 * change.high, 1) + ").";
}

std::string reach_words(const HeadReport& report) {
  const std::string stepwise = reach_words(report, PruneOrder::stepwise),
                    one_shot = reach_words(report, PruneOrder::one_shot);
  if (stepwise.empty() && one_shot.empty()) return "";
  // What holds in either order is said once, and a rule where something can fall.
  if (report.exact_match <= 0) return stepwise;
  return stepwise + " " + one_shot + " " + reach_rule();
}

std::string reach_rule() {
  return "Falls: by more than " + format_fixed(100 * kPruneFall, 0) +
         " point of a hundred below the model as it is, at the first such number of heads. Behind it the "
         "change with its two-sided interval of 95 %, pair by pair.";
}

}  // namespace glassformer
