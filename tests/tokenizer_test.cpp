
#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/reading.h"
#include "engine/text/sentencepiece.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary.h"

namespace glassformer::tokenizer_test {

// Some hundred different lines out of a few words, accents and a script without blanks among them.
std::vector<std::string> sample_lines() {
  const std::vector<std::string> who = {"the cat", "a kind girl", "die Köchin", "l'élève", "девочка", "老师"};
  const std::vector<std::string> does = {"drinks", "sees", "trinkt", "mange", "видит", "喝"};
  const std::vector<std::string> what = {"the milk", "the chair", "die Milch", "la pomme", "яблоко", "牛奶"};
  std::vector<std::string> lines;
  for (const auto& a : who) {
    for (const auto& b : does) {
      for (const auto& c : what) lines.push_back(a + " " + b + " " + c + ".");
    }
  }
  return lines;
}

std::vector<int> ids_of(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

std::string message_of(const std::vector<std::string>& lines, const TokenizerOptions& options) {
  try {
    train_tokenizer(lines, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// The two numbers of "... allows SMALLEST to LARGEST, ...".
std::pair<int, int> limits_in(const std::string& message) {
  const std::size_t at = message.find("allows ");
  REQUIRE_MESSAGE(at != std::string::npos, message);
  const std::size_t to = message.find(" to ", at);
  return {std::stoi(message.substr(at + 7)), std::stoi(message.substr(to + 4))};
}

constexpr TokenizerKind kKinds[] = {TokenizerKind::bpe, TokenizerKind::unigram, TokenizerKind::word_piece,
                                    TokenizerKind::word, TokenizerKind::character};

TEST_CASE("decoding what was encoded gives the text back, with every kind") {
  const auto lines = sample_lines();
  for (const TokenizerKind kind : kKinds) {
    CAPTURE(tokenizer_name(kind));
    const auto tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = 0});
    CHECK(tokenizer->kind() == kind);
    for (const std::string& line : lines) REQUIRE(tokenizer->decode(ids_of(*tokenizer, line)) == line);
  }
}

TEST_CASE("many texts to ids word by word: those of each text as a whole, with every kind") {
  const std::vector<std::string> lines = sample_lines();
  const std::vector<std::string> parts = {
      "the", "cat",     "Köchin", "l'élève", "milk.", " ",      "  ",      "\t", "zzz", "[", "<unk>", "</s>",
      "é",   "e\u0301", "▁",      "a▁b",     "老师",  "\u00A0", "девочка", "fi", "ﬁ",   "½", "£",     "☃"};
  std::mt19937 random(5);
  for (const TokenizerKind kind : kKinds) {
    const auto tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = 0});
    TextIds ids(*tokenizer);
    for (const std::string& line : lines) CHECK(ids.of(line) == ids_of(*tokenizer, line));
    for (int trial = 0; trial < 2000; ++trial) {
      std::string text;
      for (auto left = random() % 9; left > 0; --left)
        text += parts[random() % parts.size()] + (random() % 2 == 0 ? " " : "");
      CAPTURE(text);
      CHECK(ids.of(text) == ids_of(*tokenizer, text));
    }
  }
}

TEST_CASE("only of a BPE vocabulary without pieces over a blank the words are cut apart") {
  for (const TokenizerKind kind : kKinds)
    CHECK(train_tokenizer(sample_lines(), {.kind = kind, .pieces = 0})->cuts_words_apart() ==
          (kind == TokenizerKind::bpe));
}

TEST_CASE("every kind has pad, unk, bos and eos as its first four ids") {
  for (const TokenizerKind kind : kKinds) {
    const auto tokenizer = train_tokenizer(sample_lines(), {.kind = kind, .pieces = 0});
    CHECK(tokenizer->piece(0) == "<pad>");
    CHECK(tokenizer->piece(1) == "<unk>");
    CHECK(tokenizer->piece(2) == "<bos>");
    CHECK(tokenizer->piece(3) == "<eos>");
    CHECK_FALSE(tokenizer->score(3).has_value());
    CHECK(tokenizer->decode({2, 0, 3}).empty());
  }
}

TEST_CASE("no text that is typed becomes a special token") {
  auto lines = sample_lines();
  for (const char* line : {"<s> </s> <pad> <unk>", "<eos> <bos>"}) lines.insert(lines.end(), 20, line);
  for (const TokenizerKind kind : kKinds) {
    CAPTURE(tokenizer_name(kind));
    const auto learned = train_tokenizer(lines, {.kind = kind, .pieces = 0});
    for (const std::string text : {"<pad>", "<eos>", "<bos>", "<s>", "</s>", "the <s> cat </s>", "<unk>"}) {
      for (const int id : ids_of(*learned, text)) {
        CHECK(id != 0);
        CHECK(id != 2);
        CHECK(id != 3);
      }
    }
  }
}

TEST_CASE("an unknown word or letter is marked and keeps what was typed") {
  for (const TokenizerKind kind : kKinds) {
    CAPTURE(tokenizer_name(kind));
    const auto tokenizer = train_tokenizer(sample_lines(), {.kind = kind, .pieces = 0});
    const auto pieces = tokenizer->encode("the ♞");
    REQUIRE(!pieces.empty());
    CHECK(pieces.back().unknown);
    CHECK(pieces.back().id == 1);
    CHECK(pieces.back().text == "♞");
    CHECK_FALSE(pieces.front().unknown);
    CHECK(tokenizer->decode(ids_of(*tokenizer, "the ♞")) == "the ⁇");
  }
}

TEST_CASE("empty and blank text gives no pieces, except for characters, where a blank is a token") {
  for (const TokenizerKind kind : kKinds) {
    const auto tokenizer = train_tokenizer(sample_lines(), {.kind = kind, .pieces = 0});
    CHECK(tokenizer->encode("").empty());
    CHECK(tokenizer->encode("  ").size() == (kind == TokenizerKind::character ? 2 : 0));
    CHECK(tokenizer->decode({}).empty());
  }
}

TEST_CASE("pieces show the word they begin and score what the library gave them") {
  const auto tokenizer = train_tokenizer(sample_lines(), {.kind = TokenizerKind::bpe, .pieces = 0});
  const auto pieces = tokenizer->encode("the cat");
  CHECK(pieces.front().word_start);
  std::string joined;
  for (const Piece& piece : pieces) {
    const std::string letters =
        piece.text == "▁" ? "" : piece.text;  // the mark is shown only where it is alone
    CHECK(letters.find("▁") == std::string::npos);
    CHECK(tokenizer->piece(piece.id) == piece.text);
    CHECK(tokenizer->starts_word(piece.id) == piece.word_start);
    CHECK(tokenizer->score(piece.id).has_value());
    joined += (piece.word_start && !joined.empty() ? " " : "") + letters;
  }
  CHECK(joined == "the cat");
  CHECK(tokenizer->normalized(" the\xC2\xA0 cat ") == "the cat");
}

TEST_CASE("the same text gives the same pieces, and the bytes load to the same tokenizer") {
  const auto lines = sample_lines();
  for (const TokenizerKind kind : kKinds) {
    CAPTURE(tokenizer_name(kind));
    const auto tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = 0});
    CHECK(train_tokenizer(lines, {.kind = kind, .pieces = 0})->bytes() == tokenizer->bytes());
    const auto loaded = load_tokenizer(file_kind(kind), tokenizer->bytes(), {}, "here");
    CHECK(loaded->kind() == kind);
    CHECK(loaded->size() == tokenizer->size());
    CHECK(loaded->bytes() == tokenizer->bytes());
    for (const std::string& line : lines) REQUIRE(ids_of(*loaded, line) == ids_of(*tokenizer, line));
  }
}

TEST_CASE("a size out of reach names the smallest and the largest, and both of them work") {
  const auto lines = sample_lines();
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::unigram}) {
    CAPTURE(tokenizer_name(kind));
    const auto [smallest, largest] = limits_in(message_of(lines, {.kind = kind, .pieces = 7}));
    CHECK(limits_in(message_of(lines, {.kind = kind, .pieces = 50000})) == std::pair(smallest, largest));
    CHECK(smallest == smallest_vocabulary(lines, kind));
    CHECK(train_tokenizer(lines, {.kind = kind, .pieces = smallest})->size() == smallest);
    CHECK(train_tokenizer(lines, {.kind = kind, .pieces = largest})->size() == largest);
    CHECK(limits_in(message_of(lines, {.kind = kind, .pieces = smallest - 1})).first == smallest);
    CHECK(limits_in(message_of(lines, {.kind = kind, .pieces = largest + 1})).second == largest);
  }
  CHECK(limits_in(message_of({"a b c"}, {.kind = TokenizerKind::word, .pieces = 4})) == std::pair(5, 7));
}

TEST_CASE("text that holds nothing is refused, not fatal") {
  for (const TokenizerKind kind : kKinds) {
    CAPTURE(tokenizer_name(kind));
    for (const std::vector<std::string>& lines : {std::vector<std::string>{}, std::vector<std::string>{""},
                                                  std::vector<std::string>{" ", "\t", "\xC2\xA0"},
                                                  std::vector<std::string>{"\xE2\x80\x8B", "\x01\x02"}}) {
      if (kind == TokenizerKind::character) continue;
      CHECK(message_of(lines, {.kind = kind, .pieces = 0}) != "no error");
      CHECK(message_of(lines, {.kind = kind, .pieces = 100}) != "no error");
    }
  }
  CHECK(message_of({}, {.kind = TokenizerKind::character, .pieces = 0}) != "no error");
}

TEST_CASE("a limit keeps the most frequent words") {
  const auto tokenizer =
      train_tokenizer({"b b b a a c", "b a d"}, {.kind = TokenizerKind::word, .pieces = 6});
  CHECK(tokenizer->bytes() == "<pad>\n<unk>\n<bos>\n<eos>\na\nb\n");
}

TEST_CASE("a vocabulary file of LF lines keeps blanks and CR, never trimmed") {
  // A space, a CR, a token with blanks and one with U+2028, special ids in another order, no LF at the end.
  const std::string file = " \n[end]\n\r\n a \n[pad]\n\xE2\x80\xA8\n[start]\n[?]\ny";
  const SpecialIds special{.pad = 4, .unk = 7, .bos = 6, .eos = 1};
  const auto tokenizer = load_tokenizer("characters", file, special, "x.vocab");
  CHECK(tokenizer->size() == 9);
  CHECK(ids_of(*tokenizer, "y \r\xE2\x80\xA8z") == std::vector<int>{8, 0, 2, 5, 7});
  CHECK(tokenizer->decode({6, 8, 0, 3, 8, 1, 4}) == "y  a y");
  CHECK(tokenizer->piece(1) == "<eos>");
  CHECK(tokenizer->piece(4) == "<pad>");
  CHECK(tokenizer->piece(7) == "<unk>");
  CHECK(tokenizer->bytes() == file + "\n");
}

TEST_CASE("special tokens of a vocabulary file are known by id, whatever their spelling") {
  const SpecialIds special{.pad = 3, .unk = 0, .bos = 1, .eos = 2};
  const auto tokenizer = load_tokenizer("words", "oov\nhello\nhello\nworld\nhello\n", special, "x.vocab");
  CHECK(ids_of(*tokenizer, "hello world oov") == std::vector<int>{4, 0, 0});
}

TEST_CASE("broken vocabulary files and kinds are refused with the place") {
  const auto message = [](const std::string& kind, const std::string& bytes) {
    try {
      load_tokenizer(kind, bytes, {}, "folder/source.vocab");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(message("words", "").find("folder/source.vocab: the file is empty") == 0);
  CHECK(message("words", "a\n\xFF\n").find("line 2") != std::string::npos);
  CHECK(message("morphemes", "a\n").find("morphemes") != std::string::npos);
  CHECK(message("sentencepiece", "").find("folder/source.vocab: ") == 0);
  CHECK(message("sentencepiece", "hello\n").find("not a sentencepiece model") != std::string::npos);
}

TEST_CASE("whatever is done to the bytes of a model, it loads or is refused") {
  const auto lines = sample_lines();
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::unigram}) {
    const std::string good = train_tokenizer(lines, {.kind = kind, .pieces = 0})->bytes();
    std::mt19937_64 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    int loaded = 0, refused = 0;
    for (int trial = 0; trial < 1500; ++trial) {
      std::string bytes = good;
      for (std::size_t n = below(4) + 1; n > 0; --n)
        bytes[below(bytes.size())] = static_cast<char>(below(256));
      if (trial % 5 == 0) bytes.resize(below(bytes.size()));
      try {
        const auto tokenizer = load_tokenizer("sentencepiece", bytes, {}, "model");
        const auto ids = ids_of(*tokenizer, "the cat drinks <s> 牛奶 ♞");
        tokenizer->decode(ids);
        for (const int id : ids) tokenizer->piece(id);
        ++loaded;
      } catch (const Error&) {
        ++refused;
      }
    }
    CHECK(loaded > 0);
    CHECK(refused > 0);
  }
}

TEST_CASE("names of kinds are read back, others refused") {
  for (const TokenizerKind kind : kKinds) CHECK(tokenizer_kind(tokenizer_name(kind)) == kind);
  CHECK_THROWS_AS(tokenizer_kind("morphemes"), Error);
}

TEST_CASE("left to itself, a vocabulary has little that the text does not use") {
  std::vector<std::string> lines;
  for (int i = 0; i < 20; ++i) {
    for (const std::string& line : sample_lines()) lines.push_back(line);
  }
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::unigram}) {
    CAPTURE(tokenizer_name(kind));
    const auto tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = 0});
    const int smallest = smallest_vocabulary(lines, kind);
    CHECK(tokenizer->size() >= smallest);
    CHECK(tokenizer->size() <= smallest + 20);  // 29 different words
  }
}

TEST_CASE("a vocabulary of CRLF lines is that of LF lines, also without the last line end") {
  const std::string file = "<p>\n<u>\n<b>\n<e>\nthe\ncat\n";
  std::string windows;
  for (const char c : file) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& bytes :
       {windows, windows.substr(0, windows.size() - 2), "\xEF\xBB\xBF" + windows}) {
    const auto tokenizer = load_tokenizer("words", bytes, {}, "x.vocab");
    CHECK(tokenizer->bytes() == file);
    CHECK(ids_of(*tokenizer, "cat the") == std::vector<int>{5, 4});
  }
}

TEST_CASE("counts behind the tokens of a vocabulary are left out, other tabs are refused by their line") {
  const auto load = [](const std::string& bytes) { return load_tokenizer("words", bytes, {}, "x.vocab"); };
  CHECK(load("<p>\t0\n<u>\t0\n<b>\t0\n<e>\t0\nthe\t120\ncat\t3\n")->bytes() ==
        "<p>\n<u>\n<b>\n<e>\nthe\ncat\n");
  CHECK(load("<p>\t0\r\n<u>\t0\r\n<b>\t0\r\n<e>\t0\r\nthe\t-1.5e-3\r\n")->size() == 5);
  CHECK_THROWS_WITH_AS(load("<p>\t0\n<u>\t0\n<b>\nthe\t5\n"), doctest::Contains("line 1 holds a tab"), Error);
  CHECK_THROWS_WITH_AS(load("<p>\n<u>\n<b>\n<e>\nthe\tle\n"), doctest::Contains("line 5 holds a tab"), Error);
  CHECK_THROWS_WITH_AS(load("<p>\t0\tx\n"), doctest::Contains("line 1 holds a tab"), Error);
}

TEST_CASE("a tab may be a character of a vocabulary, and a line end of Windows too") {
  const auto tokenizer = load_tokenizer("characters", "<p>\n<u>\n<b>\n<e>\n\t\n\r\na\n", {}, "x.vocab");
  CHECK(ids_of(*tokenizer, "a\t\r") == std::vector<int>{6, 4, 5});
}

const std::shared_ptr<const Tokenizer> kWordTokenizer =
    train_tokenizer({"the cat saw Anna", "a dog"}, {.kind = TokenizerKind::word, .pieces = 0});

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
        "“a” is not among the 9 pieces this model knows, nor made of them: it reads <unk> where one is "
        "missing.");
  CHECK(unknown_words_sentence({"a", "b"}, "9").starts_with("“a” and “b” are not among"));
  CHECK(named_words({"a", "b", "c"}) == "“a”, “b” and “c”");
  CHECK(named_words({"a", "b", "c", "d", "e"}) == "“a”, “b”, “c” and 2 more");
}

}  // namespace glassformer::tokenizer_test
