#include "app/session/run_copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "app/format/latex.h"
#include "app/format/number_format.h"
#include "engine/text/printable.h"
#include "engine/train/bleu.h"
#include "engine/train/scoring.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostRuns = 24, kMostDifferences = 6;  // on a page

enum class RunsForm { csv, latex, page };
using ColumnNames = std::array<std::string, 3>;  // by form; empty: it does without the column

// The same ranges for all lines.
std::vector<LengthRange> ranges_of(const RunScores& scores, const std::vector<RunRow>& rows) {
  std::vector<SweepScore> all;
  for (const RunRow& row : rows) std::ranges::copy(scores_in(scores, row), std::back_inserter(all));
  return length_ranges(all);
}

MeanAndDeviation within(const RunScores& scores, const RunRow& row, const LengthRange& range) {
  std::vector<double> values;
  for (const SweepScore& score : scores_in(scores, row))
    if (const double value = exact_within(score, range); std::isfinite(value)) values.push_back(value);
  return mean_and_deviation(values);
}

Table table_in(RunsForm form, const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
               const std::vector<RunDifference>& different, const RunScores& scores) {
  const bool page = form == RunsForm::page;
  Table table;
  table.rows.resize(rows.size());
  const auto column = [&](const ColumnNames& names, const auto& cell) {
    const std::string& name = names[static_cast<std::size_t>(form)];
    if (name.empty()) return;
    table.columns.push_back(name);
    for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].push_back(cell(rows[i]));
  };
  // For people times `factor`: a share as a percentage.
  const auto measured = [&](const ColumnNames& names, double factor, int decimals, const auto& value) {
    column({names[0], "", ""}, [&](const RunRow& row) { return value(row).mean; });
    column({names[0] + "_deviation", "", ""}, [&](const RunRow& row) { return value(row).deviation; });
    column({"", names[1], names[2]}, [&](const RunRow& row) {
      const auto [mean, deviation, count] = value(row);
      return Measured{{factor * mean, factor * deviation, count}, decimals};
    });
  };
  column({"name", "Run", "Run"}, [&](const RunRow& row) {
    return row.name + (page && row.runs.size() > 1 ? ", " + std::to_string(row.runs.size()) + " runs" : "");
  });
  column({"runs", "Runs", ""}, [](const RunRow& row) { return std::to_string(row.runs.size()); });
  column({"step", "Step", "Steps"}, [&](const RunRow& row) {
    const long step = runs[row.runs.front()].record.last_step;
    return page ? format_count(step) : std::to_string(step);
  });
  measured({"best_loss", "Loss", "Best loss"}, 1, 3,
           [&](const RunRow& row) { return best_losses(runs, row); });
  measured({"token_accuracy", "Words right (%)", "Words right %"}, 100, 1,
           [&](const RunRow& row) { return best_accuracies(runs, row); });
  if (!scores.test.empty()) {
    column({"test", "", ""}, [&](const RunRow&) { return scores.test; });
    column({"runs_scored", "", ""},
           [&](const RunRow& row) { return std::to_string(exact_matches(scores, row).count); });
    measured({"exact_match", "Exact match (%)", "Exact match %"}, 100, 1,
             [&](const RunRow& row) { return exact_matches(scores, row); });
    if (!bleu_left_out(scores))
      measured({"bleu", "BLEU", "BLEU"}, 1, 1, [&](const RunRow& row) { return bleus(scores, row); });
  }
  for (const LengthRange& range : ranges_of(scores, rows)) {
    const std::string words = scores.length_unit + " " + range.words();
    column({"exact_match " + words, "", ""},
           [&](const RunRow& row) { return within(scores, row, range).mean; });
    column({"", words, ""}, [&](const RunRow& row) {
      const MeanAndDeviation exact = within(scores, row, range);
      return Measured{{100 * exact.mean, std::nan(""), exact.count}, 0};
    });
  }
  for (std::size_t i = 0; i < (page ? std::min(different.size(), kMostDifferences) : different.size()); ++i) {
    const std::string& name = different[i].name;
    const ColumnNames planned{"planned_steps", "planned steps", "planned steps"};
    column(name == "steps" ? planned : ColumnNames{name, name, name},
           [&](const RunRow& row) { return value_in(different[i], row); });
  }
  return table;
}

}  // namespace

std::string csv_of(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                   const std::vector<RunDifference>& different, const RunScores& scores) {
  return to_csv(table_in(RunsForm::csv, runs, rows, different, scores));
}

std::string tex_of(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                   const std::vector<RunDifference>& different, const RunScores& scores) {
  const bool scored = !scores.test.empty();
  std::string text = "% Mean and deviation over runs; loss and words right of the best validation.\n";
  if (scored)
    text += "% Scored on " + printable(scores.test) + ", greedy search; by length: exact match (\\%) by " +
            scores.length_unit + " of the source.\n";
  if (bleu_left_out(scores)) text += "% " + std::string(kBleuLeftOut) + ".\n";
  for (const RunRow& row : rows)
    if (const auto of = static_cast<std::size_t>(exact_matches(scores, row).count);
        scored && of < row.runs.size())
      text += "% " + printable(row.name) + ": " + std::to_string(of) + " of " +
              std::to_string(row.runs.size()) + " runs are scored.\n";
  return tex_declared(text + "% Needs \\usepackage{booktabs}.\n" +
                      to_tex(table_in(RunsForm::latex, runs, rows, different, scores)) + "\n");
}

RunsTable runs_table(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                     const std::vector<RunDifference>& different, const RunScores& scores) {
  Table page = table_in(RunsForm::page, runs, rows, different, scores);
  page.title = "Runs";
  page.rows.resize(std::min(rows.size(), kMostRuns));
  if (rows.size() > kMostRuns || different.size() > kMostDifferences)
    page.note =
        "All " + format_count(static_cast<long>(rows.size())) + " runs and all that differs are in the CSV.";
  return {std::move(page), csv_of(runs, rows, different, scores)};
}

RunsTable runs_table_of(const std::string& folder) {
  std::vector<std::string> unreadable;
  std::vector<KeptRun> runs = kept_runs(folder, unreadable);
  std::ranges::reverse(runs);
  return runs_table(runs, run_rows(runs, "", false), differences(runs), {});
}

}  // namespace glassformer
