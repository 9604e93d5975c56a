// Parallel text from people's files, read as a careful person would: what is clearly a sentence pair is kept,
// every other line is reported with its number and the reason, and a file that cannot be used is refused with
// a sentence that says what to do.
//
// Two forms: a table (table.h, of which two columns are read) and two line-aligned files. Both
// may be packed with gzip, begin with a byte order mark, be UTF-16, and end their lines in LF, CRLF or CR,
// even mixed.
#pragma once

#include <string>

#include "engine/text/corpus.h"

namespace glassformer {

struct CorpusLimits {
  long max_file_bytes = 1L << 30;  // of one file, after unpacking
  int max_characters = 1000;       // of one side, code points
  long max_pairs = 0;              // stop after as many kept pairs; 0: all
  long first_bytes = 64L << 20;    // then so much of a table is read first, and more when they are not in it
  bool operator==(const CorpusLimits&) const = default;
};

// What a person says about a file that it does not say itself.
struct FileChoices {
  std::string encoding;  // as decoded_text knows them; empty: what the file says of itself
  std::string columns;   // "2,4" or "en,fr" (columns.h); empty: found by what is in them
  bool operator==(const FileChoices&) const = default;
};

// A line is rejected for: no tab, an empty side, a side that is too long, bytes that are not UTF-8, a NUL.
// What is kept is cleaned (clean.h); doubles stay and are counted in the notes. Throws Error for what is no
// parallel text: TMX, another packing, Latin-1, binary data, no kept pair.
Corpus read_tab_separated(const std::string& path, const CorpusLimits& limits = {},
                          const FileChoices& choices = {});

// Line N of one file belongs to line N of the other. Empty lines at the very end of either file do not count;
// after that, unequal line counts are an Error that names both.
Corpus read_line_aligned(const std::string& source_path, const std::string& target_path,
                         const CorpusLimits& limits = {}, const FileChoices& choices = {});

}  // namespace glassformer
