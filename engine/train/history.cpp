#include "engine/train/history.h"

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {
namespace {

using Floats = Eigen::Array<float, Eigen::Dynamic, 1>;
using Shorts = Eigen::Array<std::int16_t, Eigen::Dynamic, 1>;

constexpr float kUnits = 32767;         // in the largest number of a row
constexpr int kPiece = 32768;           // numbers that one thread takes at a time
constexpr std::size_t kMostKept = 300;  // as many as the slider has places for

// Where a step is on the training slider.
double place(long step) {
  return std::sqrt(static_cast<double>(step));
}

// A plain loop that the compiler turns into vector instructions; Eigen converts to short numbers one by one.
void round_to_units(const float* from, float units, int count, std::int16_t* to) {
  for (int i = 0; i < count; ++i) {
    const float exact = from[i] * units;
    to[i] = static_cast<std::int16_t>(static_cast<int>(exact + std::copysign(0.5F, exact)));
  }
}

}  // namespace

// Some rows of one parameter, and where they go.
struct RowsOfWeights {
  const float* from;
  int rows, columns;
  Eigen::Index to, unit;
};

namespace {

// False when a number is not finite.
bool round_rows(const RowsOfWeights& piece, std::int16_t* to, float* unit) {
  const float* from = piece.from;
  for (int i = 0; i < piece.rows; ++i, from += piece.columns, to += piece.columns, ++unit) {
    const float largest = Eigen::Map<const Floats>(from, piece.columns).abs().maxCoeff<Eigen::PropagateNaN>();
    if (!std::isfinite(largest)) return false;
    *unit = largest / kUnits;
    // A row of next to nothing is kept as zeros.
    round_to_units(from, *unit >= std::numeric_limits<float>::min() ? 1 / *unit : 0, piece.columns, to);
  }
  return true;
}

}  // namespace

template <class Model>
std::shared_ptr<const KeptWeightsOf<Model>> KeptWeightsOf<Model>::of(const Model& weights, long step,
                                                                     WorkerPool* pool) {
  std::shared_ptr<KeptWeightsOf> made(new KeptWeightsOf);
  made->config_ = weights.config;
  made->step_ = step;
  Numbers& numbers = made->numbers_;
  std::vector<RowsOfWeights> pieces;
  Eigen::Index count = 0, rows = 0;
  weights.visit([&](const std::string&, const Parameter<const float>& tensor) {
    const int most = std::max(1, kPiece / tensor.columns);
    for (int i = 0; i < tensor.rows; i += most) {
      const RowsOfWeights piece{tensor.data + static_cast<std::ptrdiff_t>(i) * tensor.columns,
                                std::min(most, tensor.rows - i), tensor.columns, count, rows};
      count += static_cast<Eigen::Index>(piece.rows) * piece.columns;
      rows += piece.rows;
      pieces.push_back(piece);
    }
  });
  numbers.weights.resize(count);
  numbers.units.resize(rows);
  std::atomic<bool> finite = true;
  run_on(count > kPiece ? pool : nullptr, static_cast<int>(pieces.size()), [&](int index) {
    const RowsOfWeights& piece = pieces[static_cast<std::size_t>(index)];
    if (!round_rows(piece, numbers.weights.data() + piece.to, numbers.units.data() + piece.unit))
      finite = false;
  });
  if (!finite) return nullptr;
  made->bytes_ =
      static_cast<std::size_t>(count) * sizeof(std::int16_t) + static_cast<std::size_t>(rows) * sizeof(float);
  return made;
}

template <class Model>
KeptWeightsOf<Model>::KeptWeightsOf(const ConfigOf<Model>& config, long step, const std::string& file)
    : config_(config), step_(step), file_(file) {
  std::error_code absent;
  bytes_ = std::filesystem::file_size(file, absent);
  if (absent)
    throw Error(file, "the weights kept of step " + std::to_string(step) + " are not there any more");
}

template <class Model>
typename KeptWeightsOf<Model>::Numbers KeptWeightsOf<Model>::read() const {
  const Safetensors file = Safetensors::read(file_);
  const std::vector<std::int16_t> weights = file.shorts("weights");
  const std::vector<float> units = file.floats("units");
  return {Eigen::Map<const Shorts>(weights.data(), static_cast<Eigen::Index>(weights.size())),
          Eigen::Map<const Floats>(units.data(), static_cast<Eigen::Index>(units.size()))};
}

template <class Model>
std::shared_ptr<const SnapshotOf<Model>> KeptWeightsOf<Model>::snapshot() const {
  const Numbers in_file = file_.empty() ? Numbers() : read();
  const Numbers& numbers = file_.empty() ? numbers_ : in_file;
  auto weights = std::make_shared<Model>(config_);
  Eigen::Index rows = 0;
  weights->visit([&](const std::string&, const Parameter<float>& tensor) { rows += tensor.rows; });
  if (numbers.weights.size() != static_cast<Eigen::Index>(weights->parameter_count()) ||
      numbers.units.size() != rows)
    throw Error(file_, "it holds " + std::to_string(numbers.weights.size()) + " weights, the model has " +
                           std::to_string(weights->parameter_count()) + "; the file is damaged");

  const std::int16_t* from = numbers.weights.data();
  const float* unit = numbers.units.data();
  weights->visit([&](const std::string&, const Parameter<float>& tensor) {
    for (int i = 0; i < tensor.rows; ++i, from += tensor.columns, ++unit) {
      Eigen::Map<Floats>(tensor.data + static_cast<std::ptrdiff_t>(i) * tensor.columns, tensor.columns) =
          Eigen::Map<const Shorts>(from, tensor.columns).cast<float>() * *unit;
    }
  });
  auto snapshot = std::make_shared<SnapshotOf<Model>>();
  snapshot->config = config_;
  snapshot->step = step_;
  snapshot->validation_loss = std::nan("");
  snapshot->weights = std::move(weights);
  return snapshot;
}

template <class Model>
void KeptWeightsOf<Model>::write(const std::string& path) const {
  const Numbers in_file = file_.empty() ? Numbers() : read();
  const Numbers& numbers = file_.empty() ? numbers_ : in_file;
  write_safetensors(
      path,
      {{.name = "units", .shape = {static_cast<int>(numbers.units.size())}, .data = numbers.units.data()},
       {.name = "weights",
        .shape = {static_cast<int>(numbers.weights.size())},
        .shorts = numbers.weights.data()}},
      {{"step", std::to_string(step_)}});
}

template <class Model>
HistoryOf<Model>::HistoryOf(std::size_t budget, Kept kept) : budget_(budget), kept_(std::move(kept)) {
  for (const auto& each : kept_) bytes_ += each->bytes();
}

template <class Model>
void HistoryOf<Model>::set_budget(std::size_t bytes) {
  if (bytes > budget_) spacing_ = 0;  // there is room between the steps again
  budget_ = bytes;
  if (budget_ > 0) thin();
}

template <class Model>
bool HistoryOf<Model>::wants(long step) const {
  if (budget_ < std::max<std::size_t>(one_, 1)) return false;
  return kept_.empty() || place(step) - place(kept_.back()->step()) > spacing_ / 2;
}

template <class Model>
void HistoryOf<Model>::add(const Model& weights, long step, WorkerPool* pool) {
  const long last = kept_.empty() ? -1 : kept_.back()->step();
  if (budget_ == 0 || step == last) return;
  if (step < last)
    throw Error("history", "step " + std::to_string(step) + " is not later than step " +
                               std::to_string(last) + ", which is kept already");
  auto kept = KeptWeightsOf<Model>::of(weights, step, pool);
  if (!kept) return;
  one_ = kept->bytes();
  if (one_ > budget_) return;
  bytes_ += one_;
  kept_.push_back(std::move(kept));
  thin();
}

template <class Model>
void HistoryOf<Model>::keep_best(long step) {
  const auto is_it = [&](const auto& kept) { return kept->step() == step; };
  if (std::any_of(kept_.begin(), kept_.end(), is_it)) best_ = step;
}

template <class Model>
void HistoryOf<Model>::thin() {
  while (bytes_ > budget_ || kept_.size() > kMostKept) {
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

template class KeptWeightsOf<Transformer<float>>;
template class KeptWeightsOf<RecurrentModel<float>>;
template class HistoryOf<Transformer<float>>;
template class HistoryOf<RecurrentModel<float>>;

template <class Model>
std::shared_ptr<const KeptWeightsOf<Model>> nearest(
    const std::vector<std::shared_ptr<const KeptWeightsOf<Model>>>& kept, long step) {
  if (kept.empty()) return nullptr;
  const auto distance = [&](const auto& each) { return std::abs(place(each->step()) - place(step)); };
  return *std::min_element(kept.begin(), kept.end(),
                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

template std::shared_ptr<const KeptWeights> nearest(const History::Kept&, long);
template std::shared_ptr<const KeptWeightsOf<RecurrentModel<float>>> nearest(
    const HistoryOf<RecurrentModel<float>>::Kept&, long);

}  // namespace glassformer
