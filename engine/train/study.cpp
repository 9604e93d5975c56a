#include "engine/train/study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr long kMostResultBytes = 4L << 20;
constexpr std::size_t kMostResults = 2000, kMostStudyMeasures = 60, kMostRules = 20, kLongestSentence = 600;

struct FilePlace {
  const std::string& path;
  long line = 1;

  std::string words() const { return path + ":" + std::to_string(line); }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw Error(words(), "expected " + expected + ", found " + found);
  }
};

template <class Take>
void for_each_line(std::string_view text, FilePlace& place, const Take& take) {
  place.line = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++place.line;
    take(text.substr(at, end - at));
    at = end + 1;
  }
  place.line = std::max(place.line, 1L);
}

void check_text(std::string_view line, const FilePlace& place) {
  if (line.find('\0') != std::string_view::npos) place.fail("text", "a zero byte");
  if (first_invalid_utf8(std::string(line)) != std::string::npos) place.fail("text in UTF-8", "other bytes");
}

class StudyReader {
 public:
  StudyReader(std::string_view text, const std::string& path) : text_(text), place_{path} {
    study_.name = std::filesystem::path(path).stem().string();
  }

  Study read() {
    std::string sweep;  // the file without the lines of a study alone
    for_each_line(text_, place_, [&](std::string_view line) {
      if (!take(trimmed(line))) sweep += line;
      sweep += '\n';
    });
    for (const Text& text : kTexts)
      if ((study_.*text.value).empty())
        place_.fail("a line \"" + std::string(text.key) + " = ...\"", "the end of the file");
    if (study_.measures.empty()) place_.fail("a line \"measure = exact\"", "the end of the file");
    if (rules_.empty()) place_.fail("a line \"verdict = ...\"", "the end of the file");
    study_.sweep = sweep_from_text(sweep, place_.path);
    for (const auto& [line, words] : rules_) {
      place_.line = line;
      study_.rules.push_back(rule_in(words));
    }
    return std::move(study_);
  }

 private:
  struct Text {
    std::string_view key;
    std::string Study::*value;
  };

  // False: it is a line of the sweep.
  bool take(std::string_view line) {
    const std::size_t word = std::min(line.find_first_of(" \t="), line.size());
    const std::string_view key = line.substr(0, word);
    const auto* const text = std::ranges::find(kTexts, key, &Text::key);
    if (text == kTexts.end() && key != "measure" && key != "verdict") return false;
    check_text(line, place_);
    std::string_view rest = trimmed(line.substr(word));
    if (!rest.starts_with('=')) place_.fail("\"=\"", as_found(rest));
    rest = trimmed(rest.substr(1));
    if (rest.empty()) place_.fail("words behind \"" + std::string(key) + " =\"", "nothing");
    if (rest.size() > kLongestSentence)
      place_.fail("at most " + std::to_string(kLongestSentence) + " bytes", std::to_string(rest.size()));
    if (text != kTexts.end()) {
      if (!(study_.*text->value).empty())
        place_.fail("one line \"" + std::string(key) + "\"", "a second one");
      study_.*text->value = key == "expect" ? after_percent(rest) : rest;
    } else if (key == "measure") {
      read_measures(rest);
    } else {
      if (rules_.size() == kMostRules)
        place_.fail("at most " + std::to_string(kMostRules) + " verdicts", "more");
      rules_.emplace_back(place_.line, std::string(rest));
    }
    return true;
  }

  // "70 %, one sentence"
  std::string_view after_percent(std::string_view rest) {
    const std::size_t sign = rest.find('%');
    const auto share = typed_number(rest.substr(0, std::min(sign, rest.size())));
    const std::string_view words =
        sign == std::string_view::npos ? std::string_view() : trimmed(rest.substr(sign + 1));
    if (!share || !(*share >= 0 && *share <= 100) || !words.starts_with(',') || words.size() < 3)
      place_.fail("\"70 %, what one would expect\"", as_found(rest));
    study_.expected = *share;
    return trimmed(words.substr(1));
  }

  void read_measures(std::string_view rest) {
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      more = comma != std::string_view::npos;
      const std::string_view name = trimmed(rest.substr(0, comma));
      if (more) rest.remove_prefix(comma + 1);
      if (std::ranges::find(study_.measures, name, &StudyMeasure::name) != study_.measures.end())
        place_.fail("every measure once", as_found(name) + " again");
      if (study_.measures.size() == kMostStudyMeasures)
        place_.fail("at most " + std::to_string(kMostStudyMeasures) + " measures", "more");
      study_.measures.push_back(study_measure(name, place_.words()));
    }
  }

  // MEASURE of "SETTING", which is taken off the text.
  StudyNumber number_at(std::string_view& rest) const {
    constexpr std::string_view kOf = " of \"";
    const std::size_t of = rest.find(kOf);
    if (of == std::string_view::npos) place_.fail("MEASURE of \"SETTING\"", as_found(rest));
    const auto measure = std::ranges::find(study_.measures, trimmed(rest.substr(0, of)), &StudyMeasure::name);
    if (measure == study_.measures.end())
      place_.fail("a measure of this study", as_found(trimmed(rest.substr(0, of))));
    rest.remove_prefix(of + kOf.size());
    const std::size_t end = rest.find('"');
    if (end == std::string_view::npos) place_.fail("a second quote behind the setting", as_found(rest));
    const auto setting = std::ranges::find(study_.sweep.settings, rest.substr(0, end), &SweepSetting::name);
    if (setting == study_.sweep.settings.end())
      place_.fail("a setting of this study", as_found(rest.substr(0, end)));
    rest = trimmed(rest.substr(end + 1));
    return {static_cast<std::size_t>(measure - study_.measures.begin()),
            static_cast<std::size_t>(setting - study_.sweep.settings.begin())};
  }

  // The measures of heads whose names begin with a word: "lost alike", "lost alike in a layer".
  std::optional<StudyRule> alike_in(std::string_view rest) const {
    constexpr std::string_view kAlike = " alike", kInLayer = " alike in a layer";
    const bool in_layer = rest.ends_with(kInLayer);
    if (!in_layer && !rest.ends_with(kAlike)) return std::nullopt;
    rest.remove_suffix(in_layer ? kInLayer.size() : kAlike.size());
    StudyRule rule{.relation = StudyRelation::alike, .in_layer = in_layer};
    for (std::size_t i = 0; i < study_.measures.size(); ++i)
      if (study_.measures[i].of_part.head && study_.measures[i].name.starts_with(std::string(rest) + " "))
        rule.heads.push_back(i);
    if (rule.heads.size() < 3 || study_.sweep.settings.size() > 1)
      place_.fail("one setting and a measure of three heads or more in front of \"alike\"", as_found(rest));
    return rule;
  }

  StudyRule rule_in(std::string_view rest) const {
    if (const auto alike = alike_in(rest)) return *alike;
    StudyRule rule{.left = number_at(rest)};
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, space);
    rest = trimmed(rest.substr(space));
    if (word == "below") {
      rule.relation = StudyRelation::below;
    } else if (word == "within") {
      rule.relation = StudyRelation::within;
      const std::size_t of = rest.find(" of ");
      const auto margin = typed_number(rest.substr(0, of));
      if (of == std::string_view::npos || !margin || !(*margin > 0))
        place_.fail("\"within NUMBER of\", the number above 0", as_found(rest));
      rule.margin = *margin;
      rest = trimmed(rest.substr(of + 4));
    } else if (word != "above") {
      place_.fail("above, below or within", as_found(word));
    }
    rule.fixed = typed_number(rest);
    if (rule.fixed) return rule;
    rule.right = number_at(rest);
    if (!rest.empty()) place_.fail("nothing behind the second setting", as_found(rest));
    if (rule.left == rule.right) place_.fail("two different numbers", "one and the same");
    if (study_.measures[rule.left.measure].unit != study_.measures[rule.right.measure].unit)
      place_.fail("two measures of one unit", as_found(study_.measures[rule.left.measure].name + ", " +
                                                       study_.measures[rule.right.measure].name));
    return rule;
  }

  static constexpr std::array<Text, 4> kTexts = {{{"title", &Study::title},
                                                  {"claim", &Study::claim},
                                                  {"source", &Study::source},
                                                  {"expect", &Study::expectation}}};
  const std::string_view text_;
  FilePlace place_;
  Study study_;
  std::vector<std::pair<long, std::string>> rules_;
};

// RFC 4180, no line breaks in a cell.
std::vector<std::string> cells_of(std::string_view line, const FilePlace& place) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  if (quoted) place.fail("a second quote", "the end of the line");
  return cells;
}

StudyRun run_of(const std::vector<std::string>& cells, const Study& study, const FilePlace& place) {
  const std::vector<std::string> columns = study_columns(study);
  if (cells.size() != columns.size())
    place.fail(std::to_string(columns.size()) + " cells", std::to_string(cells.size()));
  std::size_t at = 0;
  const auto whole = [&]() -> std::uint64_t {
    const auto number = typed_unsigned(cells[at]);
    if (!number) place.fail("a whole number as " + columns[at], as_found(cells[at]));
    return *number;
  };
  const auto number = [&] {
    const auto value = typed_number(cells[at]);
    if (!value || !std::isfinite(*value)) place.fail("a number as " + columns[at], as_found(cells[at]));
    return *value;
  };
  StudyRun run;
  const auto setting = std::ranges::find_if(study.sweep.settings, [&](const SweepSetting& one) {
    return cells[at] == one.name || cells[at] == "'" + one.name;  // kept from being a formula
  });
  if (setting == study.sweep.settings.end())
    place.fail("a setting of " + study.sweep.path, as_found(cells[at]));
  run.setting = static_cast<std::size_t>(setting - study.sweep.settings.begin());
  ++at, run.seed = whole();
  ++at, run.steps = static_cast<long>(std::min<std::uint64_t>(whole(), 1'000'000'000));
  for (std::size_t i = 0; i < study.measures.size(); ++i)
    ++at, run.figures.push_back(cells[at].empty() ? std::nan("") : number());
  ++at, run.seconds = number();
  run.processor = cells[++at];
  run.version = cells[++at];
  return run;
}

}  // namespace

Study read_study(const std::string& path) {
  return study_from_text(read_file(path, kMostSweepBytes), path);
}

Study study_from_text(std::string_view text, const std::string& path) {
  return StudyReader(text, path).read();
}

std::string study_results_path(const std::string& study_path) {
  return std::filesystem::path(study_path).replace_extension(".csv").string();
}

std::vector<std::string> study_columns(const Study& study) {
  std::vector<std::string> columns = {"setting", "seed", "steps"};
  for (const StudyMeasure& measure : study.measures) columns.push_back(measure.name);
  columns.insert(columns.end(), {"seconds", "processor", "version"});
  return columns;
}

double training_seconds(const Study& study, const std::vector<StudyRun>& runs) {
  double seconds = 0;
  const auto& settings = study.sweep.settings;
  for (std::size_t setting = 0; setting < settings.size(); ++setting) {
    const auto first = std::ranges::find(settings, settings[setting].options, &SweepSetting::options);
    if (static_cast<std::size_t>(first - settings.begin()) != setting) continue;
    std::vector<double> each;
    for (const StudyRun& run : runs)
      if (run.setting == setting) each.push_back(run.seconds);
    if (each.empty()) continue;
    const auto middle = each.begin() + std::ssize(each) / 2;
    std::ranges::nth_element(each, middle);
    seconds += *middle * static_cast<double>(each.size());
  }
  return seconds;
}

const std::string& picture_words(const Study& study, std::size_t measure) {
  return study.sweep.settings.size() == 1 ? study.measures[measure].about : study.measures[measure].words;
}

std::vector<StudyBand> study_bands(const Study& study, std::size_t measure) {
  std::vector<StudyBand> bands;
  const auto& settings = study.sweep.settings;
  for (std::size_t i = 0; i < settings.size() && settings.size() > 1; ++i)
    bands.push_back({settings[i].name, {measure, i}});
  for (std::size_t i = 0; i < study.measures.size() && settings.size() == 1; ++i)
    if (const StudyMeasure& each = study.measures[i]; each.about == study.measures[measure].about)
      bands.push_back({each.part.empty() ? settings[0].name : each.part, {i, 0}});
  return bands;
}

std::vector<std::size_t> study_pictures(const Study& study) {
  std::vector<std::size_t> pictures;
  for (std::size_t i = 0; i < study.measures.size(); ++i) {
    const auto same = [&](std::size_t other) {
      return picture_words(study, other) == picture_words(study, i);
    };
    if (std::ranges::none_of(pictures, same)) pictures.push_back(i);
  }
  return pictures;
}

std::vector<StudyRun> read_study_runs(const Study& study, const std::string& path) {
  return study_runs_from_text(study, read_file(path, kMostResultBytes), path);
}

std::vector<StudyRun> study_runs_from_text(const Study& study, std::string_view text,
                                           const std::string& path) {
  std::vector<StudyRun> runs;
  std::set<std::pair<std::size_t, std::uint64_t>> known;
  FilePlace place{path};
  bool headed = false;
  for_each_line(text, place, [&](std::string_view line) {
    check_text(line, place);
    const std::vector<std::string> cells = cells_of(trimmed(line), place);
    if (!std::exchange(headed, true)) {
      std::string wanted;
      for (const std::string& column : study_columns(study)) wanted += (wanted.empty() ? "" : ",") + column;
      if (cells != study_columns(study)) place.fail("the columns \"" + wanted + "\"", as_found(line));
      return;
    }
    if (runs.size() == kMostResults) place.fail("at most " + std::to_string(kMostResults) + " runs", "more");
    runs.push_back(run_of(cells, study, place));
    if (!known.emplace(runs.back().setting, runs.back().seed).second)
      place.fail("every setting once with each seed", as_found(line) + " again");
  });
  if (!headed) place.fail("a line of columns", "nothing");
  return runs;
}

}  // namespace glassformer
