#include "engine/train/history.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>

#include "engine/math/error.h"
#include "engine/model/transformer.h"

namespace glassformer {
namespace {

using Floats = Eigen::Array<float, Eigen::Dynamic, 1>;
using Shorts = Eigen::Array<std::int16_t, Eigen::Dynamic, 1>;

constexpr float kUnits = 32767;  // in the largest number of a row

// Where a step stands on the training slider.
double place(long step) {
  return std::sqrt(static_cast<double>(step));
}

bool all_finite(const Transformer<float>& weights) {
  bool finite = true;
  weights.visit([&](const std::string&, const Parameter<const float>& tensor) {
    finite =
        finite && Eigen::Map<const Floats>(tensor.data, static_cast<Eigen::Index>(tensor.size())).allFinite();
  });
  return finite;
}

}  // namespace

KeptWeights::KeptWeights(const Transformer<float>& weights, long step)
    : config_(weights.config), step_(step) {
  if (!all_finite(weights)) {
    weights_ = std::make_shared<const Transformer<float>>(weights);
    return;
  }
  numbers_.resize(weights.parameter_count());
  std::int16_t* to = numbers_.data();
  weights.visit([&](const std::string&, const Parameter<const float>& tensor) {
    for (int i = 0; i < tensor.rows; ++i, to += tensor.columns) {
      const Eigen::Map<const Floats> row(tensor.data + static_cast<std::ptrdiff_t>(i) * tensor.columns,
                                         tensor.columns);
      const float unit = row.abs().maxCoeff() / kUnits;
      units_.push_back(unit);
      Eigen::Map<Shorts> kept(to, tensor.columns);
      if (unit > 0) {
        kept = (row / unit).round().min(kUnits).max(-kUnits).cast<std::int16_t>();
      } else {
        kept.setZero();
      }
    }
  });
}

std::size_t KeptWeights::bytes() const {
  if (whole()) return weights_->parameter_count() * sizeof(float);
  return numbers_.size() * sizeof(std::int16_t) + units_.size() * sizeof(float);
}

std::shared_ptr<const Snapshot> KeptWeights::snapshot() const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->config = config_;
  snapshot->step = step_;
  snapshot->validation_loss = std::nan("");
  snapshot->weights = weights_;
  if (whole()) return snapshot;
  auto weights = std::make_shared<Transformer<float>>(config_);
  const std::int16_t* from = numbers_.data();
  const float* unit = units_.data();
  weights->visit([&](const std::string&, const Parameter<float>& tensor) {
    for (int i = 0; i < tensor.rows; ++i, from += tensor.columns, ++unit) {
      Eigen::Map<Floats>(tensor.data + static_cast<std::ptrdiff_t>(i) * tensor.columns, tensor.columns) =
          Eigen::Map<const Shorts>(from, tensor.columns).cast<float>() * *unit;
    }
  });
  snapshot->weights = std::move(weights);
  return snapshot;
}

History::History(std::size_t budget) : budget_(budget) {}

bool History::wants(long step) const {
  return kept_.empty() || place(step) - place(kept_.back()->step()) > spacing_ / 2;
}

void History::add(const Transformer<float>& weights, long step) {
  if (!kept_.empty() && step <= kept_.back()->step())
    throw Error("history", "step " + std::to_string(step) + " is not later than step " +
                               std::to_string(kept_.back()->step()) + ", which is kept already");
  kept_.push_back(std::make_shared<const KeptWeights>(weights, step));
  bytes_ += kept_.back()->bytes();
  thin();
}

void History::keep_best(long step) {
  const auto is_it = [&](const auto& kept) { return kept->step() == step; };
  if (std::any_of(kept_.begin(), kept_.end(), is_it)) best_ = step;
}

std::shared_ptr<const KeptWeights> History::nearest(long step) const {
  if (kept_.empty()) return nullptr;
  const auto distance = [&](const auto& kept) { return std::abs(place(kept->step()) - place(step)); };
  return *std::min_element(kept_.begin(), kept_.end(),
                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

void History::thin() {
  while (bytes_ > budget_) {
    // The step between the closest neighbours; where only the first, the best and the newest are left, the
    // best and then the first.
    std::size_t closest = 0;
    double gap = 0;
    for (std::size_t i = 1; i + 1 < kept_.size(); ++i) {
      const double between = place(kept_[i + 1]->step()) - place(kept_[i - 1]->step());
      if (kept_[i]->step() != best_ && (closest == 0 || between < gap)) {
        closest = i;
        gap = between;
      }
    }
    if (closest == 0 && kept_.size() == 3) closest = 1;
    spacing_ = std::max(spacing_, gap);
    bytes_ -= kept_[closest]->bytes();
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(closest));
  }
}

}  // namespace glassformer
