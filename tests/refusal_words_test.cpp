// What the window shows of data that it cannot read: no option of the command line, which it does not have.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/text/corpus_reader.h"
#include "engine/text/segments.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

namespace glassformer {
namespace {

using testing::refusal;

TEST_CASE("a refusal of data, and a note about them, names no option of the command line") {
  const ScratchFolder folder;
  std::vector<std::string> said;
  const auto read = [&](const std::string& bytes, const std::string& columns = {}) {
    said.push_back(refusal([&] {
      const Corpus corpus = read_tab_separated(folder.write("pairs.tsv", bytes), {}, {.columns = columns});
      for (const std::string& note : corpus.notes) said.push_back(note);
    }));
  };
  std::string latin, wide;
  for (int i = 0; i < 3; ++i) latin += "une \xE9toile\ta star\n";
  for (const char c : std::string("a star\tune lune\n")) wide += c, wide += '\0';
  const std::string table = "id\ten\tfr\n1\tthe moon\tla lune\n2\ta star\tune étoile\n";
  read(latin);
  read(wide);
  read(table);
  for (const char* columns : {"2", "2,2", "2,9", "en,de", "en,en", ","}) read(table, columns);
  read("");
  read("no tab here\n");
  read("S-1\ta star\nT-1\tune lune\n");
  said.push_back(refusal([&] { read_segments(folder.write("wide", wide)); }));
  CHECK(std::ranges::count(said, "no error") == 1);  // the table without a choice of columns
  for (const std::string& words : said) CHECK_MESSAGE(words.find("--") == std::string::npos, words);
}

}  // namespace
}  // namespace glassformer
