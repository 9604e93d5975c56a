#include "app/session/run_copies.h"

#include <algorithm>
#include <cmath>

#include "app/format/csv.h"
#include "app/format/latex.h"
#include "app/format/number_format.h"
#include "engine/text/printable.h"
#include "engine/train/bleu.h"
#include "engine/train/scoring.h"

namespace glassformer {

namespace {

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

MeanAndDeviation percent(const MeanAndDeviation& share) {
  return {100 * share.mean, 100 * share.deviation, share.count};
}

}  // namespace

std::string csv_of(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                   const std::vector<RunDifference>& different, const RunScores& scores) {
  const bool scored = !scores.test.empty();
  const std::vector<LengthRange> ranges = ranges_of(scores, rows);
  std::string text = "name,runs,step,best_loss,best_loss_deviation,token_accuracy,token_accuracy_deviation";
  if (scored) text += ",test,runs_scored,exact_match,exact_match_deviation,bleu,bleu_deviation";
  for (const LengthRange& range : ranges) text += ",exact_match " + scores.length_unit + " " + range.words();
  for (const RunDifference& difference : different)
    text += "," + csv_cell(difference.name == "steps" ? "planned_steps" : difference.name);
  for (const RunRow& row : rows) {
    text += "\n" + csv_cell(row.name) + "," + std::to_string(row.runs.size()) + "," +
            std::to_string(runs[row.runs.front()].record.last_step);
    const auto add = [&](const MeanAndDeviation& value) {
      text += "," + csv_number(value.mean) + "," + csv_number(value.deviation);
    };
    add(best_losses(runs, row));
    add(best_accuracies(runs, row));
    if (scored) {
      text += "," + csv_cell(scores.test) + "," + std::to_string(exact_matches(scores, row).count);
      add(exact_matches(scores, row));
      add(bleus(scores, row));
    }
    for (const LengthRange& range : ranges) text += "," + csv_number(within(scores, row, range).mean);
    for (const RunDifference& difference : different) text += "," + csv_cell(value_in(difference, row));
  }
  return text + "\n";
}

std::string tex_of(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                   const std::vector<RunDifference>& different, const RunScores& scores) {
  const bool scored = !scores.test.empty();
  const std::vector<LengthRange> ranges = ranges_of(scores, rows);
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
  const std::size_t columns = 4 + (scored ? 2 + ranges.size() : 0) + different.size();
  text += "% Needs \\usepackage{booktabs}.\n\\begin{tabular}{l" + std::string(columns, 'r') +
          "}\n\\toprule\nRun & Runs & Step & Loss & Words right (\\%)";
  if (scored) text += " & Exact match (\\%) & BLEU";
  for (const LengthRange& range : ranges) text += " & " + scores.length_unit + " " + range.words();
  for (const RunDifference& difference : different)
    text += " & " + tex_text(difference.name == "steps" ? "planned steps" : difference.name);
  text += " \\\\\n\\midrule\n";
  for (const RunRow& row : rows) {
    text += tex_text(printable(row.name)) + " & " + std::to_string(row.runs.size()) + " & " +
            std::to_string(runs[row.runs.front()].record.last_step) + " & " +
            tex_number(best_losses(runs, row), 3) + " & " +
            tex_number(percent(best_accuracies(runs, row)), 1);
    if (scored)
      text += " & " + tex_number(percent(exact_matches(scores, row)), 1) + " & " +
              tex_number(bleus(scores, row), 1);
    for (const LengthRange& range : ranges)
      text +=
          " & " +
          tex_number(
              percent({within(scores, row, range).mean, std::nan(""), within(scores, row, range).count}), 0);
    for (const RunDifference& difference : different) {
      const std::string value = value_in(difference, row);
      text += " & " + (value == "…" ? "\\dots" : tex_text(printable(value)));
    }
    text += " \\\\\n";
  }
  return tex_declared(text + "\\bottomrule\n\\end{tabular}\n");
}

}  // namespace glassformer
