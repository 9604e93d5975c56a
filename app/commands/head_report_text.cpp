#include "app/commands/head_report_text.h"

#include <utility>
#include <vector>

#include "app/format/number_format.h"
#include "app/format/table.h"
#include "app/reading/head_words.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {
namespace {

using Figure = std::pair<const char*, double>;

// Every number of a row, in the order of the columns.
std::vector<Figure> figures(const HeadReport& report, const PartRow& row) {
  const HeadReading& attention = row.reading.attention;
  return {{"loss_change", row.by_zero.mean},
          {"loss_change_low", row.by_zero.low},
          {"loss_change_high", row.by_zero.high},
          {"loss_change_by_mean", row.by_mean.mean},
          {"loss_change_by_mean_low", row.by_mean.low},
          {"loss_change_by_mean_high", row.by_mean.high},
          {"exact_match_change", row.exact_match},
          {"bleu_change", row.bleu},
          {"gradient_estimate", row.reading.gradient},
          {"entropy", attention.entropy},
          {"largest_weight", attention.largest},
          {"same_place", attention.same_place},
          {"previous", attention.previous},
          {"next", attention.next},
          {"same_word", attention.same_word},
          {"bos", attention.bos},
          {"eos", attention.eos},
          {"read_most_share", attention.word_share},
          {"right_without", right_without(report, row)},
          {"points_lost", points_lost(row)}};
}

std::string word_read_most(const PartRow& row, const ReportWords& words) {
  const int id = row.reading.attention.word;
  if (id < 0) return "";
  const auto& word = kind_of(row.part) == AttentionKind::decoder ? words.target : words.source;
  return word ? word(id) : std::to_string(id);
}

nlohmann::json curve_json(const std::vector<PrunePoint>& points) {
  nlohmann::json curve = nlohmann::json::array();
  for (std::size_t i = 0; i < points.size(); ++i)
    curve.push_back({{"muted", i},
                     {"last", points[i].muted ? nlohmann::json(text_of(*points[i].muted, {})) : nullptr},
                     {"loss", points[i].loss},
                     {"exact_match", points[i].exact_match},
                     {"exact_match_change_low", points[i].exact_change.low},
                     {"exact_match_change_high", points[i].exact_change.high}});
  return curve;
}

nlohmann::json reach_json(const HeadReport& report, PruneOrder order) {
  const PruneReach reach = prune_reach(order == PruneOrder::stepwise ? report.stepwise : report.one_shot);
  return {{"muted", reach.muted},
          {"exact_match", reach.at.exact_match},
          {"exact_match_least", reach.least},
          {"words", to_file_text(reach_words(report, order))}};
}

std::string habit_words(const PartRow& row) {
  const std::optional<HeadHabit> habit = habit_of(row);
  return habit ? habit->words : "";
}

}  // namespace

nlohmann::json report_json(const HeadReport& report, const ReportWords& words) {
  nlohmann::json parts = nlohmann::json::array();
  for (const PartRow& row : report.rows) {
    nlohmann::json& part = parts.emplace_back();
    part["what_if"] = text_of(row.part, {});
    for (const auto& [name, value] : figures(report, row)) part[name] = value;
    const std::string word = word_read_most(row, words);
    part["read_most"] = word.empty() ? nlohmann::json(nullptr) : nlohmann::json(word);
    const std::string habit = habit_words(row);
    part["habit"] = habit.empty() ? nlohmann::json(nullptr) : nlohmann::json(habit);
    part["reads"] = reads_of(row, word).words;
    part["can_it_go"] = can_go_word(can_go(row));
  }
  const HeadSentences said = head_sentences(report);
  const std::string few = few_pairs_words(report.pairs);
  return {{"sentence", to_file_text(said.can_go + (said.left.empty() ? "" : " " + said.left))},
          {"can_it_go_rule", to_file_text(can_go_rule())},
          {"pairs", report.pairs},
          {"caution", few.empty() ? nlohmann::json(nullptr) : nlohmann::json(few)},
          {"loss", report.loss},
          {"exact_match", report.exact_match},
          {"bleu", report.bleu},
          {"parts", std::move(parts)},
          {"pruning", {{"stepwise", curve_json(report.stepwise)}, {"one_shot", curve_json(report.one_shot)}}},
          {"reach",
           {{"stepwise", reach_json(report, PruneOrder::stepwise)},
            {"one_shot", reach_json(report, PruneOrder::one_shot)},
            {"rule", to_file_text(reach_rule())}}}};
}

std::string report_csv(const HeadReport& report, const ReportWords& words) {
  Table table{.columns = {"what_if"}};
  for (const Figure& figure : figures(report, {})) table.columns.emplace_back(figure.first);
  table.columns.insert(table.columns.end(), {"read_most", "habit", "reads", "can_it_go"});
  for (const PartRow& row : report.rows) {
    std::vector<Cell>& cells = table.rows.emplace_back(1, text_of(row.part, {}));
    for (const Figure& figure : figures(report, row)) cells.emplace_back(figure.second);
    const std::string word = word_read_most(row, words);
    cells.insert(cells.end(), {word, habit_words(row), reads_of(row, word).words, can_go_word(can_go(row))});
  }
  return to_csv(table);
}

std::string pruning_csv(const HeadReport& report) {
  Table table{.columns = {"order", "muted", "last", "loss", "exact_match", "exact_match_change_low",
                          "exact_match_change_high"}};
  for (const auto& [order, points] :
       {std::pair{"stepwise", &report.stepwise}, {"one_shot", &report.one_shot}})
    for (std::size_t i = 0; i < points->size(); ++i) {
      const PrunePoint& point = (*points)[i];
      table.rows.push_back({order, std::to_string(i), point.muted ? text_of(*point.muted, {}) : "",
                            point.loss, point.exact_match, point.exact_change.low, point.exact_change.high});
    }
  return to_csv(table);
}

}  // namespace glassformer
