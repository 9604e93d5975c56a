// The grammar of sentences: words as they are written, and files that hold one.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/grammar.h"
#include "engine/text/grammar_expand.h"
#include "engine/text/grammar_reader.h"
#include "engine/text/unicode.h"
#include "tests/grammar_recognizer.h"
#include "tests/source_folder.h"

namespace glassformer::grammar_test {

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

GrammarSurface french() {
  GrammarSurface surface;
  surface.vowels = {"a", "e", "é", "h", "o"};
  surface.attached = {",", "."};
  surface.contractions = {{"à", "le", "au"}, {"de", "les", "des"}};
  return surface;
}

TEST_CASE("the form before a vowel is chosen by the next word's sound and joined behind its apostrophe") {
  CHECK(surface_text({"le|l'", "homme"}, french()) == "l'homme");
  CHECK(surface_text({"le|l'", "*héros"}, french()) == "le héros");
  CHECK(surface_text({"le|l'", "étudiant"}, french()) == "l'étudiant");
  CHECK(surface_text({"un", "vieux|vieil", "ami"}, french()) == "un vieil ami");
  CHECK(surface_text({"un", "vieux|vieil", "chat"}, french()) == "un vieux chat");
  CHECK(surface_text({"vieux|vieil"}, french()) == "vieux");
}

TEST_CASE("a form before a vowel looks at the next word as it is finally spelled") {
  CHECK(surface_text({"que|qu'", "le|l'", "homme"}, french()) == "que l'homme");
  CHECK(surface_text({"a|an", "*useful|useful", "box"}, french()) == "a useful box");
}

TEST_CASE("neighbours contract, but not when the second has lost its vowel") {
  CHECK(surface_text({"à", "le|l'", "chat"}, french()) == "au chat");
  CHECK(surface_text({"à", "le|l'", "ami"}, french()) == "à l'ami");
  CHECK(surface_text({"de|d'", "les", "chats"}, french()) == "des chats");
}

TEST_CASE("attached marks have no blank before them and underscores become blanks") {
  CHECK(surface_text({"la", "pomme_de_terre", ",", "elle"}, french()) == "la pomme de terre, elle");
  CHECK(surface_text({"le", "chat", "."}, french()) == "le chat.");
}

TEST_CASE("a capital stands at the beginning of a sentence alone") {
  CHECK(surface_text({"Aa", "le|l'", "chat"}, french()) == "Le chat");
  CHECK(surface_text({"Aa", "le|l'", "étudiant"}, french()) == "L'étudiant");
  CHECK(surface_text({"Aa", "étudiant"}, french()) == "Étudiant");
  CHECK(surface_text({"Aa", "œil"}, french()) == "Œil");
  CHECK(surface_text({"Aa", "à", "le|l'", "chat"}, french()) == "Au chat");
  CHECK(surface_text({"Aa", "Aa", "je"}, french()) == "Je");
  CHECK(surface_text({"que|qu'", "Aa", "elle"}, french()) == "qu'elle");
  CHECK(surface_text({"Aa", "Alice"}, french()) == "Alice");
  CHECK(surface_text({"Aa", "été_1"}, french()) == "Été 1");
  CHECK(surface_text({"Aa", "1"}, french()) == "1");
  CHECK(surface_text({"chat", "Aa"}, french()) == "chat");
}

TEST_CASE("a typed sentence is cut where tokens meet") {
  GrammarSurface english;
  english.attached = {",", "?", "'s"};
  CHECK(surface_words("the boy's  dog, it?", english) ==
        std::vector<std::string>{"the", "boy", "'s", "dog", ",", "it", "?"});
  CHECK(surface_words("", english).empty());
  CHECK(surface_words("?", english) == std::vector<std::string>{"?"});
}

// ---- Every way to write a line wrongly that we thought of, and the sentence that answers it.

const std::string kHead =
    "feature number sg pl\n"
    "feature kind soft hard\n"
    "forms plain (number)\n"
    "  1 1s\n"
    "table le(number) le les\n";
const std::string kWords =
    "words noun(kind) = plain / plain\n"
    "  cat / chat / soft\n";
const std::string kRules =
    "rules sentence()\n"
    "  : the noun(_).(N) / le(N) noun.(N)\n";

std::string message(const std::string& text) {
  try {
    Grammar::parse(text, "my.grammar");
  } catch (const glassformer::Error& error) {
    return error.what();
  }
  return "no error";
}

bool says(const std::string& text, const std::string& part) {
  const std::string found = message(text);
  INFO(found);
  CHECK(found.find(part) != std::string::npos);
  return found.find(part) != std::string::npos;
}

TEST_CASE("the smallest complete grammar is read") {
  CHECK(message(kHead + kWords + kRules) == "no error");
}

TEST_CASE("a wrong line is refused with its line, its column, what was expected and what was found") {
  CHECK(message(kHead + kWords + "  dog / chien / sfot\n" + kRules) ==
        "my.grammar:8:17: expected a value of kind (soft hard), found \"sfot\"");
  CHECK(message(kHead + kWords + "  dog / chien\n" + kRules) ==
        "my.grammar:8:9: expected \"source forms / target forms / features\", found 2 parts between \"/\"; "
        "add or "
        "remove a part");
  CHECK(message(kHead + kWords + "rules sentence()\n  : the nuon(_).(N) / le(N) nuon.(N)\n") ==
        "my.grammar:9:9: no table, words or rules are called \"nuon\"; correct the name, or declare it with "
        "\"table\", "
        "\"words\" or \"rules\"");
}

TEST_CASE("columns count characters, not bytes") {
  says(kHead + kWords + "  é / été / sfot\n" + kRules, "my.grammar:8:13:");
}

TEST_CASE("missing and superfluous forms are refused") {
  says(kHead + kWords + "  mouse mice / souris / soft\n" + kRules,
       "my.grammar:8:9: expected 1 form, found 2");
  says(kHead + kWords + "  mouse :odd / souris / soft\n" + kRules, "have no pattern \":odd\"");
  says(kHead + kWords + "  dog / / soft\n" + kRules, "one part is empty");
  says("feature number sg pl\nforms plain (number)\n  1\n", "have 2 cells and this pattern fills 1");
  says("feature number sg pl\ntable le(number) le\n", "has 2 cells, found 1");
}

TEST_CASE("a source word has one translation") {
  says(kHead + kWords + "  cat / matou / soft\n" + kRules, "\"cat\" is in line 7 already");
  says(kHead + kWords + "  cat / matou / *\n" + kRules, "\"cat\" is in line 7 already");
  CHECK(message(kHead + kWords + "  cat / matou / hard\n" + kRules) == "no error");
}

TEST_CASE("wrong features are refused") {
  says(kHead + kWords + "  dog / chien / soft hard\n" + kRules, "expected the features \"kind\", found 2");
  says("feature number sg sg\n", "stands twice");
  says("feature number sg*none\n", "a weight is a whole number");
  says("words noun(color) = a / b\n", "no feature is called \"color\"");
}

TEST_CASE("wrong rules are refused") {
  const std::string head = kHead + kWords + "rules sentence()\n  ";
  says(head + "the cat / le chat\n", "found no \":\"");
  says(head + ": the cat\n", "found no \"/\"");
  says(head + ": a / b / c\n", "found a second");
  says(head + ": the noun(_ _).(N) / noun.(N)\n", "takes 1 features (kind), found 2");
  says(head + ": the noun(_).(sg) / noun.(M)\n", "nothing fixes variable \"M\"");
  says(head + ": the noun(K).(sg) / noun.(sg)\n", "stands only once in this rule");
  says(head + ": the noun(N).(N) / noun.(N)\n", "stands for kind and here for number");
  says(head + ": the noun(_).(_) / noun.(sg)\n", "\"_\" cannot choose a form");
  says(head + ": the noun(_).(sg) / le\n", "leaves out \"noun\"");
  says(head + ": the cat / noun.(sg)\n", "the source side has no \"noun\"");
  says(head + ": noun(_).(sg) noun(_).(sg) / noun.(sg)\n", "call the second one \"noun#2\"");
  says(head + ": the noun(_).plural / noun.(sg)\n", "expected a form of \"noun\"");
  says(head + ": the noun(_.(sg) / noun.(sg)\n", "is not closed");
  says(head + ": the noun)_( / x\n", "never opened");
  says(head + "*0 : a / b\n", "a weight is a whole number from 1 to 10000");
}

TEST_CASE("a rule that nothing fits and a category without content are refused") {
  says(kHead + kWords + "rules sentence()\n  : the noun(hard).(sg) / noun.(sg)\n", "can never be used");
  says(kHead + "words noun(kind) = plain / plain\n" + kRules, "\"noun\" has no words");
  says(kHead + kWords + "rules sentence()\n", "\"sentence\"");
  says(kHead + kWords, "needs a section \"rules sentence()\"");
}

TEST_CASE("a rule that contains itself is refused instead of never ending") {
  says("rules sentence()\n  : so sentence() / ainsi sentence()\n", "sentences would never end");
  says("rules sentence()\n  : a b() / a b()\nrules b()\n  : c d() / c d()\nrules d()\n  : e b() / e b()\n",
       "contains \"d\" again");
}

TEST_CASE("parts of a target side must exist and all be placed") {
  const std::string parts = "rules neg()\n  : not / ne ; pas\n";
  says("rules sentence()\n  : x neg() / neg.1 x\n" + parts, "leaves out \"neg\", part 2");
  says("rules sentence()\n  : x neg() / neg.1 neg.2 neg.3\n" + parts, "there is no part 3");
  says("rules sentence()\n  : x neg() / neg.1 neg.2\n" + parts + "  : maybe / peut\n", "make them equal");
}

TEST_CASE("what is no text, or absurdly long, is refused") {
  says(std::string("\x7f"
                   "ELF\0\0",
                   6),
       "not text");
  says("feature number sg \xff\xfe\n", "my.grammar:1:19: a grammar is a UTF-8 text file");
  says("feature number " + std::string(5000, 'x') + "\n", "at most 2000 bytes");
  says(std::string(5 << 20, '\n'), "at most 4 MB");
  says("", "needs a section");
  says("hello world\n", "expected a section");
  says("  indented\n", "before the first indented line");
}

TEST_CASE("a grammar that would fill the memory is refused") {
  std::string text = "feature f";
  for (int i = 0; i < 100; ++i) text += " v" + std::to_string(i);
  text += "\nrules wide(f f f f)\n  _ _ _ _ : a / b\nrules sentence()\n  : wide(_ _ _ _) / wide()\n";
  says(text, "too many ways to combine features");
}

TEST_CASE("a missing file is named") {
  try {
    Grammar::read("/nowhere/at/all.grammar");
    FAIL("no error");
  } catch (const glassformer::Error& error) {
    CHECK(std::string(error.what()).find("/nowhere/at/all.grammar: the file cannot be opened") == 0);
  }
}

}  // namespace glassformer::grammar_test
