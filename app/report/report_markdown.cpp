#include <string_view>

#include "app/report/report_tables.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

std::string markdown(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (std::string_view("\\`*_[]|#~$!").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + markdown(cell) + " |";
  return out + "\n";
}

std::string rule(std::size_t columns) {
  std::string out = "| --- |";
  for (std::size_t i = 1; i < columns; ++i) out += " ---: |";
  return out + "\n";
}

std::string markdown_table(const PrintedTable& table) {
  std::string out = table.title.empty() ? "" : "**" + markdown(table.title) + "**\n\n";
  out += row(table.columns) + rule(table.columns.size());
  for (const std::vector<std::string>& cells : table.rows) out += row(cells);
  return out + "\n" + (table.note.empty() ? "" : markdown(table.note) + "\n\n");
}

std::string lines_of_code(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += "    " + printable(line) + "\n";
  return out + "\n";
}

}  // namespace

std::string report_markdown(const Report& report) {
  std::string out = "# " + markdown(report.title) + "\n\n" + markdown(report.by) + "\n\n";
  for (const ReportTable& table : report.tables) {
    out += row({table.title, ""}) + rule(2);
    for (const auto& [name, value] : table.rows) out += row({name, value});
    out += "\n";
  }
  out += "## Sentence\n\n" + markdown(report.source) + " → " + markdown(report.translation) + "\n\n" +
         markdown(report.loss) + "\n\n## Changes\n\n";
  if (report.changes.empty()) out += "None: the model as it is.\n";
  for (const std::string& change : report.changes) out += "* " + markdown(change) + "\n";
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const ReportFigure& figure = report.figures[i];
    out += "\n## Figure " + std::to_string(i + 1) + "\n\n![" + markdown(alternative_text(figure.words)) +
           "](figures/" + figure.name + ".png)\n\n" + markdown(figure.shows) + "\n\n";
    if (const std::string words = page_words(figure); !words.empty()) out += markdown(words) + "\n\n";
    out += "Numbers: [numbers/" + figure.name + ".csv](numbers/" + figure.name + ".csv)\n";
    if (report.all_tables)
      for (const PrintedTable& table : printed_tables(figure.words)) out += "\n" + markdown_table(table);
  }
  if (report.runs)
    out += "\n## Runs\n\n" + markdown_table(report.runs->printed) + "Numbers: [" + kReportRuns + "](" +
           kReportRuns + ")\n";
  out +=
      "\n## Make it again\n\n" + markdown(how_to_run(report)) + "\n\n" + lines_of_code(all_commands(report));
  if (!report.training.empty())
    out += "The model itself comes from this training. " + markdown(report.training_note) + "\n\n" +
           lines_of_code({report.training});
  return out + "The file " + kReportSession +
         " opens all of this in the window again: model, step, sentence, changes, pins and views.\n";
}

}  // namespace glassformer
