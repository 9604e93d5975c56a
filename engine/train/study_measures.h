// What a study measures of a trained model on its test set. A new measure is a row of the table in the
// source.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/names.h"
#include "engine/train/any_model.h"
#include "engine/train/curves.h"
#include "engine/train/evaluation.h"
#include "engine/train/head_report.h"
#include "engine/train/scoring.h"
#include "engine/train/word_alignment.h"

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

// A trained model that is measured. What a measure alone needs is made when it first asks for it.
class MeasuredModel {
 public:
  MeasuredModel(const AnyModel& model, const TestSet& test, WorkerPool* pool)
      : model_(model), test_(test), pool_(pool) {}

  // Translates the test set and reads its right words; nullptr when `keep_going` gave up.
  const SweepScore* score(const DecodeOptions& decode, const std::function<bool()>& keep_going);
  const SweepScore& scored() const { return *score_; }
  const ForcedCounts& counts() const { return counts_; }
  const Evaluation& evaluation() const { return evaluation_; }
  const HeadReport& heads();
  const AlignmentErrors& alignment();
  const Curves& curves();
  // The log-probability of each right answer, summed over its words; NaN: too long.
  const std::vector<double>& of_right_answers();
  double right_at(const LengthRange& places) const;  // of the words there, in percent
  double length() const;                             // of the translations, in percent of the right answers'

 private:
  const AnyModel& model_;
  const TestSet& test_;
  WorkerPool* pool_;
  std::optional<SweepScore> score_;
  ForcedCounts counts_;
  Evaluation evaluation_;
  std::optional<HeadReport> heads_;
  std::optional<AlignmentErrors> alignment_;
  std::optional<Curves> curves_;
  std::optional<std::vector<double>> of_right_answers_;
};

// "cross 1.2", of one head; "cross 1", of all heads of a layer; "cross", of all layers.
struct MeasuredPart {
  AttentionKind kind = AttentionKind::cross;
  std::optional<int> layer = {}, head = {};  // from 0
  bool in_layer_of(const MeasuredPart& other) const { return kind == other.kind && layer == other.layer; }
};

struct StudyMeasure {
  std::string name;         // in the file and over its column: "exact", "exact 9-16", "lost cross 1.2"
  std::string about;        // "exact match", "exact match lost"
  std::string part;         // "cross 1, head 2"; empty: of the whole model
  std::string words;        // both: "exact match lost without cross 1, head 2"
  std::string unit;         // "%"; empty: none
  std::string meaning;      // a sentence or two
  int decimals = 1;         // as shown
  LengthRange range;        // of "exact 9-16", in words of the source; of "gradient 1-50", in steps
  MeasuredPart of_part;     // of "lost cross 1.2"
  std::size_t row = 0;      // of the table
  std::string key() const;  // "exact-9-16", "lost-cross-1-2"

  double of(MeasuredModel& model) const;  // NaN: not known
};

// Throws Error, behind `where`, when there is none of that name.
StudyMeasure study_measure(std::string_view name, const std::string& where);

}  // namespace glassformer
