// What a study measures of a trained model on its test set. A new measure is a row of the table in the
// source.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engine/train/evaluation.h"
#include "engine/train/scoring.h"

namespace glassformer {

// Counted while a Transformer reads the right words.
class ForcedCounts {
 public:
  ForcedLook look();
  // The expected calibration error of the next word in ten bins of equal width, in percent (Guo et al. 2017,
  // On Calibration of Modern Neural Networks): how far the probability of the most likely word is from how
  // often it is right. NaN when nothing was read.
  double calibration_error() const;
  // The share of rows of attention, in percent, whose largest weight is above 0.99; rows that see one word
  // alone are left out. NaN likewise.
  double saturated_rows() const;

 private:
  struct Bin {
    long words = 0, right = 0;
    double probability = 0;  // summed
  };
  void add_words(const Batch& batch, const Matrix<float>& logits);
  void add_rows(const AttentionPlan& plan, const Matrix<float>& weights, int heads);

  std::array<Bin, 10> bins_;
  long rows_ = 0, saturated_ = 0;
};

struct StudyMeasure {
  std::string name;         // in the file and over its column: "exact", "exact 9-16"
  std::string words;        // "exact match", "exact match of lengths 9 to 16"
  std::string unit;         // "%"; empty: none
  int decimals = 1;         // as shown
  LengthRange range;        // of "exact 9-16", in words of the source
  std::size_t row = 0;      // of the table
  std::string key() const;  // "exact-9-16"

  double of(const SweepScore& score, const ForcedCounts& counts) const;  // NaN: not known
};

// Throws Error, behind `where`, when there is none of that name.
StudyMeasure study_measure(std::string_view name, const std::string& where);

}  // namespace glassformer
