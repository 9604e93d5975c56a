#include "engine/files/json_file.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

std::string complaint(const std::string& text) {
  try {
    parse_json(text, "a.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace

TEST_CASE("what is wrong with a JSON file is said in words, with the line") {
  CHECK(complaint("{\n\"a\": 1,\n\"b\": oops\n}") ==
        "a.json: it is not JSON from line 3 on: the file is damaged, or not what its name says");
  CHECK(complaint("{\"a\": [1, 2").find("cut off") != std::string::npos);
  CHECK(complaint(" \n").find("empty") != std::string::npos);
  for (const char* text : {"", "{", "nonsense", "{\"a\": \"\xff\"}", "[1,]", "\"\\ud800\"", "{\"a\" 1}"}) {
    CAPTURE(text);
    const std::string words = complaint(text);
    CHECK(words.starts_with("a.json: "));
    CHECK(words.find("json.exception") == std::string::npos);
  }
}

TEST_CASE("a missing entry and one of the wrong type are named without the library's numbering") {
  const nlohmann::json json = {{"step", "seven"}};
  try {
    (void)json.at("position");
    FAIL("the entry is not there");
  } catch (const nlohmann::json::exception& error) {
    CHECK(in_words(error) == "the entry \"position\" is missing");
  }
  try {
    (void)json.at("step").get<int>();
    FAIL("the entry is text");
  } catch (const nlohmann::json::exception& error) {
    CHECK(in_words(error) == "an entry should be a number and is a string");
  }
}

TEST_CASE("a number too large for a computer is refused in plain words") {
  try {
    parse_json("{\"a\": 1e999}", "settings.json");
    FAIL("it was read");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("too large") != std::string::npos);
  }
}

TEST_CASE("a checkpoint folder whose config.json is damaged is refused in plain words") {
  const ScratchFolder scratch;
  scratch.write("config.json", "{\"d_model\": 32, \"heads\":");
  try {
    load_checkpoint(scratch.path("."));
    FAIL("it was read");
  } catch (const Error& error) {
    const std::string words = error.what();
    CHECK(words.find("config.json") != std::string::npos);
    CHECK(words.find("cut off") != std::string::npos);
    CHECK(words.find("json.exception") == std::string::npos);
  }
}

TEST_CASE("a whole number is read exactly, and nothing else is bent into one") {
  const auto read = [](const char* text) { return nlohmann::json::parse(text); };
  CHECK(as_whole<int>(read("0")) == 0);
  CHECK(as_whole<int>(read("2147483647")) == 2147483647);
  CHECK(as_whole<long>(read("9223372036854775807")) == std::numeric_limits<long>::max());
  CHECK(as_whole<std::uint64_t>(read("18446744073709551615")) == std::numeric_limits<std::uint64_t>::max());
  CHECK(as_whole<int>(read("-3"), -3, 3) == -3);
  for (const char* text : {"2147483648", "4294967297", "9223372036854775808", "18446744073709551617", "-1",
                           "-4294967295", "2.5", "2.0", "1e30", "true", "\"7\"", "null", "[7]", "{}"}) {
    CAPTURE(text);
    CHECK_FALSE(as_whole<int>(read(text)));
  }
  CHECK_FALSE(as_whole<long>(read("9223372036854775808")));
  CHECK_FALSE(as_whole<std::uint64_t>(read("-1")));
  CHECK_FALSE(as_whole<int>(read("4"), 1, 3));
  CHECK(whole<int>(read("3"), "a.json", "an id", 1, 3) == 3);
  CHECK_THROWS_WITH_AS(whole<int>(read("4294967297"), "a.json", "an id", 1, 3),
                       "a.json: an id should be a whole number from 1 to 3 and is 4294967297", Error);
}
