#include "engine/text/markup.h"

#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "engine/text/corpus_reader.h"
#include "engine/text/segments.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

const std::string kMemory =
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\" [<!ENTITY x SYSTEM "
    "\"file:///etc/hostname\">]>\n<tmx version=\"1.4\"><header srclang=\"en\"/><body>\n"
    "<tu><tuv xml:lang=\"fr\"><seg>la <bpt i=\"1\">&lt;b&gt;</bpt>lune<ept i=\"1\"/> &amp; moi</seg></tuv>"
    "<tuv xml:lang=\"en\"><seg>the\n  moon &amp; me</seg></tuv></tu>\n"
    "<tu><tuv xml:lang=\"EN-gb\"><seg>&x; star</seg></tuv><tuv lang=\"fr\"><seg>une étoile</seg></tuv></tu>\n"
    "<tu><tuv xml:lang=\"de\"><seg>nur dies</seg></tuv></tu></body></tmx>\n";

}  // namespace

TEST_CASE("a translation memory gives its units, the source language first, and opens nothing else") {
  const ScratchFolder folder;
  const std::string path = folder.write("x.tmx", kMemory);
  const Corpus corpus = read_tab_separated(path);
  CHECK(corpus.pairs ==
        std::vector<SentencePair>{{"the moon & me", "la lune & moi"}, {"&x; star", "une étoile"}});
  CHECK(corpus.rejected.size() == 1);
  CHECK(read_tab_separated(path, {}, {.columns = "fr,en"}).pairs[0].source == "la lune & moi");
  CHECK_THROWS_WITH_AS(read_tab_separated(folder.write("y.tmx", kMemory.substr(0, 400))),
                       doctest::Contains("TMX file is damaged or cut short"), Error);
  CHECK_THROWS_WITH_AS(read_segments(path), doctest::Contains("this is a TMX file"), Error);
}

TEST_CASE("segments of SGM are lines, and the tags around them are none") {
  const ScratchFolder folder;
  const auto set = [](const std::string& kind, const std::string& one, const std::string& two) {
    return "<" + kind + " setid=\"s\">\n<DOC docid=\"d\">\n<p>\n<seg id=\"1\"> " + one +
           " </seg>\n<seg id=\"2\">" + two + "</seg>\n</p>\n</DOC>\n</" + kind + ">\n";
  };
  const auto read = read_aligned_segments(folder.write("s.sgm", set("srcset", "you &amp; me", "R&D pays")),
                                          folder.write("r.sgm", set("refset", "toi et moi", "la R&D\npaie")));
  CHECK(read.first == std::vector<std::string>{"you & me", "R&D pays"});
  CHECK(read.second == std::vector<std::string>{"toi et moi", "la R&D paie"});
}

TEST_CASE("lines of tags are no sentences of a talk") {
  const ScratchFolder folder;
  const std::string tags = "<url>http://a.example</url>\n<talkid>7</talkid>\n<title>On stars</title>\n";
  CHECK(read_segments(folder.write("a", tags + "Stars shine.\n\nThey do.\n" + tags + "Next.\n")) ==
        std::vector<std::string>{"Stars shine.", "", "They do.", "Next."});
}

TEST_CASE("tags as deep as a hostile file likes end in no crash") {
  const ScratchFolder folder;
  std::string deep = "<tmx><body><tu><tuv xml:lang=\"en\"><seg>";
  for (int i = 0; i < 100000; ++i) deep += "<hi>";
  CHECK_THROWS_AS(read_tab_separated(folder.write("x.tmx", deep)), Error);
}
