// Files of plain text, a segment a line, as people have them: the one way in for everything that reads lines.
// Two files that belong together line by line are read together, because what ends a line in one of them
// shows in the other.
//
// A file may be packed with gzip, begin with a byte order mark, be UTF-16, and end its lines in LF, CRLF,
// CR CR LF or CR, even mixed. Of WMT's SGM and IWSLT's files the segments are the lines. Windows-1252 is
// recognised, and read when the encoding is named.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/text/lines.h"

namespace glassformer {

// How a file is to be read.
struct TextReading {
  long max_bytes = 1L << 30;  // of one file, after unpacking
  std::size_t enough =
      std::numeric_limits<std::size_t>::max();  // so many of them, where lines can be cut off
  std::string encoding = {};  // as decoded_text knows them; empty: what the file says of itself
  bool tmx = false;           // TMX is wanted, unchanged; else it is refused
  std::string first = "source", second = "target";  // what two files are called in messages
};

constexpr std::size_t kMostLineBytes = std::size_t{4} << 20;  // a longer line is no sentence

// The text of a file, unpacked and decoded. Throws Error for what cannot be read or is no text
// (file_format.h), and for a line of more than kMostLineBytes.
DecodedText read_text(const std::string& path, const TextReading& reading);

// Line N of one belongs to line N of the other. A CR in the middle of a line ends it where the other side has
// one as well, or where the files would not agree otherwise; else it is a blank. Empty lines at the very end
// of the longer file are left out.
struct AlignedLines {
  std::shared_ptr<const std::string> texts[2];  // what the lines are views into
  std::vector<std::string_view> lines[2];       // of equal length
  std::vector<std::string> notes;               // "train.de was read as UTF-16 (little-endian)"
};
// Throws Error as read_text does, and when a file is empty or the counts of lines differ (both are named).
AlignedLines read_aligned_lines(const std::string& first, const std::string& second,
                                const TextReading& reading);

// Why these bytes are no line of text, if they are none: "holds a NUL byte", "not valid UTF-8 (byte 4 of the
// line)".
std::optional<std::string> line_fault(std::string_view line);

// The same for what is scored line by line: every line is sound, or an Error names the first that is not.
struct AlignedSegments {
  std::vector<std::string> first, second;
  std::vector<std::string> notes;
};
AlignedSegments read_aligned_segments(const std::string& first, const std::string& second,
                                      const TextReading& reading = {});

// A single file, every line sound. It may be empty.
std::vector<std::string> read_segments(const std::string& path, const TextReading& reading = {});

// The name of a file without its folders, for people and for JSON: bytes that are not UTF-8 are replaced.
std::string file_name(const std::string& path);

}  // namespace glassformer
