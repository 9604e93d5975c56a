#include <doctest/doctest.h>
#include <zip.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "engine/files/read_file.h"
#include "engine/files/text_file.h"
#include "engine/text/corpus_reader.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using namespace glassformer;
using testing::refusal;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

// An archive of these files; a name that ends in "/" is a folder.
std::string zip_of(const Files& files, const char* password = nullptr) {
  const ScratchFolder folder;
  const std::string path = folder.path("a.zip");
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  REQUIRE(archive != nullptr);
  for (const auto& [name, bytes] : files) {
    if (name.ends_with('/')) {
      zip_dir_add(archive, name.c_str(), ZIP_FL_ENC_UTF_8);
      continue;
    }
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    REQUIRE(index >= 0);
    if (password != nullptr)
      REQUIRE(zip_file_set_encryption(archive, static_cast<zip_uint64_t>(index), ZIP_EM_TRAD_PKWARE,
                                      password) == 0);
  }
  REQUIRE(zip_close(archive) == 0);
  return read_file(path);
}

std::string refused(const std::string& bytes, long max_bytes = 1 << 30) {
  return refusal([&] { unzipped(bytes, "texts.zip", max_bytes); });
}

bool says(const std::string& message, const std::string& words) {
  CAPTURE(message);
  return message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("the one file of a zip archive is read, whatever a file manager put beside it") {
  const std::string text = "the cat\tle chat\nthe dog\tle chien\n";
  CHECK(unzipped(zip_of({{"pairs.tsv", text}}), "a", 1000) == text);
  CHECK(unzipped(zip_of({{"data/", ""},
                         {"data/pairs.tsv", text},
                         {"__MACOSX/data/._pairs.tsv", "x"},
                         {"data/.DS_Store", "y"}}),
                 "a", 1000) == text);
  CHECK(unzipped(zip_of({{"empty.txt", ""}}), "a", 1000).empty());
}

TEST_CASE("an archive in which no single text is meant is refused by what it holds") {
  CHECK(says(refused(zip_of({{"a.en", "x"}, {"a.fr", "y"}})), "holds 2 files (\"a.en\", \"a.fr\")"));
  CHECK(says(refused(zip_of({{"1", "x"}, {"2", "x"}, {"3", "x"}, {"4", "x"}})),
             "4 files (\"1\", \"2\", \"3\", ...)"));
  CHECK(says(refused(zip_of({{"only/", ""}})), "holds no file"));
  CHECK(says(refused(zip_of({{"[Content_Types].xml", "x"}, {"word/document.xml", "y"}})), "office document"));
  CHECK(says(refused(zip_of({{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", "y"}})),
             "office document"));
  CHECK(says(refused(zip_of({{"secret.txt", "x"}}, "password")), "locked with a password"));
}

TEST_CASE("a zip archive that is cut short, damaged or a bomb is refused") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "sentence " + std::to_string(i * 7919 % 5003) + "\n";
  const std::string whole = zip_of({{"a.txt", text}});
  for (const std::size_t length : {std::size_t{4}, whole.size() / 2, whole.size() - 1}) {
    CAPTURE(length);
    CHECK(says(refused(whole.substr(0, length)), "damaged or cut short"));
  }
  std::string changed = whole;
  changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 0x55);
  CHECK(says(refused(changed), "damaged"));
  CHECK(says(refused(whole, 100), "100"));
  CHECK(says(refused(zip_of({{"zeros", std::string(20 << 20, '\0')}})), "1000 times its size"));
}

TEST_CASE("a corpus is read from a zip archive as it is without") {
  const ScratchFolder folder;
  folder.write("pairs.zip", zip_of({{"pairs.tsv", "the cat\tle chat\nthe dog\tle chien\n"}}));
  const Corpus corpus = read_tab_separated(folder.path("pairs.zip"));
  REQUIRE(corpus.pairs.size() == 2);
  CHECK(corpus.pairs[1] == SentencePair{"the dog", "le chien"});
}
