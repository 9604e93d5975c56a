#include "app/reading/run_schedule.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

namespace {

Schedule schedule_of_options(const RunState& run, const Config& config) {
  const TrainingOptions& options = run.options;
  Schedule schedule;
  schedule.kind = schedule_kind(options.schedule);
  schedule.factor = options.factor;
  schedule.warmup = options.warmup;
  schedule.peak = options.peak;
  schedule.d_model = config.d_model;
  schedule.total_steps =
      options.total_steps > 0 ? options.total_steps : std::max(run.planned_steps, options.steps);
  return schedule;
}

}  // namespace

Schedule run_schedule(const RunState& run, const Config& config) {
  return run.schedule ? *run.schedule : schedule_of_options(run, config);
}

double run_rate(const RunState& run, const Schedule& planned, long step) {
  const bool been = run.curves && step >= 1 && step <= static_cast<long>(run.curves->steps.size());
  if (!been) return planned.rate(step) * run.live.rate_scale;
  return static_cast<double>(run.curves->steps[static_cast<std::size_t>(step - 1)].learning_rate);
}

long chart_steps(const RunState& run) {
  const long done = std::max(run.step, run.curves ? static_cast<long>(run.curves->steps.size()) : 0L);
  const long planned = run.planned_steps > 0 ? run.planned_steps : run.options.steps;
  const bool open = run.phase == RunPhase::training || run.phase == RunPhase::paused;
  if (done == 0)
    return planned > 0 && run.phase != RunPhase::none ? planned
                                                      : std::max({planned, 4 * run.options.warmup, 100L});
  constexpr long kShortest = 10;
  if (run.phase == RunPhase::none) return std::max(done, kShortest);
  if (done <= planned) return planned;
  if (!open) return std::max(done, kShortest);
  // In strides of a quarter, so that the axis stays fixed for a while.
  long end = std::max(planned, 100L);
  while (end <= done) end += std::max(1L, end / 4);
  return end;
}

namespace {

// The rates are still to come.
RateCurve rate_steps(const Schedule& schedule, long last, const std::vector<long>& corners) {
  // Steps that lie evenly on the square-root axis, and the corners of the curve.
  constexpr int kPoints = 400;
  std::vector<long> steps;
  for (int i = 0; i <= kPoints; ++i) {
    const double share = double(i) / kPoints;
    steps.push_back(std::clamp(std::lround(share * share * double(last)), 1L, std::max(1L, last)));
    steps.push_back(std::clamp(std::lround(share * double(last)), 1L, std::max(1L, last)));
  }
  for (const long corner : {schedule.warmup, schedule.warmup + 1, schedule.total_steps})
    if (corner >= 1 && corner <= last) steps.push_back(corner);
  for (const long corner : corners)
    if (corner >= 1 && corner <= last) steps.push_back(corner);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());

  RateCurve curve;
  for (const long step : steps) curve.steps.push_back(double(step));
  return curve;
}

}  // namespace

RateCurve rate_curve(const Schedule& schedule, long last) {
  RateCurve curve = rate_steps(schedule, last, {});
  for (const double step : curve.steps) curve.rates.push_back(schedule.rate(std::lround(step)));
  return curve;
}

RateCurve run_rate_curve(const RunState& run, const Schedule& planned, long last) {
  std::vector<long> changes;
  if (run.curves)
    for (const RunMark& mark : run.curves->marks) changes.insert(changes.end(), {mark.step, mark.step + 1});
  RateCurve curve = rate_steps(planned, last, changes);
  for (const double step : curve.steps) curve.rates.push_back(run_rate(run, planned, std::lround(step)));
  return curve;
}

std::string schedule_words(const Schedule& schedule) {
  std::string text = schedule_name(schedule.kind);
  if (schedule.kind == ScheduleKind::noam)
    return text + ", warm-up " + format_count(schedule.warmup) + ", factor " + format_short(schedule.factor) +
           ", d " + format_count(schedule.d_model);
  text += ", peak " + format_short(schedule.peak);
  if (schedule.kind != ScheduleKind::constant) text += ", warm-up " + format_count(schedule.warmup);
  return text;
}

std::string run_schedule_words(const RunState& run, const Config& config) {
  const std::string text = schedule_words(run_schedule(run, config));
  return run.live.rate_scale == 1 ? text : text + ", now × " + format_short(run.live.rate_scale);
}

}  // namespace glassformer
