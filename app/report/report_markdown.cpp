#include "app/report/report_tables.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

std::string titled_table(const Table& table) {
  return (table.title.empty() ? "" : "**" + markdown_text(table.title) + "**\n\n") + to_markdown(table) +
         "\n" + (table.note.empty() ? "" : markdown_text(table.note) + "\n\n");
}

std::string lines_of_code(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += "    " + printable(line) + "\n";
  return out + "\n";
}

std::string markdown_sentence(const Report& report) {
  std::string out = "## Sentence\n\n" + markdown_text(report.source) + " → " +
                    markdown_text(report.translation) + "\n\n" + markdown_text(report.loss) +
                    "\n\n## Changes\n\n";
  if (report.changes.empty()) out += "None: the model as it is.\n";
  for (const std::string& change : report.changes) out += "* " + markdown_text(change) + "\n";
  return out;
}

}  // namespace

std::string report_markdown(const Report& report) {
  std::string out = "# " + markdown_text(report.title) + "\n\n" + markdown_text(report.by) + "\n\n";
  for (const Table& table : report.tables) out += to_markdown(table) + "\n";
  if (report.of_model()) out += markdown_sentence(report);
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const ReportFigure& figure = report.figures[i];
    out += "\n## Figure " + std::to_string(i + 1) + "\n\n![" + markdown_text(alternative_text(figure.words)) +
           "](figures/" + figure.name + ".png)\n\n" + markdown_text(figure.shows) + "\n\n";
    if (const std::string words = page_words(figure); !words.empty()) out += markdown_text(words) + "\n\n";
    out += "Numbers: [numbers/" + figure.name + ".csv](numbers/" + figure.name + ".csv)\n";
    if (report.all_tables)
      for (const Table& table : figure.words.tables) out += "\n" + titled_table(table);
  }
  if (report.runs)
    out += "\n## Runs\n\n" + titled_table(report.runs->printed) + "Numbers: [" + kReportRuns + "](" +
           kReportRuns + ")\n";
  out += "\n## Make it again\n\n" + markdown_text(how_to_run(report)) + "\n\n" +
         lines_of_code(all_commands(report));
  for (const auto& [words, command] : run_lines(report))
    out += markdown_text(words) + "\n\n" + lines_of_code({command});
  return out + "The file " + kReportSession +
         " opens all of this in the window again: model, step, sentence, changes, pins and views.\n";
}

}  // namespace glassformer
