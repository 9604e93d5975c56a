#include "app/commands/sweep_results.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/format/latex.h"
#include "app/format/table.h"
#include "engine/text/printable.h"
#include "engine/train/bleu.h"
#include "engine/train/scoring.h"

namespace glassformer {
namespace {

constexpr const char* kArchitecture = "architecture";

struct ScoreColumn {
  int decimals;
  double (*of)(const SweepScore&);
};

constexpr ScoreColumn kMeasures[] = {
    {1, [](const SweepScore& score) { return 100 * score.exact_match; }},
    {1, [](const SweepScore& score) { return score.bleu; }},
    {3, [](const SweepScore& score) { return score.loss; }},
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

// A row a setting. `columns` are called that; the second is left out where all are Transformers.
Table table_of(const SweepResults& results, std::vector<std::string> columns) {
  const bool kinds = says_architecture(results);
  if (!kinds) columns.erase(columns.begin() + 1);
  Table table{.columns = std::move(columns), .left = kinds ? 2u : 1u};
  for (std::size_t i = 0; i < results.sweep.settings.size(); ++i) {
    const SweepSetting& setting = results.sweep.settings[i];
    std::vector<Cell>& row = table.rows.emplace_back(1, setting.name);
    if (kinds) row.emplace_back(architecture_of(setting));
    row.emplace_back(std::to_string(over_seeds(results, i, kMeasures[0].of).count));
    for (const ScoreColumn& measure : kMeasures)
      row.emplace_back(Measured{over_seeds(results, i, measure.of), measure.decimals});
  }
  return table;
}

}  // namespace

std::string text_of(const SweepResults& results) {
  Table by_length{.columns = {"exact match % by " + results.length_unit}};
  for (const SweepSetting& setting : results.sweep.settings) by_length.rows.push_back({setting.name});
  for (const LengthRange& range : ranges_of(results)) {
    by_length.columns.push_back(range.words());
    for (std::size_t i = 0; i < by_length.rows.size(); ++i) {
      const auto exact = [&](const SweepScore& score) { return 100 * exact_within(score, range); };
      const MeanAndDeviation mean = over_seeds(results, i, exact);
      by_length.rows[i].emplace_back(Measured{{mean.mean, std::nan(""), mean.count}, 0});
    }
  }
  std::string text =
      "Scored on " + results.test + "; mean ± deviation over seeds\n\n" +
      to_text(table_of(results, {"setting", kArchitecture, "seeds", "exact match %", "BLEU", "loss"}));
  if (by_length.columns.size() > 1) text += "\n" + to_text(by_length);
  if (bleu_left_out(results)) text += "\n" + std::string(kBleuLeftOut) + "\n";
  std::string broken;
  for (const SweepResult& result : results.runs)
    if (!result.problem.empty()) broken += result.run.name + ": " + result.problem + "\n";
  return text + (broken.empty() ? "" : "\n" + broken);
}

std::string csv_of(const SweepResults& results) {
  const std::vector<LengthRange> ranges = ranges_of(results);
  const bool kinds = says_architecture(results);
  Table table{.columns = {"run", "setting", "seed", "exact_match", "bleu", "loss"}};
  if (kinds) table.columns.emplace_back(kArchitecture);
  for (const LengthRange& range : ranges)
    table.columns.push_back("exact_match " + results.length_unit + " " + range.words());
  table.columns.emplace_back("problem");
  for (const SweepResult& result : results.runs) {
    const SweepSetting& setting = results.sweep.settings[result.run.setting];
    const double none = std::nan("");
    const SweepScore score =
        result.score.value_or(SweepScore{.exact_match = none, .bleu = none, .loss = none});
    std::vector<Cell>& row = table.rows.emplace_back(
        std::vector<Cell>{result.run.name, setting.name, std::to_string(result.run.seed), score.exact_match,
                          score.bleu, score.loss});
    if (kinds) row.emplace_back(architecture_of(setting));
    for (const LengthRange& range : ranges) row.emplace_back(exact_within(score, range));
    row.emplace_back(result.problem);
  }
  return to_csv(table);
}

std::string tex_of(const SweepResults& results) {
  return tex_declared(
      "% Written by glassformer sweep: mean and deviation over seeds, on " + printable(results.test) +
      (bleu_left_out(results) ? ".\n% " + std::string(kBleuLeftOut) : "") +
      ".\n% Needs \\usepackage{booktabs}.\n" +
      to_tex(table_of(results, {"Setting", "Architecture", "Seeds", "Exact match (%)", "BLEU", "Loss"})) +
      "\n");
}

nlohmann::json json_of(const SweepResults& results) {
  nlohmann::json settings = nlohmann::json::array(), runs = nlohmann::json::array();
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  };
  for (std::size_t i = 0; i < results.sweep.settings.size(); ++i) {
    nlohmann::json setting = {{"setting", results.sweep.settings[i].name},
                              {kArchitecture, architecture_of(results.sweep.settings[i])},
                              {"options", results.sweep.settings[i].options},
                              {"search", results.sweep.settings[i].search}};
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
  nlohmann::json json = {{"exact_match", score.exact_match},
                         {"bleu", number(score.bleu)},
                         {"loss", number(score.loss)},
                         {"by_length", std::move(lengths)}};
  for (const auto& [name, figure] : score.figures) json["figures"][name] = number(figure);
  return json;
}

SweepScore sweep_score_from_json(const nlohmann::json& json) {
  SweepScore score{.exact_match = json.at("exact_match"), .bleu = std::nan("")};
  if (json.at("bleu").is_number()) score.bleu = json.at("bleu").get<double>();
  score.loss = json.at("loss").is_number() ? json.at("loss").get<double>() : std::nan("");
  if (const auto figures = json.find("figures"); figures != json.end())
    for (const auto& [name, figure] : figures->items())
      score.figures[name] = figure.is_number() ? figure.get<double>() : std::nan("");
  constexpr long kLongest = 1'000'000;
  for (const nlohmann::json& each : json.at("by_length"))
    score.by_length[std::clamp(each.at("length").get<long>(), 0L, kLongest)] = {
        each.at("right").get<long>(), each.at("sentences").get<long>()};
  return score;
}

}  // namespace glassformer
