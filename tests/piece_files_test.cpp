// Merges of pairs, and vocabularies of other programs.
#include <doctest/doctest.h>

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/text/pair_merges.h"
#include "engine/text/sentencepiece.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"
#include "engine/text/unigram_loss.h"
#include "tests/scratch_folder.h"

namespace glassformer::piece_files_test {

using Parts = std::vector<std::string>;

std::vector<std::string> random_lines(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> lines;
  for (int i = 0; i < 6; ++i) {
    std::string line;
    for (int j = 0; j < 4; ++j) {
      for (auto left = 1 + random() % 6; left > 0; --left) line += "abc"[random() % 3];
      line += ' ';
    }
    lines.push_back(line);
  }
  return lines;
}

TEST_CASE("each merge joins the most frequent pair, and its counts are those of the text cut so far") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<std::string> lines = random_lines(seed);
    std::vector<Parts> words;  // each time it occurs in the text
    for (const std::string& line : lines)
      for (const std::string& word : split_words(line)) {
        words.push_back({"▁"});
        for (const char c : word) words.back().push_back(std::string(1, c));
      }
    std::set<std::string> vocabulary;
    for (const Parts& word : words) vocabulary.insert(word.begin(), word.end());
    const PairMerges made(lines, 1000, 5);
    CHECK(made.alphabet() == static_cast<int>(vocabulary.size()));
    int step = 0;
    for (const PairMerge& merge : made.merges()) {
      std::map<std::pair<std::string, std::string>, long> counts;
      for (const Parts& word : words)
        for (std::size_t i = 1; i < word.size(); ++i) ++counts[{word[i - 1], word[i]}];
      REQUIRE(!merge.pairs.empty());
      CHECK(merge.pairs.size() == std::min<std::size_t>(5, counts.size()));
      long above = merge.pairs.front().count;
      for (const CountedPair& pair : merge.pairs) {
        REQUIRE(counts[{pair.first, pair.second}] == pair.count);
        CHECK(pair.count <= above);
        above = pair.count;
      }
      for (const auto& [pair, count] : counts) REQUIRE(count <= merge.pairs.front().count);
      const auto& [a, b, count] = merge.pairs.front();
      long pieces = 0;
      for (Parts& word : words) {
        for (std::size_t i = 0; i + 1 < word.size(); ++i)
          if (word[i] == a && word[i + 1] == b) {
            word[i] = a + b;
            word.erase(word.begin() + static_cast<long>(i) + 1);
          }
        pieces += static_cast<long>(word.size());
      }
      vocabulary.insert(a + b);
      CHECK(merge.pieces == pieces);
      CHECK(merge.vocabulary == static_cast<int>(vocabulary.size()));
      std::size_t at = 0;
      ++step;
      for (const std::string& line : lines)
        for (const std::string& word : split_words(line))
          REQUIRE(made.pieces_after(word, step) == words[at++]);
    }
    // To the end: every word is one piece.
    for (const Parts& word : words) CHECK(word.size() == 1);
  }
}

TEST_CASE("no text, no merges; and a word the text never held is cut by the same merges") {
  CHECK(PairMerges({}, 10).merges().empty());
  const PairMerges made({"aa aa ab"}, 1);
  CHECK(made.letters() == 9);
  CHECK(made.merges().front().pieces == 6);  // ▁a joined in each of three words
  CHECK(made.pieces_after("az", 1) == Parts{"▁a", "z"});
  CHECK(made.pieces_after("az", 0) == Parts{"▁", "a", "z"});
}

TEST_CASE("the best cut is the best of all cuts, also without one of its pieces") {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<ScoredPiece> pieces;
    std::set<std::string> once;
    for (int i = 0; i < 12; ++i) {
      std::string text;
      for (auto left = 1 + random() % 3; left > 0; --left) text += "abc"[random() % 3];
      if (once.insert(text).second) pieces.push_back({text, -double(random() % 1000) / 100});
    }
    std::string text;
    for (int i = 0; i < 8; ++i) text += "abcd"[random() % 4];
    double least = 0;
    for (const ScoredPiece& piece : pieces) least = std::min(least, piece.log_p);
    for (int without = -1; without < static_cast<int>(pieces.size()); ++without) {
      const auto log_p_of = [&](const std::string& part) -> std::optional<double> {
        for (int i = 0; i < static_cast<int>(pieces.size()); ++i)
          if (i != without && pieces[static_cast<std::size_t>(i)].text == part)
            return pieces[static_cast<std::size_t>(i)].log_p;
        if (part.size() == 1) return least - 10;
        return std::nullopt;
      };
      // All 2^7 ways to cut it.
      double best = -1e9;
      for (unsigned cuts = 0; cuts < 128; ++cuts) {
        double sum = 0;
        std::string part;
        for (std::size_t i = 0; i < text.size(); ++i) {
          part += text[i];
          if (i + 1 < text.size() && (cuts >> i & 1u) == 0) continue;
          sum += log_p_of(part).value_or(-1e12);
          part.clear();
        }
        best = std::max(best, sum);
      }
      const BestCut found = best_cut(pieces, text, without < 0 ? std::nullopt : std::optional(without));
      REQUIRE(found.log_p == doctest::Approx(best));
      std::string joined;
      for (const std::string& part : found.texts) joined += part;
      CHECK(joined == text);
    }
  }
}

TEST_CASE("a unigram tokenizer's sentence is cut as it cuts it, and no piece can be missed for a gain") {
  std::vector<std::string> lines;
  for (int i = 0; i < 8; ++i)
    for (const char* who : {"the tired girl", "the cat", "a tired cat", "girls", "a car"})
      for (const char* does : {" sees a red car", " sees the cats", " likes red"})
        lines.push_back(std::string(who) + does);
  const auto tokenizer = train_tokenizer(lines, {.kind = TokenizerKind::unigram, .pieces = 0});
  const auto losses = unigram_losses(*tokenizer, "the tired cats see the car");
  REQUIRE(losses);
  std::size_t at = 0;
  double sum = 0;
  const auto pieces = tokenizer->encode("the tired cats see the car");
  REQUIRE(pieces.size() == losses->cut.texts.size());
  for (const Piece& piece : pieces) {
    CHECK(losses->cut.texts[at++] == (piece.word_start && piece.text != "▁" ? "▁" : "") + piece.text);
    sum += tokenizer->score(piece.id).value_or(0);
  }
  CHECK(losses->cut.log_p == doctest::Approx(sum).epsilon(1e-5));
  int times = 0;
  for (const PieceLoss& piece : losses->pieces) {
    CHECK(piece.loss >= 0);
    // Without a piece of one letter that letter may be unknown, where it was.
    if (code_points(piece.text).size() > 1)
      CHECK(piece.instead != losses->cut.texts);
    else
      CHECK(piece.loss > 0);
    times += piece.times;
  }
  CHECK(times == static_cast<int>(pieces.size()));
  CHECK_FALSE(unigram_losses(*train_tokenizer(lines, {.kind = TokenizerKind::word}), "the cat"));
}

// ---- Models of others: read by content, given what was typed, and decoded as their library does.

class Lines final : public sentencepiece::SentenceIterator {
 public:
  bool done() const override { return at_ == lines_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return lines_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_{"a bird sings in the tree", "the bird sees a tree",
                                  "in the tree sings a bird"};
  std::size_t at_ = 0;
};

std::string trained(const std::string& type, const std::string& surface = " \xE2\x81\x87 ") {
  Lines lines;
  std::string bytes;
  const std::unordered_map<std::string, std::string> options{{"model_type", type},
                                                             {"vocab_size", "24"},
                                                             {"hard_vocab_limit", "false"},
                                                             {"unk_surface", surface},
                                                             {"minloglevel", "2"}};
  REQUIRE(sentencepiece::SentencePieceTrainer::Train(options, &lines, &bytes).ok());
  return bytes;
}

std::vector<int> ids_of(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

TEST_CASE("a sentencepiece model is known by its content, whatever its file is called") {
  const ScratchFolder scratch;
  const std::string bytes = trained("unigram");
  for (const char* name : {"spm", "tokenizer.spm", "source.vocab.bin", "x.model"}) {
    std::ofstream(scratch.path(name), std::ios::binary) << bytes;
    CHECK_MESSAGE(ids_of(*open_tokenizer_file(scratch.path(name)), "the bird").size() > 1, name);
  }
  std::ofstream(scratch.path("words"), std::ios::binary) << "[UNK]\nthe\n";
  CHECK(open_tokenizer_file(scratch.path("words"))->kind() == TokenizerKind::word_piece);
}

TEST_CASE("a sentencepiece model is of the kind that it was trained as") {
  const std::map<std::string, TokenizerKind> kinds{{"word", TokenizerKind::word},
                                                   {"char", TokenizerKind::character},
                                                   {"bpe", TokenizerKind::bpe},
                                                   {"unigram", TokenizerKind::unigram}};
  for (const auto& [type, kind] : kinds) {
    const auto tokenizer = load_sentencepiece(trained(type), "others");
    const auto& this_type = type;
    CHECK_MESSAGE(tokenizer->kind() == kind, this_type);
    CHECK(is_sentencepiece(*tokenizer));
  }
}

TEST_CASE("models of any type, with any sign for what is unknown, decode as the library does") {
  for (const char* type : {"word", "char", "bpe", "unigram"})
    for (const char* surface : {" \xE2\x81\x87 ", "<?>", " (unknown) "}) {
      CAPTURE(type);
      CAPTURE(surface);
      const std::string bytes = trained(type, surface);
      sentencepiece::SentencePieceProcessor library;
      REQUIRE(library.LoadFromSerializedProto(bytes).ok());
      const auto tokenizer = load_sentencepiece(bytes, "others");
      for (const char* text : {"the bird sings", "the whale sings", "quick", "in the sea, the bird"}) {
        std::vector<int> ids;
        REQUIRE(library.Encode(text, &ids).ok());
        std::string said;
        REQUIRE(library.Decode(ids, &said).ok());
        CHECK(ids_of(*tokenizer, text) == ids);
        CHECK(tokenizer->decode(ids) == said);
      }
    }
}

TEST_CASE("the sign that is sentencepiece's blank is escaped for models of this program alone") {
  const std::string bytes = trained("bpe");
  sentencepiece::SentencePieceProcessor library;
  REQUIRE(library.LoadFromSerializedProto(bytes).ok());
  const auto others = load_sentencepiece(bytes, "others");
  const auto own = load_sentencepiece(bytes, SpecialIds{.pad = -1, .unk = 0, .bos = 1, .eos = 2}, "own");
  for (const std::string text : {"the\xE2\x96\x81"
                                 "bird",
                                 "a \xE2\x96\x81 tree", "in\xE2\x96\x85the"}) {
    std::vector<int> ids;
    REQUIRE(library.Encode(text, &ids).ok());
    CHECK(ids_of(*others, text) == ids);
  }
  CHECK(ids_of(*own,
               "the\xE2\x96\x81"
               "bird") != ids_of(*others,
                                 "the\xE2\x96\x81"
                                 "bird"));
}

}  // namespace glassformer::piece_files_test
