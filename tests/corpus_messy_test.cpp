// The shared folder of damaged and unusual files, real and handmade, where it is present.
#include <doctest/doctest.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/corpus_reader.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

const std::filesystem::path kData = std::filesystem::path(source_folder()) / ".." / "shared" / "data";

bool present() {
  if (std::filesystem::is_directory(kData / "messy")) return true;
  std::cout << "skipped: no folder " << kData << " with the messy files\n";
  return false;
}

struct Expected {
  std::string file, second;    // second: the target file of a line-aligned pair
  std::size_t kept;            // 0: the file is refused
  std::vector<long> rejected;  // line numbers
  std::string says;            // part of the refusal
};

const std::vector<Expected> kExpected = {
    {"messy/handmade/crlf.tsv", "", 12, {}, ""},
    {"messy/handmade/bom-crlf.tsv", "", 12, {}, ""},
    {"messy/handmade/lone-cr.tsv", "", 12, {}, ""},
    {"messy/handmade/mixed-eol.tsv", "", 12, {}, ""},
    {"messy/handmade/utf16le-bom.tsv", "", 12, {}, ""},
    {"messy/handmade/utf16be-bom.tsv", "", 12, {}, ""},
    {"messy/handmade/latin1.tsv", "", 0, {}, "Latin-1"},
    {"messy/handmade/invalid-utf8-line6.tsv", "", 11, {6}, ""},
    {"messy/handmade/unequal.en",
     "messy/handmade/unequal.de",
     0,
     {},
     "the source has 20 lines, the target 19"},
    {"messy/handmade/blank-lines.en", "messy/handmade/blank-lines.de", 16, {4, 9, 14, 16}, ""},
    {"messy/handmade/no-final-newline.en", "messy/handmade/no-final-newline.de", 12, {}, ""},
    {"messy/handmade/extra-final-newline.en", "messy/handmade/extra-final-newline.de", 12, {}, ""},
    {"messy/handmade/ragged.tsv", "", 5, {2, 5, 6, 7, 8, 9, 11}, ""},
    {"messy/handmade/header.tsv", "", 12, {}, ""},
    {"messy/handmade/quotes.csv", "", 17, {}, ""},
    {"messy/handmade/semicolon.csv", "", 17, {}, ""},
    {"messy/handmade/unclosed-quote.csv", "", 5, {3}, ""},
    {"messy/handmade/unicode-traps.tsv", "", 14, {14}, ""},
    {"messy/handmade/nul-byte.tsv", "", 6, {4}, ""},
    {"messy/handmade/long-line.tsv", "", 4, {3}, ""},
    {"messy/handmade/duplicates.tsv", "", 12, {}, ""},
    {"messy/handmade/empty.tsv", "", 0, {}, "the file is empty"},
    {"messy/handmade/bom-only.tsv", "", 0, {}, "the file is empty"},
    {"messy/handmade/newlines-only.tsv", "", 0, {}, "none of 3 lines"},
    {"messy/handmade/pairs.tsv.gz", "", 30, {}, ""},
    {"messy/handmade/pairs.jsonl", "", 12, {5, 8}, ""},
    {"messy/handmade/pairs.tmx", "", 12, {11, 12}, ""},
    {"messy/handmade/pairs-utf16.tmx", "", 12, {11, 12}, ""},
    {"messy/handmade/truncated.tmx", "", 0, {}, "TMX file"},
    {"messy/real/poznan.de", "messy/real/poznan.pl", 0, {}, "the source has 12 lines, the target 11"},
    {"messy/real/help-bom-crlf.en",
     "messy/real/help-bom-crlf.pl",
     0,
     {},
     "the source has 100 lines, the target 104"},
    {"messy/real/maligna-simpletext.tmx", "", 1, {2, 3}, ""},
    {"messy/real/mateo-en-fr.csv", "", 28, {}, ""},
    {"messy/real/mateo-en-fa.csv", "", 28, {}, ""},
    {"messy/real/mateo-en-kz.csv", "", 27, {24}, ""},
    {"tatoeba/eng-cmn-attrib.tsv", "", 5000, {}, ""},
    {"tatoeba/eng-hin-attrib-header.tsv", "", 2949, {}, ""},
    {"tatoeba/eng-fra.tsv", "", 60000, {}, ""},
    {"multi30k/train.de", "multi30k/train.en", 29000, {}, ""},
};

}  // namespace

TEST_CASE("every messy file is read or refused as its description says") {
  if (!present()) return;
  for (const Expected& expected : kExpected) {
    CAPTURE(expected.file);
    const std::string path = (kData / expected.file).string();
    Corpus corpus;
    std::string refusal;
    try {
      corpus = expected.second.empty() ? read_tab_separated(path)
                                       : read_line_aligned(path, (kData / expected.second).string());
    } catch (const Error& error) {
      refusal = error.what();
    }
    CHECK(corpus.pairs.size() == expected.kept);
    std::vector<long> rejected;
    for (const RejectedLine& line : corpus.rejected) rejected.push_back(line.line);
    CHECK(rejected == expected.rejected);
    CHECK(refusal.find(expected.says) != std::string::npos);
    CHECK(refusal.empty() == (expected.kept > 0));
  }
}

TEST_CASE("the same pairs come out of a file however its bytes are laid") {
  if (!present()) return;
  const auto pairs = [](const std::string& name) {
    return read_tab_separated((kData / "messy" / "handmade" / name).string()).pairs;
  };
  const auto plain = pairs("crlf.tsv");
  for (const std::string name : {"bom-crlf.tsv", "lone-cr.tsv", "mixed-eol.tsv", "header.tsv"}) {
    CAPTURE(name);
    CHECK(pairs(name) == plain);
  }
  CHECK(pairs("utf16le-bom.tsv") == pairs("utf16be-bom.tsv"));
  const auto traps = pairs("unicode-traps.tsv");
  CHECK(traps[6] == traps[7]);  // the same sentence, composed and decomposed
}
