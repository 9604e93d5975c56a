#include "engine/text/corpus_reader.h"

#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "tests/gzip.h"
#include "tests/scratch_folder.h"

using namespace glassformer;
using namespace std::string_literals;

namespace {

struct Files {
  ScratchFolder folder;

  Corpus table(const std::string& bytes, const CorpusLimits& limits = {},
               const std::string& name = "pairs.tsv") const {
    return read_tab_separated(folder.write(name, bytes), limits);
  }
  Corpus aligned(const std::string& source, const std::string& target) const {
    return read_line_aligned(folder.write("x.en", source), folder.write("x.de", target));
  }
  template <class Read>
  static std::string message(const Read& read) {
    try {
      read();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string table_error(const std::string& bytes, const std::string& name = "pairs.tsv") const {
    return message([&] { table(bytes, {}, name); });
  }
  std::string aligned_error(const std::string& source, const std::string& target) const {
    return message([&] { aligned(source, target); });
  }
};

const std::vector<SentencePair> kThree = {
    {"Go on.", "Mach weiter."}, {"Hi!", "Grüß dich!"}, {"No.", "Nein."}};

bool has_note(const Corpus& corpus, const std::string& text) {
  for (const std::string& note : corpus.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("line ends of every kind give the same pairs") {
  const Files files;
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string text = "Go on.\tMach weiter." + end + "Hi!\tGrüß dich!" + end + "No.\tNein.";
    for (const std::string& bytes : {text, text + end, "\xEF\xBB\xBF" + text}) {
      const Corpus corpus = files.table(bytes);
      CHECK(corpus.pairs == kThree);
      CHECK(corpus.line_numbers == std::vector<long>{1, 2, 3});
      CHECK(corpus.lines == 3);
      CHECK(corpus.rejected.empty());
      CHECK(corpus.notes.empty());
    }
  }
  CHECK(files.table("Go on.\tMach weiter.\nHi!\tGrüß dich!\r\nNo.\tNein.\r").pairs == kThree);
}

TEST_CASE("UTF-16 with a byte order mark is read") {
  const Files files;
  const Corpus corpus = files.table("\xFF\xFEH\0i\0\t\0G\0r\0\xFC\0\xDF\0\r\0\n\0"s);
  CHECK(corpus.pairs == std::vector<SentencePair>{{"Hi", "Grüß"}});
  CHECK(has_note(corpus, "UTF-16"));
}

TEST_CASE("gzip is read without being told") {
  const Files files;  // "a\tb\n"
  const Corpus corpus = files.table(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x4b\xe4\x4c\xe2\x02\x00\xce\x94\x11\x1a\x04\x00\x00\x00"s);
  CHECK(corpus.pairs == std::vector<SentencePair>{{"a", "b"}});
}

TEST_CASE("the first two columns count, a header row does not") {
  const Files files;
  const Corpus wide = files.table("Eng\tHin\tOth\nWow!\tवाह!\tCC-BY 2.0\nYes.\tहाँ।\t\n");
  CHECK(wide.pairs == std::vector<SentencePair>{{"Wow!", "वाह!"}, {"Yes.", "हाँ।"}});
  CHECK(wide.lines == 3);
  CHECK(wide.line_numbers.front() == 2);
  CHECK(has_note(wide, "names the columns"));
  CHECK(has_note(wide, "more than two columns, of which the first two were read: 3"));
  for (const std::string head :
       {"English\tGerman", "source\ttarget", "en-US\tpt_BR", "\xEF\xBB\xBFsrc\ttrg"}) {
    CHECK(files.table(head + "\na\tb\n").pairs.size() == 1);
  }
  // What only looks like one: a sentence, the same word twice, names further down.
  CHECK(files.table("English.\tEnglisch.\na\tb\n").pairs.size() == 2);
  CHECK(files.table("Latin\tlatin\na\tb\n").pairs.size() == 2);
  CHECK(files.table("a\tb\nEnglish\tGerman\n").pairs.size() == 2);
}

TEST_CASE("every line that is not kept is reported with its number and the reason") {
  const Files files;
  const Corpus corpus = files.table(
      "Hi.\tTag.\nno tab\n\n\tTag.\nHi.\t \n \t\xC2\xA0\n# comment\nGo.\tGeh.\tx\ty\ncaf\xE9\tKaffee\nnu\0l\tNull\n"s);
  CHECK(corpus.pairs == std::vector<SentencePair>{{"Hi.", "Tag."}, {"Go.", "Geh."}});
  CHECK(corpus.line_numbers == std::vector<long>{1, 8});
  CHECK(corpus.lines == 10);
  const std::vector<std::pair<long, std::string>> expected = {{2, "no tab between source and target"},
                                                              {3, "the line is empty"},
                                                              {4, "the source side is empty"},
                                                              {5, "the target side is empty"},
                                                              {6, "both sides are empty"},
                                                              {7, "no tab between source and target"},
                                                              {9, "not valid UTF-8 (byte 4 of the line)"},
                                                              {10, "holds a NUL byte"}};
  REQUIRE(corpus.rejected.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(corpus.rejected[i].line == expected[i].first);
    CHECK(corpus.rejected[i].reason == expected[i].second);
  }
  CHECK(corpus.rejected[0].excerpt == "no tab");
  CHECK(corpus.rejected[6].excerpt == "caf\xEF\xBF\xBD Kaffee");
}

TEST_CASE("a line that is too long is rejected and the limit named") {
  const Files files;
  const std::string five = "ééééé";
  const Corpus corpus =
      files.table(five + "\ta\n" + five + "é\ta\na\t" + five + "é\n", {.max_characters = 5});
  CHECK(corpus.pairs.size() == 1);
  REQUIRE(corpus.rejected.size() == 2);
  CHECK(corpus.rejected[0].reason == "the source has 6 characters, more than the limit of 5");
  CHECK(corpus.rejected[1].reason == "the target has 6 characters, more than the limit of 5");
}

TEST_CASE("an excerpt is short") {
  const Files files;
  const Corpus corpus = files.table("a\tb\n" + std::string(5000, 'x') + "\n");
  REQUIRE(corpus.rejected.size() == 1);
  CHECK(corpus.rejected[0].excerpt == std::string(48, 'x') + "…");
}

TEST_CASE("reading stops at the number of pairs asked for") {
  const Files files;
  const Corpus corpus = files.table("a\tb\nbad\nc\td\ne\tf\n", {.max_pairs = 2});
  CHECK(corpus.pairs.size() == 2);
  CHECK(corpus.lines == 3);
}

TEST_CASE("of a large table no more is read than gives the pairs that are wanted, and those are the same") {
  const Files files;
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += (i < 300 ? "no pair " : "a" + std::to_string(i) + "\tb") + std::to_string(i) + "\r\n";
  for (const std::string& bytes : {text, testing::gzipped(text)}) {
    for (const long wanted : {1L, 20L, 199L, 200L}) {
      CAPTURE(wanted);
      const Corpus all = files.table(bytes, {.max_pairs = wanted});
      REQUIRE(all.pairs.size() == static_cast<std::size_t>(wanted));
      for (const long first : {1L, 7L, 100L, 5000L}) {
        CAPTURE(first);
        const Corpus part = files.table(bytes, {.max_pairs = wanted, .first_bytes = first});
        CHECK(part.pairs == all.pairs);
        CHECK(part.line_numbers == all.line_numbers);
        CHECK(part.rejected.size() == all.rejected.size());
      }
    }
  }
  // One value cannot be cut: it is read whole.
  std::string array = "[";
  for (int i = 0; i < 50; ++i)
    array += std::string(i > 0 ? "," : "") + R"({"en": "the cat", "fr": "le chat"})" + "\n";
  for (const std::string mark : {"", "\xEF\xBB\xBF"})
    CHECK(files.table(mark + array + "]", {.max_pairs = 3, .first_bytes = 40}, "p.json").pairs.size() == 3);
}

TEST_CASE("traps of Unicode are cleaned and end no line") {
  const Files files;
  const Corpus corpus = files.table(
      "A line\xE2\x80\xA8sep.\tEin\xC2\x85Satz.\nVertical\x0Btab\tund\x0C"
      "Form\nNo\xC2\xA0"
      "break\tkein\xE2\x80\xAFUmbruch\n"
      "Ko\xCC\x88nnen\tKönnen\n\xE2\x80\x8FMark\tZei\xC2\xAD"
      "chen\n\xEF\xBB\xBFMid\tMit\xE2\x80\x8Bte\n👨‍👩‍👧\t𐎠 ＡＢ ﬁ\n");
  CHECK(corpus.pairs == std::vector<SentencePair>{{"A line sep.", "Ein Satz."},
                                                  {"Vertical tab", "und Form"},
                                                  {"No break", "kein Umbruch"},
                                                  {"Können", "Können"},
                                                  {"Mark", "Zeichen"},
                                                  {"Mid", "Mitte"},
                                                  {"👨‍👩‍👧", "𐎠 ＡＢ ﬁ"}});
  CHECK(corpus.rejected.empty());
}

TEST_CASE("doubles, several translations and equal sides stay and are counted, lost characters do not") {
  const Files files;
  const Corpus corpus = files.table("a\tb\na\tb\na\tb\na\tc\nTom\tTom\nx \xEF\xBF\xBD\ty\n");
  CHECK(corpus.pairs.size() == 5);
  CHECK(has_note(corpus, "repeats of an earlier pair, kept: 2"));
  CHECK(has_note(corpus, "several translations, all kept: 1"));
  CHECK(has_note(corpus, "same text on both sides, kept: 1"));
  REQUIRE(corpus.rejected.size() == 1);
  CHECK(contains(corpus.rejected[0].reason, "U+FFFD"));
}

TEST_CASE("quotes that a spreadsheet put around fields come off, quotes of the sentences stay") {
  const Files files;
  const Corpus sheet = files.table("\"She said, \"\"Hi.\"\"\"\tSie sagte: Tag.\n\"Yes, sir.\"\tJa.\n");
  CHECK(sheet.pairs[0].source == "She said, \"Hi.\"");
  CHECK(sheet.pairs[1].source == "Yes, sir.");
  CHECK(has_note(sheet, "between quotes"));
  const Corpus book = files.table("\"Hi,\" she said.\t\"Tag\", sagte sie.\n\"Yes.\"\t\"Ja.\"\n");
  CHECK(book.pairs[1].source == "\"Yes.\"");
}

TEST_CASE("files that hold no pair are refused") {
  const Files files;
  CHECK(contains(files.table_error(""), "pairs.tsv: the file is empty"));
  CHECK(contains(files.table_error("\xEF\xBB\xBF"), "the file is empty"));
  CHECK(
      contains(files.table_error("\n\n\n"), "none of 3 lines is a sentence pair; line 1: the line is empty"));
  CHECK(contains(files.table_error("a\nb\n"), "no line has a tab"));
  CHECK(contains(files.table_error("a\t\n\tb\n"), "the target side is empty"));
}

TEST_CASE("another encoding is named, a single damaged line is only rejected") {
  const Files files;
  const std::string error = files.table_error("a\tf\xFCr\nb\tSchwei\xDF\nc\tplain\n");
  CHECK(contains(error, "not UTF-8"));
  CHECK(contains(error, "Latin-1"));
  CHECK(contains(error, "iconv"));
  std::string noise = "a\tb\n";
  for (int i = 0; i < 4000; ++i) noise += static_cast<char>((i * 7919 + i / 256) % 256);
  CHECK(contains(files.table_error(noise), "the file is binary"));
  CHECK_FALSE(contains(files.table_error(noise), "Latin-1"));
  CHECK(contains(files.table_error("\x89PNG\r\n\x1A\n" + noise), "a picture (PNG)"));
  const Corpus one = files.table("a\tfür\nb\tSchwei\xC3\nc\tgrün\n");
  CHECK(one.pairs.size() == 2);
  CHECK(one.rejected.size() == 1);
}

TEST_CASE("TMX without sentences, and JSON lines as one side of two, are refused by name") {
  const Files files;
  const std::string tmx = "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><body><tu>\t</tu></body></tmx>";
  std::string wide = "\xFF\xFE";
  for (const char c : tmx) wide += std::string(1, c) + '\0';
  for (const std::string& error : {files.table_error(tmx), files.table_error(wide),
                                   files.table_error(tmx.substr(0, 60)), files.aligned_error(tmx, "a\n")}) {
    CHECK(contains(error, "TMX file"));
  }
  const std::string json = "{\"translation\": {\"en\": \"a\", \"de\": \"b\"}}\n";
  CHECK(contains(files.aligned_error("a\n", json), "JSON lines"));
}

TEST_CASE("a file that is named CSV but has tabs is read") {
  CHECK(Files().table("a, b\tc, d\ne\tf\n", {}, "x.csv").pairs.size() == 2);
}

TEST_CASE("other packings and documents are refused by name") {
  const Files files;
  CHECK(contains(files.table_error("PK\x03\x04 and more"), "zip archive"));
  CHECK(contains(files.table_error("\xFD"
                                   "7zXZ\0"s),
                 "xz"));
  CHECK(contains(files.table_error("%PDF-1.4\n"), "PDF"));
  CHECK(contains(files.table_error("<html><body>a</body></html>"), "HTML"));
  CHECK(contains(files.table_error("a\0\t\0b\0\n\0"s), "UTF-16LE without a byte order mark"));
}

TEST_CASE("line N of one file belongs to line N of the other") {
  const Files files;
  const Corpus corpus =
      files.aligned("\xEF\xBB\xBFone\r\ntwo\r\n\r\nfour\r\nfive\tx\r\nsix\r\n", "eins\n\n\n  \nfünf\nsechs");
  CHECK(corpus.pairs == std::vector<SentencePair>{{"one", "eins"}, {"five x", "fünf"}, {"six", "sechs"}});
  CHECK(corpus.line_numbers == std::vector<long>{1, 5, 6});
  CHECK(corpus.name == "x.en, x.de");
  REQUIRE(corpus.rejected.size() == 3);
  CHECK(corpus.rejected[0].line == 2);
  CHECK(corpus.rejected[0].reason == "the target side is empty");
  CHECK(corpus.rejected[1].reason == "both sides are empty");
  CHECK(corpus.rejected[2].reason == "the target side is empty");
}

TEST_CASE("wrong bytes in an aligned file name the side") {
  const Corpus corpus = Files().aligned("one\ntwo\nthree\n", "eins\nzwei \xFF\ndrei\n");
  CHECK(corpus.pairs.size() == 2);
  REQUIRE(corpus.rejected.size() == 1);
  CHECK(corpus.rejected[0].reason == "target: not valid UTF-8 (byte 6 of the line)");
}

TEST_CASE("unequal line counts are refused with both counts") {
  const Files files;
  const std::string error = files.aligned_error("1\n2\n3\n", "1\n2\n");
  CHECK(contains(error, "the source has 3 lines, the target 2"));
  CHECK(contains(error, "x.en and "));
}

TEST_CASE("empty lines at the end of one file do not count") {
  const Files files;
  CHECK(files.aligned("1\n2\n\n \n", "1\n2").pairs.size() == 2);
  CHECK(has_note(files.aligned("1\n2\n\n", "1\n2\n"), "empty lines at the end of x.en"));
  // A last line that is empty on one side alone still is a line.
  const Corpus corpus = files.aligned("1\n2\n", "1\n\n");
  CHECK(corpus.lines == 2);
  CHECK(corpus.rejected.size() == 1);
}

TEST_CASE("a carriage return inside a line does not shift the lines after it") {
  const Corpus corpus = Files().aligned("one\rtwo\nthree\n", "eins zwei\ndrei\n");
  CHECK(corpus.pairs == std::vector<SentencePair>{{"one two", "eins zwei"}, {"three", "drei"}});
  CHECK(has_note(corpus, "carriage returns"));
}

TEST_CASE("a table given as one of two aligned files is refused") {
  CHECK(contains(Files().aligned_error("a\tb\nc\td\n", "x\ny\n"), "tab-separated table"));
}

TEST_CASE("headers of aligned files are skipped together") {
  CHECK(Files().aligned("en\none\n", "de\neins\n").pairs == std::vector<SentencePair>{{"one", "eins"}});
}
