#include "app/commands/sweep_results.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/format/csv.h"
#include "app/format/latex.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"
#include "engine/train/bleu.h"
#include "engine/train/scoring.h"

namespace glassformer {
namespace {

constexpr const char* kArchitecture = "architecture";

struct ScoreColumn {
  const char* name;  // of the CSV
  const char* words;
  int decimals;
  double (*of)(const SweepScore&);
};

constexpr ScoreColumn kMeasures[] = {
    {"exact_match", "exact match %", 1, [](const SweepScore& score) { return 100 * score.exact_match; }},
    {"bleu", "BLEU", 1, [](const SweepScore& score) { return score.bleu; }},
    {"loss", "loss", 3, [](const SweepScore& score) { return score.loss; }},
};

std::vector<LengthRange> ranges_of(const SweepResults& results) {
  std::vector<SweepScore> scores;
  for (const SweepResult& result : results.runs)
    if (result.score) scores.push_back(*result.score);
  return length_ranges(scores);
}

MeanAndDeviation over_seeds(const SweepResults& results, std::size_t setting,
                            const std::function<double(const SweepScore&)>& of) {
  std::vector<double> values;
  for (const SweepResult& result : results.runs)
    if (result.run.setting == setting && result.score && std::isfinite(of(*result.score)))
      values.push_back(of(*result.score));
  return mean_and_deviation(values);
}

bool bleu_left_out(const SweepResults& results) {
  return std::ranges::any_of(
      results.runs, [](const SweepResult& result) { return result.score && std::isnan(result.score->bleu); });
}

// Where all are Transformers nothing says so.
bool says_architecture(const SweepResults& results) {
  return std::ranges::any_of(results.sweep.settings, &SweepSetting::recurrent);
}

std::string architecture_of(const SweepSetting& setting) {
  return setting.recurrent ? "recurrent" : "transformer";
}

// Columns as wide as they need, the first to the left.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  const auto width = [](const std::string& cell) { return code_points(cell).size(); };
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - width(row[i]), ' ');
      line += i == 0 ? row[i] + space : "  " + space + row[i];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string text_of(const SweepResults& results) {
  const std::vector<LengthRange> ranges = ranges_of(results);
  std::vector<std::vector<std::string>> rows{{"setting"}};
  if (says_architecture(results)) rows[0].emplace_back(kArchitecture);
  rows[0].emplace_back("seeds");
  for (const ScoreColumn& measure : kMeasures) rows[0].emplace_back(measure.words);
  std::vector<std::vector<std::string>> by_length{{"exact match % by " + results.length_unit}};
  for (const LengthRange& range : ranges) by_length[0].push_back(range.words());
  for (std::size_t i = 0; i < results.sweep.settings.size(); ++i) {
    const std::string& name = results.sweep.settings[i].name;
    rows.push_back({name});
    if (says_architecture(results)) rows.back().push_back(architecture_of(results.sweep.settings[i]));
    rows.back().push_back(std::to_string(over_seeds(results, i, kMeasures[0].of).count));
    for (const ScoreColumn& measure : kMeasures)
      rows.back().push_back(plain_number(over_seeds(results, i, measure.of), measure.decimals, " ± "));
    by_length.push_back({name});
    for (const LengthRange& range : ranges) {
      const auto exact = [&](const SweepScore& score) { return 100 * exact_within(score, range); };
      by_length.back().push_back(plain_number(
          {over_seeds(results, i, exact).mean, std::nan(""), over_seeds(results, i, exact).count}, 0, ""));
    }
  }
  std::string text = "Scored on " + results.test + "; mean ± deviation over seeds\n\n" + aligned(rows);
  if (!ranges.empty()) text += "\n" + aligned(by_length);
  if (bleu_left_out(results)) text += "\n" + std::string(kBleuLeftOut) + "\n";
  std::string broken;
  for (const SweepResult& result : results.runs)
    if (!result.problem.empty()) broken += result.run.name + ": " + result.problem + "\n";
  return text + (broken.empty() ? "" : "\n" + broken);
}

std::string csv_of(const SweepResults& results) {
  const std::vector<LengthRange> ranges = ranges_of(results);
  std::string text = "run,setting,seed,exact_match,bleu,loss";
  if (says_architecture(results)) text += std::string(",") + kArchitecture;
  for (const LengthRange& range : ranges) text += ",exact_match " + results.length_unit + " " + range.words();
  text += ",problem\n";
  for (const SweepResult& result : results.runs) {
    text += csv_cell(result.run.name) + "," + csv_cell(results.sweep.settings[result.run.setting].name) +
            "," + std::to_string(result.run.seed);
    const auto add = [&](double value) { text += "," + csv_number(value); };
    const double none = std::nan("");
    add(result.score ? result.score->exact_match : none);
    add(result.score ? result.score->bleu : none);
    add(result.score ? result.score->loss : none);
    if (says_architecture(results)) text += "," + architecture_of(results.sweep.settings[result.run.setting]);
    for (const LengthRange& range : ranges) add(result.score ? exact_within(*result.score, range) : none);
    text += "," + csv_cell(result.problem) + "\n";
  }
  return text;
}

std::string tex_of(const SweepResults& results) {
  const bool kinds = says_architecture(results);
  std::string text = "% Written by glassformer sweep: mean and deviation over seeds, on " +
                     printable(results.test) +
                     (bleu_left_out(results) ? ".\n% " + std::string(kBleuLeftOut) : "") +
                     ".\n% Needs \\usepackage{booktabs}.\n"
                     "\\begin{tabular}{l" +
                     (kinds ? "l" : "") + "rrrr}\n\\toprule\nSetting" + (kinds ? " & Architecture" : "") +
                     " & Seeds & Exact match (\\%) & BLEU & Loss \\\\\n\\midrule\n";
  for (std::size_t i = 0; i < results.sweep.settings.size(); ++i) {
    text += tex_text(results.sweep.settings[i].name) +
            (kinds ? " & " + architecture_of(results.sweep.settings[i]) : "") + " & " +
            std::to_string(over_seeds(results, i, kMeasures[0].of).count);
    for (const ScoreColumn& measure : kMeasures)
      text += " & " + tex_number(over_seeds(results, i, measure.of), measure.decimals);
    text += " \\\\\n";
  }
  return tex_declared(text + "\\bottomrule\n\\end{tabular}\n");
}

nlohmann::json json_of(const SweepResults& results) {
  nlohmann::json settings = nlohmann::json::array(), runs = nlohmann::json::array();
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  };
  for (std::size_t i = 0; i < results.sweep.settings.size(); ++i) {
    nlohmann::json setting = {{"setting", results.sweep.settings[i].name},
                              {kArchitecture, architecture_of(results.sweep.settings[i])},
                              {"options", results.sweep.settings[i].options}};
    const auto add = [&](const char* name, const std::function<double(const SweepScore&)>& of) {
      const MeanAndDeviation value = over_seeds(results, i, of);
      setting[name] = {
          {"mean", number(value.mean)}, {"deviation", number(value.deviation)}, {"seeds", value.count}};
    };
    add("exact_match", [](const SweepScore& score) { return score.exact_match; });
    add("bleu", [](const SweepScore& score) { return score.bleu; });
    add("loss", [](const SweepScore& score) { return score.loss; });
    settings.push_back(std::move(setting));
  }
  for (const SweepResult& result : results.runs) {
    nlohmann::json run = {
        {"run", result.run.name},
        {"setting", results.sweep.settings[result.run.setting].name},
        {"seed", result.run.seed},
        {"problem", result.problem.empty() ? nlohmann::json() : nlohmann::json(result.problem)}};
    if (result.score) run.update(to_json(*result.score));
    runs.push_back(std::move(run));
  }
  return {{"test", results.test},
          {"length_unit", results.length_unit},
          {"settings", std::move(settings)},
          {"runs", std::move(runs)}};
}

nlohmann::json to_json(const SweepScore& score) {
  nlohmann::json lengths = nlohmann::json::array();
  for (const auto& [length, counts] : score.by_length)
    lengths.push_back({{"length", length}, {"right", counts.first}, {"sentences", counts.second}});
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  };
  return {{"exact_match", score.exact_match},
          {"bleu", number(score.bleu)},
          {"loss", number(score.loss)},
          {"by_length", std::move(lengths)}};
}

SweepScore sweep_score_from_json(const nlohmann::json& json) {
  SweepScore score{.exact_match = json.at("exact_match"), .bleu = std::nan("")};
  if (json.at("bleu").is_number()) score.bleu = json.at("bleu").get<double>();
  score.loss = json.at("loss").is_number() ? json.at("loss").get<double>() : std::nan("");
  constexpr long kLongest = 1'000'000;
  for (const nlohmann::json& each : json.at("by_length"))
    score.by_length[std::clamp(each.at("length").get<long>(), 0L, kLongest)] = {
        each.at("right").get<long>(), each.at("sentences").get<long>()};
  return score;
}

}  // namespace glassformer
