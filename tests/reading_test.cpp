#include "engine/text/reading.h"

#include <doctest/doctest.h>

using namespace glassformer;

namespace {

const std::shared_ptr<const Tokenizer> kWordTokenizer =
    train_tokenizer({"the cat saw Anna", "a dog"}, {.kind = TokenizerKind::word, .pieces = 0});

}  // namespace

TEST_CASE("capitals that a model never saw are read small, and those it knows stay") {
  CHECK(readable(*kWordTokenizer, "The cat saw Anna") == "the cat saw Anna");
  CHECK(readable(*kWordTokenizer, "THE CAT") == "the cat");
  CHECK(readable(*kWordTokenizer, "Zorg") == "Zorg");  // no more is known of it in small letters
}

TEST_CASE("unknown words are named whole and once, up to three, and the others counted") {
  CHECK(unknown_words(*kWordTokenizer, "the zorg saw a zorg blig") ==
        std::vector<std::string>{"zorg", "blig"});
  const auto pieces = train_tokenizer({"the cat saw the milk", "milk the cat"}, {.pieces = 0});
  CHECK(unknown_words(*pieces, "the шшш cat, mшlk") == std::vector<std::string>{"шшш", ",", "mшlk"});
  CHECK(unknown_words_sentence({}, "9").empty());
  CHECK(unknown_words_sentence({"a"}, "9") ==
        "“a” is not among the 9 pieces this model knows; it reads an unknown word instead.");
  CHECK(unknown_words_sentence({"a", "b"}, "9").starts_with("“a” and “b” are not among"));
  CHECK(named_words({"a", "b", "c"}) == "“a”, “b” and “c”");
  CHECK(named_words({"a", "b", "c", "d", "e"}) == "“a”, “b”, “c” and 2 more");
}
