// Clipping and Adam for one weight.
#include "engine/model/steps/step_list.h"

namespace glassformer {
namespace {

Operand number(const char* symbol, const char* name) {
  return {symbol, OperandStore::update, name, Extent::one, Extent::one};
}

StepKind rate_kind(ScheduleKind schedule) {
  switch (schedule) {
    case ScheduleKind::noam:
      return StepKind::noam_rate;
    case ScheduleKind::constant:
      return StepKind::constant_rate;
    case ScheduleKind::linear:
      return StepKind::linear_rate;
    case ScheduleKind::cosine:
      return StepKind::cosine_rate;
  }
  return StepKind::noam_rate;
}

}  // namespace

void add_update(StepList& list) {
  const StepPlace at{StepPhase::update, StepBlock::adam, false};
  const ChosenWeight& weight = *list.options.weight;
  Operand cell{"dW", OperandStore::parameter_gradient, weight.name, Extent::one, Extent::one};
  cell.first_row = weight.row;
  cell.first_column = weight.column;
  const Operand gradient = number("g", "gradient"), norm = number("|g|", "gradient_norm"),
                clipped = number("g′", "clipped"), rate = number("rate", "rate"), m = number("m′", "m"),
                v = number("v′", "v"), m_hat = number("corrected m′", "m_hat"),
                v_hat = number("corrected v′", "v_hat"), beta1 = number("β_1", "beta1"),
                beta2 = number("β_2", "beta2"), count = number("s", "count");

  list.add(StepKind::chosen_gradient, at, {cell}, gradient);
  if (list.options.clip) {
    list.add(StepKind::gradient_norm, at, {}, norm);
    list.add(StepKind::clip, at, {gradient, norm, number("c", "clip")}, clipped);
  } else {
    list.add(StepKind::no_clip, at, {gradient}, clipped).off = true;
  }
  list.add(StepKind::first_moment, at, {number("m", "old_m"), clipped, beta1}, m);
  list.add(StepKind::second_moment, at, {number("v", "old_v"), clipped, beta2}, v);
  list.add(StepKind::correct_first, at, {m, beta1, count}, m_hat);
  list.add(StepKind::correct_second, at, {v, beta2, count}, v_hat);
  list.add(rate_kind(list.options.schedule), at, {}, rate);
  list.add(StepKind::new_weight, at, {number("w", "old_weight"), rate, m_hat, v_hat, number("ε", "eps")},
           number("w′", "new_weight"));
}

}  // namespace glassformer
