#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/recurrent_helpers.h"
#include "tests/refusal.h"

using namespace glassformer;
using glassformer::testing::refusal;

TEST_CASE("recurrent config.json is read back as it was written, and absent ids take their defaults") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    RecurrentConfig config = each.config;
    config.source_eos = false;
    config.pad_id = 3;
    config.eos_id = 0;
    const nlohmann::json json = to_json(config);
    CHECK(json["architecture"] == "recurrent");
    CHECK(json["recurrent_attention"] == each.name);
    CHECK(is_recurrent(json));
    CHECK(recurrent_config_from_json(json) == config);
  }
  auto json = to_json(small_recurrent_config(RecurrentAttention::dot));
  for (const char* key : {"pad_id", "unk_id", "bos_id", "eos_id", "source_eos"}) json.erase(key);
  CHECK(recurrent_config_from_json(json) == small_recurrent_config(RecurrentAttention::dot));
}

TEST_CASE("a recurrent configuration that cannot be is refused by its key") {
  const nlohmann::json good = to_json(small_recurrent_config(RecurrentAttention::dot));
  const auto refused = [&](const char* key, const nlohmann::json& value, const std::string& because) {
    auto json = good;
    json[key] = value;
    const std::string said = refusal([&] { recurrent_config_from_json(json, "here"); });
    CAPTURE(said);
    CHECK(said.starts_with("here: "));
    CHECK(said.find(because) != std::string::npos);
  };
  refused("architecture", "transformer", "architecture must be \"recurrent\", found \"transformer\"");
  refused("architecture", nullptr, "no recurrent model");
  refused("recurrent_attention", "sideways",
          "must be \"none\" or \"additive\" or \"dot\", found \"sideways\"");
  refused("recurrent_attention", 1, "found 1");
  refused("width", "wide", "width should be a whole number");
  refused("width", 4294967302, "whole number");
  refused("width", 6.5, "whole number");
  refused("width", 0, "width must be from 1");
  refused("layers", -1, "layers");
  refused("layers", 1001, "from 1 to 1000");
  refused("target_vocab", 1e30, "target_vocab");
  refused("eos_id", 9, "eos_id must be from 0 to 8, found 9");
  refused("source_eos", 1, "true or false");
  refused("heads", 2, "the key \"heads\" is not known");
  for (const char* key :
       {"width", "layers", "source_vocab", "target_vocab", "max_length", "recurrent_attention"})
    refused(key, nullptr, std::string("\"") + key + "\" is missing");
  CHECK(refusal([] { recurrent_config_from_json(nlohmann::json::array(), "here"); }).starts_with("here: "));
  CHECK(!is_recurrent(nlohmann::json::array()));
  CHECK(!is_recurrent(nlohmann::json{{"architecture", 5}}));
}
