// glassformer report: a folder with pages, figures, numbers and the session that makes them again.
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/what_if_option.h"
#include "app/report/report_folder.h"
#include "app/report/session_figure.h"
#include "app/session/paths.h"
#include "app/view_controls_offscreen.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

struct ReportArguments {
  std::string session, out, views;
  BesideSession beside;
  ReportRequest request;
  bool runs = false;
};

int run_report(ReportArguments arguments) {
  if (arguments.session.empty() && arguments.beside.model.empty() && arguments.beside.source.empty())
    throw Error("report", "say of what: a --session, or a --model and a --source");
  std::vector<SceneLine> lines;
  if (!arguments.session.empty()) lines = read_session_lines(arguments.session);
  lines = lines_with(std::move(lines), arguments.beside);
  ReportRequest& request = arguments.request;
  if (arguments.views.empty()) {
    LessonStage stage;
    request.figures = usual_figures(staged_session(stage, "the session", lines));
  } else {
    request.figures = figures_named(arguments.views);
  }
  request.date = today();
  if (arguments.runs) request.runs = [] { return runs_table_of(runs_folder().string()); };
  request.view = [](const StagedPage& page) {
    std::unique_ptr<View> view = view_of(page);
    const FigureContent content = figure_of(page, *view);
    set_controls(*view, content.input(), FigureRequest{}.size, page.settings);
    return view;
  };
  const auto written = write_report(expanded(arguments.out), request, lines);
  std::cout << printable(written->folder) << ": " << written->files << " files, " << request.figures.size()
            << (request.figures.size() == 1 ? " figure\n" : " figures\n");
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Write a folder with pages, figures and numbers");
  command->add_option("--session", arguments->session,
                      "A .glassformer file or link text: what to show; options beside it win");
  command->add_option("--model", arguments->beside.model, "Checkpoint folder (the bundled one)");
  command->add_option("--source", arguments->beside.source, "Sentence to translate");
  command->add_option("--target", arguments->beside.target, "Its translation (what the model writes)");
  add_what_if_option(*command, arguments->beside.what_if);
  command->add_option(
      "--views", arguments->views,
      "Views as figures, between commas; attention:encoder, :decoder or :cross says whose (the "
      "session's, all heads, the output, the training)");
  command->add_option("--title", arguments->request.title, "Title (the model and the sentence)");
  command->add_option("--name", arguments->request.name, "Who wrote it");
  command->add_option("--course", arguments->request.course, "For which course");
  command->add_flag("--with-model", arguments->request.with_model, "The weights go along");
  command->add_flag("--all-tables", arguments->request.all_tables, "Under each figure its numbers");
  command->add_flag("--runs", arguments->runs, "Also the table of the kept runs");
  command->add_flag("--latex", arguments->request.latex, "Also report.tex, and each figure as PDF");
  command
      ->add_option("--out", arguments->out,
                   "Folder: new, empty, or a report that nobody changed since, which is written anew")
      ->required();
  command->footer(
      "Example: glassformer report --source \"the tired girl sees a red car\" --views attention,head,output "
      "--out report");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_report(*arguments); }; });
}

}  // namespace glassformer
