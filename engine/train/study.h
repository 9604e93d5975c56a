// A study: a claim about Transformers, and the runs that show whether it is so. NAME.study is a sweep
// (sweep.h has its lines) with a few lines more:
//
//   title = Warm-up
//   claim = A Transformer that normalises behind the residual sum needs warm-up.
//   source = Xiong et al. 2020, On Layer Normalization in the Transformer Architecture, section 3
//   expect = 70 %, six layers learn nothing without it
//   measure = exact, loss, exact 9-16
//   verdict = exact of "post, warm-up 100" above exact of "post, no warm-up"
//   verdict = exact of "pre, no warm-up" within 5 of exact of "pre, warm-up 100"
//
// `expect` is how likely one thinks the claim, written before the first run. A verdict line says what has to
// be so: one number above or below another (which may be written there: "above 20"), or at most so far from
// it. "verdict = lost alike" asks of the measures "lost encoder 1.1" and so on, of heads, whether the order
// of the heads in one seed is that in another; "lost alike in a layer" compares each with its layer's mean.
// Beside the file NAME.csv has the results, a line a run: setting, seed, steps, a column a measure, seconds,
// processor, version. All that is said of them is computed from there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/train/study_measures.h"
#include "engine/train/sweep.h"

namespace glassformer {

enum class StudyRelation { above, below, within, alike };

struct StudyNumber {
  std::size_t measure = 0, setting = 0;
  bool operator==(const StudyNumber&) const = default;
};

// What one verdict line asks.
struct StudyRule {
  StudyNumber left, right;
  StudyRelation relation = StudyRelation::above;
  double margin = 0;            // of within
  std::optional<double> fixed;  // in place of `right`
  // Of alike: the measures of heads, and whether they are compared with their layer's mean.
  std::vector<std::size_t> heads;
  bool in_layer = false;
  std::size_t shown_first() const { return heads.empty() ? left.measure : heads.front(); }
};

struct Study {
  std::string name;  // of its file, without folder and ending
  std::string title, claim, source, expectation;
  double expected = 0;  // percent
  std::vector<StudyMeasure> measures;
  std::vector<StudyRule> rules;
  Sweep sweep;
};

struct StudyRun {
  std::size_t setting = 0;
  std::uint64_t seed = 1;
  long steps = 0;
  std::vector<double> figures;  // one a measure; NaN: there is none
  double seconds = 0;           // of training
  std::string processor, version;
};

// Throw Error: "FILE:LINE: expected ..., found ...". A run of a setting that the study does not name is one.
Study read_study(const std::string& path);
Study study_from_text(std::string_view text, const std::string& path);
std::vector<StudyRun> read_study_runs(const Study& study, const std::string& path);
std::vector<StudyRun> study_runs_from_text(const Study& study, std::string_view text,
                                           const std::string& path);
std::string study_results_path(const std::string& study_path);  // NAME.csv beside NAME.study
std::vector<std::string> study_columns(const Study& study);     // of the results

// Seconds of training, one run after the other: as many as the middle run of a setting took for each of its
// runs, as one may have had to wait. Models that several settings share are counted once.
double training_seconds(const Study& study, const std::vector<StudyRun>& runs);

// What is set beside each other: the settings by one measure, or, of a single setting, its measures of one
// kind ("exact match lost" without each head).
struct StudyBand {
  std::string name;
  StudyNumber number;
};
std::vector<StudyBand> study_bands(const Study& study, std::size_t measure);
// A measure of each such picture.
std::vector<std::size_t> study_pictures(const Study& study);
const std::string& picture_words(const Study& study, std::size_t measure);  // "exact match lost"

// A mean over seeds with its interval of 95 % by Student's t; without a second seed that is infinitely wide.
struct StudyMean {
  MeanAndDeviation value;
  double low = 0, high = 0;
};
StudyMean study_mean(const std::vector<double>& values);  // NaN left out
StudyMean study_mean(const std::vector<StudyRun>& runs, StudyNumber number);

enum class Verdict {
  open,       // not run yet
  holds,      // the interval is where the rule wants it
  contrary,   // it is on the other side
  undecided,  // it reaches over both; of several rules: none holds, and they differ
  in_part,    // of several rules: some hold
  unmeasured  // no run has the number that it asks for
};
std::string verdict_words(Verdict verdict);  // "holds", "not run yet"

struct RuleResult {
  Verdict verdict = Verdict::open;
  StudyMean difference;  // left minus right, paired by seed; of alike: the rank correlation of two seeds
  std::string sentence;  // with its numbers, minus as on screen
};
RuleResult rule_result(const Study& study, const std::vector<StudyRun>& runs, const StudyRule& rule);
std::vector<Verdict> rule_verdicts(const Study& study, const std::vector<StudyRun>& runs);
Verdict verdict_of_all(const std::vector<Verdict>& rules);  // at least one
Verdict study_verdict(const Study& study, const std::vector<StudyRun>& runs);

// One number by name: "exact.heads-4.mean", also deviation, low, high, seeds; "difference.1.mean" of the
// first verdict line; "verdict" and "verdict.1" (1: holds, -1: the contrary, 0 otherwise). Throws Error where
// there is none.
double study_number(const Study& study, const std::vector<StudyRun>& runs, const std::string& key);

}  // namespace glassformer
