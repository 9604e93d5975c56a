#include "engine/text/split.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "engine/math/error.h"

using namespace glassformer;

namespace {

std::vector<SentencePair> pairs_with_several_translations() {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 300; ++i)
    pairs.push_back({"source " + std::to_string(i % 120), "target " + std::to_string(i)});
  return pairs;
}

}  // namespace

TEST_CASE("no source stands on two sides, and every pair stands on one") {
  const auto pairs = pairs_with_several_translations();
  const Split split = split_by_source(pairs, {.validation = 40, .test = 30}, 5);
  std::set<std::size_t> indices;
  std::set<std::string> sources[3];
  int part = 0;
  for (const auto* members : {&split.training, &split.validation, &split.test}) {
    for (const std::size_t i : *members) {
      CHECK(indices.insert(i).second);
      sources[part].insert(pairs[i].source);
    }
    ++part;
  }
  CHECK(indices.size() == pairs.size());
  CHECK(sources[0].size() + sources[1].size() + sources[2].size() == 120);
}

TEST_CASE("a part has the size asked for, give or take one source's translations") {
  const auto pairs = pairs_with_several_translations();
  const Split split = split_by_source(pairs, {.validation = 40, .test = 30}, 5);
  CHECK(split.validation.size() >= 40);
  CHECK(split.validation.size() < 43);
  CHECK(split.test.size() >= 30);
  CHECK(split.test.size() < 33);
}

TEST_CASE("the seed decides the split, and another seed gives another one") {
  const auto pairs = pairs_with_several_translations();
  const auto validation = [&](std::uint64_t seed) {
    return split_by_source(pairs, {.validation = 40}, seed).validation;
  };
  CHECK(validation(1) == validation(1));
  CHECK(validation(1) != validation(2));
}

TEST_CASE("a split that leaves nothing to train on is refused") {
  CHECK_THROWS_AS(split_by_source({{"a", "b"}, {"a", "c"}}, {.validation = 1}, 1), Error);
  CHECK_THROWS_AS(split_by_source({}, {}, 1), Error);
}
