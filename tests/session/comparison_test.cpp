// A second Scene beside the first, without a session.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "app/session/comparison.h"
#include "tests/random_models.h"

using namespace glassformer;

namespace {

struct Sides {
  std::shared_ptr<const Snapshot> snapshot;
  Tokenizers tokenizers;
  ModelTitle title{.name = "numbers", .description = ""};
  RunState run;
  Scenes scenes{{}};

  Sides() {
    auto made = std::make_shared<Snapshot>();
    made->config = small_config();
    made->weights = std::make_shared<const Transformer<float>>(random_model<float>(made->config, 9));
    snapshot = made;
    scenes.start_with({{"5 6 7", std::nullopt, std::nullopt}}, 0.1, 1);
  }
  SceneComparison::First first() const {
    return {.weights = {.newest = snapshot, .kept = nullptr},
            .tokenizers = tokenizers,
            .title = title,
            .run = run,
            .scenes = scenes,
            .beside = nullptr};
  }
  void compute() {
    std::string problem;
    scenes.compute(first().weights, tokenizers);
    while (scenes.take(problem) == Scenes::News::none)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  void until_there(SceneComparison& comparison) const {
    while (comparison.take(first()) != SceneComparison::News::result)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
};

}  // namespace

TEST_CASE("another sentence stands beside the first, each by its own words") {
  Sides sides;
  sides.compute();
  SceneComparison comparison(OtherSentence{"7 6"}, {}, nullptr, {});
  comparison.compute(sides.first());
  sides.until_there(comparison);
  const Compared& shown = comparison.shown();
  CHECK(shown.first == sides.scenes.result());
  CHECK(shown.first_name == "“5 6 7”");
  CHECK(shown.second_name == "“7 6”");
  CHECK(shown.second->source_words.size() == 3);  // with <eos>
  CHECK(comparison.variant() == 0);
}

TEST_CASE("without what-ifs there is nothing to compare an untouched pass with") {
  Sides sides;
  sides.compute();
  SceneComparison comparison(OtherUntouched{}, {}, nullptr, {});
  CHECK_FALSE(comparison.meaningful(sides.scenes));
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::causal_mask_off));
  sides.scenes.set_what_if(what_if);
  sides.compute();
  CHECK(comparison.meaningful(sides.scenes));
  comparison.compute(sides.first());
  sides.until_there(comparison);
  CHECK(comparison.shown().second->scene.what_if.empty());
  CHECK(comparison.shown().second_name == "untouched");
}

TEST_CASE("a step that is not kept is said to be missing") {
  Sides sides;
  sides.compute();
  SceneComparison comparison(OtherStep{7}, {}, nullptr, {});
  comparison.compute(sides.first());
  CHECK(comparison.take(sides.first()) == SceneComparison::News::changed);
  CHECK(comparison.shown().problem == "That step is not kept any more.");
  CHECK(comparison.shown().second == nullptr);
}
