#include "engine/model/steps/step_check.h"

#include <cmath>

#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {
namespace {

// Adds to one number of one named value as it passes.
class NudgeTap : public Tap<double> {
 public:
  NudgeTap(const StoredCell& cell, double amount) : cell_(cell), amount_(amount) {}

  void operator()(const TapPoint& point, MatrixRef<double> value) override {
    if (point.gradient || point.name != cell_.name) return;
    if (point.shape == TapShape::attention && point.head != cell_.head) return;
    Eigen::Index row = cell_.row, column = cell_.column;
    if (point.shape == TapShape::heads) column += cell_.head * (value.cols() / point.heads);
    if (point.shape != TapShape::attention && point.shape != TapShape::table) row -= point.first_row;
    if (row < 0 || row >= value.rows() || column < 0 || column >= value.cols()) return;
    value(row, column) += amount_;
    ++met;
  }

  int met = 0;

 private:
  const StoredCell& cell_;
  double amount_;
};

void nudge_parameter(Transformer<double>& model, const StoredCell& cell, double amount) {
  model.visit([&](const std::string& name, Parameter<double> tensor) {
    if (name == cell.name) tensor.data[cell.row * tensor.columns + cell.column] += amount;
  });
}

}  // namespace

bool can_check(const StoredCell& cell) {
  if (cell.store == OperandStore::parameter_gradient) return true;
  return cell.store == OperandStore::gradient && cell.name != output_value(ValueKind::log_probabilities) &&
         cell.name != output_value(ValueKind::token_loss);
}

SlopeCheck check_slope(const Transformer<float>& unchanged, const TraceInput& input,
                       const TraceOptions& options, const StoredCell& asked, double amount) {
  if (!can_check(asked)) throw Error("slope of " + asked.name, "the loss is not computed from this number");
  const Transformer<double> unchanged_exact = unchanged.cast<double>();
  const ChangedModel<double> changed(unchanged_exact, options.what_if, options.substitutes);
  Transformer<double> exact = changed.model();
  Batch batch = make_batch(input.sources, input.targets, exact.config);
  changed.change(batch);

  // A row of the table passes only after it was multiplied by sqrt(d).
  StoredCell cell = asked;
  double stretch = 1;
  if (auto name = read_name(cell.name); name && name->value == ValueKind::lookup) {
    name->value = ValueKind::embedding;
    cell.name = written(*name);
    stretch = std::sqrt(static_cast<double>(exact.config.d_model));
  }
  const bool parameter = cell.store == OperandStore::parameter_gradient;
  const auto loss = [&](double by) {
    if (parameter) nudge_parameter(exact, cell, by);
    NudgeTap nudge(cell, by * stretch);
    WhatIfTap<double> tap = changed.tap(&nudge);
    tap.rows_of(batch);
    Saved<double> saved;
    exact.forward(batch, saved, tap);
    const double found = exact.loss(batch, saved, {options.smoothing, false}, tap).loss;
    if (parameter) nudge_parameter(exact, cell, -by);
    if (!parameter && nudge.met == 0)
      throw Error("slope of " + cell.name, "no such number passes in this sentence");
    return found;
  };
  return {.amount = amount, .above = loss(amount), .below = loss(-amount)};
}

}  // namespace glassformer
