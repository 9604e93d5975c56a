// Text with markup, and how two texts differ in words.
#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "engine/text/corpus_reader.h"
#include "engine/text/markup.h"
#include "engine/text/segments.h"
#include "engine/text/word_difference.h"
#include "tests/scratch_folder.h"

namespace glassformer::markup_test {

const std::string kMemory =
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\" [<!ENTITY x SYSTEM "
    "\"file:///etc/hostname\">]>\n<tmx version=\"1.4\"><header srclang=\"en\"/><body>\n"
    "<tu><tuv xml:lang=\"fr\"><seg>la <bpt i=\"1\">&lt;b&gt;</bpt>lune<ept i=\"1\"/> &amp; moi</seg></tuv>"
    "<tuv xml:lang=\"en\"><seg>the\n  moon &amp; me</seg></tuv></tu>\n"
    "<tu><tuv xml:lang=\"EN-gb\"><seg>&x; star</seg></tuv><tuv lang=\"fr\"><seg>une étoile</seg></tuv></tu>\n"
    "<tu><tuv xml:lang=\"de\"><seg>nur dies</seg></tuv></tu></body></tmx>\n";

TEST_CASE("a translation memory gives its units, the source language first, and opens nothing else") {
  const ScratchFolder folder;
  const std::string path = folder.write("x.tmx", kMemory);
  const Corpus corpus = read_tab_separated(path);
  CHECK(corpus.pairs == std::vector<SentencePair>{{"the moon & me", "la lune & moi"}});
  CHECK(corpus.rejected.size() == 2);  // what an entity elsewhere means is not known
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

TEST_CASE("tags that nest deep and never close are refused") {
  const ScratchFolder folder;
  std::string deep = "<tmx><body><tu><tuv xml:lang=\"en\"><seg>";
  for (int i = 0; i < 100; ++i) deep += "<hi>";
  CHECK_THROWS_AS(read_tab_separated(folder.write("x.tmx", deep)), Error);
}

std::string memory_of(const std::string& head, const std::string& english, const std::string& other) {
  return head + "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\">" + english +
         "</tuv><tuv xml:lang=\"cs\">" + other + "</tuv></tu></body></tmx>";
}

TEST_CASE("a blank between two tags parts words, and a sentence may stand without <seg>") {
  const ScratchFolder folder;
  const auto first = [&](const std::string& text) {
    return read_tab_separated(folder.write("b.tmx", text)).pairs.at(0);
  };
  CHECK(first(memory_of("", "<seg><hi>old</hi>\t<hi>tea</hi> <ph>x</ph>cup</seg>", "<seg>a</seg>")).source ==
        "old tea cup");
  CHECK(first(memory_of("", "<note>seen</note><prop type=\"p\">7</prop>Two cups.", "Dva.")) ==
        SentencePair{"Two cups.", "Dva."});
}

TEST_CASE("the encoding that an XML file declares is obeyed") {
  const ScratchFolder folder;
  const auto read = [&](const std::string& name, const std::string& word) {
    return read_tab_separated(
        folder.write("c.tmx", memory_of("<?xml version='1.0' encoding='" + name + "'?>\n", "<seg>a</seg>",
                                        "<seg>" + word + "</seg>")));
  };
  const Corpus corpus = read("windows-1250", "\x9Elu\x9Dou\xE8k\xFD");
  CHECK(corpus.pairs.at(0).target == "žluťoučký");
  CHECK(corpus.notes.at(0).find("read as windows-1250, which it declares") != std::string::npos);
  CHECK(read("KOI8-R", "\xC4\xC1").pairs.at(0).target == "да");
  CHECK(read("ISO-8859-2", "žlutý").pairs.at(0).target == "žlutý");  // it is UTF-8
  CHECK_THROWS_WITH_AS(read("no-such-name", "\xC4"), doctest::Contains("not known here"), Error);
  CHECK_THROWS_WITH_AS(read("Shift_JIS", "\xFF\xFF"), doctest::Contains("is no letter of it"), Error);
}

TEST_CASE("short entities that a file declares are their text, others reject the pair") {
  const ScratchFolder folder;
  const auto read = [&](const std::string& declared, const std::string& sentence) {
    return read_tab_separated(folder.write(
        "e.tmx",
        memory_of("<!DOCTYPE tmx [" + declared + "]>", "<seg>" + sentence + "</seg>", "<seg>k</seg>")));
  };
  CHECK(read("<!ENTITY w 'Weyland &amp; S&#246;ns'><!ENTITY v \"5\">", "&w;, &v;. <![CDATA[&v;]]> &amp;v;")
            .pairs.at(0)
            .source == "Weyland & Söns, 5. &v; &v;");
  for (const std::string declared :
       {"<!ENTITY a 'b'><!ENTITY v '&a;&a;'>", "<!ENTITY v '<ph/>'>", "<!ENTITY v SYSTEM 'v.txt'>", ""})
    CHECK_THROWS_WITH_AS(
        read(declared, "see &v;"),
        doctest::Contains("it holds the entity &v;, which the file does not declare as a short text"), Error);
  CHECK_THROWS_WITH_AS(read("<!ENTITY v '" + std::string(900, 'x') + "'>", "&v; &v; &v; &v; &v;"),
                       doctest::Contains("more than double"), Error);
}

TEST_CASE("an entity of HTML that a file without declarations uses rejects its pair by name") {
  const ScratchFolder folder;
  CHECK_THROWS_WITH_AS(read_tab_separated(folder.write(
                           "h.tmx", memory_of("", "<seg>a &amp; b</seg>", "<seg>&uuml;ber</seg>"))),
                       doctest::Contains("the entity &uuml;,"), Error);
  const std::string none = "<seg>R &amp; D; &#98;; <![CDATA[&x;]]></seg>";
  CHECK(read_tab_separated(folder.write("i.tmx", memory_of("", none, "<seg>k</seg>"))).pairs.at(0).source ==
        "R & D; b; &x;");
}

TEST_CASE("SGML in capitals and without quotes is read, and WMT's XML gives pairs") {
  const ScratchFolder folder;
  const std::string set =
      "<REFSET setid=x trglang=any>\n<DOC docid=d.1 sysid='r s'>\n<SEG id=1> One &amp; <B>two</B>. "
      "</SEG>\n<seg "
      "ID=2>a=b < 3</Seg>\n</DOC>\n</REFSET>";
  CHECK(read_segments(folder.write("n.sgm", set)) == std::vector<std::string>{"One & two.", "a=b < 3"});
  const std::string wmt =
      "<?xml version='1.0' encoding='utf-8'?>\n<dataset id='w'><collection><doc id='d'><src "
      "lang='cs'><p><seg "
      "id='1'>Ano.</seg></p><p><seg id='2'>Ne.</seg></p></src><ref lang='en' translator='A'><p><seg "
      "id='2'>No."
      "</seg><seg id='1'>Yes.</seg></p></ref><hyp lang='en'><seg "
      "id='1'>Y</seg></hyp></doc></collection></dataset>";
  const Corpus corpus = read_tab_separated(folder.write("w.xml", wmt));
  CHECK(corpus.pairs == std::vector<SentencePair>{{"Ano.", "Yes."}, {"Ne.", "No."}});
  CHECK(corpus.notes.at(0) == "read as WMT's XML; its segments count as lines");
  CHECK_THROWS_WITH_AS(read_segments(folder.write("w.xml", wmt)), doctest::Contains("alone, as a corpus"),
                       Error);
}

std::string marks(const WordDifference& difference) {
  std::string text;
  for (const MarkedWord& word : difference.words) text += word.right ? '.' : 'x';
  return text;
}

TEST_CASE("words that stand in the reference in order are right, the others wrong") {
  const auto difference = compare_words("un livre noir trouve un livre", "un petit chien trouve le livre");
  CHECK(marks(difference) == ".xx.x.");
  CHECK(difference.right == 3);
  CHECK(difference.expected == 6);
  CHECK_FALSE(difference.same());
}

TEST_CASE("one word too many does not spoil the words after it") {
  CHECK(marks(compare_words("la la fille voit", "la fille voit")) == ".x..");
  CHECK(marks(compare_words("fille voit", "la fille voit")) == "..");
  CHECK_FALSE(compare_words("fille voit", "la fille voit").same());
}

TEST_CASE("equal sentences are the same whatever the blanks, and nothing is the same as nothing") {
  CHECK(compare_words(" la  fille ", "la fille").same());
  CHECK(compare_words("", "").same());
  CHECK_FALSE(compare_words("", "la").same());
  CHECK(compare_words("la", "").words.size() == 1);
}

TEST_CASE("two sentences have the same words in common, whichever comes first") {
  for (const auto& [one, other] : {std::pair{"e f s j j", "j f e s j"}, std::pair{"e f j j", "j f e s j"},
                                   std::pair{"", "a"}, std::pair{"", ""}, std::pair{"a b", "a b"}}) {
    const WordDifferences both = compare_both(one, other);
    std::vector<std::string> first, second;
    for (const MarkedWord& word : both.first.words)
      if (word.right) first.push_back(word.text);
    for (const MarkedWord& word : both.second.words)
      if (word.right) second.push_back(word.text);
    CHECK(first == second);
    CHECK(static_cast<int>(first.size()) == both.first.right);
    CHECK(both.second.right == both.first.right);
    CHECK(both.first.expected == static_cast<int>(both.second.words.size()));
  }
}

}  // namespace glassformer::markup_test
