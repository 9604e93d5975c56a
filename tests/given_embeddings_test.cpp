#include "engine/text/given_embeddings.h"

#include <doctest/doctest.h>
#include <zip.h>

#include <fstream>
#include <limits>
#include <map>

#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "tests/gzip.h"
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

std::string zipped(const ScratchFolder& scratch, const std::string& text) {
  const std::string path = scratch.path("v.zip");
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  REQUIRE(archive != nullptr);
  zip_source_t* source = zip_source_buffer(archive, text.data(), text.size(), 0);
  REQUIRE(zip_file_add(archive, "v.txt", source, ZIP_FL_ENC_UTF_8) >= 0);
  REQUIRE(zip_close(archive) == 0);
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

TEST_CASE("a word may be a blank or hold blanks, and lines that are not so are counted") {
  const ScratchFolder scratch;
  const auto tokenizer = three_words();
  const std::string lines =
      "cat 1 2 3\n  4 5 6\nNew York 7 8 9\n. . . 1 2 3\nbird 1 2\n2 0.5 0.5 0.5\n\tdog\t7\t8\t9 \n";
  for (const std::string head : {"", "7 3\n", "\xEF\xBB\xBF"}) {
    const GivenEmbeddings given = read_embeddings(written(scratch, head + lines), *tokenizer);
    REQUIRE(given.width() == 3);
    CHECK(given.rows(id_of(*tokenizer, "cat"), 2) == 3.0f);
    CHECK(given.rows(id_of(*tokenizer, "dog"), 0) == 7.0f);
    CHECK(given.words_found == 2);
    CHECK(given.odd_lines == 1);
    CHECK(given.first_odd == (head == "7 3\n" ? 6 : 5));
    CHECK(found_words(given, *tokenizer, "v.txt")
              .ends_with("; left out: 1 line without a word and its 3 numbers, the first is line " +
                         std::to_string(given.first_odd)));
  }
}

TEST_CASE("what is no number makes a line odd, not the file") {
  const ScratchFolder scratch;
  const auto tokenizer = three_words();
  for (const std::string odd : {"two", "inf", "nan", "1e99", "0x1", "1-2", "--1"}) {
    const GivenEmbeddings given =
        read_embeddings(written(scratch, "dog 1 2\ncat 1 " + odd + "\nbird +3 4\n"), *tokenizer);
    CHECK(given.odd_lines == 1);
    CHECK(given.words_found == 2);
    CHECK(given.rows(id_of(*tokenizer, "bird"), 0) == 3.0f);
  }
}

TEST_CASE("packed vectors are unpacked, part by part") {
  const ScratchFolder scratch;
  const auto tokenizer = three_words();
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "w" + std::to_string(i * 7919) + " 0." + std::to_string(i) + " 0.5\n";
  text += "bird 3 4\n";
  const std::string packed = glassformer::testing::gzipped(text);
  CHECK(read_embeddings(written(scratch, packed, "v.gz"), *tokenizer).rows(id_of(*tokenizer, "bird"), 1) ==
        4.0f);
  const std::string cut = packed.substr(0, packed.size() / 2);
  CHECK(refusal([&] { read_embeddings(written(scratch, cut, "cut.gz"), *tokenizer); }).find("cut short") !=
        std::string::npos);
  const std::string zip = zipped(scratch, "dog 1 2\ncat 5 6\n");
  CHECK(read_embeddings(zip, *tokenizer).rows(id_of(*tokenizer, "cat"), 0) == 5.0f);
}

TEST_CASE("vectors in another form are named, with what to save instead") {
  for (const std::string csv : {"cat,0.1,0.2\n", "word;a;b\ncat;0.1;0.2\n", "\"cat\", 0.1, -2e-3\n"})
    CHECK(refused(csv).starts_with("this is CSV; expected a line a word"));
  for (const std::string json : {"{\"cat\": [0.1, 0.2]}\n", "{\n  \"cat\": [\n    0.1,\n    0.2\n  ]\n}\n",
                                 "[{\"word\": \"cat\", \"vector\": [1, 2]}]"})
    CHECK(refused(json).starts_with("this is JSON; expected a line a word"));
  std::string binary = "2 2\n";
  for (const char* word : {"cat ", "dog "}) {
    const float numbers[] = {0.5f, -1.25f};
    binary += word + std::string(reinterpret_cast<const char*>(numbers), sizeof numbers) + "\n";
  }
  CHECK(refused(binary).starts_with("this is word2vec's binary form; expected a line a word"));
  CHECK(refused("\xBA\x16\x4F\x2F\x0C").starts_with("this is a model in fastText's binary form"));
  const std::string tar = std::string("v.txt").append(252, '\0') + "ustar" + std::string("\0", 1) + "00";
  const std::string wide("c\0a\0t\0 \0001\0", 10);
  for (const auto& [bytes, name] :
       std::map<std::string, std::string>{{"\x93NUMPY\x01", "an array of NumPy"},
                                          {"BZh91AY&SY\x01\x02", "compressed by bzip2"},
                                          {"\xFD"
                                           "7zXZ",
                                           "compressed by xz"},
                                          {"\x28\xB5\x2F\xFD\x04", "compressed by zstd"},
                                          {tar, "a tar archive"},
                                          {glassformer::testing::gzipped(tar), "a tar archive"},
                                          {wide, "binary, or text in UTF-16LE"},
                                          {"\xFF\xFE" + wide, "text in UTF-16"},
                                          {"cat\x01\x02\x03", "binary"}}) {
    const std::string said = refused(bytes);
    CHECK_MESSAGE(said.find("this is " + name) == 0, said);
  }
  CHECK(refused("BZh 1 2\nustar 1 2\n") == "it has not one word of the vocabulary");
  // Signs are words too.
  CHECK(refused("{ 1 2\n[ 1 2\n, 1 2\n") == "it has not one word of the vocabulary");
}

TEST_CASE("a file that is none is refused in one sentence") {
  CHECK(refused("cat\n") == "line 1: expected a word and its 1 to 8192 numbers, found “cat”");
  CHECK(refused("2 300\ncat 1 2\ndog 1 2\n") == "line 1 says 300 numbers a word; most lines have 2");
  CHECK(refused("horse 1 2\n") == "it has not one word of the vocabulary");
  CHECK(refused("") == "it has not one word of the vocabulary");
  CHECK(refused(std::string(3 << 20, 'x')).starts_with("line 1: expected a word"));
  CHECK(refused("horse 1\ncow 2\n" + std::string(3 << 20, 'x')) == "line 3 is longer than a megabyte");
  const auto tokenizer = three_words();
  CHECK_FALSE(refusal([&] { read_embeddings("/nowhere/at all.txt", *tokenizer); }).empty());
  CHECK_FALSE(refusal([&] { read_embeddings("/dev/zero", *tokenizer); }).empty());
}
