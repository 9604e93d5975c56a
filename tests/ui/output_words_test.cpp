// Two outputs side by side, word by word, however their words are cut.
#include "app/reading/scene_words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <utility>

#include "engine/text/word_difference.h"
#include "tests/ui/small_program.h"

namespace glassformer {

namespace {

// Pieces as they are given; "_" begins a word.
class GivenPieces final : public Tokenizer {
 public:
  explicit GivenPieces(std::vector<std::string> pieces) : Tokenizer({}), pieces_(std::move(pieces)) {}
  TokenizerKind kind() const override { return TokenizerKind::bpe; }
  int size() const override { return kSpecials + static_cast<int>(pieces_.size()); }
  std::string normalized(std::string_view text) const override { return std::string(text); }
  std::vector<Piece> encode(std::string_view) const override { return {}; }
  std::string decode(const std::vector<int>& ids) const override {
    std::string text;
    for (const int id : ids)
      if (id >= kSpecials) text += (starts_word(id) && !text.empty() ? " " : "") + piece(id);
    return text;
  }
  std::string piece(int id) const override {
    if (id < kSpecials) return "<special>";
    const std::string& text = pieces_[static_cast<std::size_t>(id - kSpecials)];
    return text.starts_with('_') ? text.substr(1) : text;
  }
  bool starts_word(int id) const override {
    return id >= kSpecials && pieces_[static_cast<std::size_t>(id - kSpecials)].starts_with('_');
  }
  std::optional<double> score(int) const override { return {}; }
  std::string bytes() const override { return {}; }

  std::vector<int> ids(const std::string& written) const {
    std::vector<int> found;
    std::istringstream in(written);
    for (std::string piece; in >> piece;) {
      const auto at = std::ranges::find(pieces_, piece);
      REQUIRE(at != pieces_.end());
      found.push_back(kSpecials + static_cast<int>(at - pieces_.begin()));
    }
    return found;
  }

 private:
  std::vector<std::string> pieces_;
};

}  // namespace

TEST_CASE("two outputs of other lengths stand word by word") {
  CHECK(aligned({4, 5, 6}, {4, 5, 6}) == std::vector<OutputColumn>{{0, 0, true}, {1, 1, true}, {2, 2, true}});
  CHECK(aligned({4, 5, 6}, {4, 7, 6}) ==
        std::vector<OutputColumn>{{0, 0, true}, {1, 1, false}, {2, 2, true}});
  CHECK(aligned({4, 5, 6}, {4, 6}) ==
        std::vector<OutputColumn>{{0, 0, true}, {1, std::nullopt, false}, {2, 1, true}});
  CHECK(aligned({4, 6}, {4, 8, 9, 6}) ==
        std::vector<OutputColumn>{
            {0, 0, true}, {std::nullopt, 1, false}, {std::nullopt, 2, false}, {1, 3, true}});
  CHECK(changed_words(aligned({1, 2}, {3})) == 2);
}

TEST_CASE("a word is the same however it is cut, and pieces of the same text stand in one column") {
  const GivenPieces cut({"_elle", "_n", "'", "ouvre", "_ouvre", "_ou", "vre", "_la", "_porte"});
  // Each in its own word: n'ouvre is one, ouvre another.
  const auto elided =
      aligned(cut.ids("_elle _n ' ouvre _la _porte"), cut.ids("_elle _ouvre _la _porte"), &cut);
  CHECK(elided == std::vector<OutputColumn>{{0, 0, true},
                                            {1, std::nullopt, false},
                                            {2, std::nullopt, false, false},
                                            {3, 1, false, false},
                                            {4, 2, true},
                                            {5, 3, true}});
  CHECK(changed_words(elided) == 1);
  CHECK(words_in(elided) == 4);
  const auto other_cut = aligned(cut.ids("_elle _ouvre _la"), cut.ids("_elle _ou vre _la"), &cut);
  CHECK(changed_words(other_cut) == 0);
  CHECK(other_cut ==
        std::vector<OutputColumn>{{0, 0, true}, {1, 1, true}, {std::nullopt, 2, true, false}, {2, 3, true}});
}

TEST_CASE("the words that differ are those of the two texts, for every tokenizer") {
  const std::vector<std::string> words = {"le",    "chat",  "voit", "un",    "oiseau", "petit",
                                          "chien", "mange", "une",  "pomme", "rouge",  "grande"};
  std::vector<std::string> lines;
  std::mt19937 random(7);
  const auto sentence = [&] {
    std::string text;
    const std::size_t count = 1 + random() % 8;
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? " " : "") + words[random() % words.size()];
    return text;
  };
  for (int i = 0; i < 200; ++i) lines.push_back(sentence());
  for (const TokenizerKind kind :
       {TokenizerKind::bpe, TokenizerKind::unigram, TokenizerKind::word, TokenizerKind::character}) {
    const auto smallest = smallest_vocabulary(lines, kind);
    const auto tokenizer = train_tokenizer(
        lines, {.kind = kind,
                .pieces = kind == TokenizerKind::bpe || kind == TokenizerKind::unigram ? smallest + 6 : 0});
    const auto ids_of = [&](const std::string& text) {
      std::vector<int> ids;
      for (const Piece& piece : tokenizer->encode(text)) ids.push_back(piece.id);
      return ids;
    };
    for (int round = 0; round < 100; ++round) {
      const std::string first = sentence(), second = sentence();
      const std::vector<int> before = ids_of(first), after = ids_of(second);
      CAPTURE(first);
      CAPTURE(second);
      int next_before = 0, next_after = 0;
      std::vector<bool> right;  // of each word of the first
      bool told = false;        // the word of this column
      for (const OutputColumn& column : aligned(before, after, tokenizer.get())) {
        if (column.begins) told = false;
        CHECK((column.before || column.after));
        if (column.before) CHECK(*column.before == next_before++);
        if (column.after) CHECK(*column.after == next_after++);
        if (column.before && !std::exchange(told, true)) right.push_back(column.same);
      }
      CHECK(next_before == std::ssize(before));
      CHECK(next_after == std::ssize(after));
      const WordDifferences expected = compare_both(first, second);
      CHECK(std::ranges::equal(right, expected.first.words, {}, {}, &MarkedWord::right));
    }
  }
}

TEST_CASE("the chips of the window and the What if view tell the same words") {
  OffscreenProgram program({.threads = 1});
  REQUIRE(program.settle());
  for (const char* sentence :
       {"the tired girl does not like the red car", "the old man does not see the dog"}) {
    for (int head = 0; head < 4; ++head) {
      program.session().apply({SetSource{sentence}, SetWhatIf{{{mute_head(AttentionKind::cross, 1, head)}}}});
      REQUIRE(program.settle());
      const SceneResult& result = *program.session().result();
      const auto columns = aligned(result.plain->decoding.ids, result.decoding.ids,
                                   program.session().tokenizers().target.get());
      const WordDifferences words = compare_both(result.plain->translation, result.translation);
      std::vector<bool> changed;  // of each word of the output, eos last
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!columns[i].begins) continue;
        bool here = false;  // some of it stands in the changed output
        for (std::size_t j = i; j < columns.size() && (j == i || !columns[j].begins); ++j)
          here = here || columns[j].after.has_value();
        if (here) changed.push_back(!columns[i].same);
      }
      if (!changed.empty() && result.decoding.ids.back() == result.snapshot->config.eos_id)
        changed.pop_back();
      std::vector<bool> expected;
      for (const MarkedWord& word : words.second.words) expected.push_back(!word.right);
      CHECK(changed == expected);
    }
  }
}

}  // namespace glassformer
