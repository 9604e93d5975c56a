#include <algorithm>
#include <charconv>

#include "app/report/report_tables.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light; }
body { margin: 0; background: #fafaf8; color: #1b1d21; font: 14px/1.5 Inter, system-ui, sans-serif; }
main { max-width: 860px; margin: 24px auto; padding: 32px 40px; background: #fff; border: 1px solid #e2e2de;
  border-radius: 8px; overflow-wrap: anywhere; }
h1 { font-size: 28px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 16px; margin: 28px 0 8px; }
h3 { font-size: 14px; margin: 0 0 6px; }
h2, h3 { break-after: avoid; }
.quiet { color: #5d626b; }
.facts { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 28px; margin: 20px 0; padding: 16px 0;
  border-top: 1px solid #e2e2de; border-bottom: 1px solid #e2e2de; break-inside: avoid; }
table { border-collapse: collapse; break-inside: avoid; font-size: 12px; font-variant-numeric: tabular-nums; }
.facts table { width: 100%; }
.numbers { margin: 8px 0 20px; overflow-x: auto; }
.numbers th { font-weight: normal; color: #5d626b; padding: 1px 12px 1px 0; text-align: right; }
.numbers th:first-child { text-align: left; }
.numbers td { padding: 1px 12px 1px 0; text-align: right; }
.facts th { font-weight: normal; color: #5d626b; text-align: left; padding: 2px 8px 2px 0; vertical-align: top; }
.facts td { text-align: right; padding: 2px 0; }
.line { display: grid; grid-template-columns: 96px minmax(0, 1fr); align-items: baseline; break-inside: avoid; }
.line h2, .line p, .line ul { margin: 0 0 4px; }
.line ul { padding-left: 16px; }
.sentence { font-size: 16px; }
figure { margin: 28px 0 12px; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { margin-top: 8px; }
pre { margin: 8px 0; padding: 12px 16px; background: #f1f1ee; border-radius: 6px; font: 11px/1.6 monospace;
  white-space: pre-wrap; }
pre span { display: block; padding-left: 2em; text-indent: -2em; break-inside: avoid; }
@page { size: A4; margin: 14mm 13mm; }
@media print {
  body { background: #fff; font-size: 11px; }
  main { max-width: none; margin: 0; padding: 0; border: 0; }
  .facts table { font-size: 9.5px; }
  pre { font-size: 8.5px; }
  .facts { margin: 12px 0; padding: 10px 0; }
  figure { margin-top: 14px; }
}
)";
// What of an A4 page a drawing may take, in mm: two usual ones and their captions share one; a higher one is
// narrowed no further than to what can still be read.
constexpr double kUsualHeight = 106, kReadable = 150, kHighest = 205;

double attribute(std::string_view tag, std::string_view name) {
  const std::string wanted = " " + std::string(name) + "=\"";
  const std::size_t at = tag.find(wanted);
  double value = 0;
  if (at != std::string_view::npos)
    std::from_chars(tag.data() + at + wanted.size(), tag.data() + tag.size(), value);
  return value;
}

// Several drawings share the page's names.
void replace_in_tag(std::string& tag, const std::string& from, const std::string& to) {
  for (std::size_t at = tag.find(from); at != std::string::npos; at = tag.find(from, at + to.size()))
    tag.replace(at, from.size(), to);
}

std::string with_own_names(std::string_view svg, const std::string& mark) {
  std::string out;
  while (!svg.empty()) {
    const std::size_t open = svg.find('<'), close = open == svg.npos ? svg.npos : svg.find('>', open);
    if (close == svg.npos) break;
    out += svg.substr(0, open);
    std::string tag(svg.substr(open, close + 1 - open));
    replace_in_tag(tag, " id=\"", " id=\"" + mark);
    replace_in_tag(tag, "url(#", "url(#" + mark);
    replace_in_tag(tag, "href=\"#", "href=\"#" + mark);
    out += tag;
    svg.remove_prefix(close + 1);
  }
  return out + std::string(svg);
}

// Without an element that only the file needs: the page has its words.
void leave_out(std::string& svg, const std::string& name) {
  const std::size_t open = svg.find("<" + name + ">"), close = svg.find("</" + name + ">\n", open);
  if (open != svg.npos && close != svg.npos) svg.erase(open, close + name.size() + 4 - open);
}

// Without what is before it in a file of its own, and with its words as its alternative text.
std::string drawing(const ReportFigure& figure, std::size_t number) {
  std::string_view svg = figure.svg;
  svg.remove_prefix(std::min(svg.find("<svg"), svg.size()));
  const std::string_view tag = svg.substr(0, svg.find('>'));
  const double width = attribute(tag, "width"), height = attribute(tag, "height");
  std::string most;
  if (width > 0 && height > 0)
    most = " style=\"max-width:" +
           std::to_string(static_cast<int>(
               std::min(std::max(kReadable, kUsualHeight * width / height), kHighest * width / height))) +
           "mm\"";
  std::string inside = with_own_names(svg, "f" + std::to_string(number) + "-");
  leave_out(inside, "title");
  leave_out(inside, "desc");
  const std::string label = " role=\"img\" aria-label=\"" + html_text(alternative_text(figure.words)) + "\"";
  if (inside.starts_with("<svg")) inside.insert(4, label);
  return "<div" + most + ">\n" + inside + "</div>\n";
}

std::string html_table(const Table& table) {
  return "<div class=\"numbers\">" +
         (table.title.empty() ? "" : "<h3>" + html_text(table.title) + "</h3>\n") + to_html(table) +
         (table.note.empty() ? "" : "<p class=\"quiet\">" + html_text(table.note) + "</p>\n") + "</div>\n";
}

std::string file_link(const std::string& file) {
  return "<a href=\"" + html_text(file) + "\">" + html_text(file) + "</a>";
}

std::string code(const std::vector<std::string>& lines) {
  std::string out = "<pre>";
  for (const std::string& line : lines) out += "<span>" + html_text(line) + "</span>";
  return out + "</pre>\n";
}

std::string html_sentence(const Report& report) {
  std::string out = "<section class=\"line\"><h2>Sentence</h2><div><p class=\"sentence\">" +
                    html_text(report.source) + " → " + html_text(report.translation) +
                    "</p>\n<p class=\"quiet\">" + html_text(report.loss) +
                    "</p></div></section>\n<section class=\"line\"><h2>Changes</h2><div>";
  if (report.changes.empty()) {
    out += "<p class=\"quiet\">None: the model as it is.</p>";
  } else {
    out += "<ul>\n";
    for (const std::string& change : report.changes) out += "<li>" + html_text(change) + "</li>\n";
    out += "</ul>";
  }
  return out + "</div></section>\n";
}

}  // namespace

std::string report_html(const Report& report) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
                    html_text(report.title) +
                    "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>" + kStyle +
                    "</style>\n</head>\n<body>\n<main>\n<h1>" + html_text(report.title) +
                    "</h1>\n<p class=\"quiet\">" + html_text(report.by) + "</p>\n<div class=\"facts\">\n";
  for (const Table& table : report.tables)
    out += "<section>\n<h3>" + html_text(table.title) + "</h3>\n" + to_html(table) + "</section>\n";
  out += "</div>\n";
  if (report.of_model()) out += html_sentence(report);
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const ReportFigure& figure = report.figures[i];
    out += "<figure>\n" + drawing(figure, i + 1) + "<figcaption><b>Figure " + std::to_string(i + 1) +
           ".</b> " + html_text(figure.shows);
    if (const std::string words = page_words(figure); !words.empty())
      out += " <span class=\"quiet\">" + html_text(words) + "</span>";
    out += " Numbers: " + file_link("numbers/" + figure.name + ".csv");
    if (!figure.html.empty())
      out += " Every head, to look at: " + file_link("figures/" + figure.name + ".html");
    out += "</figcaption>\n</figure>\n";
    if (report.all_tables)
      for (const Table& table : figure.words.tables) out += html_table(table);
  }
  if (report.runs)
    out += html_table(report.runs->printed) + "<p>Numbers: " + file_link(kReportRuns) + "</p>\n";
  out += "<h2>Make it again</h2>\n<p>" + html_text(how_to_run(report)) +
         " Those of the other files are in report.md.</p>\n" + code(drawing_commands(report));
  for (const auto& [words, command] : run_lines(report))
    out += "<p>" + html_text(words) + "</p>\n" + code({command});
  out += "<p>The file " + std::string(kReportSession) +
         " opens all of this in the window again: model, step, sentence, changes, pins and views.</p>\n";
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace glassformer
