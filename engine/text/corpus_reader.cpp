#include "engine/text/corpus_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/columns.h"
#include "engine/text/file_format.h"
#include "engine/text/grammar_lines.h"
#include "engine/text/segments.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

using Lines = std::vector<std::string_view>;

std::string count_of(long count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::optional<std::string> side_fault(const SentencePair& pair, const CorpusLimits& limits) {
  if (pair.source.empty() && pair.target.empty()) return "both sides are empty";
  if (pair.source.empty()) return "the source side is empty";
  if (pair.target.empty()) return "the target side is empty";
  const std::string both = pair.source + "\n" + pair.target;
  if (const std::string entity = unread_entity(both); !entity.empty())
    return "it holds the entity " + entity + ", which the file does not declare as a short text";
  if (both.find("\xEF\xBF\xBD") != std::string::npos)
    return "it holds U+FFFD, the mark of a character that could not be read";
  const auto too_long = [&](const std::string& side, const std::string& name) -> std::optional<std::string> {
    if (side.size() <= static_cast<std::size_t>(limits.max_characters)) return std::nullopt;
    const std::size_t characters = code_points(side).size();
    if (characters <= static_cast<std::size_t>(limits.max_characters)) return std::nullopt;
    return "the " + name + " has " + std::to_string(characters) + " characters, more than the limit of " +
           std::to_string(limits.max_characters);
  };
  const auto fault = too_long(pair.source, "source");
  return fault ? fault : too_long(pair.target, "target");
}

// Collects pairs and faults while a reader goes down the lines.
class Collector {
 public:
  Collector(std::string name, const CorpusLimits& limits) : limits_(limits) {
    corpus_.name = std::move(name);
  }

  bool full() const {
    return limits_.max_pairs > 0 && static_cast<long>(corpus_.pairs.size()) >= limits_.max_pairs;
  }
  void reject(long line, std::string reason, std::string_view text) {
    corpus_.rejected.push_back({line, std::move(reason), excerpt_of(text)});
  }
  void columns(const FileTable& table, const ColumnChoice& chosen) {
    corpus_.columns = {.count = table.columns,
                       .names = chosen.names,
                       .first = {},
                       .source = chosen.source,
                       .target = chosen.target};
  }
  void first_line(const std::vector<std::string>& cells) {
    constexpr std::size_t kFirstLines = 5;
    if (corpus_.columns.first.size() >= kFirstLines) return;
    std::vector<std::string>& shown = corpus_.columns.first.emplace_back();
    for (const std::string& cell : cells) shown.push_back(excerpt_of(cell));
  }
  void note(std::string text) { corpus_.notes.push_back(std::move(text)); }

  void add(long line, SentencePair pair, std::string_view text) {
    if (auto fault = side_fault(pair, limits_)) return reject(line, std::move(*fault), text);
    corpus_.pairs.push_back(std::move(pair));
    corpus_.line_numbers.push_back(line);
  }

  Corpus finish(const std::string& where, long lines) {
    corpus_.lines = lines;
    if (corpus_.pairs.empty()) {
      const std::string first =
          corpus_.rejected.empty()
              ? ""
              : "; line " + std::to_string(corpus_.rejected[0].line) + ": " + corpus_.rejected[0].reason;
      throw Error(where, "none of " + count_of(lines, "line") + " is a sentence pair" + first +
                             ". Give text with a sentence and its translation on each line");
    }
    note_oddities();
    return std::move(corpus_);
  }

 private:
  void note_oddities() {
    std::unordered_map<std::string_view, std::unordered_set<std::string_view>> translations;
    long doubles = 0, equal = 0;
    for (const SentencePair& pair : corpus_.pairs) {
      doubles += !translations[pair.source].insert(pair.target).second;
      equal += pair.source == pair.target;
    }
    const long several = std::count_if(translations.begin(), translations.end(),
                                       [](const auto& entry) { return entry.second.size() > 1; });
    const auto count = [&](const std::string& what, long number) {
      if (number > 0) note(what + ": " + std::to_string(number));
    };
    count("repeats of an earlier pair, kept", doubles);
    count("source sentences with several translations, all kept", several);
    count("pairs with the same text on both sides, kept", equal);
  }

  Corpus corpus_;
  CorpusLimits limits_;
};

TextReading reading_of(const CorpusLimits& limits, const FileChoices& choices) {
  return {.max_bytes = limits.max_file_bytes, .encoding = choices.encoding};
}

// Nothing when the pairs that are wanted are not all among the first `enough` bytes.
std::optional<Corpus> read_table(const std::string& path, const CorpusLimits& limits,
                                 const FileChoices& choices, std::size_t enough) {
  TextReading reading = reading_of(limits, choices);
  reading.tmx = true;
  reading.enough = enough;
  const DecodedText decoded = read_text(path, reading);
  if (decoded.text.empty()) throw Error(path, "the file is empty; expected a sentence pair a line");
  refuse_other_encoding(split_lines(decoded.text), path);
  const FileTable table = table_of(decoded.text, path);
  if (table.columns < 2 && !trimmed(decoded.text).empty()) {
    throw Error(
        path,
        "no line has a tab; expected source, tab, target on each line. Two files that belong together line "
        "by line are given as source and target");
  }
  const ColumnChoice chosen = choose_columns(table, choices.columns, path);
  Collector collector(file_name(path), limits);
  for (const auto* notes : {&decoded.notes, &table.notes, &chosen.notes})
    for (const std::string& text : *notes) collector.note(text);

  collector.columns(table, chosen);
  const bool first_two = chosen.source + chosen.target == 1;
  const std::size_t needed = std::max(chosen.source, chosen.target) + 1;
  long wider = 0;
  bool first = true;
  std::size_t line = 0;
  for (TableRow row; !collector.full() && table.row(line, row);) {
    wider += row.cells.size() > 2;
    if (auto fault = line_fault(row.text)) {
      collector.reject(row.line, std::move(*fault), row.text);
    } else if (!row.fault.empty()) {
      collector.reject(row.line, row.fault, row.text);
    } else if (row.cells.size() < needed) {
      const bool empty = trimmed(row.text).empty();
      const bool none = row.cells.size() < 2;
      collector.reject(row.line,
                       empty  ? "the line is empty"
                       : none ? "no " + table.separator + " between source and target"
                              : "the row has " + count_of(static_cast<long>(row.cells.size()), "column") +
                                    ", column " + std::to_string(needed) + " is read",
                       row.text);
    } else if (!(first && chosen.header)) {
      collector.first_line(row.cells);
      collector.add(row.line, {cleaned(row.cells[chosen.source]), cleaned(row.cells[chosen.target])},
                    row.text);
    }
    if (!trimmed(row.text).empty()) first = false;
  }
  if (!decoded.whole && !collector.full()) return std::nullopt;
  if (wider > 0 && first_two && choices.columns.empty()) {
    collector.note("lines with more than two columns, of which the first two were read: " +
                   std::to_string(wider));
  }
  return collector.finish(path, static_cast<long>(line));
}

}  // namespace

Corpus read_tab_separated(const std::string& path, const CorpusLimits& limits, const FileChoices& choices) {
  if (limits.max_pairs > 0)
    for (long part = limits.first_bytes; part < limits.max_file_bytes; part *= 4)
      if (auto corpus = read_table(path, limits, choices, static_cast<std::size_t>(part)))
        return std::move(*corpus);
  return std::move(*read_table(path, limits, choices, std::numeric_limits<std::size_t>::max()));
}

Corpus read_line_aligned(const std::string& source_path, const std::string& target_path,
                         const CorpusLimits& limits, const FileChoices& choices) {
  const std::string both = source_path + " and " + target_path;
  AlignedLines aligned = read_aligned_lines(source_path, target_path, reading_of(limits, choices));

  Collector collector(file_name(source_path) + ", " + file_name(target_path), limits);
  for (std::string& text : aligned.notes) collector.note(std::move(text));
  long line_number = 0;
  const Lines(&sides)[2] = aligned.lines;
  for (std::size_t i = 0; i < sides[0].size() && !collector.full(); ++i) {
    ++line_number;
    bool sound = true;
    for (int side = 0; side < 2 && sound; ++side) {
      auto fault = line_fault(sides[side][i]);
      if (!fault) continue;
      sound = false;
      collector.reject(line_number, (side == 0 ? "source: " : "target: ") + *fault, sides[side][i]);
    }
    if (!sound) continue;
    const SentencePair names{cleaned(sides[0][i]), cleaned(sides[1][i])};
    if (i == 0 && is_header(names)) {
      collector.note("line 1 names the columns (" + names.source + ", " + names.target + ") and was skipped");
      continue;
    }
    const std::string_view shown = trimmed(sides[0][i]).empty() ? sides[1][i] : sides[0][i];
    collector.add(line_number, {cleaned(sides[0][i]), cleaned(sides[1][i])}, shown);
  }
  return collector.finish(both, line_number);
}

}  // namespace glassformer
