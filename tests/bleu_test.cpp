#include "engine/train/bleu.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/math/error.h"
#include "engine/train/chrf.h"
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
    CAPTURE(name);
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
