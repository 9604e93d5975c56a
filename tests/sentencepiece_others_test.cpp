// Models of others: read by content, given what was typed, and decoded as their library does.
#include <doctest/doctest.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/text/sentencepiece.h"
#include "engine/text/tokenizer.h"
#include "tests/scratch_folder.h"

namespace glassformer {
namespace sentencepiece_others_test {
namespace {

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

}  // namespace

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
    CHECK_MESSAGE(tokenizer->kind() == kind, type);
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

}  // namespace sentencepiece_others_test
}  // namespace glassformer
