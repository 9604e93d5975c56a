#include "app/report/report_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/scene/compared.h"
#include "app/session/change_words.h"
#include "app/session/run_table.h"
#include "engine/layers/cross_entropy.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

using Rows = std::vector<std::vector<Cell>>;

Table model_table(const OpenedModel& model) {
  const Config& config = model.snapshot.config;
  const nlohmann::json spelled = to_json(config);
  const auto spelling = [&](const char* key) { return spelled.at(key).get<std::string>(); };
  return {
      .title = "Model",
      .rows = {
          {"name", model.title.name},
          {"weights", format_count(parameter_count(config))},
          {"layers, heads", std::to_string(config.encoder_layers) + " + " +
                                std::to_string(config.decoder_layers) + ", " + std::to_string(config.heads)},
          {"width d, hidden f", format_count(config.d_model) + ", " + format_count(config.d_ff)},
          {"norm, activation", spelling("norm") + " " + std::string(norm_traits(config.norm_kind).name) +
                                   ", " +
                                   (feed_forward_traits(config.feed_forward).gated
                                        ? std::string(feed_forward_traits(config.feed_forward).name)
                                        : spelling("activation"))},
          {"positions", spelling("positions")},
          {"vocabulary", format_count(config.source_vocab) + " → " + format_count(config.target_vocab)}}};
}

Table training_table(const OpenedModel& model, const RunState& run) {
  const TrainingOptions& options = run.options;
  Rows rows;
  if (!model.data_name.empty()) rows.push_back({"data", model.data_name});
  if (run.training_pairs > 0) rows.push_back({"pairs to learn from", format_count(run.training_pairs)});
  if (run.validation_pairs > 0) rows.push_back({"pairs held out", format_count(run.validation_pairs)});
  if (!run.curves) {
    rows.push_back({"training", "not recorded"});
    return {.title = "Data and training", .rows = rows};
  }
  rows.push_back({"schedule", options.schedule});
  if (options.schedule != "constant") rows.push_back({"warm-up", format_count(options.warmup) + " steps"});
  if (options.schedule == "noam")
    rows.push_back({"factor", format_short(options.factor)});
  else
    rows.push_back({"peak", format_short(options.peak)});
  rows.push_back({"batch", format_count(options.batch_tokens) + " tokens"});
  rows.push_back(
      {"dropout, smoothing", format_short(run.live.dropout) + ", " + format_short(run.live.smoothing)});
  if (!options.mask_future) rows.push_back({"mask of the future", "off"});
  rows.push_back({"seed", std::to_string(options.seed)});
  return {.title = "Data and training", .rows = rows};
}

Table result_table(const StagedPage& page) {
  const long step = page.result->untouched_snapshot->step;
  const Curves* const curves = page.run.curves.get();
  Rows rows;
  std::string shown = format_count(step);
  if (page.model->last_step > 0) shown += " of " + format_count(page.model->last_step);
  rows.push_back({"step shown", shown});
  if (curves) {
    const auto point = std::ranges::find(curves->validations, step, &ValidationPoint::step);
    const bool measured = point != curves->validations.end();
    const bool held_out = measured && has_held_out_pairs(*point);
    rows.push_back(
        {loss_name(!measured || held_out), measured ? format_loss(point->loss) : "not measured here"});
    if (held_out) rows.push_back({"tokens right", format_percent(point->token_accuracy, 2)});
    if (held_out && point->exact_match >= 0)
      rows.push_back({"whole sentences", format_percent(point->exact_match, 1)});
    const int classes = std::max(1, page.model->snapshot.config.target_vocab);
    rows.push_back(
        {"lowest possible loss", format_loss(smoothed_entropy(page.run.options.smoothing, classes))});
  }
  const std::size_t changes = page.result->scene.what_if.changes.size();
  rows.push_back(
      {"changes (what-ifs)", changes == 0 ? "none" : format_count(static_cast<long long>(changes))});
  return {.title = "Results", .rows = rows};
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

std::vector<Table> report_tables(const StagedPage& page) {
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

std::vector<std::string> change_texts(const StagedPage& page) {
  const SceneResult& result = *page.result;
  std::vector<std::string> texts;
  const ChangeWords words = change_words(result, page.model->tokenizers);
  for (const Change& change : result.scene.what_if.changes) texts.push_back(text_of(change, words));
  return texts;
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
         "its own folder." +
         (!report.of_model()  ? ""
          : report.with_model ? " The weights lie in the folder model."
                              : " The weights are those that the session file names.");
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

std::vector<RunLine> run_lines(const Report& report) {
  std::vector<RunLine> lines;
  if (!report.training.empty())
    lines.push_back({"The model itself comes from this training. " + report.training_note, report.training});
  for (std::size_t i = 0; i < report.figures.size(); ++i)
    if (const std::string& command = report.figures[i].numbers_from; !command.empty())
      lines.push_back({"The numbers of figure " + std::to_string(i + 1) +
                           " come from the runs of a study. This line makes and scores them here:",
                       command});
  return lines;
}

}  // namespace glassformer
