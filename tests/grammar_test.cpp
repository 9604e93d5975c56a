#include "engine/text/grammar.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/grammar_reader.h"
#include "engine/text/unicode.h"
#include "tests/grammar_recognizer.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

const std::string kTiny = R"(
feature number sg pl
surface target
  vowels a o
forms plain (number)
  1 1s
words noun(number) = plain / plain
  cat / chat / *
  tree / arbre / *
rules sentence()
  : the noun(N).(N) / le|l' noun.(N)
)";

std::string message_of(const Grammar& grammar, long pairs) {
  try {
    grammar.generate(pairs, 1);
  } catch (const glassformer::Error& error) {
    return error.what();
  }
  return "";
}

std::set<std::string> sources_of(const std::vector<SentencePair>& pairs) {
  std::set<std::string> sources;
  for (const SentencePair& pair : pairs) sources.insert(pair.source);
  return sources;
}

}  // namespace

TEST_CASE("a small grammar gives every sentence it has, each once, and then says how many there are") {
  const Grammar grammar = Grammar::parse(kTiny, "tiny");
  const auto pairs = grammar.generate(4, 5);
  CHECK(sources_of(pairs) == std::set<std::string>{"the cat", "the cats", "the tree", "the trees"});
  for (const SentencePair& pair : pairs)
    CHECK(translations(read_grammar(kTiny, "tiny"), pair.source) == std::vector<std::string>{pair.target});
  CHECK(
      message_of(grammar, 5) ==
      "tiny: this grammar gives 4 distinct sentence pairs, and 5 were asked for; ask for fewer or add words");
  CHECK(message_of(grammar, -1).find("found -1") != std::string::npos);
  CHECK(grammar.generate(0, 1).empty());
}

TEST_CASE("the same seed gives the same pairs and another seed gives others") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  const auto first = grammar.generate(300, 42);
  CHECK(first == grammar.generate(300, 42));
  CHECK(first != grammar.generate(300, 43));
  const auto longer = grammar.generate(400, 42);
  CHECK(std::equal(first.begin(), first.end(), longer.begin()));
}

TEST_CASE("no source comes twice, and there are more than ten million sentences") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  const auto pairs = grammar.generate(60000, 7);
  CHECK(sources_of(pairs).size() == 60000);

  // Ways to build a sentence are almost all different sentences: draw from two seeds and see how few meet.
  auto sources = sources_of(grammar.generate(60000, 8));
  long met = 0;
  for (const SentencePair& pair : pairs) met += static_cast<long>(sources.count(pair.source));
  CHECK(met < 12000);
  CHECK(grammar.derivations() > 1e9);
}

TEST_CASE(
    "the English determines the French: every generated source has one translation, the generated one") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  const GrammarText rules = english_french_grammar();
  for (const SentencePair& pair : grammar.generate(3000, 2024)) {
    CAPTURE(pair.source);
    CHECK(translations(rules, pair.source) == std::vector<std::string>{pair.target});
  }
}

TEST_CASE("sentences have three to about fourteen words, and the short ones are frequent") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  const auto pairs = grammar.generate(5000, 3);
  std::map<long, long> lengths;
  for (const SentencePair& pair : pairs)
    ++lengths[std::count(pair.source.begin(), pair.source.end(), ' ') + 1];
  long middle = 0, short_ones = 0;
  for (const auto& [words, count] : lengths) {
    if (words >= 3 && words <= 14) middle += count;
    if (words <= 5) short_ones += count;
  }
  CHECK(middle > 4750);  // the rest: "the bench", "you laughed", and a few long ones
  CHECK(short_ones > 1000);
  CHECK(lengths.rbegin()->first <= 20);
}

TEST_CASE("the vocabulary is large enough to teach with") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  CHECK(grammar.words("noun") + grammar.words("mass") >= 150);
  CHECK(grammar.words("verb") + grammar.words("plain-verb") >= 60);
  CHECK(grammar.words("adjective") >= 50);
  CHECK(grammar.words("no such section") == 0);
}

TEST_CASE("both ways of writing are frequent: with capital and stop, and without") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  long cased = 0, plain = 0;
  for (const SentencePair& pair : grammar.generate(5000, 12)) {
    const bool capital = to_lower(pair.target).substr(0, 2) != pair.target.substr(0, 2);
    const char last = pair.source.back();
    CHECK((last == '.' || last == '?' || last == '!') ==
          (std::string(".?!").find(pair.target.back()) != std::string::npos));
    cased += capital && last == '.';
    plain += !capital && last != '.' && last != '?';
  }
  CHECK(cased > 1500);
  CHECK(plain > 1000);
}

TEST_CASE("every phenomenon is frequent in what is generated") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  const auto pairs = grammar.generate(5000, 11);
  const auto targets_with = [&](const std::vector<std::string>& marks) {
    return std::count_if(pairs.begin(), pairs.end(), [&](const SentencePair& pair) {
      return std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
        return (" " + pair.target + " ").find(mark) != std::string::npos;
      });
    });
  };
  CHECK(targets_with({" l'", " d'", " qu'", " j'", " n'", " s'"}) > 500);
  CHECK(targets_with({" au ", " aux ", " du ", " des "}) > 300);
  CHECK(targets_with({" pas "}) > 500);
  CHECK(targets_with({" les a ", " l'a ", " les ont ", " l'ai ", " l'as "}) > 50);
  CHECK(targets_with({" ?"}) > 500);
  CHECK(targets_with({" qui ", " que "}) > 200);
  CHECK(targets_with({", il était", ", elle était", ", elles étaient", ", ils étaient"}) > 200);
  CHECK(targets_with({" hier", " demain", " aujourd'hui"}) > 300);
  CHECK(targets_with({" le temps ", " Le temps "}) > 80);
  CHECK(targets_with({"onjour, ", "erci, ", "Oui, ", "Non, "}) > 80);
  CHECK(targets_with({"comment va", "Comment va", "vont "}) > 20);
  CHECK(targets_with({" parce qu"}) > 100);
  CHECK(targets_with({" mon ", " ma ", " sa ", " son ", " ses ", " notre ", " leurs "}) > 200);
}
