// What the build leaves beside the program (CMakeLists.txt, "ready").
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "engine/files/json_file.h"
#include "engine/text/ready_data.h"
#include "engine/train/trainer_state.h"

using namespace glassformer;

TEST_CASE("the data of the model that opens first are made ready when the program is built") {
  const OpenedModel model = open_model(program_file("models/english-french").string());
  REQUIRE(model.data.has_value());
  const auto ready = read_ready_data(ready_file("english-french.data").string(),
                                     ready_key(*model.data, model.tokenizers), model.tokenizers);
  REQUIRE(ready.has_value());
  const nlohmann::json recorded =
      read_json((program_file("models/english-french") / "training.json").string());
  CHECK(fingerprint(training_set(*ready, *model.data)) ==
        recorded.at("data").at("fingerprint").get<std::string>());
}
