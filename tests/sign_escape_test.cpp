#include "engine/text/sign_escape.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

using namespace glassformer;

namespace {

const std::vector<std::string> kSigned = {"▁▂▃▅ rising prices",      "press <s> or </s> twice",
                                          "an <unk> word and <pad>", "under▁score ▅",
                                          "prices press twice",      "a word or a score"};

std::vector<int> ids_of_text(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

}  // namespace

TEST_CASE("signs that sentencepiece keeps for itself are learned, read and written as text") {
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::unigram}) {
    const auto tokenizer = train_tokenizer(kSigned, {.kind = kind, .pieces = 0});
    for (const std::string& line : kSigned) {
      CAPTURE(line);
      for (const Piece& piece : tokenizer->encode(line)) CHECK_FALSE(piece.unknown);
      CHECK(tokenizer->decode(ids_of_text(*tokenizer, line)) == line);
      CHECK(tokenizer->normalized(line) == line);
    }
    // The same after the model was kept and read.
    const auto loaded = load_tokenizer("sentencepiece", tokenizer->bytes(), tokenizer->special(), "test");
    CHECK(loaded->decode(ids_of_text(*loaded, kSigned[3])) == kSigned[3]);
    for (int id = 0; id < tokenizer->size(); ++id)
      CHECK(tokenizer->piece(id).find('\xF4') == std::string::npos);
  }
}

TEST_CASE("text of signs alone teaches pieces") {
  const std::vector<std::string> lines = {"<s>", "▅", "▁ <pad>", "<s> ▅"};
  const auto tokenizer = train_tokenizer(lines, {.pieces = 0});
  for (const std::string& line : lines) CHECK(tokenizer->decode(ids_of_text(*tokenizer, line)) == line);
}

TEST_CASE("a model that never saw the signs names them as unknown and reads the rest as before") {
  const std::vector<std::string> plain = {"the moon <b>rises</b>", "a star s k u n p", "stars rise"};
  const auto tokenizer = train_tokenizer(plain, {.pieces = 0});
  bool told = false;
  for (const Piece& piece : tokenizer->encode("the▁moon"))
    told = told || (piece.unknown && piece.text == "▁");
  CHECK(told);
  CHECK(tokenizer->decode(ids_of_text(*tokenizer, "<s>")) == "<s>");
  for (const std::string& line : plain) CHECK(tokenizer->decode(ids_of_text(*tokenizer, line)) == line);
}

TEST_CASE("what stands in for a sign is no way to write one") {
  CHECK(escaped_signs(std::string(kBlankStandIn)) == "\xEF\xBF\xBD");
  CHECK(unescaped_signs(escaped_signs("<s>▁▅</s><unk><pad><sx>")) == "<s>▁▅</s><unk><pad><sx>");
}
