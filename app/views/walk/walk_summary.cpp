#include "app/views/walk/walk_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/views/walk/walk_layout.h"

namespace glassformer {

namespace {

constexpr long kAtOnce = 100'000;  // numbers, about half a millisecond

std::vector<Operand> long_operands(const WalkScene& scene, const Step& step) {
  std::vector<Operand> found;
  for (const WalkOperand& each : walk_operands(step)) {
    const bool stretch =
        walk_stretches(scene, each.operand.rows) || walk_stretches(scene, each.operand.columns);
    if (stretch) found.push_back(each.operand);
  }
  return found;
}

WalkSummary summary_of(const WalkScene& scene, const Operand& operand) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  WalkSummary summary{operand.name, operand.store, kInfinity, -kInfinity};
  double sum = 0;
  long count = 0;
  const OperandNumbers numbers = scene.numbers().of(operand);
  for (int row = 0; numbers.recorded() && row < numbers.rows; ++row) {
    for (int column = 0; column < numbers.columns; ++column) {
      const auto value = static_cast<double>(numbers(row, column));
      if (!std::isfinite(value)) continue;
      summary.lowest = std::min(summary.lowest, value);
      summary.highest = std::max(summary.highest, value);
      sum += value;
      ++count;
    }
  }
  if (count > 0) summary.mean = sum / static_cast<double>(count);
  return summary;
}

}  // namespace

std::vector<WalkSummary> walk_summaries(SummaryCache& cache, const std::shared_ptr<const WalkScene>& scene,
                                        int step, bool at_once) {
  const std::vector<Operand> operands = long_operands(*scene, scene->steps[static_cast<std::size_t>(step)]);
  if (operands.empty()) return {};
  long count = 0;
  for (const Operand& operand : operands) {
    const StepNumbers numbers = scene->numbers();
    count += static_cast<long>(numbers.sizes().of(operand.rows)) * numbers.sizes().of(operand.columns);
  }
  const auto found = cache.get(SummaryKey{scene, step}, at_once || count <= kAtOnce, [scene, operands] {
    std::vector<WalkSummary> made;
    for (const Operand& operand : operands) made.push_back(summary_of(*scene, operand));
    return made;
  });
  return found.current ? *found.value : std::vector<WalkSummary>{};
}

std::string summary_words(const std::vector<WalkSummary>& summaries, const Operand& operand) {
  for (const WalkSummary& each : summaries) {
    if (each.name == operand.name && each.store == operand.store && each.lowest <= each.highest)
      return "all " + format_short(each.lowest) + " to " + format_short(each.highest) + ", mean " +
             format_short(each.mean);
  }
  return {};
}

}  // namespace glassformer
