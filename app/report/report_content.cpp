#include "app/report/report_content.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>

#include "app/figure/figure.h"
#include "app/figure/web_page.h"
#include "app/lessons/hand_in.h"
#include "app/lessons/scene_lines.h"
#include "app/lessons/session_text.h"
#include "app/report/report_tables.h"
#include "app/report/session_figure.h"
#include "app/session/paths.h"
#include "app/views/view_table.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"
#include "engine/train/run_command.h"

namespace glassformer {

namespace {

// A head or layer of the session may be one that the other attention does not have.
BesideSession beside_of(const FigureAsk& ask, const std::vector<SceneLine>& lines, const Config& config) {
  BesideSession beside{.view = ask.view, .kind = ask.kind};
  const int layers = ask.kind == "encoder" ? config.encoder_layers : config.decoder_layers;
  const SceneLine* const layer = find_line(lines, "layer");
  if (!ask.kind.empty() && layer && std::stol(layer->value) > layers) beside.layer = layers;
  return beside;
}

std::string option(const char* name, const std::string& value) {
  return value.empty() ? "" : std::string(" ") + name + " " + shell_quoted(value);
}

std::string name_of(const FigureAsk& ask, std::size_t number) {
  return std::to_string(number) + "-" + ask.view + (ask.kind.empty() ? "" : "-" + ask.kind);
}

std::string command_for(const FigureAsk& ask, const BesideSession& beside, const std::string& file,
                        bool print) {
  std::string command = std::string("glassformer render --session ") + kReportSession;
  command += option("--view", ask.view) + option("--kind", ask.kind) + option("--panel", ask.panel);
  if (beside.layer > 0) command += " --layer " + std::to_string(beside.layer);
  if (print) command += " --print-cm " + std::to_string(static_cast<int>(kReportPrintCm));
  return command + " --out " + file;
}

ReportFigure figure_for(FigureAsk ask, std::size_t number, const ReportRequest& request, LessonStage& stage,
                        const std::vector<SceneLine>& lines, const Config& config) {
  // Of two compared Scenes the whole picture alone is drawn.
  if (const SceneLine* other = find_line(lines, "compare"); other && other->value != "none")
    ask.panel.clear();
  ReportFigure figure{.name = name_of(ask, number)};
  const BesideSession beside = beside_of(ask, lines, config);
  const StagedPage page = staged_session(stage, kReportSession, lines_with(lines, beside));
  const FigureContent content =
      session_figure(page, ask.kind, ask.panel, request.view ? request.view(page) : nullptr);
  figure.words = described(content);
  figure.shows = shown_words(content);
  figure.caption = caption_text(content);
  figure.numbers_from = content.view->traits().numbers_from;
  const auto made = [&](const std::string& folder, const std::string& ending, bool print) {
    const std::string file = folder + figure.name + ending;
    std::string bytes = figure_bytes(content, {.path = file, .print_cm = print ? kReportPrintCm : 0});
    // Beside the report's own, which no command writes over.
    figure.commands.push_back(command_for(ask, beside, "again-" + figure.name + ending, print));
    return bytes;
  };
  figure.svg = made("figures/", ".svg", false);
  figure.png = made("figures/", ".png", false);
  if (request.latex) figure.pdf = made("figures/", ".pdf", true);
  figure.csv = made("numbers/", ".csv", false);
  if (content.view->traits().shows_weights && fits_web_page(content.shown_input()))
    figure.html = made("figures/", ".html", false);
  return figure;
}

std::string signed_by(const ReportRequest& request) {
  std::string text;
  if (!request.name.empty() || !request.course.empty())
    text = "Report" + (request.name.empty() ? "" : " by " + request.name) +
           (request.course.empty() ? "" : (request.name.empty() ? " for " : ", ") + request.course) + ". ";
  text += std::string("Made with Glassformer ") + GLASSFORMER_VERSION;
  return printable(text + (request.date.empty() ? "" : ", " + request.date) + ".");
}

std::string usual_title(const StagedPage& page) {
  return page.model->title.name + ": " + page.result->scene.sentences.front().source;
}

}  // namespace

std::string today() {
  static constexpr std::array kMonths{"January", "February", "March",     "April",   "May",      "June",
                                      "July",    "August",   "September", "October", "November", "December"};
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  if (localtime_r(&now, &day) == nullptr) return {};
  return std::to_string(day.tm_mday) + " " + kMonths.at(static_cast<std::size_t>(day.tm_mon)) + " " +
         std::to_string(day.tm_year + 1900);
}

namespace {

// "Query 11.7" of the open view, "lookup/Query 11.7" of another one.
bool set_without_window(std::string view, const std::string& text) {
  auto [control, value] = control_and_value(text);
  if (const std::size_t slash = control.find('/'); slash != std::string::npos) {
    view = control.substr(0, slash);
    control.erase(0, slash + 1);
  }
  for (const ViewEntry& entry : view_table())
    if (view == entry.name) return entry.make()->set(control, value);
  return false;
}

}  // namespace

bool Report::of_model() const {
  return figures.empty() || std::ranges::any_of(figures, &std::string::empty, &ReportFigure::numbers_from);
}

KeptSession kept_session(LessonStage& stage, std::vector<SceneLine> lines, bool all_controls) {
  KeptSession kept{.page = staged_session(stage, kReportSession, lines), .lines = {}};
  std::erase_if(
      lines, [](const SceneLine& line) { return line.keyword == "model" || line.keyword == "fingerprint"; });
  const std::string folder = std::filesystem::absolute(kept.page.model->folder).string();
  lines.insert(lines.begin(), {{.line = 2, .keyword = "model", .value = model_line(folder), .literal = true},
                               {.line = 3,
                                .keyword = "fingerprint",
                                .value = weights_fingerprint(*kept.page.result->untouched_snapshot)}});
  if (!find_line(lines, "source"))
    lines.push_back({.line = 0,
                     .keyword = "source",
                     .value = kept.page.result->scene.sentences.front().source,
                     .literal = true});
  // What a control needs a window for would come out otherwise than it says.
  std::erase_if(lines, [&](const SceneLine& line) {
    return line.keyword == "set" && !all_controls && !set_without_window(kept.page.view, line.value);
  });
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].line = static_cast<int>(i) + 2;
  kept.lines = std::move(lines);
  return kept;
}

std::optional<Report> make_report(const ReportRequest& request, const std::vector<SceneLine>& lines,
                                  const ReportProgress& going_on) {
  LessonStage stage;
  const StagedPage page = staged_session(stage, kReportSession, lines);
  const OpenedModel& model = *page.model;
  Report report{.title = printable(request.title.empty() ? usual_title(page) : request.title),
                .by = signed_by(request),
                .tables = report_tables(page),
                .source = page.result->scene.sentences.front().source,
                .translation = page.result->translation,
                .loss = loss_sentence(page),
                .changes = change_texts(page),
                .figures = {},
                .training = training_command(model),
                .training_note = training_note(model),
                .runs = request.runs ? std::optional(request.runs()) : std::nullopt,
                .all_tables = request.all_tables,
                .latex = request.latex,
                .with_model = request.with_model};
  for (std::size_t i = 0; i < request.figures.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(request.figures.size());
    if (going_on && !going_on(share)) return std::nullopt;
    report.figures.push_back(
        figure_for(request.figures[i], i + 1, request, stage, lines, model.snapshot.config));
  }
  if (going_on && !going_on(1)) return std::nullopt;
  if (!report.of_model()) {
    report.tables.clear();
    report.training.clear();
    if (request.title.empty()) report.title = report.figures.front().words.title;
  }
  return report;
}

std::vector<FigureAsk> figures_named(const std::string& views) {
  std::vector<FigureAsk> asks;
  for (std::size_t from = 0; from <= views.size();) {
    const std::size_t end = std::min(views.find(',', from), views.size());
    std::string word = views.substr(from, end - from);
    from = end + 1;
    std::erase(word, ' ');
    if (word.empty()) continue;
    const std::size_t colon = word.find(':');
    const FigureAsk ask{.view = word.substr(0, colon),
                        .kind = colon == std::string::npos ? "" : word.substr(colon + 1)};
    std::string known;
    bool found = false;
    for (const ViewEntry& entry : view_table()) {
      found = found || ask.view == entry.name;
      known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    if (!found) throw Error("--views", "“" + ask.view + "” is none of: " + known);
    if (colon != std::string::npos && ask.kind != "encoder" && ask.kind != "decoder" && ask.kind != "cross")
      throw Error("--views", "“" + word + "”: expected encoder, decoder or cross behind the colon");
    asks.push_back(ask);
  }
  if (asks.empty()) throw Error("--views", "name at least one view");
  return asks;
}

std::vector<OfferedFigures> offered_figures(const FigureAsk& here, const std::string& called, bool curves,
                                            bool earlier) {
  const char* const kAll = "all-heads";
  std::vector<OfferedFigures> offered{
      {.label = "The view on screen: " + called, .figures = {here}, .usual = true, .why_not = {}},
      {.label = "All heads of the encoder, the decoder and between them",
       .figures = {{"attention", "encoder", kAll},
                   {"attention", "decoder", kAll},
                   {"attention", "cross", kAll}},
       .usual = true,
       .why_not = {}},
      {.label = "Output: what it would write at each place",
       .figures = {{"output"}},
       .usual = here.view != "output",
       .why_not = {}},
      {.label = "Training curves and learning rate",
       .figures = {{"training"}},
       .usual = curves && here.view != "training",
       .why_not = curves ? "" : "no curves are kept"},
      {.label = "Which heads can go: the head report",
       .figures = {{"heads"}},
       .usual = false,
       .why_not = here.view != "heads" ? "" : "the view on screen"},
      {.label = "Walk: a training step, one operation at a time",
       .figures = {{"walk"}},
       .usual = false,
       .why_not = {}},
      {.label = "Tokens, embedding, positions, masks",
       .figures = {{"tokens"}, {"embedding"}, {"positions"}, {"masks"}},
       .usual = false,
       .why_not = {}},
      {.label = "Parameters", .figures = {{"parameters"}}, .usual = false, .why_not = {}},
      {.label = "Heads forming",
       .figures = {{"forming"}},
       .usual = false,
       .why_not = earlier ? "" : "no earlier steps are kept"}};
  return offered;
}

std::vector<FigureAsk> usual_figures(const StagedPage& page) {
  const FigureAsk here{page.view.empty() ? "attention" : page.view};
  const bool curves = page.run.curves && !page.run.curves->steps.empty();
  std::vector<FigureAsk> asks;
  for (const OfferedFigures& each : offered_figures(here, "", curves, !page.model->history.empty()))
    if (each.usual) asks.insert(asks.end(), each.figures.begin(), each.figures.end());
  return asks;
}

}  // namespace glassformer
