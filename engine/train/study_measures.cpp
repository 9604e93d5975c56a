#include "engine/train/study_measures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/math/error.h"
#include "engine/math/softmax.h"
#include "engine/math/typed_number.h"

namespace glassformer {
namespace {

struct MeasureRow {
  const char *name, *words, *unit;
  int decimals;
  double (*of)(const SweepScore& score, const ForcedCounts& counts, const LengthRange& range);
};

constexpr std::size_t kExactOfLengths = 0;
constexpr MeasureRow kRows[] = {
    {"exact A-B", "exact match of lengths ", "%", 1,
     [](const SweepScore& score, const ForcedCounts&, const LengthRange& range) {
       return 100 * exact_within(score, range);
     }},
    {"exact", "exact match", "%", 1,
     [](const SweepScore& score, const ForcedCounts&, const LengthRange&) {
       return 100 * score.exact_match;
     }},
    {"bleu", "BLEU", "", 1,
     [](const SweepScore& score, const ForcedCounts&, const LengthRange&) { return score.bleu; }},
    {"loss", "loss", "", 3,
     [](const SweepScore& score, const ForcedCounts&, const LengthRange&) { return score.loss; }},
    {"calibration", "calibration error", "%", 1,
     [](const SweepScore&, const ForcedCounts& counts, const LengthRange&) {
       return counts.calibration_error();
     }},
    {"saturated", "saturated rows of attention", "%", 1,
     [](const SweepScore&, const ForcedCounts& counts, const LengthRange&) {
       return counts.saturated_rows();
     }},
};

// "9-16"
std::optional<LengthRange> range_in(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  const auto first = typed_whole(text.substr(0, dash)), last = typed_whole(text.substr(dash + 1));
  if (!first || !last || *first < 1 || *last < *first || *last > 1000000) return std::nullopt;
  return LengthRange{*first, *last};
}

}  // namespace

ForcedLook ForcedCounts::look() {
  return [this](const Batch& batch, const Saved<float>& saved, int heads) {
    add_words(batch, saved.logits);
    for (const auto& layer : saved.encoder_layers)
      add_rows(saved.encoder_plan, layer.self_attention.weights, heads);
    for (const auto& layer : saved.decoder_layers) {
      add_rows(saved.decoder_plan, layer.self_attention.weights, heads);
      add_rows(saved.cross_plan, layer.cross_attention.weights, heads);
    }
  };
}

void ForcedCounts::add_words(const Batch& batch, const Matrix<float>& logits) {  // (N_t, V_t)
  std::vector<float> shares(static_cast<std::size_t>(logits.cols()));
  const auto words = static_cast<int>(shares.size());
  for (int token = 0; token < batch.target_out.tokens(); ++token) {
    std::copy_n(logits.row(token).data(), shares.size(), shares.begin());
    softmax(shares.data(), words);
    const int best = arg_max(shares.data(), words);
    const double probability = shares[static_cast<std::size_t>(best)];
    if (!std::isfinite(probability)) continue;
    Bin& bin = bins_[std::min(bins_.size() - 1,
                              static_cast<std::size_t>(probability * static_cast<double>(bins_.size())))];
    ++bin.words;
    bin.right += best == batch.target_out.id(token) ? 1 : 0;
    bin.probability += probability;
  }
}

void ForcedCounts::add_rows(const AttentionPlan& plan, const Matrix<float>& weights, int heads) {
  constexpr float kSaturated = 0.99F;
  for (const AttentionSpan& span : plan.spans) {
    const float* row = weights.data() + span.weights;
    for (int i = 0; i < heads * span.queries; ++i, row += span.keys) {
      if (span.keys < 2 || (plan.causal && i % span.queries == 0)) continue;
      ++rows_;
      saturated_ += *std::max_element(row, row + span.keys) > kSaturated ? 1 : 0;
    }
  }
}

double ForcedCounts::calibration_error() const {
  double error = 0;
  long words = 0;
  for (const Bin& bin : bins_) {
    error += std::abs(bin.probability - static_cast<double>(bin.right));
    words += bin.words;
  }
  return words > 0 ? 100 * error / static_cast<double>(words) : std::nan("");
}

double ForcedCounts::saturated_rows() const {
  return rows_ > 0 ? 100 * static_cast<double>(saturated_) / static_cast<double>(rows_) : std::nan("");
}

std::string StudyMeasure::key() const {
  std::string key = name;
  std::ranges::replace(key, ' ', '-');
  return key;
}

double StudyMeasure::of(const SweepScore& score, const ForcedCounts& counts) const {
  return kRows[row].of(score, counts, range);
}

StudyMeasure study_measure(std::string_view name, const std::string& where) {
  const auto made = [&](std::size_t row, std::string words, LengthRange range) {
    return StudyMeasure{.name = std::string(name),
                        .words = std::move(words),
                        .unit = kRows[row].unit,
                        .decimals = kRows[row].decimals,
                        .range = range,
                        .row = row};
  };
  std::string known;
  for (std::size_t row = 0; row < std::size(kRows); ++row) {
    if (row != kExactOfLengths && kRows[row].name == name) return made(row, kRows[row].words, {});
    known += (row == 0 ? "" : ", ") + std::string(kRows[row].name);
  }
  constexpr std::string_view kExact = "exact ";
  if (const auto range = name.starts_with(kExact) ? range_in(name.substr(kExact.size())) : std::nullopt)
    return made(
        kExactOfLengths,
        kRows[kExactOfLengths].words + std::to_string(range->first) + " to " + std::to_string(range->last),
        *range);
  throw Error(where, "expected a measure (" + known + "), found " + as_found(name));
}

}  // namespace glassformer
