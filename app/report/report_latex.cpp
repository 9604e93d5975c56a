#include "app/format/latex.h"
#include "app/report/report_tables.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

constexpr const char* kPreamble = R"(\documentclass[a4paper,11pt]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
)";

constexpr const char* kPackages = R"(\else
  \usepackage{fontspec}
\fi
\usepackage[margin=24mm]{geometry}
\usepackage{graphicx,booktabs}
\sloppy
% A figure and its caption in this place: it does not float away from its text.
\makeatletter
\newcommand{\reportfigure}[2]{\par\medskip\noindent\begin{minipage}{\linewidth}\centering
  \includegraphics[width=.86\linewidth,height=.75\textheight,keepaspectratio]{#1}
  \def\@captype{figure}\caption{#2}\end{minipage}\par\smallskip}
\makeatother
)";

// As wide as the page where it would be wider.
std::string tex_table(const Table& table) {
  std::string out = "\\begin{center}\\footnotesize\n";
  if (!table.title.empty()) out += "\\textbf{" + tex_words(table.title) + "}\\par\\smallskip\n";
  out += "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n" + to_tex(table, "@{}") +
         "}\n";
  if (!table.note.empty()) out += "\\par\\smallskip " + tex_words(table.note) + "\n";
  return out + "\\end{center}\n\n";
}

// Two hyphens stay two.
std::string command_lines(const std::vector<std::string>& commands) {
  std::string out = "\\begin{quote}\\footnotesize\\ttfamily\\raggedright\n";
  for (const std::string& command : commands) {
    for (const char c : tex_text(printable(command))) out += c == '-' ? "{-}" : std::string(1, c);
    out += "\\par\n";
  }
  return out + "\\end{quote}\n\n";
}

std::string tex_sentence(const Report& report) {
  std::string out = "\\subsection*{Sentence}\n" + tex_words(report.source) + " $\\rightarrow$ " +
                    tex_words(report.translation) + "\n\n" + tex_words(report.loss) +
                    "\n\n\\subsection*{Changes}\n";
  if (report.changes.empty()) return out + "None: the model as it is.\n";
  out += "\\begin{itemize}\n";
  for (const std::string& change : report.changes) out += "\\item{} " + tex_words(change) + "\n";
  return out + "\\end{itemize}\n";
}

}  // namespace

std::string report_latex(const Report& report) {
  std::string out = "\\begin{document}\n\\section*{" + tex_words(report.title) + "}\n" +
                    tex_words(report.by) + "\n\n\\bigskip\\noindent{\\footnotesize\n";
  for (std::size_t i = 0; i < report.tables.size(); ++i)
    out += to_tex(report.tables[i], "@{}") + "\n" + (i + 1 < report.tables.size() ? "\\hfill\n" : "");
  out += "}\n\n";
  if (report.of_model()) out += tex_sentence(report);
  for (const ReportFigure& figure : report.figures) {
    out += "\n\\reportfigure{figures/" + figure.name + ".pdf}{" + tex_words(figure.shows) + "}\n\n";
    if (const std::string words = page_words(figure); !words.empty()) out += tex_words(words) + "\n\n";
    out += "Numbers: \\texttt{" + tex_words("numbers/" + figure.name + ".csv") + "}\n\n";
    if (report.all_tables)
      for (const Table& table : figure.words.tables) out += tex_table(table);
  }
  if (report.runs)
    out += tex_table(report.runs->printed) + "Numbers: \\texttt{" + tex_words(kReportRuns) + "}\n\n";
  out += "\n\\subsection*{Make it again}\n" + tex_words(how_to_run(report)) +
         " Those of the other files are in report.md.\n" + command_lines(drawing_commands(report));
  for (const auto& [words, command] : run_lines(report))
    out += tex_words(words) + "\n" + command_lines({command});
  out += "\\end{document}\n";
  return kPreamble + tex_letters(out) + kPackages + out;
}

}  // namespace glassformer
