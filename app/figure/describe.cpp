#include "app/figure/describe.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/covered.h"
#include "app/session/change_words.h"
#include "engine/model/what_if/change_text.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostRows = 24, kMostColumns = 12, kMostListed = 12, kMostTables = 4;

// Without the stars of what is printed bold.
std::string plain_words(std::string text) {
  for (std::size_t at = text.find("**"); at != std::string::npos; at = text.find("**", at)) text.erase(at, 2);
  return text;
}

bool ends_sentence(const std::string& text) {
  return text.ends_with('.') || text.ends_with('?') || text.ends_with('!') || text.ends_with(':');
}

void add(std::vector<std::string>& sentences, const std::string& words) {
  if (words.empty()) return;
  std::string text = plain_words(words);
  text.erase(text.find_last_not_of(' ') + 1);
  if (!ends_sentence(text)) text += '.';
  if (std::ranges::find(sentences, text) == sentences.end()) sentences.push_back(std::move(text));
}

void add_page(std::vector<std::string>& sentences, const InspectorPage& page) {
  std::string subject = page.caption;
  // What only has switches asks for a hand.
  const bool asks = !page.switches.empty() && page.value.empty();
  if (!page.subject.empty() && !asks) subject += (subject.empty() ? "" : ": ") + page.subject;
  if (!page.value.empty()) subject += (subject.empty() ? "" : ", ") + page.value;
  add(sentences, subject);
  add(sentences, page.meaning);
  for (const InspectorSection& section : page.sections) {
    if (section.for_hands) continue;
    std::string rows;
    for (const InspectorRow& row : section.rows)
      if (!row.label.empty() && !row.value.empty())
        rows += (rows.empty() ? "" : "; ") + row.label + " " + row.value;
    if (!rows.empty()) add(sentences, (section.heading.empty() ? "" : section.heading + ": ") + rows);
    add(sentences, section.text);
  }
}

std::string in_marks(const std::string& name) {
  return "“" + name + "”";
}

// Of a table of one quantity: where each row has its largest number, of differences the largest in size.
// Where several are alike, as in a row of 0 and 1, none is named before the others.
// `of`: which of several tables it is.
void add_largest(std::vector<std::string>& sentences, const NumberTable& table, bool difference,
                 const std::string& of) {
  if (table.columns.size() < 3 || table.rows.size() != table.values.size() || table.rows.empty()) return;
  std::string all;
  std::size_t listed = 0;
  for (std::size_t i = 0; i < table.rows.size() && listed < kMostListed; ++i) {
    const std::vector<double>& row = table.values[i];
    const auto size = [&](double a) { return difference ? std::abs(a) : a; };
    const auto finite = [&](double a, double b) {
      return !std::isfinite(a) || (std::isfinite(b) && size(a) < size(b));
    };
    const auto largest = std::ranges::max_element(row, finite);
    if (largest == row.end() || !std::isfinite(*largest)) continue;
    const auto column = static_cast<std::size_t>(largest - row.begin());
    if (column >= table.columns.size()) continue;
    const auto alike = std::ranges::count_if(row, [&](double a) { return size(a) == size(*largest); });
    all +=
        (all.empty() ? std::string(difference ? "Largest difference" : "Largest") + " in its row" + of + ": "
                     : "; ") +
        in_marks(table.rows[i]) + ": " +
        (alike == 1 ? in_marks(table.columns[column])
                    : format_count(alike) + " of " + format_count(std::ssize(row)) + " alike,") +
        " " + format_short(*largest);
    ++listed;
  }
  if (listed < table.rows.size() && listed > 0) all += "; the other rows are in the table";
  add(sentences, all);
}

std::string cell_text(const std::string& whole) {
  std::string text = whole;
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  std::ranges::replace(text, '\n', ' ');
  return printable(text);
}

Table cut(Table table) {
  const auto left_out = [&](std::size_t count, std::size_t most, const std::string& what) {
    if (count <= most) return;
    table.note += (table.note.empty() ? "And " : " and ") + format_count(static_cast<long>(count - most)) +
                  what + (count - most == 1 ? "" : "s");
  };
  left_out(table.rows.size(), kMostRows, " more row");
  left_out(table.columns.size() - 1, kMostColumns, " more column");
  if (!table.note.empty()) table.note += ", in the CSV.";
  table.rows.resize(std::min(table.rows.size(), kMostRows));
  table.columns.resize(std::min(table.columns.size(), 1 + kMostColumns));
  for (std::vector<Cell>& row : table.rows) row.resize(std::min(row.size(), 1 + kMostColumns));
  return table;
}

// "Changed: mute head cross 2.1".
std::string changed_words(const ViewInput& input) {
  const SceneResult& result = input.result;
  const ChangeWords words = change_words(result, input.tokenizers);
  std::string all;
  for (const Change& change : result.scene.what_if.changes)
    all += (all.empty() ? "Changed: " : "; ") + text_of(change, words);
  return all;
}

}  // namespace

Description described(const View& view, const ViewInput& input) {
  Description description;
  // First: what a view makes once for all of its numbers, its sentences use too.
  const std::vector<NumberTable> tables = view.numbers(input);
  for (const std::string& part : view.place(input).path)
    description.title += (description.title.empty() ? "" : ", ") + part;
  add(description.sentences, view.caption(input));
  const bool of_model = view.traits().numbers_from.empty();
  if (of_model && !input.result.scene.sentences.empty())
    add(description.sentences, "The sentence is “" + input.result.scene.sentences.front().source +
                                   "”, and the model writes “" + input.result.translation + "”");
  if (of_model)
    add(description.sentences, "The weights are those of step " + format_count(input.snapshot.step));
  if (const std::size_t changes = input.result.scene.what_if.changes.size(); of_model && changes > 0)
    add(description.sentences, changed_words(input));
  if (is_asked_for(input))
    add(description.sentences, kCovered);
  else if (const auto page = view.inspect(input))
    add_page(description.sentences, *page);
  for (const std::string& sentence : view.sentences(input)) add(description.sentences, sentence);
  if (tables.empty()) return description;
  const NumberTable& first = tables.front();
  if (first.one_quantity && first.rows.size() <= 64 && first.columns.size() <= 64)
    add_largest(description.sentences, first, input.difference_to != nullptr,
                tables.size() > 1 ? " (" + first.title + ")" : "");
  for (const NumberTable& numbers : tables)
    if (!numbers.values.empty() && description.tables.size() < kMostTables)
      description.tables.push_back(cut(table_of(numbers)));
  return description;
}

Table table_of(const NumberTable& numbers) {
  Table table{.title = numbers.title, .columns = {""}};
  table.columns.insert(table.columns.end(), numbers.columns.begin(), numbers.columns.end());
  for (std::size_t i = 0; i < numbers.values.size(); ++i) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(i < numbers.rows.size() ? numbers.rows[i] : std::to_string(i));
    row.insert(row.end(), numbers.values[i].begin(), numbers.values[i].end());
  }
  return table;
}

std::string text_of(const Description& description) {
  std::string text = printable(description.title) + "\n\n";
  for (const std::string& sentence : description.sentences) text += printable(sentence) + "\n\n";
  for (std::size_t i = 0; i < description.tables.size(); ++i) {
    const Table& table = description.tables[i];
    text += (i == 0 ? "" : "\n") + table.title + (table.title.empty() ? "" : "\n\n") +
            to_markdown(table, cell_text);
    if (!table.note.empty()) text += "\n" + table.note + "\n";
  }
  return text;
}

std::string alternative_text(const Description& description) {
  std::string text = description.title + ".";
  for (const std::string& sentence : description.sentences) text += " " + sentence;
  return text;
}

}  // namespace glassformer
