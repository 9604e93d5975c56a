// A report as pages. All take hostile text for what it is: names and sentences are escaped.
#pragma once

#include <string>

#include "app/report/report_content.h"

namespace glassformer {

// One file that needs no other: figures are drawings within it, and nothing runs. Printed on A4 no figure and
// no table is cut.
std::string report_html(const Report& report);
// Shows figures/NAME.png.
std::string report_markdown(const Report& report);
// Shows figures/NAME.pdf; tables in booktabs form. For pdfLaTeX, XeLaTeX and LuaLaTeX.
std::string report_latex(const Report& report);

// What the pages have in common.
struct PageTable {
  std::string title;
  std::vector<std::string> head;               // the first is of the row's names
  std::vector<std::vector<std::string>> rows;  // as long as the head
  std::string more;                            // "and 12 more rows"
};
PageTable page_table(const Description& words);  // no rows: it has no numbers
// Under the figure: what it shows, then what it says.
std::string page_caption(const Description& words);
std::string page_words(const Description& words);
std::string how_to_run(const Report& report);  // a sentence before the command lines
std::vector<std::string> all_commands(const Report& report);

}  // namespace glassformer
