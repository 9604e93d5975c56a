// Every way to write a line wrongly that we thought of, and the sentence that answers it.
#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "engine/text/grammar.h"

using glassformer::Grammar;

namespace {

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

}  // namespace

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
