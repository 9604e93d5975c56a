#include "engine/text/ready_data.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

DataOptions of_grammar(long pairs) {
  DataOptions options;
  options.training.grammar = source_folder() + "/assets/grammars/english-french.grammar";
  options.training.pairs = pairs;
  options.test_pairs = 20;
  options.pieces = 300;
  return options;
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

bool alike(const DataPart& a, const DataPart& b) {
  if (a.pairs != b.pairs || a.encoded.size() != b.encoded.size()) return false;
  for (std::size_t i = 0; i < a.encoded.size(); ++i)
    if (a.encoded[i].source != b.encoded[i].source || a.encoded[i].target != b.encoded[i].target)
      return false;
  return true;
}

}  // namespace

TEST_CASE("data made ready are read as they were prepared") {
  const ScratchFolder folder;
  const DataOptions options = of_grammar(500);
  const PreparedData made = prepare_data(options);
  const std::string key = ready_key(options, made.tokenizers), path = folder.path("a.data");
  write_ready_data(made, key, path);
  const auto read = read_ready_data(path, key, made.tokenizers);
  REQUIRE(read.has_value());
  CHECK(alike(read->training, made.training));
  CHECK(alike(read->validation, made.validation));
  CHECK(alike(read->test, made.test));
  CHECK(made.test.pairs.size() == 20);
  CHECK(read->kind == made.kind);
  CHECK(read->report.name == made.report.name);
  CHECK(read->report.kept == made.report.kept);
  CHECK(read->report.source.lengths == made.report.source.lengths);
  CHECK(read->report.target.distinct_words == made.report.target.distinct_words);
}

TEST_CASE("the key of ready data changes with options, files and pieces") {
  const ScratchFolder folder;
  const std::string grammar = folder.path("own.grammar");
  const std::string text = read_file(of_grammar(1).training.grammar);
  write(grammar, text);
  DataOptions options = of_grammar(300), same = options;
  const Tokenizers pieces = prepare_data(options).tokenizers;
  const std::string key = ready_key(options, pieces);
  same.training.grammar = grammar;
  CHECK(ready_key(same, pieces) == key);  // wherever it lies
  write(grammar, text + "\n# another\n");
  CHECK(ready_key(same, pieces) != key);
  options.seed = 2;
  CHECK(ready_key(options, pieces) != key);
  CHECK(ready_key(of_grammar(300), prepare_data(of_grammar(320)).tokenizers) != key);
  same.training.grammar = folder.path("missing");
  CHECK_THROWS_AS(ready_key(same, pieces), Error);
}

TEST_CASE("ready data that are missing, damaged or of something else are none") {
  const ScratchFolder folder;
  const DataOptions options = of_grammar(300);
  const PreparedData made = prepare_data(options);
  const std::string key = ready_key(options, made.tokenizers), path = folder.path("a.data");
  const auto readable = [&] { return read_ready_data(path, key, made.tokenizers).has_value(); };
  CHECK_FALSE(readable());
  write_ready_data(made, key, path);
  const std::string whole = read_file(path);
  CHECK(readable());
  CHECK_FALSE(read_ready_data(path, key + "x", made.tokenizers).has_value());
  CHECK_FALSE(read_ready_data(path, key, {}).has_value());
  for (std::size_t length = 0; length < whole.size(); length += whole.size() / 40) {
    write(path, whole.substr(0, length));
    CHECK_FALSE(readable());
    std::string other = whole;
    other[length] ^= 1;
    write(path, other);
    CHECK_FALSE(readable());
  }
  const std::size_t head = whole.find('\n');
  std::string more = whole;
  more.replace(more.find("\"pairs\":["), 9, "\"pairs\":[9");
  write(path, more);
  CHECK_FALSE(readable());
  write(path, whole.substr(0, head + 1) + std::string(1 << 20, '9'));
  CHECK_FALSE(readable());
  write(path, std::string(100'000, '['));
  CHECK_FALSE(readable());
}
