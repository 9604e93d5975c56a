#include "engine/text/ready_data.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"
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
  write(path, std::string(65, '[') + "\n");
  CHECK_FALSE(readable());
}

TEST_CASE("ready data of a right hash are read no further than they hold together") {
  const ScratchFolder folder;
  const DataOptions options = of_grammar(300);
  const PreparedData made = prepare_data(options);
  const std::string key = ready_key(options, made.tokenizers), path = folder.path("a.data");
  write_ready_data(made, key, path);
  const std::string whole = read_file(path);
  const std::size_t line = whole.find('\n') + 1;
  const nlohmann::json head = nlohmann::json::parse(whole.substr(0, line));
  const std::string lines = whole.substr(line);
  const auto readable = [&](nlohmann::json changed, const std::string& text) {
    changed.erase("hash");
    changed["hash"] = hash_digits(text_hash(text, text_hash(changed.dump())));
    write(path, changed.dump() + '\n' + text);
    return read_ready_data(path, key, made.tokenizers).has_value();
  };
  CHECK(readable(head, lines));
  CHECK_FALSE(readable(head, lines + lines.substr(0, lines.find('\n') + 1)));
  CHECK_FALSE(readable(head, lines.substr(lines.find('\n') + 1)));
  CHECK_FALSE(readable(head, std::string(lines).replace(lines.find('\t'), 1, " ")));
  for (const char* id : {"300", "-1", "x", "99999999999", "1  2"})
    CHECK_FALSE_MESSAGE(readable(head, std::string(lines).insert(lines.find('\n'), std::string(" ") + id)),
                        id);
  for (const nlohmann::json& count :
       {nlohmann::json(-1), nlohmann::json(2.5), nlohmann::json(1e300), nlohmann::json(1'000'000'000'000),
        nlohmann::json("a"), nlohmann::json(std::uint64_t(-1))}) {
    nlohmann::json changed = head;
    changed["pairs"][0] = count;
    CHECK_FALSE_MESSAGE(readable(changed, lines), count.dump());
  }
  for (const nlohmann::json& number :
       {nlohmann::json(2.5), nlohmann::json(1e300), nlohmann::json(~std::uint64_t{0}), nlohmann::json("a")}) {
    nlohmann::json changed = head;
    changed["report"]["source"]["tokens"] = number;
    CHECK_FALSE_MESSAGE(readable(changed, lines), number.dump());
  }
  nlohmann::json changed = head;
  changed["report"].erase("target");
  CHECK_FALSE(readable(changed, lines));
}
