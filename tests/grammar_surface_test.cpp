#include "engine/text/grammar_expand.h"

#include <doctest/doctest.h>

using glassformer::GrammarSurface;
using glassformer::surface_text;
using glassformer::surface_words;

namespace {

GrammarSurface french() {
  GrammarSurface surface;
  surface.vowels = {"a", "e", "é", "h", "o"};
  surface.attached = {",", "."};
  surface.contractions = {{"à", "le", "au"}, {"de", "les", "des"}};
  return surface;
}

}  // namespace

TEST_CASE(
    "the form before a vowel is chosen by the sound of the next word and joined behind its apostrophe") {
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
