#include "engine/text/word_piece.h"

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/text/bert_vocabulary.h"
#include "engine/text/word_piece_learner.h"
#include "tests/refusal.h"

namespace glassformer {
namespace {

using testing::refusal;
using Spelled = std::vector<std::string>;

std::string strip(const std::string& piece) {
  return is_inside_piece(piece) ? piece.substr(2) : piece;
}

// The pair to join, counted over the whole text anew.
struct Best {
  double score = 0;
  long count = 0;
  std::string a, b;
};
Best best_of(const std::vector<std::pair<Spelled, long>>& words) {
  std::map<std::string, long> singles;
  std::map<std::pair<std::string, std::string>, long> pairs;
  for (const auto& [word, count] : words)
    for (std::size_t i = 0; i < word.size(); ++i) {
      singles[word[i]] += count;
      if (i > 0) pairs[{word[i - 1], word[i]}] += count;
    }
  Best best;
  for (const auto& [pair, count] : pairs) {  // in the order of their texts: the first of equals stays
    const double score = double(count) / (double(singles[pair.first]) * double(singles[pair.second]));
    if (std::tuple(score, count) > std::tuple(best.score, best.count))
      best = {score, count, pair.first, pair.second};
  }
  return best;
}

Spelled spelled(const Tokenizer& tokenizer, const std::string& text) {
  Spelled found;
  for (const Piece& piece : tokenizer.encode(text))
    found.push_back((piece.word_start || piece.unknown ? "" : "##") + piece.text);
  return found;
}

TEST_CASE("the pair that is joined is likelier together than its parts foretell, worked out by hand") {
  // h 3, ##u 5, ##g 3, p 2, ##n 2, ##s 1: hu 3/15, pu 2/10, ug 3/15, un 2/10, gs 1/3.
  WordPieceLearner learner({{"hug", 2}, {"pun", 2}, {"hugs", 1}});
  CHECK(learner.pieces() == Spelled{"##g", "##n", "##s", "##u", "h", "p"});
  const auto first = learner.join();
  REQUIRE(first);
  CHECK(first->piece == "##gs");
  CHECK(first->count == 1);
  CHECK(first->score == doctest::Approx(1.0 / 3));
  // Now ##g 2: ug 2/10, hu 3/15, pu 2/10, un 2/10, u·gs 1/5: all 0.2, hu occurs most often.
  const auto second = learner.join();
  REQUIRE(second);
  CHECK(second->piece == "hu");
  CHECK(second->count == 3);
  CHECK(second->score == doctest::Approx(0.2));
}

TEST_CASE("every pair that is joined is the best by an independent count, to the last") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 40; ++trial) {
    std::map<std::string, long> words;
    for (int i = 0; i < 12; ++i) {
      std::string word;
      for (auto left = 1 + random() % 6; left > 0; --left) word += "abcé"[random() % 3];
      words[word] += 1 + long(random() % 4);
    }
    std::vector<std::pair<Spelled, long>> cut;
    for (const auto& [word, count] : words) {
      Spelled parts;
      for (const char c : word) parts.push_back((parts.empty() ? "" : "##") + std::string(1, c));
      cut.emplace_back(parts, count);
    }
    WordPieceLearner learner(words);
    int joins = 0;
    while (const auto joined = learner.join()) {
      const Best best = best_of(cut);
      CAPTURE(trial);
      ++joins;
      REQUIRE(joined->piece == best.a + strip(best.b));
      REQUIRE(joined->count == best.count);
      REQUIRE(joined->score == doctest::Approx(best.score).epsilon(1e-14));
      for (auto& [word, count] : cut) {
        Spelled parts;
        for (const std::string& part : word) {
          const bool here = !parts.empty() && parts.back() == best.a && part == best.b;
          // A whole that was just made is not joined again in the same step.
          if (here)
            parts.back() += strip(part) + "\n";
          else
            parts.push_back(part);
        }
        for (std::string& part : parts)
          if (part.ends_with('\n')) part.pop_back();
        word = parts;
      }
    }
    CHECK(best_of(cut).a.empty());
    CHECK(joins > 0);
  }
}

TEST_CASE("a word is cut into the longest pieces from its left, or is unknown as a whole") {
  const auto bert = load_bert_vocabulary(
      "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\nuna\n##aff\n##ffable\n##able\n##ff\na\n##b\n", "vocab.txt");
  CHECK(spelled(*bert, "unaffable") == Spelled{"una", "##ffable"});
  CHECK(spelled(*bert, "unaff") == Spelled{"una", "##ff"});
  // Greedy: un + ##aff + ##b would do, una + ##ff + ##b is taken.
  CHECK(spelled(*bert, "unaffb") == Spelled{"una", "##ff", "##b"});
  // The longest beginning leads nowhere: unknown, as BERT has it.
  CHECK(spelled(*bert, "unaable") == Spelled{"una", "##able"});
  const auto pieces = bert->encode("a unax a");
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[1].unknown);
  CHECK(pieces[1].id == 1);
  CHECK(pieces[1].text == "unax");
  CHECK(bert->encode("##b")[0].unknown);  // what is typed is not the inside of a word
}

TEST_CASE("a vocabulary that was learned is written and read back, and cuts alike") {
  std::vector<std::string> lines = {"## ##a a##a #", "the tired girl sees a red car", "l’élève trie", "###",
                                    "##b ##b"};
  const auto learned = train_word_piece(lines, 0);
  const auto again = load_word_piece(learned->bytes(), {}, "x.vocab");
  std::set<std::string> once;
  for (int id = 0; id < learned->size(); ++id) {
    CHECK(learned->piece(id) == again->piece(id));
    CHECK(learned->starts_word(id) == again->starts_word(id));
    CHECK(once.insert((learned->starts_word(id) ? "" : "##") + learned->piece(id)).second);
  }
  for (const std::string& line : lines) {
    std::vector<int> ids;
    for (const Piece& piece : learned->encode(line)) {
      CHECK_FALSE(piece.unknown);
      ids.push_back(piece.id);
    }
    CHECK(learned->decode(ids) == line);
    CHECK(spelled(*again, line) == spelled(*learned, line));
  }
}

TEST_CASE("a size out of reach names the smallest and the largest WordPiece vocabulary") {
  const std::vector<std::string> lines = {"hug pun hugs"};
  const int smallest = smallest_word_piece(lines);
  CHECK(smallest == 4 + 6);
  CHECK(train_word_piece(lines, smallest)->size() == smallest);
  const std::string few = refusal([&] { train_word_piece(lines, 5); });
  const std::string many = refusal([&] { train_word_piece(lines, 500); });
  const std::string limits = few.substr(few.find("allows"));
  CHECK(limits.find("allows 10 to ") == 0);
  CHECK(many.substr(many.find("allows")) == limits);
  CHECK(train_word_piece(lines, std::stoi(limits.substr(13)))->size() == std::stoi(limits.substr(13)));
}

TEST_CASE("BERT's vocabulary keeps its names, its ids and its way to read a text") {
  const std::string file =
      "[PAD]\r\n[unused0]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\nthe\r\ncat\r\n##s\r\n.\r\n老\r\nele\r\n";
  const auto lower = load_bert_vocabulary(file, "vocab.txt");
  CHECK(lower->special().pad == 0);
  CHECK(lower->special().unk == 2);
  CHECK(lower->special().bos == 3);
  CHECK(lower->special().eos == 4);
  CHECK(lower->piece(3) == "[CLS]");
  const auto pieces = lower->encode("The cats.老[MASK] [MASK] Élé");
  Spelled texts;
  for (const Piece& piece : pieces) texts.push_back(piece.text);
  CHECK(texts == Spelled{"the", "cat", "s", ".", "老", "[MASK]", "[MASK]", "ele"});
  for (const std::size_t mask : {5u, 6u}) {
    CHECK(pieces[mask].special);
    CHECK(pieces[mask].id == 5);
  }
  CHECK(pieces[7].text == "ele");
  CHECK(lower->decode({3, 6, 7, 8, 9, 4}) == "the cats .");
  // A capital letter in the file: case and accents count.
  const auto cased = load_bert_vocabulary("[UNK]\nThe\nthe\n", "vocab.txt");
  CHECK(cased->encode("The")[0].id == 1);
  CHECK(cased->encode("the")[0].id == 2);
  CHECK(cased->special().bos == -1);
  CHECK(load_bert_vocabulary("[UNK]\na\n##a\n", "v")->encode(std::string(100, 'a')).size() == 100);
  CHECK(load_bert_vocabulary("[UNK]\na\n##a\n", "v")->encode(std::string(101, 'a')).size() == 1);
}

std::string words_of(const Tokenizer& tokenizer, const std::string& text) {
  std::string words;
  for (const Piece& piece : tokenizer.encode(text))
    words += (words.empty() ? "" : piece.word_start || piece.unknown ? " " : "") + piece.text;
  return words;
}

TEST_CASE("special tokens are found anywhere, in the letters that the vocabulary has") {
  const auto bert = load_bert_vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nis\n,\na\n(\n)\n", "v");
  CHECK(words_of(*bert, "([MASK])is[SEP],[MASK],a") == "( [MASK] ) is [SEP] , [MASK] , a");
  CHECK(words_of(*bert, "[mask]") == "[ mask ]");  // small letters are none
  const auto other = load_bert_vocabulary("[UNK]\nis\n", "v");
  CHECK(words_of(*other, "[MASK]is") == "[ mask ] is");  // nor is a token that the file lacks
}

TEST_CASE("signs of punctuation of every script part words; format characters and unreadable ones go") {
  const auto bert = load_bert_vocabulary("[UNK]\na\n##b\nb\n", "v");
  // Of Arabic, Armenian, Ethiopic, Tibetan, Japanese, Runic; a symbol of currency is none.
  for (const char* sign : {"؟", "։", "።", "།", "・", "᛫", "‿", "⸮", "｟"})
    CHECK_MESSAGE(bert->encode(std::string("a") + sign + "b").size() == 3, sign);
  CHECK(bert->encode("a€b").size() == 1);
  // Soft hyphen, zero width joiner and non-joiner, byte order mark, direction, a control and U+FFFD.
  for (const char* gone : {"\u00AD", "\u200D", "\u200C", "\uFEFF", "\u202B", "\x01", "\uFFFD"}) {
    const auto pieces = bert->encode(std::string("a") + gone + "b");
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[1].id == 2);
  }
  CHECK(words_of(*bert, "a\u3000b\tb\u00A0a") == "a b b a");
}

TEST_CASE("a vocabulary without capitals reads text decomposed and without its marks, another as it is") {
  const auto lower = load_bert_vocabulary("[UNK]\nane\n##x\nᄒ\n##ᅡ\n##ᆫ\nか\n", "v");
  CHECK(words_of(*lower, "Âñéx") == "anex");
  CHECK(lower->encode("한").size() == 3);  // a syllable of Hangul is its three letters
  CHECK(words_of(*lower, "が") == "か");
  const auto cased = load_bert_vocabulary("[UNK]\nÉa\n한\n", "v");
  CHECK(cased->encode("Éa 한")[0].id == 1);
  CHECK(cased->encode("Éa 한")[1].id == 2);
}

TEST_CASE("of doubled lines the last is the piece, as BERT's own reader has it") {
  const auto bert = load_bert_vocabulary("[UNK]\n[MASK]\ncat\ndog\ncat\n[MASK]\n", "v");
  CHECK(bert->encode("cat")[0].id == 4);
  CHECK(bert->encode("[MASK]")[0].id == 5);
  CHECK(bert->size() == 6);
}

TEST_CASE("a file that is no vocabulary is refused in one sentence") {
  const auto said = [](const std::string& bytes) {
    return refusal([&] { load_bert_vocabulary(bytes, "vocab.txt"); });
  };
  CHECK(said("").find("vocab.txt: the file is empty") == 0);
  CHECK(said("a\nb\n").find("no line of the file is [UNK]") != std::string::npos);
  CHECK(said("[UNK]\n\xFFg\n").find("line 2 is not valid UTF-8") != std::string::npos);
  CHECK(said(std::string("[UNK]\na\0b\n", 10)).find("line 2 holds a NUL") != std::string::npos);
  CHECK(said("[UNK]\n" + std::string(1001, 'a')).find("line 2 is longer") != std::string::npos);
  std::string many = "[UNK]\n";
  for (int i = 0; i < 1'000'000; ++i) many += "a\n";
  CHECK(said(many).find("more than 1 000 000 lines") != std::string::npos);
  many.resize(many.size() - 2);
  CHECK(said(many) == "no error");
}

TEST_CASE("a thousand pieces of two thousand lines are learned within a second") {
  std::mt19937 random(9);
  std::vector<std::string> lines, words;
  for (int i = 0; i < 4000; ++i) {
    std::string word;
    for (auto left = 2 + random() % 9; left > 0; --left) word += static_cast<char>('a' + random() % 26);
    words.push_back(word);
  }
  for (int i = 0; i < 2000; ++i) {
    std::string line;
    for (int j = 0; j < 12; ++j) line += words[random() % words.size() * (random() % 1000) / 1000] + " ";
    lines.push_back(line);
  }
  const auto begin = std::chrono::steady_clock::now();
  CHECK(train_word_piece(lines, 1000)->size() == 1000);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  MESSAGE("learned in " << seconds << " s");
  CHECK(seconds < 5);  // one, on a machine that does nothing else
}

}  // namespace
}  // namespace glassformer
