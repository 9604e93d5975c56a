#include "engine/layers/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "engine/math/error.h"

namespace glassformer {

double Schedule::rate(long steps) const {
  const long step = steps > from ? steps - from : steps;
  const auto s = static_cast<double>(step);
  const auto rise = static_cast<double>(warmup);
  if (kind == ScheduleKind::noam) {
    return factor * std::pow(d_model, -0.5) * std::min(std::pow(s, -0.5), s * std::pow(rise, -1.5));
  }
  if (kind == ScheduleKind::constant) return peak;
  if (step <= warmup) return peak * s / rise;
  if (step >= total_steps) return 0;
  const double done = (s - rise) / static_cast<double>(total_steps - warmup);
  return kind == ScheduleKind::linear ? peak * (1 - done)
                                      : peak * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

double Schedule::peak_rate() const {
  return kind == ScheduleKind::noam ? rate(from + std::max(1L, warmup)) : peak;
}

double noam_factor(double peak, int d_model, long warmup) {
  return peak * std::sqrt(static_cast<double>(d_model)) * std::sqrt(static_cast<double>(warmup));
}

void check(const Schedule& schedule) {
  const auto refuse = [](const char* name, const char* allowed, double found) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << name << " must be " << allowed << ", found " << found;
    throw Error("schedule", text.str());
  };
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  const bool noam = schedule.kind == ScheduleKind::noam;
  const bool falls = schedule.kind == ScheduleKind::linear || schedule.kind == ScheduleKind::cosine;
  if (noam && !positive(schedule.factor)) refuse("factor", "above 0", schedule.factor);
  if (noam && schedule.warmup < 1) refuse("warmup", "at least 1 step", static_cast<double>(schedule.warmup));
  if (!noam && !positive(schedule.peak)) refuse("peak", "above 0", schedule.peak);
  if (falls && schedule.warmup < 0)
    refuse("warmup", "at least 0 steps", static_cast<double>(schedule.warmup));
  if (falls && schedule.total_steps < 1) {
    refuse("total_steps", "at least 1 step", static_cast<double>(schedule.total_steps));
  }
}

ScheduleKind schedule_kind(std::string_view name) {
  if (name == "noam") return ScheduleKind::noam;
  if (name == "constant") return ScheduleKind::constant;
  if (name == "linear") return ScheduleKind::linear;
  if (name == "cosine") return ScheduleKind::cosine;
  throw Error("schedule", "expected noam, constant, linear or cosine, found " + std::string(name));
}

std::string schedule_name(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::noam:
      return "noam";
    case ScheduleKind::constant:
      return "constant";
    case ScheduleKind::linear:
      return "linear";
    case ScheduleKind::cosine:
      return "cosine";
  }
  return {};
}

}  // namespace glassformer
