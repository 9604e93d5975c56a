#include "app/session/data_reader.h"

#include <doctest/doctest.h>

#include "engine/math/error.h"

using namespace glassformer;

namespace {

DataOptions task_data(long pairs) {
  DataOptions data;
  data.training.task = "reverse";
  data.training.pairs = pairs;
  return data;
}

Tokenizers tokenizers_of(const DataOptions& data) {
  return prepare_data(data).tokenizers;
}

}  // namespace

TEST_CASE("data that are prepared ahead are those that a run prepares itself") {
  const DataOptions data = task_data(300);
  const Tokenizers tokenizers = tokenizers_of(data);
  DataAhead ahead;
  CHECK_FALSE(ahead.of(data, tokenizers).valid());
  ahead.prepare(data, tokenizers);
  const FutureData future = ahead.of(data, tokenizers);
  REQUIRE(future.valid());
  ahead.prepare(data, tokenizers);  // goes on
  const auto found = wait_for(future, {});
  REQUIRE(found != nullptr);
  const PreparedData own = prepare_data(data, {}, tokenizers);
  REQUIRE(found->training.encoded.size() == own.training.encoded.size());
  for (std::size_t i = 0; i < own.training.encoded.size(); ++i)
    CHECK(found->training.encoded[i].source == own.training.encoded[i].source);
  CHECK(found->tokenizers.source == tokenizers.source);
}

TEST_CASE("of other data or other pieces nothing is ready, and what is given up gives nothing") {
  const DataOptions data = task_data(300);
  const Tokenizers tokenizers = tokenizers_of(data);
  DataAhead ahead;
  ahead.prepare(data, tokenizers);
  CHECK_FALSE(ahead.of(task_data(301), tokenizers).valid());
  CHECK_FALSE(ahead.of(data, tokenizers_of(data)).valid());
  const FutureData first = ahead.of(data, tokenizers);
  ahead.prepare(task_data(301), tokenizers);
  CHECK(wait_for(first, {}) == nullptr);
  CHECK_FALSE(ahead.of(data, tokenizers).valid());
  CHECK(ahead.of(task_data(301), tokenizers).valid());
}

TEST_CASE("files and what cannot be prepared are left to the run, and waiting can be given up") {
  const Tokenizers tokenizers = tokenizers_of(task_data(300));
  DataAhead ahead;
  DataOptions file;
  file.training.corpus = "pairs.tsv";
  ahead.prepare(file, tokenizers);
  CHECK_FALSE(ahead.of(file, tokenizers).valid());
  DataOptions own;
  own.training.grammar = "/nowhere/at-all.grammar";
  ahead.prepare(own, tokenizers);
  CHECK_FALSE(ahead.of(own, tokenizers).valid());
  DataOptions impossible = task_data(300);
  impossible.training.task = "no such task";
  ahead.prepare(impossible, tokenizers);
  CHECK(wait_for(ahead.of(impossible, tokenizers), {}) == nullptr);
  CHECK(wait_for(FutureData(), {}) == nullptr);
  ahead.prepare(task_data(20'000), tokenizers);
  CHECK_THROWS_AS(
      wait_for(ahead.of(task_data(20'000), tokenizers), [](const std::string&, double) { return false; }),
      Error);
}
