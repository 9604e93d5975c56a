#include "engine/text/segments.h"

#include <algorithm>
#include <filesystem>

#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/text/file_format.h"
#include "engine/text/markup.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

using LineViews = std::vector<std::string_view>;

void refuse_long_lines(std::string_view text, const std::string& path) {
  long number = 0;
  for (std::size_t start = 0; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
    if (end - start > kMostLineBytes)
      throw Error(path, "line " + std::to_string(number + 1) + " has " + std::to_string(end - start) +
                            " bytes; expected a sentence of at most " + std::to_string(kMostLineBytes) +
                            ". Cut the text into lines");
    start = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
}

// Where a line of the beginning of a file ends, it is cut. False: only the whole file can be read, because it
// is one value (JSON, markup), UTF-16 or one endless line.
bool cut_after_line(std::string& bytes) {
  std::string_view head = std::string_view(bytes).substr(0, 4096);
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  head = trimmed(head);
  const std::size_t end = bytes.rfind('\n');
  const bool lines = !head.starts_with('[') && !head.starts_with('<') && head.find('\0') == head.npos &&
                     !bytes.starts_with("\xFF\xFE") && !bytes.starts_with("\xFE\xFF");
  if (!lines || end == std::string::npos) return false;
  bytes.resize(end + 1);
  return true;
}

bool has_lone_cr(std::string_view line) {
  return line.find('\r') != std::string_view::npos;
}

// Cuts lines that end in LF at their CRs, where both sides have equally many. True when a CR is left inside.
bool cut_alike(LineViews (&sides)[2]) {
  if (std::none_of(sides[0].begin(), sides[0].end(), has_lone_cr) &&
      std::none_of(sides[1].begin(), sides[1].end(), has_lone_cr))
    return false;
  LineViews cut[2];
  bool left = false;
  for (std::size_t i = 0; i < sides[0].size(); ++i) {
    const LineViews parts[2] = {split_lines(sides[0][i]), split_lines(sides[1][i])};
    const bool alike = parts[0].size() == parts[1].size() && !parts[0].empty();
    for (int side = 0; side < 2; ++side) {
      if (alike) {
        cut[side].insert(cut[side].end(), parts[side].begin(), parts[side].end());
      } else {
        cut[side].push_back(sides[side][i]);
        left = left || has_lone_cr(sides[side][i]);
      }
    }
  }
  for (int side = 0; side < 2; ++side) sides[side] = std::move(cut[side]);
  return left;
}

void cut_into_lines(AlignedLines& aligned) {
  LineViews whole[2];
  for (int i = 0; i < 2; ++i) whole[i] = split_lines(*aligned.texts[i], false);
  if (whole[0].size() == whole[1].size() && whole[0].size() > 1) {
    if (cut_alike(whole)) aligned.notes.push_back("carriage returns inside lines were read as blanks");
    for (int i = 0; i < 2; ++i) aligned.lines[i] = std::move(whole[i]);
    return;
  }
  for (int i = 0; i < 2; ++i) aligned.lines[i] = split_lines(*aligned.texts[i]);
}

// Empty lines at the end of the longer file belong to nothing.
void leave_out_last_empty_lines(AlignedLines& aligned, const std::string (&names)[2]) {
  const std::size_t shorter = std::min(aligned.lines[0].size(), aligned.lines[1].size());
  for (int i = 0; i < 2; ++i) {
    LineViews& lines = aligned.lines[i];
    std::size_t kept = lines.size();
    while (kept > shorter && trimmed(lines[kept - 1]).empty()) --kept;
    if (kept == lines.size() || kept > shorter) continue;
    aligned.notes.push_back("empty lines at the end of " + names[i] + " were left out");
    lines.resize(kept);
  }
}

std::string counted(std::size_t lines) {
  return std::to_string(lines) + (lines == 1 ? " line" : " lines");
}

// Every line as a string, a CR inside a blank.
std::vector<std::string> sound_lines(const LineViews& lines, const std::string& path) {
  std::vector<std::string> result;
  result.reserve(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const auto fault = line_fault(lines[i]))
      throw Error(path, "line " + std::to_string(i + 1) + " is no text: " + *fault +
                            ". Mend the line, or say how the file is to be read, for example with "
                            "--encoding windows-1252");
    result.emplace_back(lines[i]);
    std::replace(result.back().begin(), result.back().end(), '\r', ' ');
  }
  return result;
}

}  // namespace

std::string file_name(const std::string& path) {
  return to_utf8(code_points(std::filesystem::path(path).filename().string()));
}

std::optional<std::string> line_fault(std::string_view line) {
  if (line.find('\0') != std::string_view::npos) return "holds a NUL byte";
  const std::size_t wrong = first_invalid_utf8(line);
  if (wrong == std::string_view::npos) return std::nullopt;
  return "not valid UTF-8 (byte " + std::to_string(wrong + 1) + " of the line)";
}

DecodedText read_text(const std::string& path, const TextReading& reading) {
  TextStart start = read_start(path, reading.enough, reading.max_bytes);
  if (!start.whole && !cut_after_line(start.bytes)) start = {.bytes = read_unpacked(path, reading.max_bytes)};
  refuse_packed(start.bytes, path);
  DecodedText decoded = decoded_text(std::move(start.bytes), path, reading.encoding);
  decoded.whole = start.whole;
  if (reading.tmx && is_tmx(decoded.text)) return decoded;
  if (auto lines = lines_of_segments(decoded.text, path)) {
    decoded.text = std::move(*lines);
    decoded.notes.push_back("read segment by segment, without the tags around them");
  }
  refuse_markup(decoded.text, path);
  refuse_long_lines(decoded.text, path);
  return decoded;
}

AlignedLines read_aligned_lines(const std::string& first, const std::string& second,
                                const TextReading& reading) {
  AlignedLines aligned;
  const std::string names[2] = {file_name(first), file_name(second)};
  for (int i = 0; i < 2; ++i) {
    const std::string& path = i == 0 ? first : second;
    DecodedText decoded = read_text(path, reading);
    if (decoded.text.empty()) throw Error(path, "the file is empty; expected a sentence a line");
    for (const std::string& text : decoded.notes) aligned.notes.push_back(names[i] + " was " + text);
    aligned.texts[i] = std::make_shared<const std::string>(std::move(decoded.text));
    refuse_other_encoding(split_lines(*aligned.texts[i]), path);
  }
  cut_into_lines(aligned);
  leave_out_last_empty_lines(aligned, names);
  refuse_table(aligned.lines[0], first);
  refuse_table(aligned.lines[1], second);
  const std::size_t counts[2] = {aligned.lines[0].size(), aligned.lines[1].size()};
  if (counts[0] != counts[1])
    throw Error(first + " and " + second,
                "the " + reading.first + " has " + counted(counts[0]) + ", the " + reading.second + " " +
                    std::to_string(counts[1]) +
                    "; line N of one must belong to line N of the other. Find the line that is missing or "
                    "was cut in two and mend it");
  return aligned;
}

AlignedSegments read_aligned_segments(const std::string& first, const std::string& second,
                                      const TextReading& reading) {
  AlignedLines aligned = read_aligned_lines(first, second, reading);
  return {.first = sound_lines(aligned.lines[0], first),
          .second = sound_lines(aligned.lines[1], second),
          .notes = std::move(aligned.notes)};
}

std::vector<std::string> read_segments(const std::string& path, const TextReading& reading) {
  const DecodedText decoded = read_text(path, reading);
  const LineViews lines = split_lines(decoded.text);
  refuse_other_encoding(lines, path);
  refuse_table(lines, path);
  return sound_lines(lines, path);
}

}  // namespace glassformer
