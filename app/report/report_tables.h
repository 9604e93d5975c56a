// The three tables on a report's first page, and its other facts, out of the page that the session set up.
#pragma once

#include <string>

#include "app/report/report_content.h"

namespace glassformer {

// Model, data and training, results. What is not recorded is left out.
std::vector<Table> report_tables(const StagedPage& page);
std::string loss_sentence(const StagedPage& page);
std::vector<std::string> change_texts(const StagedPage& page);
// The `glassformer train` line that makes the model again; empty: it is not recorded what it learned from.
std::string training_command(const OpenedModel& model);
std::string training_note(const OpenedModel& model);  // what that leaves out; empty: nothing

// A report as pages. All take hostile text for what it is: names and sentences are escaped.

// One file that needs no other: figures are drawings within it, and nothing runs. Printed on A4 no figure and
// no table is cut.
std::string report_html(const Report& report);
// Shows figures/NAME.png.
std::string report_markdown(const Report& report);
// Shows figures/NAME.pdf; tables in booktabs form. For pdfLaTeX, XeLaTeX and LuaLaTeX.
std::string report_latex(const Report& report);

// What the pages have in common.
// What a figure says, a few lines of it: the rest, and its numbers, are in files beside the page.
std::string page_words(const ReportFigure& figure);
std::string how_to_run(const Report& report);  // a sentence before the command lines
// Those of the drawings, or those of all files.
std::vector<std::string> drawing_commands(const Report& report);
std::vector<std::string> all_commands(const Report& report);
// What makes the numbers themselves, from nothing: the model's training, and the runs of other models.
struct RunLine {
  std::string words, command;
};
std::vector<RunLine> run_lines(const Report& report);

}  // namespace glassformer
