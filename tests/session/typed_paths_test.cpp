// Paths as people type and paste them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "app/session/paths.h"
#include "tests/scratch_folder.h"

namespace glassformer {

TEST_CASE("an address of a file is its path") {
  CHECK(expanded("file:///home/ana/two%20words/%C3%A9t%C3%A9.tsv") == "/home/ana/two words/été.tsv");
  CHECK(expanded("file://localhost/data/a.tsv") == "/data/a.tsv");
  CHECK(expanded("file:/data/a.tsv") == "/data/a.tsv");
  CHECK(expanded("  'file:///data/100%25.tsv'\n") == "/data/100%.tsv");
  // Of another machine, or not written right: left for whoever opens it to name.
  for (const std::string path :
       {"file://server/share/a.tsv", "file:///a%2", "file:///a%zz", "file:///a%00", "file:a"})
    CHECK(expanded(path) == path);
}

TEST_CASE("quotes and blanks around a path are no part of it") {
  CHECK(expanded("\"/data/two words.tsv\"") == "/data/two words.tsv");
  CHECK(expanded(" '/data/a.tsv' ") == "/data/a.tsv");
  CHECK(expanded("“/data/a.tsv”") == "/data/a.tsv");
  CHECK(expanded("\"~/a\"") == std::string(std::getenv("HOME")) + "/a");
  for (const std::string path : {"/data/it's", "'/data/a", "\"", "data/a b", ""})
    CHECK(expanded(path) == path);
}

TEST_CASE("a file that is there under the very name is that one") {
  ScratchFolder scratch;
  const std::string odd = scratch.path("a.txt ");
  std::ofstream(odd) << "x";
  CHECK(expanded(odd) == odd);
}

}  // namespace glassformer
