// Which word of a grammar's pair came from which.
#include "engine/text/aligned_pair.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/text/grammar.h"
#include "tests/aligned_grammar.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

// Its text as "word:makers", an entry of the lexicon with a star.
std::vector<std::string> written(const std::string& text, const std::vector<AlignedToken>& tokens) {
  std::vector<std::string> all;
  for (const AlignedToken& token : tokens) {
    std::string& each = all.emplace_back(text.substr(token.begin, token.end - token.begin) + ":");
    for (const TokenMaker& maker : token.makers)
      each += std::to_string(maker.place) + (maker.word ? "*" : " ");
    if (each.back() == ' ') each.pop_back();
  }
  return all;
}

using Words = std::vector<std::string>;

TEST_CASE("each token of a pair knows its bytes and who wrote it") {
  const AlignedPair bird = aligned_pair("to the red bird.");
  CHECK(bird.text.target == "À l'oiseau rouge.");
  CHECK(written(bird.text.source, bird.source) == Words{"to:0", "the:1", "red:2*", "bird:3*", ".:0"});
  CHECK(written(bird.text.target, bird.target) == Words{"À:0", "l':1", "oiseau:3*", "rouge:2*", ".:0"});

  const AlignedPair cat = aligned_pair("to the red cat.");
  CHECK(cat.text.target == "Au chat rouge.");
  CHECK(written(cat.text.target, cat.target) == Words{"Au:0 1", "chat:3*", "rouge:2*", ".:0"});

  const AlignedPair potato = aligned_pair("to the red potato.");
  CHECK(potato.text.target == "À la pomme de terre rouge.");
  CHECK(written(potato.text.target, potato.target) ==
        Words{"À:0", "la:1", "pomme de terre:3*", "rouge:2*", ".:0"});
}

TEST_CASE("one entry of the lexicon makes a link sure, one rule makes it possible") {
  const AlignedPair pair = aligned_pair("to the red cat.");
  using enum WordLink;
  const std::vector<std::vector<WordLink>> wanted = {
      // Au, chat, rouge, .
      {possible, none, none, possible},  // to
      {possible, none, none, none},      // the
      {none, none, sure, none},          // red
      {none, sure, none, none},          // cat
      {possible, none, none, possible},  // .
  };
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (std::size_t j = 0; j < wanted[i].size(); ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(link_of(pair.source[i], pair.target[j]) == wanted[i][j]);
    }
}

TEST_CASE("pairs with links are those without, in the same order") {
  const Grammar grammar = Grammar::read(source_folder() + "/assets/grammars/english-french.grammar");
  const std::vector<SentencePair> pairs = grammar.generate(2000, 5);
  const std::vector<AlignedPair> aligned = grammar.generate_aligned(2000, 5);
  REQUIRE(aligned.size() == pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    CHECK(aligned[i].text == pairs[i]);
    for (const auto& [text, tokens] :
         {std::pair{pairs[i].source, aligned[i].source}, std::pair{pairs[i].target, aligned[i].target}}) {
      // Between the tokens are blanks alone.
      std::string rest = text;
      std::size_t end = 0;
      for (const AlignedToken& token : tokens) {
        CHECK(token.begin >= end);
        CHECK(token.end > token.begin);
        CHECK(!token.makers.empty());
        end = token.end;
        rest.replace(token.begin, token.end - token.begin, token.end - token.begin, ' ');
      }
      CHECK(rest.find_first_not_of(' ') == std::string::npos);
    }
  }

  const std::vector<AlignedPair> some =
      grammar.generate_aligned(2000, 5, [&](const SentencePair& pair) { return pair == pairs[7]; });
  REQUIRE(some.size() == 1);
  CHECK(some.front().target == aligned[7].target);
}

TEST_CASE("the last sentences of a small grammar, which are counted and not drawn, have links too") {
  const Grammar grammar = Grammar::parse(kAlignedGrammar, "tiny");
  CHECK(grammar.generate_aligned(3, 1).size() == 3);
  CHECK_THROWS(grammar.generate_aligned(4, 1));
}

}  // namespace
