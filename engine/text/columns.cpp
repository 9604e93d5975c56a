#include "engine/text/columns.h"

#include <algorithm>
#include <cctype>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/file_format.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr std::size_t kRowsLookedAt = 1000;

using Cells = std::vector<std::string>;

// Numbers, dates and times, language codes, "s12", addresses: what is beside sentences in tables.
bool is_no_text(const std::string& cell) {
  if (cell.starts_with("http://") || cell.starts_with("https://")) return true;
  const bool blank = cell.find(' ') != std::string::npos;
  const bool digit = std::any_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
  bool letter = false;
  for (std::size_t at = 0; at < cell.size();) letter = is_letter(next_code_point(cell, at)) || letter;
  if (!letter) return digit;
  if (!blank && is_language_name(cell)) return true;
  if (digit && !blank) {  // 1e-5, 2021-03-01T10:00Z, s12
    const auto digits = std::count_if(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
    return cell.size() <= 12 || static_cast<std::size_t>(digits) * 2 >= cell.size();
  }
  return digit && cell.size() <= 12 && std::count(cell.begin(), cell.end(), ' ') == 1 && cell.back() >= '0' &&
         cell.back() <= '9' && static_cast<unsigned char>(cell[0]) < 0x80;  // "Text 12"
}

struct Sample {
  Cells first;                        // of the first row that is not empty
  std::vector<long> filled, no_text;  // cells of each column, without the first row
};

Sample sample_of(const FileTable& table) {
  Sample sample{.filled = std::vector<long>(table.columns), .no_text = std::vector<long>(table.columns)};
  TableRow row;
  std::size_t line = 0;
  for (std::size_t n = 0; n < kRowsLookedAt && table.row(line, row); ++n) {
    if (row.cells.size() != table.columns) continue;
    if (sample.first.empty() && table.names.empty()) {
      for (const std::string& cell : row.cells) sample.first.push_back(cleaned(cell));
      continue;
    }
    for (std::size_t i = 0; i < table.columns; ++i) {
      const std::string cell = cleaned(row.cells[i]);
      sample.filled[i] += !cell.empty();
      sample.no_text[i] += !cell.empty() && is_no_text(cell);
    }
  }
  return sample;
}

std::size_t named_column(const std::string& name, const Cells& names, std::size_t columns,
                         const std::string& path) {
  const bool number = !name.empty() && name.size() < 6 &&
                      std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (number) {
    const auto column = static_cast<std::size_t>(std::stoul(name));
    if (column >= 1 && column <= columns) return column - 1;
    throw Error(path,
                "column " + name + " was asked for; the table has columns 1 to " + std::to_string(columns));
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (to_lower(names[i]) == to_lower(name)) return i;
  std::string known;
  for (const std::string& found : names) known += (known.empty() ? "" : ", ") + excerpt_of(found);
  throw Error(path, "column “" + excerpt_of(name) + "” was asked for; the first row has " + known +
                        ". Give two numbers or two names, such as 2,4");
}

ColumnChoice wanted_columns(const FileTable& table, const Cells& names, const std::string& wanted,
                            const std::string& path) {
  const std::size_t comma = wanted.find(',');
  if (comma == std::string::npos)
    throw Error(path, "expected the source's column and the target's, such as 2,4 or en,fr; found “" +
                          excerpt_of(wanted) + "”");
  const std::string parts[2] = {std::string(trimmed(wanted.substr(0, comma))),
                                std::string(trimmed(wanted.substr(comma + 1)))};
  ColumnChoice choice{.source = named_column(parts[0], names, table.columns, path),
                      .target = named_column(parts[1], names, table.columns, path)};
  if (choice.source == choice.target)
    throw Error(path, "the choice names one column twice; give the source's and the target's");
  const bool by_name = !std::isdigit(static_cast<unsigned char>(parts[0][0]));
  choice.header = table.names.empty() && (by_name || is_header({names[choice.source], names[choice.target]}));
  choice.names = choice.header ? names : table.names;
  return choice;
}

}  // namespace

ColumnChoice choose_columns(const FileTable& table, const std::string& wanted, const std::string& path) {
  const Sample sample = sample_of(table);
  const Cells& names = table.names.empty() ? sample.first : table.names;
  if (!wanted.empty()) return wanted_columns(table, names, wanted, path);

  std::vector<std::size_t> text, named;
  for (std::size_t i = 0; i < table.columns; ++i) {
    if (sample.filled[i] == 0 || sample.no_text[i] * 2 > sample.filled[i]) continue;
    text.push_back(i);
    if (i < names.size() && is_column_name(names[i])) named.push_back(i);
  }
  ColumnChoice choice;
  const bool two = table.columns == 2;
  if (!two && named.size() >= 2) {
    choice.source = named[0], choice.target = named[1];
  } else if (!two && text.size() >= 2) {
    choice.source = text[0], choice.target = text[1];
  }
  if (table.columns >= 2 && names.size() == table.columns && is_target_name(names[choice.source]) &&
      is_source_name(names[choice.target]))
    std::swap(choice.source, choice.target);
  if (table.names.empty() && names.size() == table.columns && table.columns >= 2) {
    choice.header = is_header({names[choice.source], names[choice.target]});
    // A word over a column of numbers is its name.
    for (std::size_t i = 0; i < table.columns && !two; ++i)
      choice.header = choice.header || (sample.filled[i] > 1 && sample.no_text[i] == sample.filled[i] &&
                                        !names[i].empty() && (!is_no_text(names[i]) || names[i] == "id"));
  }
  choice.names = choice.header ? names : table.names;
  if (choice.header) {
    choice.notes.push_back("line 1 names the columns (" + names[choice.source] + ", " + names[choice.target] +
                           ") and was skipped");
  }
  if (!table.names.empty()) {
    choice.notes.push_back(table.separator + "s " + excerpt_of(names[choice.source]) + " and " +
                           excerpt_of(names[choice.target]) +
                           " were read as source and target; others can be chosen");
  } else if (choice.source != 0 || choice.target != 1) {
    choice.notes.push_back("columns " + std::to_string(choice.source + 1) + " and " +
                           std::to_string(choice.target + 1) + " of " + std::to_string(table.columns) +
                           " were read as source and target; others can be chosen");
  }
  return choice;
}

}  // namespace glassformer
