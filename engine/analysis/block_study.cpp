#include "engine/analysis/block_study.h"

#include <cassert>
#include <span>

#include "engine/analysis/statistics.h"

namespace glassformer {

namespace {

double length_of_row(const Plane& plane, int row) {
  const auto width = static_cast<std::size_t>(plane.columns);
  return summarize(std::span(plane.data + static_cast<std::size_t>(row) * width, width)).norm;
}

}  // namespace

std::vector<double> relative_changes(const Plane& stream, const Plane& added) {
  assert(stream.rows == added.rows);
  std::vector<double> changes;
  for (int row = 0; row < stream.rows; ++row)
    changes.push_back(length_of_row(added, row) / length_of_row(stream, row));
  return changes;
}

std::vector<UnitActivity> unit_activity(const Plane& hidden) {
  std::vector<UnitActivity> units(static_cast<std::size_t>(hidden.columns));
  for (int row = 0; row < hidden.rows; ++row) {
    for (int column = 0; column < hidden.columns; ++column) {
      if (!(hidden(row, column) > 0)) continue;
      UnitActivity& unit = units[static_cast<std::size_t>(column)];
      ++unit.firing;
      if (unit.strongest < 0 || hidden(row, column) > hidden(unit.strongest, column)) unit.strongest = row;
    }
  }
  return units;
}

FiringSummary firing_summary(const std::vector<UnitActivity>& units, int words) {
  FiringSummary summary;
  long firing = 0;
  for (const UnitActivity& unit : units) {
    firing += unit.firing;
    summary.never += unit.firing == 0;
    summary.always += words > 0 && unit.firing == words;
  }
  const auto all = static_cast<double>(units.size()) * words;
  if (all > 0) summary.share = static_cast<double>(firing) / all;
  return summary;
}

}  // namespace glassformer
