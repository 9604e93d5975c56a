#include "engine/text/corpus_reader.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/file_format.h"
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
  void note(std::string text) { corpus_.notes.push_back(std::move(text)); }

  void add(long line, SentencePair pair, std::string_view text) {
    if (line == 1 && is_header(pair)) {
      note("line 1 names the columns (" + pair.source + ", " + pair.target + ") and was skipped");
      return;
    }
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
    long doubles = 0, equal = 0, damaged = 0;
    for (const SentencePair& pair : corpus_.pairs) {
      doubles += !translations[pair.source].insert(pair.target).second;
      equal += pair.source == pair.target;
      damaged += (pair.source + pair.target).find("\xEF\xBF\xBD") != std::string::npos;
    }
    const long several = std::count_if(translations.begin(), translations.end(),
                                       [](const auto& entry) { return entry.second.size() > 1; });
    const auto count = [&](const std::string& what, long number) {
      if (number > 0) note(what + ": " + std::to_string(number));
    };
    count("repeats of an earlier pair, kept", doubles);
    count("source sentences with several translations, all kept", several);
    count("pairs with the same text on both sides, kept", equal);
    count("pairs with U+FFFD, the mark of characters lost in an earlier conversion, kept", damaged);
  }

  Corpus corpus_;
  CorpusLimits limits_;
};

struct Columns {
  std::string_view source, target;
  bool more = false;
};

std::optional<Columns> columns_of(std::string_view line) {
  const std::size_t first = line.find('\t');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = line.find('\t', first + 1);
  return Columns{line.substr(0, first),
                 line.substr(first + 1, second == line.npos ? line.npos : second - first - 1),
                 second != std::string_view::npos};
}

// The text of a field that a spreadsheet has put between quotes, its own quotes doubled; nothing when it is
// not so.
std::optional<std::string> unquoted(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i + 1 < field.size(); ++i) {
    text += field[i];
    if (field[i] != '"') continue;
    if (i + 2 >= field.size() || field[i + 1] != '"') return std::nullopt;
    ++i;
  }
  return text;
}

// A spreadsheet quotes every field that holds a quote. One field that breaks the rule, or none that proves it
// with a doubled quote, and the quotes belong to the sentences.
bool is_quoted_by_spreadsheet(const Lines& lines) {
  bool proved = false;
  for (const std::string_view line : lines) {
    const auto columns = columns_of(line);
    if (!columns) continue;
    for (const std::string_view field : {columns->source, columns->target}) {
      if (field.find('"') == std::string_view::npos) continue;
      const auto text = unquoted(field);
      if (!text) return false;
      proved = proved || text->find('"') != std::string::npos;
    }
  }
  return proved;
}

TextReading reading_of(const CorpusLimits& limits, const FileChoices& choices) {
  return {.max_bytes = limits.max_file_bytes, .encoding = choices.encoding};
}

// One side of two that is a table belongs elsewhere.
void refuse_table(const Lines& lines, const std::string& path) {
  if (std::filesystem::path(path).extension() == ".csv") refuse_csv(lines, path);
  const auto tabs =
      std::count_if(lines.begin(), lines.end(), [](auto line) { return line.find('\t') != line.npos; });
  if (static_cast<std::size_t>(tabs) * 2 > lines.size())
    throw Error(path,
                "most lines have a tab: this is a tab-separated file, not one side of two. Give it alone, "
                "as a corpus");
}

}  // namespace

Corpus read_tab_separated(const std::string& path, const CorpusLimits& limits, const FileChoices& choices) {
  const DecodedText decoded = read_text(path, reading_of(limits, choices));
  if (decoded.text.empty()) throw Error(path, "the file is empty; expected a sentence pair a line");
  const Lines lines = split_lines(decoded.text);
  refuse_csv(lines, path);
  refuse_other_encoding(lines, path);
  const bool any_tab =
      std::any_of(lines.begin(), lines.end(), [](auto line) { return line.find('\t') != line.npos; });
  const bool any_text =
      std::any_of(lines.begin(), lines.end(), [](auto line) { return !trimmed(line).empty(); });
  if (any_text && !any_tab) {
    throw Error(
        path,
        "no line has a tab; expected source, tab, target on each line. Two files that belong together line "
        "by line are given as source and target");
  }

  Collector collector(file_name(path), limits);
  for (const std::string& text : decoded.notes) collector.note(text);
  const bool quoted = is_quoted_by_spreadsheet(lines);
  if (quoted)
    collector.note("fields stood between quotes, as spreadsheets write them; the quotes were taken off");
  const auto side = [&](std::string_view field) {
    const auto text = quoted ? unquoted(field) : std::nullopt;
    return cleaned(text ? *text : field);
  };

  long line_number = 0, wider = 0;
  for (const std::string_view line : lines) {
    if (collector.full()) break;
    ++line_number;
    if (auto fault = line_fault(line)) {
      collector.reject(line_number, std::move(*fault), line);
    } else if (const auto columns = columns_of(line)) {
      wider += columns->more;
      collector.add(line_number, {side(columns->source), side(columns->target)}, line);
    } else {
      collector.reject(line_number,
                       trimmed(line).empty() ? "the line is empty" : "no tab between source and target",
                       line);
    }
  }
  if (wider > 0) {
    collector.note("lines with more than two columns, of which the first two were read: " +
                   std::to_string(wider));
  }
  return collector.finish(path, line_number);
}

Corpus read_line_aligned(const std::string& source_path, const std::string& target_path,
                         const CorpusLimits& limits, const FileChoices& choices) {
  const std::string both = source_path + " and " + target_path;
  AlignedLines aligned = read_aligned_lines(source_path, target_path, reading_of(limits, choices));
  for (int i = 0; i < 2; ++i) refuse_table(aligned.lines[i], i == 0 ? source_path : target_path);

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
    const std::string_view shown = trimmed(sides[0][i]).empty() ? sides[1][i] : sides[0][i];
    collector.add(line_number, {cleaned(sides[0][i]), cleaned(sides[1][i])}, shown);
  }
  return collector.finish(both, line_number);
}

}  // namespace glassformer
