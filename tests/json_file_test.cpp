#include "engine/files/json_file.h"

#include <doctest/doctest.h>

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
