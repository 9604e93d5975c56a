#include "app/format/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "app/format/latex.h"
#include "app/format/number_format.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

// A spreadsheet takes what begins like this for a formula, and runs it; numbers alone are none.
bool runs_as_formula(std::string_view text) {
  constexpr std::string_view kStarts[] = {"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  const std::string_view bare = trimmed(text);
  const auto starts = [&](std::string_view start) { return bare.starts_with(start); };
  const bool number = !bare.starts_with('+') && typed_number(bare);
  return std::ranges::any_of(kStarts, starts) && !number;
}

// Some spreadsheets cut at these as well.
std::string without_formulas(std::string_view text) {
  constexpr std::string_view kCuts = ";\t\r\n";
  std::string safe;
  while (true) {
    const std::size_t cut = text.find_first_of(kCuts);
    const std::string_view part = text.substr(0, cut);
    if (runs_as_formula(part)) safe += '\'';
    safe += part;
    if (cut == std::string_view::npos) return safe;
    safe += text[cut];
    text.remove_prefix(cut + 1);
  }
}

std::string csv_of(const Cell& cell, char separator) {
  if (const auto* const number = std::get_if<double>(&cell)) return csv_number(*number);
  if (const auto* const measured = std::get_if<Measured>(&cell)) return csv_number(measured->value.mean);
  const std::string text = printable(without_formulas(std::get<std::string>(cell)));
  const std::string_view quoted = separator == ',' ? ",;\"\n\r" : "\"\n\r";
  if (text.find_first_of(quoted) == std::string::npos) return text;
  std::string cell_text = "\"";
  for (const char letter : text) cell_text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return cell_text + "\"";
}

// As people read it.
std::string shown(const Cell& cell, const char* none = "–", const char* plus_minus = " ± ") {
  if (const auto* const text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* const number = std::get_if<double>(&cell))
    return std::isnan(*number) ? none : format_short(*number);
  const auto& [value, decimals] = std::get<Measured>(cell);
  if (value.count == 0 || std::isnan(value.mean)) return none;
  return format_fixed(value.mean, decimals) +
         (std::isfinite(value.deviation) ? plus_minus + format_fixed(value.deviation, decimals) : "");
}

std::string tex_of(const Cell& cell) {
  const auto* const measured = std::get_if<Measured>(&cell);
  const std::string text = measured ? to_file_text(shown(cell, "", " \\pm ")) : tex_words(shown(cell));
  if (measured) return text.empty() ? "--" : "$" + text + "$";
  return text == "…" ? "\\dots" : text;
}

std::vector<Cell> head_of(const Table& table) {
  return {table.columns.begin(), table.columns.end()};
}

template <class Write>
std::string line_of(const std::vector<Cell>& row, std::string_view between, const Write& write) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) line.append(i == 0 ? "" : between).append(write(row[i]));
  return line;
}

// With some of its letters replaced by names.
std::string with_names(const std::string& text, std::initializer_list<std::pair<char, const char*>> names) {
  std::string out;
  for (const char c : text) {
    const auto* const named = std::ranges::find(names, c, &std::pair<char, const char*>::first);
    out += named == names.end() ? std::string(1, c) : named->second;
  }
  return out;
}

}  // namespace

std::string csv_number(double value) {
  if (!std::isfinite(value)) return {};
  // Twelve digits distinguish any number of the model from its neighbours; what follows is the rounding of
  // sums.
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 12).ptr;
  std::from_chars(digits.begin(), end, value);
  return format_file(value);
}

std::string to_csv(const Table& table, std::string_view line_end, char separator) {
  const std::string between(1, separator);
  std::string text;
  const auto add = [&](const std::vector<Cell>& row) {
    text += line_of(row, between, [&](const Cell& cell) { return csv_of(cell, separator); });
    text += line_end;
  };
  add(head_of(table));
  std::ranges::for_each(table.rows, add);
  return text;
}

std::string to_tex(const Table& table, const std::string& edge) {
  const std::size_t columns = table.columns.empty() ? 2 : table.columns.size(),
                    left = std::min(table.left, columns);
  const auto line = [](const std::vector<Cell>& row) { return line_of(row, " & ", tex_of) + " \\\\\n"; };
  const std::string form =
      "{" + edge + std::string(left, 'l') + std::string(columns - left, 'r') + edge + "}";
  std::string text = table.columns.empty()
                         ? "\\begin{tabular}[t]" + form + "\n\\toprule\n\\multicolumn{2}{" + edge + "l" +
                               edge + "}{\\textbf{" + tex_words(table.title) + "}} \\\\\n"
                         : "\\begin{tabular}" + form + "\n\\toprule\n" + line(head_of(table));
  text += "\\midrule\n";
  for (const std::vector<Cell>& row : table.rows) text += line(row);
  return text + "\\bottomrule\n\\end{tabular}";
}

std::string html_text(const std::string& text) {
  return with_names(printable(text),
                    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string to_html(const Table& table) {
  std::string text = "<table>\n";
  if (!table.columns.empty()) {
    text += "<tr>";
    for (const std::string& column : table.columns)
      text += "<th scope=\"col\">" + html_text(column) + "</th>";
    text += "</tr>\n";
  }
  for (const std::vector<Cell>& row : table.rows) {
    text += "<tr><th scope=\"row\">" + html_text(shown(row.front())) + "</th>";
    for (std::size_t i = 1; i < row.size(); ++i) text += "<td>" + html_text(shown(row[i])) + "</td>";
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string markdown_text(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_[]|#~$!").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return with_names(out, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}});
}

std::string to_markdown(const Table& table, std::string (*escape)(const std::string&)) {
  const auto line = [&](const std::vector<Cell>& row) {
    return "| " + line_of(row, " | ", [&](const Cell& cell) { return escape(shown(cell)); }) + " |\n";
  };
  const std::vector<Cell> head = table.columns.empty() ? std::vector<Cell>{table.title, ""} : head_of(table);
  std::string text = line(head) + "|";
  for (std::size_t i = 0; i < head.size(); ++i) text += i < table.left ? " --- |" : " ---: |";
  text += "\n";
  for (const std::vector<Cell>& row : table.rows) text += line(row);
  return text;
}

std::string to_text(const Table& table) {
  const auto width = [](const std::string& cell) { return code_points(cell).size(); };
  std::vector<std::vector<std::string>> rows{table.columns};
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(width(column));
  for (const std::vector<Cell>& row : table.rows) {
    rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows.back().push_back(printable(to_file_text(shown(row[i], "-"))));
      widths[i] = std::max(widths[i], width(rows.back()[i]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - width(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (i < table.left ? row[i] + space : space + row[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace glassformer
