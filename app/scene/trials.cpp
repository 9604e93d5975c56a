#include "app/scene/trials.h"

#include "app/format/number_format.h"

namespace glassformer {

std::string trials_in_words(const TrialsState& state) {
  if (state.all == 0) return {};
  std::string words;
  for (const TrialsState::Learning& each : state.now) {
    words += (words.empty() ? "" : " · ") + std::to_string(each.number) + " of " + std::to_string(state.all) +
             ": " + each.name;
    if (each.preparing)
      words += ", preparing";
    else
      words += ", step " + format_count(each.step) +
               (each.steps > 0 ? " of " + format_count(each.steps) : std::string());
  }
  if (!words.empty()) return words;
  const std::string of = std::to_string(state.over - state.problems.size()) + " of " +
                         std::to_string(state.all) + (state.all == 1 ? " run" : " runs");
  if (state.cancelled) return of + " reached the end, the others were cancelled.";
  return state.problems.empty() ? "All " + std::to_string(state.all) + " runs are trained."
                                : of + " are trained. " + state.problems.front();
}

}  // namespace glassformer
