#include "app/report/report_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/report/printed_table.h"
#include "app/scene/compared.h"
#include "app/session/change_words.h"
#include "app/session/run_copies.h"
#include "app/session/run_table.h"
#include "engine/layers/cross_entropy.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

ReportTable model_table(const OpenedModel& model) {
  const Config& config = model.snapshot.config;
  const nlohmann::json spelled = to_json(config);
  const auto spelling = [&](const char* key) { return spelled.at(key).get<std::string>(); };
  return {
      "Model",
      {{"name", model.title.name},
       {"weights", format_count(parameter_count(config))},
       {"layers, heads", std::to_string(config.encoder_layers) + " + " +
                             std::to_string(config.decoder_layers) + ", " + std::to_string(config.heads)},
       {"width d, hidden f", format_count(config.d_model) + ", " + format_count(config.d_ff)},
       {"norm, activation", spelling("norm") + " " + std::string(norm_traits(config.norm_kind).name) + ", " +
                                (feed_forward_traits(config.feed_forward).gated
                                     ? std::string(feed_forward_traits(config.feed_forward).name)
                                     : spelling("activation"))},
       {"positions", spelling("positions")},
       {"vocabulary", format_count(config.source_vocab) + " → " + format_count(config.target_vocab)}}};
}

ReportTable training_table(const OpenedModel& model, const RunState& run) {
  const TrainingOptions& options = run.options;
  Rows rows;
  if (!model.data_name.empty()) rows.emplace_back("data", model.data_name);
  if (run.training_pairs > 0) rows.emplace_back("pairs to learn from", format_count(run.training_pairs));
  if (run.validation_pairs > 0) rows.emplace_back("pairs held out", format_count(run.validation_pairs));
  if (!run.curves) {
    rows.emplace_back("training", "not recorded");
    return {"Data and training", rows};
  }
  rows.emplace_back("schedule", options.schedule);
  if (options.schedule != "constant") rows.emplace_back("warm-up", format_count(options.warmup) + " steps");
  if (options.schedule == "noam")
    rows.emplace_back("factor", format_short(options.factor));
  else
    rows.emplace_back("peak", format_short(options.peak));
  rows.emplace_back("batch", format_count(options.batch_tokens) + " tokens");
  rows.emplace_back("dropout, smoothing",
                    format_short(run.live.dropout) + ", " + format_short(run.live.smoothing));
  if (!options.mask_future) rows.emplace_back("mask of the future", "off");
  rows.emplace_back("seed", std::to_string(options.seed));
  return {"Data and training", rows};
}

ReportTable result_table(const StagedPage& page) {
  const long step = page.result->untouched_snapshot->step;
  const Curves* const curves = page.run.curves.get();
  Rows rows;
  std::string shown = format_count(step);
  if (page.model->last_step > 0) shown += " of " + format_count(page.model->last_step);
  rows.emplace_back("step shown", shown);
  if (curves) {
    const auto point = std::ranges::find(curves->validations, step, &ValidationPoint::step);
    const bool measured = point != curves->validations.end();
    const bool held_out = measured && has_held_out_pairs(*point);
    rows.emplace_back(loss_name(!measured || held_out),
                      measured ? format_loss(point->loss) : "not measured here");
    if (held_out) rows.emplace_back("tokens right", format_percent(point->token_accuracy, 2));
    if (held_out && point->exact_match >= 0)
      rows.emplace_back("whole sentences", format_percent(point->exact_match, 1));
    const int classes = std::max(1, page.model->snapshot.config.target_vocab);
    rows.emplace_back("lowest possible loss",
                      format_loss(smoothed_entropy(page.run.options.smoothing, classes)));
  }
  const std::size_t changes = page.result->scene.what_if.changes.size();
  rows.emplace_back("changes (what-ifs)",
                    changes == 0 ? "none" : format_count(static_cast<long long>(changes)));
  return {"Results", rows};
}

KeptRun kept(const OpenedModel& model) {
  KeptRun run;
  run.name = std::filesystem::path(model.folder).lexically_normal().filename().string();
  run.folder = model.folder;
  run.config = model.snapshot.config;
  run.record = model;
  return run;
}

}  // namespace

std::vector<ReportTable> report_tables(const StagedPage& page) {
  return {model_table(*page.model), training_table(*page.model, page.run), result_table(page)};
}

std::string loss_sentence(const StagedPage& page) {
  const SceneResult& result = *page.result;
  if (!result.trace || result.trace->sentence_loss.empty()) return {};
  double log_p = 0;
  for (const double each : result.decoding.log_probabilities) log_p += each;
  return "The loss of this sentence is " + format_loss(result.trace->sentence_loss.front()) + ", given " +
         (writes_own_words(result) ? "its own words" : "the right words") + "; log p of what it writes is " +
         format_fixed(log_p, 2) + ".";
}

std::vector<std::string> changes_told(const StagedPage& page) {
  const SceneResult& result = *page.result;
  std::vector<std::string> told;
  const ChangeWords words = change_words(result, page.model->tokenizers);
  for (const Change& change : result.scene.what_if.changes) told.push_back(text_of(change, words));
  return told;
}

std::string training_command(const OpenedModel& model) {
  const std::string command = command_of(kept(model));
  // The report keeps its weights in a folder of this name, which no training writes over.
  return command.ends_with(" --out model") ? command + "-again" : command;
}

std::string training_note(const OpenedModel& model) {
  const KeptRun run = kept(model);
  if (!changed_on_the_way(run) || training_command(model).empty()) return "";
  if (const auto planned = steps_as_planned(run))
    return "It trains the first " + format_count(*planned) +
           " steps, as they were planned; what was learned after them is left out.";
  return "It leaves out what was changed on the way.";
}

namespace {

constexpr std::ptrdiff_t kMostWords = 40;  // under a figure

// The page says these once for all figures.
bool is_said_before(const std::string& sentence) {
  constexpr std::array kStarts{"The sentence is “", "The weights are those of step ", "Changed: "};
  return std::ranges::any_of(kStarts, [&](const char* start) { return sentence.starts_with(start); });
}

}  // namespace

std::string page_words(const ReportFigure& figure) {
  std::string text;
  std::ptrdiff_t room = kMostWords;
  // The view's own caption is of the whole picture: under a part of it is that of the part.
  bool caption = true;
  for (const std::string& sentence : figure.words.sentences) {
    const bool is_caption = caption && !sentence.starts_with("Two are compared, ");
    if (is_caption) caption = false;
    if (is_caption) continue;
    const std::ptrdiff_t words = std::ranges::count(sentence, ' ') + 1;
    if (words > room || is_said_before(sentence) || figure.shows.find(sentence) != std::string::npos)
      continue;
    text += (text.empty() ? "" : " ") + sentence;
    room -= words;
  }
  return text;
}

std::string how_to_run(const Report& report) {
  return std::string(
             "Run in this folder, by the same build on the same kind of processor, these lines make ") +
         "every figure again, byte for byte. Where the program is not installed, glassformer is app/run of "
         "its own folder. " +
         (report.with_model ? "The weights lie in the folder model."
                            : "The weights are those that the session file names.");
}

std::vector<std::string> drawing_commands(const Report& report) {
  std::vector<std::string> commands;
  for (const ReportFigure& figure : report.figures)
    if (!figure.commands.empty()) commands.push_back(figure.commands.front());
  return commands;
}

std::vector<std::string> all_commands(const Report& report) {
  std::vector<std::string> commands;
  for (const ReportFigure& figure : report.figures)
    commands.insert(commands.end(), figure.commands.begin(), figure.commands.end());
  return commands;
}

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
