#include "engine/math/error.h"

#include <doctest/doctest.h>

TEST_CASE("an error says where it happened before what happened") {
  const glassformer::Error error("config.json", "heads must divide d_model, found 3 and 16");
  CHECK(std::string(error.what()) == "config.json: heads must divide d_model, found 3 and 16");
}
