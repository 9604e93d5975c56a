// Tables as people have them: which columns are sentences, whose the quotes are, CSV and JSON.
#include "engine/text/table.h"

#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "engine/text/corpus_reader.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

using Pairs = std::vector<SentencePair>;

const Pairs kTwo = {{"the moon rises", "la lune se lève"}, {"a star", "une étoile"}};

Corpus read_as(const std::string& bytes, const std::string& columns = {},
               const std::string& name = "pairs.tsv") {
  const ScratchFolder folder;
  return read_tab_separated(folder.write(name, bytes), {}, {.columns = columns});
}

// Rows of cells, tabs between them.
std::string rows(const std::vector<std::vector<std::string>>& cells, const std::string& separator = "\t") {
  std::string text;
  for (const auto& row : cells) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? separator : "") + row[i];
    text += "\n";
  }
  return text;
}

std::string refusal_of(const std::string& bytes, const std::string& columns = {},
                       const std::string& name = "pairs.tsv") {
  return testing::refusal([&] { read_as(bytes, columns, name); });
}

}  // namespace

TEST_CASE("columns of numbers, dates, codes and labels are passed over") {
  const std::string en[] = {"the moon rises", "a star"}, fr[] = {"la lune se lève", "une étoile"};
  for (const auto& [first, second] :
       std::vector<std::pair<std::string, std::string>>{{"77", "-3"},
                                                        {"0.981", "1e-4"},
                                                        {"1999-12-31", "2000-01-01"},
                                                        {"s1", "s22"},
                                                        {"http://a.example/1", "https://b.example/2"},
                                                        {"en", "en"},
                                                        {"Part 1", "Part 2"}}) {
    const auto& this_first = first;
    CAPTURE(this_first);
    CHECK(read_as(rows({{first, en[0], fr[0]}, {second, en[1], fr[1]}, {second, en[1], fr[1]}})).pairs[0] ==
          kTwo[0]);
    CHECK(read_as(rows({{en[0], first, fr[0]}, {en[1], second, fr[1]}, {en[1], second, fr[1]}})).pairs[1] ==
          kTwo[1]);
  }
  const Corpus corpus = read_as(rows({{"5", en[0], "9", fr[0]}, {"6", en[1], "8", fr[1]}}));
  CHECK(corpus.pairs == kTwo);
  bool noted = false;
  for (const std::string& note : corpus.notes)
    noted = noted || note.starts_with("columns 2 and 4 of 4 were read");
  CHECK(noted);
}

TEST_CASE("a header names the columns, and is no pair") {
  CHECK(
      read_as(
          rows({{"", "en", "fr"}, {"0", "the moon rises", "la lune se lève"}, {"1", "a star", "une étoile"}}))
          .pairs == kTwo);
  CHECK(read_as(rows({{"id", "English", "note", "French"},
                      {"0", "the moon rises", "good work", "la lune se lève"},
                      {"1", "a star", "also good", "une étoile"}}))
            .pairs == kTwo);
  CHECK(read_as(rows({{"tgt", "src"}, {"la lune se lève", "the moon rises"}, {"une étoile", "a star"}}))
            .pairs == kTwo);
  CHECK(read_as(rows({{"nr", "Satz", "Phrase"},
                      {"0", "the moon rises", "la lune se lève"},
                      {"1", "a star", "une étoile"}}))
            .pairs == kTwo);
}

TEST_CASE("two columns are the pair, whatever is in them") {
  CHECK(read_as(rows({{"3 + 4", "7"}, {"12", "twelve"}})).pairs == Pairs{{"3 + 4", "7"}, {"12", "twelve"}});
}

TEST_CASE("columns are chosen by number and by name, and what is not there is told") {
  const std::string text =
      rows({{"fr", "id", "en"}, {"la lune se lève", "1", "the moon rises"}, {"une étoile", "2", "a star"}});
  CHECK(read_as(text, "3,1").pairs == kTwo);
  CHECK(read_as(text, "en,FR").pairs == kTwo);
  CHECK(refusal_of(text, "1,4").find("columns 1 to 3") != std::string::npos);
  CHECK(refusal_of(text, "en,de").find("the first row has fr, id, en") != std::string::npos);
  CHECK(refusal_of(text, "en").find("such as 2,4 or en,fr") != std::string::npos);
  CHECK(refusal_of(text, "2,2").find("one column twice") != std::string::npos);
}

TEST_CASE("quotes come off where a program put them, and only there") {
  // Every cell; those with a comma; those that go over a line end.
  CHECK(read_as(rows({{"\"the moon rises\"", "\"la lune se lève\""}, {"\"a star\"", "\"une étoile\""}}))
            .pairs == kTwo);
  CHECK(read_as(rows({{"\"yes, it is\"", "\"oui, oui\""}, {"a star", "une étoile"}})).pairs ==
        Pairs{{"yes, it is", "oui, oui"}, {"a star", "une étoile"}});
  const Corpus corpus =
      read_as("a star\tune étoile\n\"one\ntwo \"\"2\"\"\"\t\"un\ndeux\"\nthe moon rises\tla lune se lève\n");
  CHECK(corpus.pairs == Pairs{kTwo[1], {"one two \"2\"", "un deux"}, kTwo[0]});
  CHECK(corpus.line_numbers == std::vector<long>{1, 2, 5});
  CHECK(corpus.rejected.empty());
  // Of a dialogue they are the sentences'.
  CHECK(read_as("\"Come, Anna,\tVeux-tu, Anne\nwell, now\tbien\n\"Yes.\"\t\"Oui.\"\n").pairs ==
        Pairs{{"\"Come, Anna,", "Veux-tu, Anne"}, {"well, now", "bien"}, {"\"Yes.\"", "\"Oui.\""}});
}

TEST_CASE("a carriage return in a cell is a blank") {
  const Corpus corpus = read_as("the moon\rrises\tla lune\rse lève\na star\tune étoile\n");
  CHECK(corpus.pairs == kTwo);
  CHECK(read_as("the moon rises\tla lune se lève\ra star\tune étoile\na\tb\n").pairs.size() == 3);
  CHECK(read_as("the moon rises\tla lune se lève\r\r\na star\tune étoile\r\r\n").pairs == kTwo);
}

TEST_CASE("CSV is read by its name or by its look, with commas and with semicolons") {
  for (const std::string separator : {",", ";"}) {
    const std::string text =
        rows({{"source", "target"}, {"\"the moon rises\"", "la lune se lève"}, {"a star", "\"une étoile\""}},
             separator);
    CHECK(read_as(text, "", "x.csv").pairs == kTwo);
    CHECK(read_as(text).pairs == kTwo);
  }
  const Corpus corpus =
      read_as("\"so, they\nsaid \"\"no\"\"\",\"ils ont dit \"\"non\"\"\"\na,b\n", "", "x.csv");
  CHECK(corpus.pairs == Pairs{{"so, they said \"no\"", "ils ont dit \"non\""}, {"a", "b"}});
  const Corpus open = read_as("a,b\n\"c,d\ne,f\n", "", "x.csv");
  CHECK(open.pairs == Pairs{{"a", "b"}, {"e", "f"}});
  CHECK(open.rejected[0].reason == "a quote is opened and not closed");
  // Sentences of one language have commas too.
  CHECK(refusal_of("yes, well\nno, no, no\na, b, c, d\nthis\n").find("no line has a tab") !=
        std::string::npos);
}

TEST_CASE("JSON lines and arrays of pairs are read") {
  const std::string nested =
      "{\"translation\": {\"en\": \"the moon rises\", \"fr\": \"la lune se lève\"}}\n"
      "{\"translation\": {\"fr\": \"une étoile\", \"en\": \"a star\"}}\n";
  CHECK(read_as(nested).pairs == kTwo);
  CHECK(read_as(nested).notes[1] == "keys en and fr were read as source and target; others can be chosen");
  CHECK(read_as(nested, "fr,en").pairs[0].source == "la lune se lève");
  const std::string flat =
      "[\n {\"id\": \"a1\", \"tgt\": \"la lune se lève\", \"src\": \"the moon rises\"},\n"
      " {\"id\": \"a2\", \"tgt\": \"une étoile\", \"src\": \"a star\"}\n]\n";
  CHECK(read_as(flat).pairs == kTwo);
  const Corpus damaged = read_as(nested + "{\"translation\": {\"en\": \"x\"}}\n{broken\n");
  CHECK(damaged.pairs == kTwo);
  REQUIRE(damaged.rejected.size() == 2);
  CHECK(damaged.rejected[0].reason == "the target side is empty");
  CHECK(damaged.rejected[1].reason == "not a JSON object");
  CHECK(refusal_of("{\"a\": 1}\n{\"a\": 2}\n").find("without sentence pairs") != std::string::npos);
}

TEST_CASE("an object that nests too deep is a rejected line, and an array of them is refused") {
  const std::string deep = "{\"en\": " + std::string(65, '[') + std::string(65, ']') + "}";
  const Corpus lines =
      read_as("{\"en\": \"the moon\", \"fr\": \"la lune\"}\n" + deep + "\n", {}, "pairs.jsonl");
  CHECK(lines.pairs.size() == 1);
  REQUIRE(lines.rejected.size() == 1);
  CHECK(lines.rejected[0].line == 2);
  CHECK(refusal_of("[" + deep + "]", {}, "pairs.json").find("without sentence pairs") != std::string::npos);
}

TEST_CASE("subtitles and tar archives are refused by name") {
  CHECK(refusal_of("1\n00:00:01,000 --> 00:00:02,000\nHi\n").find("SubRip") != std::string::npos);
  std::string archive(257, 'a');
  archive.append("ustar").append(400, '\0');
  CHECK(refusal_of(archive).find("tar archive") != std::string::npos);
}

TEST_CASE("an export of Anki is read without its head, its own columns and its tags") {
  const Corpus notes = read_as(
      "#separator:semicolon\n#html:true\n#guid column:1\n#deck column:4\n"
      "x9;the moon rises;la lune<br>se lève;French\n"
      "y2;a <b>star</b>;\"une&nbsp;étoile\";French\n");
  CHECK(notes.pairs == kTwo);
  CHECK(notes.line_numbers.front() == 5);
  bool head = false, tags = false;
  for (const std::string& note : notes.notes) {
    head = head || note.starts_with("read as Anki's export; its 4 lines");
    tags = tags || note.ends_with("HTML, which were taken out: 2");
  }
  CHECK(head);
  CHECK(tags);
  // Signs that are no tags stay, and so does everything where no HTML was promised.
  const Corpus plain = read_as("#separator:tab\n#html:false\n3 < 4 <i>\ttrois\nb\tdeux\n");
  CHECK(plain.pairs[0].source == "3 < 4 <i>");
  CHECK(read_as("#separator:pipe\n#html:true\nif 3 < 4|si 3 &lt; 4\nb|c\n").pairs[0] ==
        SentencePair{"if 3 < 4", "si 3 < 4"});
  // A sentence may begin so.
  CHECK(read_as("#tags: are words\t#tags : des mots\nb\tc\n").pairs.size() == 2);
}

TEST_CASE("what fairseq's generate prints is refused: its first column names lines") {
  const std::string refused =
      refusal_of("S-4\ta star\nT-4\tune étoile\nH-4\t-0.21\tune étoile\nP-4\t-0.2 -0.1\n");
  CHECK(refused.find("the first column names lines") != std::string::npos);
  CHECK(read_as("S-bahn\ttrain\na star\tune étoile\n").pairs.size() == 2);
}
