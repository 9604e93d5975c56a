#include "engine/text/given_embeddings.h"

#include <doctest/doctest.h>

#include <fstream>
#include <limits>

#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

std::shared_ptr<const Tokenizer> three_words() {
  return train_tokenizer({"cat dog bird", "dog cat"}, {.kind = TokenizerKind::word, .pieces = 0});
}

int id_of(const Tokenizer& tokenizer, const std::string& word) {
  return tokenizer.encode(word).front().id;
}

std::string written(const ScratchFolder& scratch, const std::string& text,
                    const std::string& name = "vectors.txt") {
  const std::string path = scratch.path(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string refused(const std::string& text) {
  const ScratchFolder scratch;
  const std::string path = written(scratch, text);
  std::string words = refusal([&] { read_embeddings(path, *three_words()); });
  if (words.starts_with(path + ": ")) words.erase(0, path.size() + 2);
  return words;
}

}  // namespace

TEST_CASE("vectors of word2vec and GloVe stand in the rows of their words, and what is missing is told") {
  const ScratchFolder scratch;
  const auto tokenizer = three_words();
  for (const std::string head : {"", "3 2\n"}) {
    const std::string path =
        written(scratch, head + "horse 9 9\ndog 0.5 -1.25\r\ncat 1e-3\t2\ndog 7 7\n\n", "glove.txt");
    const GivenEmbeddings given = read_embeddings(path, *tokenizer);
    REQUIRE(given.rows.rows() == tokenizer->size());
    REQUIRE(given.width() == 2);
    CHECK(given.rows(id_of(*tokenizer, "dog"), 0) == 0.5f);
    CHECK(given.rows(id_of(*tokenizer, "dog"), 1) == -1.25f);
    CHECK(given.rows(id_of(*tokenizer, "cat"), 0) == 1e-3f);
    CHECK(given.rows(id_of(*tokenizer, "cat"), 1) == 2.0f);
    CHECK_FALSE(given.found[static_cast<std::size_t>(id_of(*tokenizer, "bird"))]);
    CHECK(given.words_found == 2);
    CHECK(found_words(given, *tokenizer, path) == "2 of 3 words found in glove.txt; as drawn: bird");
  }
}

TEST_CASE("a file without a last line end, and one longer than the reader's buffer, are read whole") {
  const ScratchFolder scratch;
  const auto tokenizer = three_words();
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "word" + std::to_string(i) + " 0.25 0.5\n";
  const GivenEmbeddings given = read_embeddings(written(scratch, text + "bird 3 4"), *tokenizer);
  CHECK(given.rows(id_of(*tokenizer, "bird"), 1) == 4.0f);
  CHECK(given.words_found == 1);
}

TEST_CASE("a matrix of the vocabulary's size gives every row") {
  const ScratchFolder scratch;
  const auto tokenizer = three_words();
  const auto rows = static_cast<long>(tokenizer->size());
  std::vector<float> numbers(static_cast<std::size_t>(rows) * 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  const auto write = [&](const std::string& name, std::vector<long> shape, std::size_t count) {
    std::string header = "{\"table\":{\"dtype\":\"F32\",\"shape\":[" + std::to_string(shape[0]) + "," +
                         std::to_string(shape[1]) + "],\"data_offsets\":[0," + std::to_string(4 * count) +
                         "]}}";
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(numbers.data()), 4 * count);
    return written(scratch, bytes, name);
  };
  const GivenEmbeddings given =
      read_embeddings(write("a.safetensors", {rows, 3}, numbers.size()), *tokenizer);
  CHECK(given.rows(2, 1) == 7.0f);
  CHECK(given.words_found == 3);
  const std::string other = write("b.safetensors", {rows - 1, 3}, numbers.size() - 3);
  CHECK(refusal([&] { read_embeddings(other, *tokenizer); }).find("expected a matrix of 7 rows") !=
        std::string::npos);
}

TEST_CASE("a file that is none is refused in one sentence") {
  CHECK(refused("cat 1 2\ndog 1\n") == "line 2: expected 2 numbers, as in the lines before, found 1");
  CHECK(refused("cat 1 two\n") == "line 1: expected a number, found “two”");
  CHECK(refused("cat 1 inf\n") == "line 1: expected a number, found “inf”");
  CHECK(refused("cat 1 nan\n") == "line 1: expected a number, found “nan”");
  CHECK(refused("cat 1 1e99\n") == "line 1: expected a number, found “1e99”");
  CHECK(refused("cat\n") == "line 1: expected a word and its 1 to 8192 numbers, found 0 numbers");
  CHECK(refused("horse 1 2\n") == "it has not one word of the vocabulary");
  CHECK(refused("") == "it has not one word of the vocabulary");
  CHECK(refused(std::string(3 << 20, 'x')) == "line 1 is longer than a megabyte");
  CHECK(refused(std::string("cat \0\xff 1\n", 9)).starts_with("line 1: expected a number"));
  const auto tokenizer = three_words();
  CHECK_FALSE(refusal([&] { read_embeddings("/nowhere/at all.txt", *tokenizer); }).empty());
  CHECK_FALSE(refusal([&] { read_embeddings("/dev/zero", *tokenizer); }).empty());
}
