#include "app/report/printed_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/run_copies.h"

namespace glassformer {

namespace {

std::string number_text(double value) {
  return std::isnan(value) ? "–" : format_short(value);
}

// "1.184", of several runs "1.184 ± 0.012"; a dash where none has it.
std::string mean_text(const MeanAndDeviation& value, double factor, int decimals) {
  if (value.count == 0 || std::isnan(value.mean)) return "–";
  std::string text = format_fixed(factor * value.mean, decimals);
  if (value.count > 1 && !std::isnan(value.deviation))
    text += " ± " + format_fixed(factor * value.deviation, decimals);
  return text;
}

PrintedTable printed(const CutTable& shown) {
  const NumberTable& table = shown.table;
  PrintedTable out{.title = table.title, .columns = {""}, .rows = {}, .note = {}};
  out.columns.insert(out.columns.end(), table.columns.begin(), table.columns.end());
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    std::vector<std::string> row{i < table.rows.size() ? table.rows[i] : std::to_string(i)};
    for (const double value : table.values[i]) row.push_back(number_text(value));
    row.resize(out.columns.size());
    out.rows.push_back(std::move(row));
  }
  const auto left_out = [&](std::size_t count, const char* what) {
    if (count > 0)
      out.note += (out.note.empty() ? "And " : " and ") + format_count(static_cast<long>(count)) + what;
  };
  left_out(shown.rows_left_out, shown.rows_left_out == 1 ? " more row" : " more rows");
  left_out(shown.columns_left_out, shown.columns_left_out == 1 ? " more column" : " more columns");
  if (!out.note.empty()) out.note += ", in the CSV.";
  return out;
}

}  // namespace

std::vector<PrintedTable> printed_tables(const Description& words) {
  std::vector<PrintedTable> tables;
  if (!words.table.values.empty()) tables.push_back(printed(words));
  for (const CutTable& other : words.others) tables.push_back(printed(other));
  return tables;
}

RunsTable runs_table(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                     const std::vector<RunDifference>& different, const RunScores& scores) {
  constexpr std::size_t kMostRuns = 24, kMostDifferences = 6;
  const bool scored = !scores.test.empty();
  PrintedTable out{
      .title = "Runs", .columns = {"Run", "Steps", "Best loss", "Words right %"}, .rows = {}, .note = {}};
  if (scored) out.columns.insert(out.columns.end(), {"Exact match %", "BLEU"});
  const std::size_t settings = std::min(different.size(), kMostDifferences);
  for (std::size_t i = 0; i < settings; ++i)
    out.columns.push_back(different[i].name == "steps" ? "planned steps" : different[i].name);
  for (const RunRow& row : rows) {
    if (out.rows.size() == kMostRuns) break;
    const std::string name =
        row.runs.size() > 1 ? row.name + ", " + std::to_string(row.runs.size()) + " runs" : row.name;
    std::vector<std::string> cells{name, format_count(runs[row.runs.front()].record.last_step),
                                   mean_text(best_losses(runs, row), 1, 3),
                                   mean_text(best_accuracies(runs, row), 100, 1)};
    if (scored) {
      cells.push_back(mean_text(exact_matches(scores, row), 100, 1));
      cells.push_back(mean_text(bleus(scores, row), 1, 1));
    }
    for (std::size_t i = 0; i < settings; ++i) cells.push_back(value_in(different[i], row));
    out.rows.push_back(std::move(cells));
  }
  if (rows.size() > out.rows.size() || different.size() > settings)
    out.note =
        "All " + format_count(static_cast<long>(rows.size())) + " runs and all that differs are in the CSV.";
  return {std::move(out), csv_of(runs, rows, different, scores)};
}

RunsTable runs_table_of(const std::string& folder) {
  std::vector<std::string> unreadable;
  std::vector<KeptRun> runs = kept_runs(folder, unreadable);
  std::ranges::reverse(runs);
  return runs_table(runs, run_rows(runs, "", false), differences(runs), {});
}

}  // namespace glassformer
