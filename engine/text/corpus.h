// Sentence pairs and where they came from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace glassformer {

struct SentencePair {
  std::string source;
  std::string target;
  bool operator==(const SentencePair&) const = default;
};

struct RejectedLine {
  long line = 0;        // from 1, in the file
  std::string reason;   // "the target side is empty"
  std::string excerpt;  // the first characters of the line, safe to show
};

// The columns of a table, two of which were read.
struct ReadColumns {
  std::size_t count = 0;                        // 0: it was no table
  std::vector<std::string> names = {};          // of a first row that names them, of keys, of languages
  std::vector<std::vector<std::string>> first;  // the first lines of text, at most five
  std::size_t source = 0, target = 1;
};

struct Corpus {
  std::string name;                 // "multi30k train.de, train.en", "task reverse", "grammar english-french"
  std::vector<SentencePair> pairs;  // what is kept, in file order
  std::vector<long> line_numbers;   // of each pair, from 1; empty for generated data
  long lines = 0;                   // lines read
  std::vector<RejectedLine> rejected;
  std::vector<std::string> notes;  // "a header row was skipped", "read as UTF-16"
  ReadColumns columns;
};

}  // namespace glassformer
