#include "engine/text/table.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/text/exports.h"
#include "engine/text/lines.h"
#include "engine/text/markup.h"
#include "engine/text/segments.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

using TableLines = std::vector<std::string_view>;
using nlohmann::ordered_json;

constexpr std::size_t kSampleLines = 2000;
constexpr std::size_t kMostLinesOfCell = 100;  // an opened quote that is closed later belongs to the sentence

struct ParsedRow {
  std::vector<std::string> cells;
  bool open = false;                          // a quoted cell has no end
  long wrapped = 0, broken = 0, doubled = 0;  // cells; broken: with quotes that wrap nothing
  long commas_bare = 0, commas_wrapped = 0, all = 0;
};

ParsedRow parsed_row(std::string_view text, char separator, bool quotes) {
  ParsedRow row;
  for (std::size_t i = 0; i <= text.size();) {
    std::string cell;
    bool whole = false, doubled = false;
    std::size_t end = i;
    if (quotes && i < text.size() && text[i] == '"') {
      for (end = i + 1; end < text.size() && !whole; ++end) {
        if (text[end] != '"') {
          cell += text[end];
        } else if (end + 1 < text.size() && text[end + 1] == '"') {
          cell += '"';
          doubled = true;
          ++end;
        } else if (end + 1 == text.size() || text[end + 1] == separator) {
          whole = true;
        } else {
          break;
        }
      }
      row.open = row.open || (!whole && end == text.size());
    }
    if (!whole) {
      end = std::min(text.find(separator, i), text.size());
      cell = text.substr(i, end - i);
      row.broken += cell.find('"') != std::string::npos;
    }
    const bool comma = cell.find(',') != std::string::npos;
    row.wrapped += whole;
    row.doubled += whole && doubled;
    row.commas_wrapped += whole && comma;
    row.commas_bare += !whole && comma;
    row.all += !cell.empty();
    row.cells.push_back(std::move(cell));
    i = end + 1;
  }
  return row;
}

// A table of separated values: its lines, and what is to be known to cut them into rows.
struct SeparatedValues {
  TableLines lines;
  std::size_t head = 0;  // lines that are no rows
  char separator = '\t';
  bool quotes = false;
  std::size_t columns = 0;

  // Lines that a quoted cell goes over are one row, when they are the row that the table wants only together.
  ParsedRow row_at(std::size_t first, std::size_t& behind, std::string_view& text) const {
    text = lines[first];
    behind = first + 1;
    ParsedRow row = parsed_row(text, separator, quotes);
    if (!row.open || columns == 0) return row;
    const std::size_t last = std::min(lines.size(), first + kMostLinesOfCell);
    bool needed = row.cells.size() != columns;
    for (std::size_t i = first + 1; i < last; ++i) {
      needed = needed || parsed_row(lines[i], separator, false).cells.size() != columns;
      const std::string_view joined(
          text.data(), static_cast<std::size_t>(lines[i].data() - text.data()) + lines[i].size());
      ParsedRow together = parsed_row(joined, separator, true);
      if (together.open || together.cells.size() != columns) continue;
      if (!needed && separator == '\t') return row;
      behind = i + 1;
      text = joined;
      return together;
    }
    return row;
  }
};

std::size_t usual_columns(const TableLines& lines, char separator, bool quotes, double* share = nullptr) {
  std::map<std::size_t, long> counts;
  long all = 0;
  for (std::size_t i = 0; i < std::min(lines.size(), kSampleLines); ++i) {
    if (trimmed(lines[i]).empty()) continue;
    ++counts[parsed_row(lines[i], separator, quotes).cells.size()];
    ++all;
  }
  std::pair<std::size_t, long> best = {1, 0};
  for (const auto& [columns, count] : counts)
    if (columns > 1 && count > best.second) best = {columns, count};
  if (share != nullptr) *share = all > 0 ? static_cast<double>(best.second) / static_cast<double>(all) : 0;
  return best.first;
}

// A CR ends a row where both sides of it are rows; inside a cell it is a blank.
TableLines table_lines(std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return split_lines(text);
  TableLines whole = split_lines(text, false), lines;
  const std::size_t columns = usual_columns(whole, '\t', false);
  lines.reserve(whole.size());
  for (const std::string_view line : whole) {
    const bool cr = line.find('\r') != std::string_view::npos;
    const TableLines parts = cr ? split_lines(line) : TableLines{line};
    const bool rows = std::all_of(parts.begin(), parts.end(), [&](std::string_view part) {
      return parsed_row(part, '\t', false).cells.size() >= columns;
    });
    if (cr && rows && columns > 1) {
      lines.insert(lines.end(), parts.begin(), parts.end());
    } else {
      lines.push_back(line);
    }
  }
  return lines;
}

char separator_of(const TableLines& lines, const std::string& path) {
  std::size_t seen = 0, tabs = 0;
  for (std::size_t i = 0; i < std::min(lines.size(), kSampleLines); ++i) {
    seen += !trimmed(lines[i]).empty();
    tabs += lines[i].find('\t') != std::string_view::npos;
  }
  const bool named = to_lower(std::filesystem::path(path).extension().string()) == ".csv" && tabs * 2 <= seen;
  if (!named && tabs > 0) return '\t';
  double commas = 0, semicolons = 0;
  usual_columns(lines, ',', true, &commas);
  usual_columns(lines, ';', true, &semicolons);
  // Sentences have commas too: without the name of a CSV file nearly all rows must have as many.
  if (!named && (seen < 2 || std::max(commas, semicolons) < 0.9)) return '\t';
  return semicolons > commas ? ';' : ',';
}

std::string separator_name(char separator) {
  switch (separator) {
    case '\t':
      return "tab";
    case ',':
      return "comma";
    case ';':
      return "semicolon";
    default:
      return std::string(1, separator);
  }
}

bool are_spreadsheet_quotes(const SeparatedValues& values) {
  ParsedRow sum;
  long over_lines = 0;
  SeparatedValues trial = values;
  trial.quotes = true;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < std::min(values.lines.size(), 10 * kSampleLines); i = behind) {
    std::string_view text;
    const ParsedRow row = trial.row_at(i, behind, text);
    over_lines += behind > i + 1;
    sum.wrapped += row.wrapped;
    sum.broken += row.broken;
    sum.doubled += row.doubled;
    sum.commas_bare += row.commas_bare;
    sum.commas_wrapped += row.commas_wrapped;
    sum.all += row.all;
  }
  if (sum.doubled + over_lines > sum.broken) return true;
  const bool all = sum.wrapped * 10 >= sum.all * 9;
  const bool where_needed = sum.commas_bare == 0 && sum.commas_wrapped == sum.wrapped;
  return sum.broken == 0 && sum.wrapped > 0 && (all || where_needed);
}

// The columns of Anki's own are left out, and tags where the export says that it has some.
void take_anki_cells(const AnkiHead& head, std::vector<std::string>& cells) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (std::ranges::find(head.own_columns, i) == head.own_columns.end())
      kept.push_back(head.html ? without_html(cells[i]) : std::move(cells[i]));
  cells = std::move(kept);
}

void take_anki_notes(const AnkiHead& head, const SeparatedValues& values, FileTable& table) {
  const auto own = std::ranges::count_if(head.own_columns, [&](std::size_t i) { return i < table.columns; });
  table.columns -= std::min(table.columns, static_cast<std::size_t>(own));
  table.notes.push_back("read as Anki's export; its " + std::to_string(head.lines) +
                        " lines of settings and the columns that they name as Anki's own are left out");
  const auto tagged =
      std::count_if(values.lines.begin() + static_cast<std::ptrdiff_t>(head.lines), values.lines.end(),
                    [&](std::string_view line) { return head.html && without_html(line) != line; });
  if (tagged > 0)
    table.notes.push_back("lines with tags or entities of HTML, which were taken out: " +
                          std::to_string(tagged));
}

FileTable separated_table(std::string_view text, const std::string& path) {
  const auto values = std::make_shared<SeparatedValues>();
  values->lines = table_lines(text);
  refuse_generated(values->lines, path);
  const std::optional<AnkiHead> anki = anki_head(values->lines);
  if (anki) values->head = anki->lines;
  values->separator = anki ? anki->separator : separator_of(values->lines, path);
  const bool tabs = values->separator == '\t';
  values->columns = usual_columns(values->lines, values->separator, !tabs);
  values->quotes = !tabs || are_spreadsheet_quotes(*values);
  if (tabs && values->quotes) values->columns = usual_columns(values->lines, '\t', true);

  FileTable table{.columns = values->columns,
                  .separator = separator_name(values->separator),
                  .lines = static_cast<long>(values->lines.size())};
  if (!tabs) table.notes.push_back("read as CSV, between its values: " + table.separator);
  if (tabs && values->quotes)
    table.notes.push_back(
        "fields stood between quotes, as spreadsheets write them; the quotes were taken off");
  if (anki) take_anki_notes(*anki, *values, table);
  table.row = [values, anki](std::size_t& line, TableRow& row) {
    line = std::max(line, values->head);
    if (line >= values->lines.size()) return false;
    row.line = static_cast<long>(line) + 1;
    row.fault.clear();
    std::size_t behind = line + 1;
    ParsedRow parsed = values->row_at(line, behind, row.text);
    if (parsed.open && values->separator != '\t') row.fault = "a quote is opened and not closed";
    row.cells = std::move(parsed.cells);
    if (anki) take_anki_cells(*anki, row.cells);
    line = behind;
    return true;
  };
  return table;
}

// Discarded when it is no JSON, or none that anybody would write.
ordered_json parsed_json(std::string_view text) {
  if (nests_too_deep(text)) return ordered_json::value_t::discarded;
  return ordered_json::parse(text, nullptr, false);
}

// {"translation": {"en": ..., "fr": ...}} holds the cells one step below.
const ordered_json* cells_of(const ordered_json& object) {
  if (!object.is_object()) return nullptr;
  const auto inner = object.find("translation");
  return inner != object.end() && inner->is_object() ? &*inner : &object;
}

void take_object(const ordered_json& object, const std::vector<std::string>& names, TableRow& row) {
  row.cells.assign(names.size(), "");
  const ordered_json* cells = cells_of(object);
  if (cells == nullptr) {
    row.fault = "not a JSON object";
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = cells->find(names[i]);
    if (found != cells->end() && found->is_string()) row.cells[i] = found->get<std::string>();
  }
}

std::vector<std::string> names_of(const ordered_json& first) {
  std::vector<std::string> names;
  const ordered_json* cells = cells_of(first);
  if (cells == nullptr) return names;
  for (const auto& [name, value] : cells->items())
    if (value.is_string()) names.push_back(name);
  return names;
}

FileTable json_table(std::string_view text, const std::string& path) {
  const auto refuse = [&] {
    throw Error(
        path,
        "this is JSON or JSON lines without sentence pairs; expected an object a line, such as "
        "{\"translation\": {\"en\": \"a\", \"fr\": \"b\"}}, or an array of them. Write a pair a line, for "
        "example with: jq -r '[.source, .target] | @tsv'");
  };
  const auto array = std::make_shared<ordered_json>(ordered_json::value_t::discarded);
  const auto lines = std::make_shared<TableLines>(split_lines(text));
  if (trimmed(text).starts_with('[')) *array = parsed_json(text);
  FileTable table{.separator = "key"};
  if (array->is_array()) {
    if (!array->empty()) table.names = names_of(array->front());
    table.lines = static_cast<long>(array->size());
  } else {
    for (std::size_t i = 0; i < std::min<std::size_t>(lines->size(), 100) && table.names.size() < 2; ++i)
      table.names = names_of(parsed_json((*lines)[i]));
    table.lines = static_cast<long>(lines->size());
  }
  if (table.names.size() < 2) refuse();
  table.columns = table.names.size();
  table.notes.push_back(array->is_array() ? "read as a JSON array; its objects count as lines"
                                          : "read as JSON lines");
  table.row = [array, lines, names = table.names](std::size_t& line, TableRow& row) {
    if (line >= (array->is_array() ? array->size() : lines->size())) return false;
    row.line = static_cast<long>(line) + 1;
    row.fault.clear();
    row.cells.clear();
    row.text = array->is_array() ? std::string_view() : (*lines)[line];
    if (array->is_array()) {
      take_object((*array)[line], names, row);
    } else if (!trimmed(row.text).empty()) {
      take_object(parsed_json(row.text), names, row);
    }
    ++line;
    return true;
  };
  return table;
}

FileTable tmx_table(std::string_view text, const std::string& path) {
  const auto memory = std::make_shared<TranslationMemory>(read_tmx(std::string(text), path));
  FileTable table{.columns = memory->languages.size(),
                  .names = memory->languages,
                  .separator = "language",
                  .notes = {memory->documents ? "read as WMT's XML; its segments count as lines"
                                              : "read as TMX; its translation units count as lines"},
                  .lines = static_cast<long>(memory->units.size())};
  table.row = [memory](std::size_t& line, TableRow& row) {
    if (line >= memory->units.size()) return false;
    row = {.line = static_cast<long>(line) + 1, .text = memory->units[line][0], .cells = memory->units[line]};
    ++line;
    return true;
  };
  return table;
}

}  // namespace

FileTable table_of(std::string_view text, const std::string& path) {
  if (is_tmx(text)) return tmx_table(text, path);
  const std::string_view head = trimmed(text.substr(0, 4096));
  const std::string extension = to_lower(std::filesystem::path(path).extension().string());
  std::string start;  // without blanks: "[", line break, "{" is an array of objects
  for (const char c : head.substr(0, 200))
    if (!is_blank(static_cast<unsigned char>(c))) start += c;
  const bool json = extension == ".json" || extension == ".jsonl" || start.starts_with("{\"") ||
                    start.starts_with("[{") || start.starts_with("[\"");
  return json ? json_table(text, path) : separated_table(text, path);
}

}  // namespace glassformer
