// What the results of a study say.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "engine/analysis/statistics.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/model/place_words.h"
#include "engine/train/study.h"

namespace glassformer {
namespace {

std::string in_digits(double value, int decimals, bool sign = false) {
  if (!std::isfinite(value)) return value < 0 ? "\u2212∞" : std::isnan(value) ? "nothing" : "∞";
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, std::abs(value));
  const bool zero = std::string_view(text.data()).find_first_not_of("0.") == std::string_view::npos;
  return (zero ? "" : value < 0 ? "\u2212" : sign ? "+" : "") + std::string(text.data());
}

// The figures of both numbers, seed by seed where both are known.
struct Pairs {
  std::vector<double> left, right, differences;

  Pairs() = default;
  Pairs(const std::vector<StudyRun>& runs, const StudyRule& rule) {
    for (const StudyRun& one : runs) {
      if (one.setting != rule.left.setting) continue;
      if (rule.fixed) add(one.figures[rule.left.measure], *rule.fixed);
      for (const StudyRun& other : runs) {
        if (rule.fixed || other.setting != rule.right.setting || other.seed != one.seed) continue;
        add(one.figures[rule.left.measure], other.figures[rule.right.measure]);
      }
    }
  }

 private:
  void add(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    left.push_back(a);
    right.push_back(b);
    differences.push_back(a - b);
  }
};

// The heads' figures of a run, on request each less the mean of its layer; rounded, so that what is equal
// ranks equal.
std::vector<double> figures_of_heads(const Study& study, const StudyRun& run, const StudyRule& rule) {
  constexpr double kUnit = 1e-9;
  std::vector<double> figures;
  for (const std::size_t head : rule.heads) {
    std::vector<double> of_layer;
    for (const std::size_t other : rule.heads)
      if (study.measures[other].of_part.in_layer_of(study.measures[head].of_part))
        of_layer.push_back(run.figures[other]);
    const double mean = rule.in_layer ? mean_and_deviation(of_layer).mean : 0;
    figures.push_back(std::round((run.figures[head] - mean) / kUnit));
  }
  return figures;
}

// The mean rank correlation of two seeds, with how far chance alone takes it in 95 % of cases: of heads in
// any order the variance of one pair is 1 / (heads - 1), and the pairs are uncorrelated.
StudyMean agreement(const Study& study, const std::vector<StudyRun>& runs, const StudyRule& rule) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      pairs.push_back(
          rank_correlation(figures_of_heads(study, runs[i], rule), figures_of_heads(study, runs[j], rule)));
  std::erase_if(pairs, [](double value) { return !std::isfinite(value); });
  StudyMean result{mean_and_deviation(pairs)};
  std::set<std::pair<AttentionKind, int>> layers;
  for (const std::size_t head : rule.heads)
    layers.emplace(study.measures[head].of_part.kind, *study.measures[head].of_part.layer);
  const auto free = static_cast<double>(rule.heads.size() - (rule.in_layer ? layers.size() : 1));
  const double chance = 1.96 / std::sqrt(free * static_cast<double>(pairs.size()));
  result.low = result.value.mean - chance;
  result.high = result.value.mean + chance;
  return result;
}

std::string sentence_of_alike(const Study& study, const StudyRule& rule, const RuleResult& result) {
  const std::string words =
      study.measures[rule.heads[0]].about + " without each of " + std::to_string(rule.heads.size()) +
      " heads" + (rule.in_layer ? ", against the mean of its layer," : "") + " in one seed and in another";
  const StudyMean& mean = result.difference;
  const std::string verdict = capitalized(verdict_words(result.verdict)) + ": ";
  if (mean.value.count == 0) return verdict + words + ".";
  return verdict + words + " have a rank correlation of " + in_digits(mean.value.mean, 2, true) +
         " (chance alone stays within ±" + in_digits(mean.high - mean.value.mean, 2) + ", " +
         std::to_string(mean.value.count) + " pairs of seeds).";
}

// As many as its measures have, or as tell the ends of its interval from each other.
int decimals_for(const StudyMean& difference, int usual) {
  constexpr int kMost = 7;
  const double width = difference.high - difference.low;
  int decimals = usual;
  while (decimals < kMost && width > 0 && width < 2 * std::pow(10, -decimals)) ++decimals;
  return decimals;
}

Verdict verdict_of(const StudyMean& difference, const StudyRule& rule) {
  double low = difference.low, high = difference.high;
  if (rule.relation == StudyRelation::within) {
    if (low >= -rule.margin && high <= rule.margin) return Verdict::holds;
    return low > rule.margin || high < -rule.margin ? Verdict::contrary : Verdict::undecided;
  }
  if (rule.relation == StudyRelation::below) low = -std::exchange(high, -low);
  return low > 0 ? Verdict::holds : high < 0 ? Verdict::contrary : Verdict::undecided;
}

// "Holds: exact match with “A” is 41.2 %, with “B” 28.9 %: a difference of +12.3 points (...)".
std::string sentence_of(const Study& study, const StudyRule& rule, const Pairs& pairs,
                        const RuleResult& result) {
  const StudyMeasure &left = study.measures[rule.left.measure], &right = study.measures[rule.right.measure];
  // A study of one setting compares measures.
  const bool single = study.sweep.settings.size() == 1;
  const auto with = [&](const StudyNumber& number) {
    return single ? std::string() : " with “" + study.sweep.settings[number.setting].name + "”";
  };
  const std::string points = left.unit.empty() ? "" : " points";
  const std::string unit = left.unit.empty() ? "" : " " + left.unit;
  const int decimals = decimals_for(result.difference, std::max(left.decimals, right.decimals));
  const auto number = [&](const std::vector<double>& values) {
    return in_digits(mean_and_deviation(values).mean, decimals) + unit;
  };
  std::string claimed = rule.relation == StudyRelation::above ? "above" : "below";
  if (rule.relation == StudyRelation::within)
    claimed = "at most " + in_digits(rule.margin, std::floor(rule.margin) == rule.margin ? 0 : decimals) +
              points + " apart";
  std::string other;
  if (!rule.fixed)
    other = rule.left.measure == rule.right.measure ? with(rule.right).substr(1)
            : single && left.about == right.about   ? right.words.substr(right.about.size() + 1)
                                                    : right.words + with(rule.right);
  const std::string words = capitalized(verdict_words(result.verdict)) + " (claimed: " + claimed + "): ";
  const std::string fixed = rule.fixed ? in_digits(*rule.fixed, decimals) + unit : "";
  if (result.difference.value.count == 0)
    return words + left.words + with(rule.left) + " against " +
           (rule.fixed ? fixed : (left.about == right.about ? "that " : "") + other) + ".";
  const StudyMean& difference = result.difference;
  const std::string interval = difference.value.count < 2
                                   ? "one seed says nothing of its spread"
                                   : "95 % interval " + in_digits(difference.low, decimals, true) + " to " +
                                         in_digits(difference.high, decimals, true) + ", " +
                                         std::to_string(difference.value.count) + " seeds";
  const std::string against =
      rule.fixed ? " (against " + fixed + ")" : ", " + other + " " + number(pairs.right);
  return words + left.words + with(rule.left) + " is " + number(pairs.left) + against + ": a difference of " +
         in_digits(difference.value.mean, decimals, true) + points + " (" + interval + ").";
}

double stat_of(const StudyMean& mean, std::string_view stat, const Error& unknown) {
  if (stat == "mean") return mean.value.mean;
  if (stat == "deviation") return mean.value.deviation;
  if (stat == "low") return mean.low;
  if (stat == "high") return mean.high;
  if (stat == "seeds") return static_cast<double>(mean.value.count);
  throw unknown;
}

double as_number(Verdict verdict) {
  return verdict == Verdict::holds ? 1 : verdict == Verdict::contrary ? -1 : 0;
}

}  // namespace

StudyMean study_mean(const std::vector<double>& values) {
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double value) { return std::isfinite(value); });
  StudyMean result{mean_and_deviation(known)};
  const double infinite = std::numeric_limits<double>::infinity();
  const double reach = known.size() < 2 ? infinite
                                        : student_t_95(result.value.count - 1) * result.value.deviation /
                                              std::sqrt(static_cast<double>(known.size()));
  result.low = result.value.mean - reach;
  result.high = result.value.mean + reach;
  return result;
}

StudyMean study_mean(const std::vector<StudyRun>& runs, StudyNumber number) {
  std::vector<double> values;
  for (const StudyRun& run : runs)
    if (run.setting == number.setting) values.push_back(run.figures[number.measure]);
  return study_mean(values);
}

std::string verdict_words(Verdict verdict) {
  constexpr std::array kWords = {"not run yet", "holds",         "the contrary",
                                 "undecided",   "holds in part", "without a number"};
  return kWords[static_cast<std::size_t>(verdict)];
}

RuleResult rule_result(const Study& study, const std::vector<StudyRun>& runs, const StudyRule& rule) {
  const bool alike = rule.relation == StudyRelation::alike;
  const Pairs pairs = alike ? Pairs() : Pairs(runs, rule);
  RuleResult result{.difference = alike ? agreement(study, runs, rule) : study_mean(pairs.differences)};
  result.verdict = runs.empty()                         ? Verdict::open
                   : result.difference.value.count == 0 ? Verdict::unmeasured
                                                        : verdict_of(result.difference, rule);
  result.sentence = alike ? sentence_of_alike(study, rule, result) : sentence_of(study, rule, pairs, result);
  return result;
}

std::vector<Verdict> rule_verdicts(const Study& study, const std::vector<StudyRun>& runs) {
  std::vector<Verdict> all;
  for (const StudyRule& rule : study.rules) all.push_back(rule_result(study, runs, rule).verdict);
  return all;
}

Verdict study_verdict(const Study& study, const std::vector<StudyRun>& runs) {
  return verdict_of_all(rule_verdicts(study, runs));
}

Verdict verdict_of_all(const std::vector<Verdict>& all) {
  if (std::ranges::count(all, all.front()) == std::ssize(all)) return all.front();
  return std::ranges::find(all, Verdict::holds) != all.end() ? Verdict::in_part : Verdict::undecided;
}

double study_number(const Study& study, const std::vector<StudyRun>& runs, const std::string& key) {
  const Error unknown("study " + study.name, "expected a number such as " + study.measures[0].key() + "." +
                                                 sweep_folder_name(study.sweep.settings[0].name) +
                                                 ".mean, difference.1.low or verdict, found " +
                                                 as_found(key));
  if (key == "verdict") return as_number(study_verdict(study, runs));
  const std::size_t first = key.find('.'), last = key.rfind('.');
  if (first == std::string::npos) throw unknown;
  const std::string what = key.substr(0, first), stat = key.substr(last + 1);
  if (what == "verdict" || what == "difference") {
    const std::string_view number =
        std::string_view(key).substr(first + 1, what == "verdict" ? std::string::npos : last - first - 1);
    const auto index = typed_whole(number);
    if (!index || *index < 1 || *index > std::ssize(study.rules)) throw unknown;
    const RuleResult result = rule_result(study, runs, study.rules[static_cast<std::size_t>(*index) - 1]);
    return what == "verdict" ? as_number(result.verdict) : stat_of(result.difference, stat, unknown);
  }
  for (std::size_t measure = 0; measure < study.measures.size(); ++measure)
    for (std::size_t setting = 0; setting < study.sweep.settings.size(); ++setting)
      if (last > first && study.measures[measure].key() == what &&
          sweep_folder_name(study.sweep.settings[setting].name) == key.substr(first + 1, last - first - 1))
        return stat_of(study_mean(runs, {measure, setting}), stat, unknown);
  throw unknown;
}

}  // namespace glassformer
