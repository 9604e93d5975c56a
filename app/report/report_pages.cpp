#include "app/report/report_pages.h"

#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

PageTable page_table(const Description& words) {
  const NumberTable& table = words.table;
  PageTable page{.title = table.title, .head = {""}, .rows = {}, .more = {}};
  page.head.insert(page.head.end(), table.columns.begin(), table.columns.end());
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    std::vector<std::string> row{i < table.rows.size() ? table.rows[i] : std::to_string(i)};
    for (const double value : table.values[i]) row.push_back(std::isnan(value) ? "–" : format_short(value));
    row.resize(page.head.size());
    page.rows.push_back(std::move(row));
  }
  const auto left_out = [&](std::size_t count, const char* of) {
    if (count == 0) return;
    page.more += (page.more.empty() ? "And " : ", ") + format_count(static_cast<long long>(count)) + of;
  };
  left_out(words.rows_left_out, " more rows");
  left_out(words.columns_left_out, " more columns");
  if (!page.more.empty()) page.more += ": they are in the CSV file.";
  return page;
}

std::string page_caption(const Description& words) {
  return words.sentences.empty() ? words.title : words.sentences.front();
}

// The sentence stands on the first page.
std::string page_words(const Description& words) {
  std::string text;
  for (std::size_t i = 1; i < words.sentences.size(); ++i)
    if (!words.sentences[i].starts_with("The sentence is “"))
      text += (text.empty() ? "" : " ") + words.sentences[i];
  return text;
}

std::string how_to_run(const Report& report) {
  return std::string(
             "Run in this folder, by the same build on the same kind of processor, these lines make ") +
         "every figure again, byte for byte. Where the program is not installed, glassformer is app/run of "
         "its own folder. " +
         (report.with_model ? "The weights lie in the folder model."
                            : "The weights are those that the session file names.");
}

std::vector<std::string> all_commands(const Report& report) {
  std::vector<std::string> commands;
  for (const ReportFigure& figure : report.figures)
    commands.insert(commands.end(), figure.commands.begin(), figure.commands.end());
  return commands;
}

}  // namespace glassformer
