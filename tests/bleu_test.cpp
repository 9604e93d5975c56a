#include "engine/train/bleu.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/math/error.h"
#include "engine/text/text_notes.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

const std::string kBleuFixtures = source_folder() + "/tests/fixtures/bleu/";
const std::string kShared = source_folder() + "/../shared/";

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path);
  return {std::istreambuf_iterator<char>(file), {}};
}

nlohmann::json read_references(const std::string& path) {
  return nlohmann::json::parse(read(path));
}

std::vector<std::string> read_lines(const std::string& path) {
  std::istringstream content(read(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(content, line);) lines.push_back(line);
  return lines;
}

void check_score(const BleuScore& score, const nlohmann::json& wanted) {
  CHECK(std::abs(score.score - wanted.at("score").get<double>()) <= 1e-6);
  CHECK(std::abs(score.brevity_penalty - wanted.at("bp").get<double>()) <= 1e-6);
  CHECK(score.sys_len == wanted.at("sys_len").get<long>());
  CHECK(score.ref_len == wanted.at("ref_len").get<long>());
  for (std::size_t n = 0; n < 4; ++n) {
    CHECK(std::abs(score.precisions[n] - wanted.at("precisions")[n].get<double>()) <= 1e-6);
    CHECK(score.counts[n] == wanted.at("counts")[n].get<long>());
    CHECK(score.totals[n] == wanted.at("totals")[n].get<long>());
  }
}

// Everything that expect.json says of one pair of files.
void check_corpus(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                  const nlohmann::json& wanted) {
  check_score(bleu(hypotheses, references), wanted.at("cased"));
  check_score(bleu(hypotheses, references, {.lowercase = true}), wanted.at("lowercase"));
  CHECK(std::abs(chrf2(hypotheses, references) - wanted.at("chrf2").at("score").get<double>()) <= 1e-6);
  for (const auto& sentence : wanted.at("sentences")) {
    const auto line = sentence.at("line").get<std::size_t>() - 1;
    check_score(bleu({hypotheses[line]}, {references[line]}, {.effective_order = true}), sentence);
  }
}

}  // namespace

TEST_CASE("tokens are those of 13a, in lines chosen to be hard") {
  const auto expected = read_references(kBleuFixtures + "tokenization.json");
  for (const auto& line : expected.at("lines")) {
    const auto input = line.at("input").get<std::string>();
    CAPTURE(input);
    CHECK(tokenize_13a(input) == line.at("tokens").get<std::string>());
    if (line.at("group") != "special_casing")
      CHECK(tokenize_13a(input, true) == line.at("lowercase_tokens").get<std::string>());
  }
}

TEST_CASE("scores, counts and chrF2 of small corpora are sacrebleu's") {
  const auto expected = read_references(kBleuFixtures + "expect.json");
  for (const auto& wanted : expected.at("cases")) {
    CAPTURE(wanted.at("what").get<std::string>());
    check_corpus(wanted.at("hypothesis"), wanted.at("reference"), wanted);
  }
}

TEST_CASE("a file with every kind of blank inside its lines scores as in sacrebleu") {
  check_corpus(read_lines(kBleuFixtures + "messy.hyp"), read_lines(kBleuFixtures + "messy.ref"),
               read_references(kBleuFixtures + "expect.json").at("sets").at("messy"));
}

TEST_CASE("scores of the shared reference corpora are sacrebleu's") {
  const std::string folder = kShared + "reference/bleu/";
  if (!std::filesystem::exists(folder)) {
    std::cerr << "skipped: the reference corpora are not on this machine (" << folder << ")\n";
    return;
  }
  const auto expected = read_references(folder + "expect.json");
  for (const auto& [name, wanted] : expected.at("sets").items()) {
    const auto& this_name = name;
    CAPTURE(this_name);
    const std::string reference =
        name == "captions" ? kShared + "data/multi30k/test2016.en" : folder + name + ".ref";
    check_corpus(read_lines(folder + name + ".hyp"), read_lines(reference), wanted);
  }
}

TEST_CASE("a signature says how the score was made") {
  CHECK(bleu_signature() ==
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:glassformer-" GLASSFORMER_VERSION);
  CHECK(bleu_signature({.lowercase = true, .effective_order = true}).starts_with("nrefs:1|case:lc|eff:yes|"));
}

TEST_CASE("unequal numbers of lines are refused") {
  CHECK_THROWS_AS(bleu({"a"}, {"a", "b"}), Error);
  CHECK_THROWS_AS(chrf2({"a", "b"}, {"a"}), Error);
}

// Worked out by hand.
using Lines = std::vector<std::string>;

TEST_CASE("of several references an n-gram counts as often as in the one that has most of it") {
  const std::vector<std::string> whole{"a b c d e"};
  const BleuScore both = bleu_of_several(whole, {{"a b c d x"}, {"y b c d e"}});
  CHECK(both.counts == std::array<long, 4>{5, 4, 3, 2});
  CHECK(both.score == doctest::Approx(100));
  const BleuScore clipped = bleu_of_several({"the the the the"}, {{"the cat sat down"}, {"the the dog ran"}});
  CHECK(clipped.counts[0] == 2);
  CHECK(clipped.totals[0] == 4);
  CHECK(bleu_of_several(whole, {{"a b c d x"}}).score == bleu(whole, Lines{"a b c d x"}).score);
  CHECK(bleu_signature({}, 2).starts_with("nrefs:2|"));
}

TEST_CASE("the length is that of the nearest reference, of two as near the shorter") {
  const std::string four = "a b c d", long_one = "a b c d e f g h", five = "a b c d e", three = "a b c";
  CHECK(bleu_of_several({four}, {{long_one}, {five}}).ref_len == 5);
  CHECK(bleu_of_several({four}, {{five}, {three}}).ref_len == 3);
  CHECK(bleu_of_several({four}, {{three}, {five}}).ref_len == 3);
  // Line by line: each has a nearest one of its own.
  CHECK(bleu_of_several({four, five}, {{four, three}, {long_one, five}}).ref_len == 9);
}

TEST_CASE("text without blanks is scored by its characters, text that is cut already by its blanks") {
  const BleuOptions characters{.words = BleuWords::characters}, blanks{.words = BleuWords::between_blanks};
  const BleuScore signs = bleu({"犬は庭で寝た。"}, Lines{"犬が庭で寝た。"}, characters);
  const BleuScore apart = bleu({"犬 は 庭 で 寝 た 。"}, Lines{"犬 が 庭 で 寝 た 。"}, blanks);
  CHECK(signs.totals == std::array<long, 4>{7, 6, 5, 4});
  CHECK(signs.counts == std::array<long, 4>{6, 4, 3, 2});
  CHECK(signs.score == apart.score);
  CHECK(bleu({"犬は庭で寝た。"}, Lines{"犬が庭で寝た。"}).score == 0);
  CHECK(bleu({"it is , well , odd ."}, Lines{"it is , well , odd ."}, blanks).totals[0] == 7);
  CHECK(bleu_signature(characters).find("|tok:char|") != std::string::npos);
  CHECK(bleu_signature(blanks).find("|tok:none|") != std::string::npos);
  CHECK(bleu({"AB C"}, Lines{"ab c"}, {.lowercase = true, .words = BleuWords::characters}).counts[0] == 3);
}

TEST_CASE("of several references chrF takes the one that is nearest") {
  const std::vector<std::string> said{"the house", "a dog"}, near{"the horse", "a dog"}, far{"xyz", "a cat"};
  CHECK(chrf2_of_several(said, {far, near}) == doctest::Approx(chrf2(said, near)));
  CHECK(chrf2_of_several(said, {near, far}) == doctest::Approx(chrf2(said, near)));
}

TEST_CASE("BLEU is left out where most right answers have fewer than four words") {
  CHECK(too_short_for_bleu({"12", "7", "1030"}));
  CHECK(too_short_for_bleu({"a b c", "a b", "a b c d"}));
  CHECK_FALSE(too_short_for_bleu({"a b c d", "a b", "le chat boit le lait"}));
  CHECK_FALSE(too_short_for_bleu({"a b c", "a b c d"}));
  CHECK_FALSE(too_short_for_bleu({"犬が寝た"}, {.words = BleuWords::characters}));
}

TEST_CASE("notes say what makes a score low though the text is right, and how many lines have it") {
  const auto notes = [](const std::vector<std::string>& lines, const TextNoteOptions& options = {}) {
    std::string all;
    for (const std::string& note : notes_on_text(lines, "file", options)) all += note + "\n";
    return all;
  };
  CHECK(notes({"the cat drank the milk.", "a red car"}).empty());
  CHECK(notes({"1234567890123", "99"}).empty());
  const std::vector<std::string> thai{"แมวดื่มนมทุกวัน", "หมานอนหลับในสวน", "a b"};
  CHECK(notes(thai).find("2 of 3 lines have no blank") != std::string::npos);
  CHECK(notes(thai, {.by_words = false}).empty());
  const std::vector<std::string> chinese{"天气很好。", "我去学校。", "你好 吗"};
  CHECK(notes(chinese).find("2 of 3 lines have no blank") != std::string::npos);
  CHECK(notes({"oui…", "Öl", "да"}).empty());
  CHECK(notes({"un@@ be@@ lievable", "it is so", ""}).find("1 of 2 lines hold the subword mark") !=
        std::string::npos);
  CHECK(notes({"▁it ▁ra ins", "▁a ▁b"}).find("2 of 2 lines hold the subword mark “▁”") != std::string::npos);
  CHECK(notes({"it rain ##s", "## a heading", "C# or ###"}).find("1 of 3 lines hold the subword mark “##”") !=
        std::string::npos);
  CHECK(notes({"## a heading", "me@home", "#1 ##"}).empty());
  CHECK(notes({"it &apos;s late .", "go home .", "no"}).find("2 of 3 lines look cut into words") !=
        std::string::npos);
  CHECK(notes({"go home .", "no", "well"}).empty());
}
