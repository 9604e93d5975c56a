// The learning rate over the steps of a training run (paper, section 5.3, and the shapes people compare it
// with).
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

enum class ScheduleKind {
  noam,  // factor * d^-0.5 * min(s^-0.5, s * warmup^-1.5): rises for `warmup` steps, then falls as 1/sqrt(s)
  constant,  // peak, no warm-up
  linear,    // peak * s/warmup, then straight down to 0 at total_steps, 0 after
  cosine,    // the same rise, then half a cosine down to 0 at total_steps, 0 after
};

struct Schedule {
  ScheduleKind kind = ScheduleKind::noam;
  double factor = 1;     // noam
  long warmup = 4000;    // noam, linear, cosine: steps
  double peak = 1e-3;    // constant, linear, cosine
  long total_steps = 0;  // linear, cosine
  int d_model = 512;     // noam: d
  long from = 0;         // the step after which it begins anew: a plan that was extended

  double rate(long step) const;  // step = 1, 2, ...
  double peak_rate() const;      // the highest: where the warm-up ends
  bool operator==(const Schedule&) const = default;
};

// The factor with which noam rises to this rate at the end of its warm-up.
double noam_factor(double peak, int d_model, long warmup);

// Throws Error naming the setting, what is allowed and what was found.
void check(const Schedule& schedule);

ScheduleKind schedule_kind(std::string_view name);  // "noam", "constant", "linear", "cosine"; throws Error
std::string schedule_name(ScheduleKind kind);

}  // namespace glassformer
