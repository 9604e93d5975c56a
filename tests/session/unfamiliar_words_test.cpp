#include "app/session/unfamiliar_words.h"

#include <doctest/doctest.h>

#include "engine/model/checkpoint.h"
#include "engine/text/unicode.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

const std::string kGrammar = source_folder() + "/assets/grammars/english-french.grammar";
const std::string kModel = source_folder() + "/models/english-french";

// Reads capitals as small letters, as tokenizers from elsewhere may.
struct SmallLetters final : Tokenizer {
  SmallLetters() : Tokenizer(SpecialIds{}) {}
  TokenizerKind kind() const override { return TokenizerKind::unigram; }
  int size() const override { return 4; }
  std::string normalized(std::string_view text) const override { return to_lower(text); }
  std::vector<Piece> encode(std::string_view) const override { return {}; }
  std::string decode(const std::vector<int>&) const override { return {}; }
  std::string piece(int) const override { return {}; }
  bool starts_word(int) const override { return false; }
  std::optional<double> score(int) const override { return {}; }
  std::string bytes() const override { return {}; }
};

}  // namespace

TEST_CASE("words are runs of letters of any script") {
  CHECK(words_in("the actor's cat, l'été. ") == WordSet{"the", "actor", "s", "cat", "l", "été"});
  CHECK(words_in("“l’eau” — «où»… 3×кот！") == WordSet{"l", "eau", "où", "кот"});
  CHECK(words_in("").empty());
}

TEST_CASE("of the words that are read in pieces those are named that the training text lacks") {
  const auto tokenizer = load_checkpoint(kModel).tokenizers.source;
  const std::vector<CutWord> cut = cut_words(*tokenizer, "the zebra doesn't see the actor's zebra.");
  REQUIRE(cut.size() == 1);  // named once; what a sign divides is not cut
  CHECK(cut[0].text == "zebra");
  std::string joined;
  for (const std::string& piece : cut[0].pieces) joined += piece;
  CHECK(joined == "zebra");
  CHECK(words_about(cut, {"the"}).find("The model never saw “zebra” in training: it reads the pieces z|") ==
        0);
  CHECK(words_about(cut, {"the", "zebra"}).empty());
  CHECK(words_about(cut, {}).empty());  // nothing is known of the training text
  CHECK(words_about({}, {"the"}).empty());
}

TEST_CASE("typographic signs part words, typed and in the training text; both are read in the same form") {
  std::vector<std::string> lines;
  for (const char* word : {"eau", "water", "of", "in", "blau", "l", "d"})
    for (int times = 0; times < 20; ++times) lines.push_back("“l’" + std::string(word) + "” d'" + word);
  const auto tokenizer = train_tokenizer(lines, {.kind = TokenizerKind::bpe, .pieces = 0});
  const std::vector<CutWord> cut = cut_words(*tokenizer, "“l’awe” d’eau");
  REQUIRE_FALSE(cut.empty());
  CHECK(cut.front().text == "awe");
  for (const CutWord& word : cut)
    for (const char* sign : {"“", "”", "’"}) CHECK(word.text.find(sign) == std::string::npos);
}

TEST_CASE("words of the training text are known in the form in which the tokenizer reads them") {
  const ScratchFolder scratch;
  scratch.write("pairs.tsv", "“L’EAU” bleue\tx\nl'Eau\ty\n");
  DataOptions data;
  data.training.corpus = data.validation.corpus = scratch.path("pairs.tsv");
  CHECK(training_text_of(data, {std::make_shared<SmallLetters>(), nullptr}).source.words ==
        WordSet{"l", "eau", "bleue"});
}

TEST_CASE("no sentence of the bundled model's own data is said to hold a new word") {
  const auto tokenizer = load_checkpoint(kModel).tokenizers.source;
  DataOptions data;
  data.training.grammar = kGrammar;
  data.training.pairs = 5000;
  const WordSet seen = training_text_of(data, {tokenizer, nullptr}).source.words;
  CHECK(seen.size() > 300);
  bool cut_at_all = false;
  for (const SentencePair& pair : plain_pairs(data).training) {
    const std::vector<CutWord> cut = cut_words(*tokenizer, pair.source);
    cut_at_all = cut_at_all || !cut.empty();
    CHECK(words_about(cut, seen).empty());
  }
  CHECK(cut_at_all);  // rare words of the data are cut as well: the pieces alone show nothing
}

TEST_CASE("words of sentences that validate, test or are left out are none of the training text") {
  const ScratchFolder scratch;
  std::string lines;
  for (const char first : std::string("abcde"))
    for (const char second : std::string("klmnopqr")) lines += std::string{first, second} + "\tx\n";
  DataOptions data;
  data.training.corpus = scratch.write("pairs.tsv", lines);
  data.leave_out = scratch.write("out.tsv", "AK.\tx\nbl\tx\n");
  data.validation_pairs = 5;
  data.test_pairs = 3;
  data.tokenizer = TokenizerKind::word;
  const PreparedData prepared = prepare_data(data);
  WordSet trained;
  for (const SentencePair& pair : prepared.training.pairs) trained.insert(pair.source);
  CHECK(trained.size() == 30);
  CHECK(training_text_of(data, {prepared.tokenizers.source, nullptr}).source.words == trained);
}

TEST_CASE("data that are gone and models of words or characters tell nothing") {
  DataOptions gone;
  gone.training.corpus = "no/such/file.tsv";
  CHECK(training_text_of(gone, load_checkpoint(kModel).tokenizers).empty());
  for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::character})
    CHECK(
        cut_words(*train_tokenizer({"the cat", "a zebra"}, {.kind = kind, .pieces = 0}), "zebu the").empty());
}

TEST_CASE("a sentence in the language that the model writes is noticed, one in its own is not") {
  for (const bool backwards : {false, true}) {
    DataOptions data;
    data.training.grammar = kGrammar;
    data.training.pairs = 2000;
    TrainingText seen = training_text_of(data, load_checkpoint(kModel).tokenizers);
    if (backwards) std::swap(seen.source, seen.target);
    const auto noticed = [&](const std::string& english, const std::string& french) {
      CHECK(mostly_of_target(words_in(backwards ? english : french), seen));
      CHECK_FALSE(mostly_of_target(words_in(backwards ? french : english), seen));
    };
    noticed("the tired girl sees a red car", "la fille fatiguée voit une voiture rouge");
    noticed("the cat drinks the milk", "le chat boit le lait");
    CHECK_FALSE(mostly_of_target(words_in("xyzzy plugh"), seen));
    CHECK_FALSE(mostly_of_target({}, seen));
  }
}
