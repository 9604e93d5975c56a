// A table, and how files, pages and the terminal have it.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/train/sweep.h"

namespace glassformer {

// Several runs' number, rounded: "1.184 ± 0.012", without a deviation "1.184".
struct Measured {
  MeanAndDeviation value;
  int decimals = 0;
};
// A number is written in full in CSV, elsewhere in about three digits; one that there is not (NaN, a mean of
// none) is an empty cell in CSV, elsewhere a dash.
using Cell = std::variant<std::string, double, Measured>;

struct Table {
  std::string title = {};
  std::vector<std::string> columns = {};     // their heads; none: the title is the head
  std::vector<std::vector<Cell>> rows = {};  // the first cell names the row
  std::string note = {};                     // "And 12 more rows, in the CSV."; empty: it is whole
  std::size_t left = 1;                      // columns set to the left; the others are set to the right
};

std::string csv_number(double value);  // twelve digits; empty when there is none
// On a page.
std::string html_text(const std::string& text);
std::string markdown_text(const std::string& text);

// Heads and rows, each of as many cells; title and note are put where the page has them. All take hostile
// text for what it is.

// RFC 4180. An apostrophe before it keeps a spreadsheet from running what looks like a formula.
std::string to_csv(const Table& table, std::string_view line_end = "\n", char separator = ',');
// A tabular, for which booktabs is needed; `edge` is "@{}" where it is flush with the text.
std::string to_tex(const Table& table, const std::string& edge = "");
std::string to_html(const Table& table);
std::string to_markdown(const Table& table, std::string (*escape)(const std::string&) = markdown_text);
std::string to_text(const Table& table);  // columns as wide as they need, two blanks between them

}  // namespace glassformer
