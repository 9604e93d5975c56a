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
  CHECK(as_whole<int>(read("2.0")) == 2);
  CHECK(as_whole<long>(read("3e9")) == 3000000000);
  CHECK_FALSE(as_whole<long>(read("9007199254740994.0")));
  for (const char* text :
       {"2147483648", "4294967297", "9223372036854775808", "18446744073709551617", "-1", "-4294967295", "2.5",
        "-2.0", "2147483648.0", "1e30", "true", "\"7\"", "null", "[7]", "{}"}) {
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

TEST_CASE("brackets are read to 64 levels and refused beyond, whatever stands in strings") {
  const auto nested = [](int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += i % 2 == 0 ? "{\"[[\\\"[\":" : "[";
    text += "1";
    for (int i = levels; i-- > 0;) text += i % 2 == 0 ? "}" : "]";
    return text;
  };
  CHECK(parse_json(nested(64), "a.json").is_object());
  CHECK(complaint(nested(65)).find("a.json: its brackets nest deeper than 64 levels") == 0);
  CHECK(complaint(std::string(100, '[')).find("64 levels") != std::string::npos);
  CHECK(parse_json("\"" + std::string(1000, '[') + "\"", "a.json").is_string());
  CHECK(parse_json("[" + std::string(999, ' ') + "[],[],{}]", "a.json").size() == 3);
}

TEST_CASE("a file that is larger than its kind may be is refused") {
  const ScratchFolder scratch;
  const std::string path = scratch.write("large.json", "{" + std::string(100, ' ') + "}");
  CHECK(read_json(path).is_object());
  CHECK_THROWS_WITH_AS(read_json(path, 99), doctest::Contains("more than 99 bytes"), Error);
}

TEST_CASE("a value in a message takes at most 80 characters and is UTF-8") {
  CHECK(shown(nullptr) == "null");
  CHECK(shown(2.5) == "2.5");
  CHECK(shown("a\nb\x1b") == "\"a\\nb\\u001b\"");
  CHECK(shown({{"a", {1, true}}, {"b", nlohmann::json::object()}}) == "{\"a\":[1,true],\"b\":{}}");
  CHECK(shown(std::string(78, 'x')) == "\"" + std::string(78, 'x') + "\"");
  CHECK(shown(std::string(79, 'x')) == "\"" + std::string(76, 'x') + "...");
  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "\xC3\xA9";
  CHECK(shown(accents) == "\"" + accents.substr(0, 152) + "...");
  CHECK(shown(std::string("\xE9")) == "\"\xEF\xBF\xBD\"");
  CHECK(shown(nlohmann::json(std::vector<int>(1000000, 7))).size() == 80);
  CHECK(shown({{std::string(1000, 'k'), 1}}).size() == 80);
}

TEST_CASE("no reader repeats a huge value in its message") {
  for (const char* key : {"norm", "d_model", "scale_embeddings", "dropout"}) {
    CAPTURE(key);
    nlohmann::json config = {{"d_model", 8},        {"heads", 2},          {"d_ff", 8},
                             {"encoder_layers", 1}, {"decoder_layers", 1}, {"source_vocab", 9},
                             {"target_vocab", 9},   {"max_length", 9}};
    config[key] = std::vector<std::string>(10000, "long");
    try {
      config_from_json(config);
      FAIL("it was read");
    } catch (const Error& error) {
      CHECK(std::string(error.what()).size() < 250);
    }
  }
}
