// Scenes without a session: opened, undone, selected in and compared.
#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "app/scene/selection.h"
#include "app/session/comparison.h"
#include "app/session/run_scene.h"
#include "app/session/scenes.h"
#include "tests/random_models.h"

namespace glassformer::scenes_test {

// ---- The open Scene and what can be undone, on a model of numbers, without a session.

std::shared_ptr<const Snapshot> random_snapshot() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->config = small_config();
  snapshot->weights = std::make_shared<const Transformer<float>>(random_model<float>(snapshot->config, 3));
  return snapshot;
}

struct Desk {
  std::shared_ptr<const Snapshot> snapshot = random_snapshot();
  std::string problem;
  Scenes scenes{{}};

  Desk() { scenes.start_with({{"5 6 7", std::nullopt, "8 9"}, {"4 5", std::nullopt, std::nullopt}}, 0.1, 1); }
  void compute() { scenes.compute({.newest = snapshot, .kept = nullptr}, {}); }
  Scenes::News news() {
    for (int tries = 0; tries < 5000; ++tries) {
      if (const Scenes::News news = scenes.take(problem); news != Scenes::News::none) return news;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return Scenes::News::none;
  }
  // Until nothing is being computed; what came of it is taken.
  void rest() {
    for (int tries = 0; tries < 5000 && scenes.working(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    scenes.take(problem);
  }
  // Until the next result; what follows one is passed over.
  bool next_result() {
    Scenes::News got = news();
    while (got == Scenes::News::gradients) got = news();
    return got == Scenes::News::result;
  }
  const std::string& source() const { return scenes.scene().sentences.front().source; }
};

TEST_CASE("changes of a Scene are undone one by one and redone") {
  Desk desk;
  Scenes& scenes = desk.scenes;
  CHECK_FALSE(scenes.can_undo());
  CHECK_FALSE(scenes.undo());
  CHECK_FALSE(scenes.set_source("5 6 7"));  // that is how it is
  CHECK(scenes.set_source("7 6 5"));
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::causal_mask_off));
  CHECK(scenes.set_what_if(what_if));
  CHECK_FALSE(scenes.set_what_if(what_if));
  CHECK(scenes.undo());
  CHECK(scenes.scene().what_if.empty());
  CHECK(scenes.undo());
  CHECK(desk.source() == "5 6 7");
  CHECK(scenes.redo());
  CHECK(desk.source() == "7 6 5");
  CHECK(scenes.set_target("8"));  // another way on: what was undone is gone
  CHECK_FALSE(scenes.can_redo());
  CHECK(scenes.scene().sentences.back().source == "4 5");
}

TEST_CASE("what a slider goes through is taken back as a whole, and two sliders apart") {
  Desk desk;
  Scenes& scenes = desk.scenes;
  DecodeOptions options{.search = Search::beam};
  scenes.set_decode(options);
  for (const double alpha : {0.5, 0.6, 0.7, 0.2}) {
    options.alpha = alpha;
    scenes.set_decode(options);
  }
  for (const double temperature : {0.9, 0.8}) {
    options.temperature = temperature;
    scenes.set_decode(options);
  }
  CHECK(scenes.undo());
  CHECK(scenes.scene().decode.temperature == 1.0);
  CHECK(scenes.scene().decode.alpha == 0.2);
  CHECK(scenes.undo());
  CHECK(scenes.scene().decode.alpha == 0.6);
  CHECK(scenes.redo());
  CHECK(scenes.scene().decode.alpha == 0.2);
  options = scenes.scene().decode;
  options.beam = 8;  // chosen, not slid
  scenes.set_decode(options);
  options.beam = 2;
  scenes.set_decode(options);
  CHECK(scenes.undo());
  CHECK(scenes.scene().decode.beam == 8);
  // Another change between them keeps two ways apart.
  scenes.set_source("7 6 5");
  options = scenes.scene().decode;
  options.alpha = 1;
  scenes.set_decode(options);
  CHECK(scenes.undo());
  CHECK(scenes.scene().decode.alpha == 0.2);
  CHECK(desk.source() == "7 6 5");
}

TEST_CASE("a Scene that is refused says why, keeps the last result, and is nothing to go back to") {
  Desk desk;
  desk.compute();
  REQUIRE(desk.news() == Scenes::News::result);
  const auto first = desk.scenes.result();
  desk.scenes.set_source("no numbers");
  desk.compute();
  Scenes::News got = desk.news();
  while (got == Scenes::News::gradients) got = desk.news();
  REQUIRE(got == Scenes::News::refused);
  CHECK(desk.problem != "");
  CHECK(desk.problem.front() != 's');  // without the place in the engine that found it
  CHECK(desk.scenes.result()->trace == first->trace);
  desk.scenes.set_source("6 6");
  CHECK(desk.scenes.undo());
  CHECK(desk.source() == "5 6 7");
}

TEST_CASE("gradients that are asked for later come alone, and the rest of the result stays") {
  Desk desk;
  desk.compute();
  REQUIRE(desk.news() == Scenes::News::result);
  desk.rest();
  const auto first = desk.scenes.result();
  REQUIRE_FALSE(first->gradients);
  REQUIRE_FALSE(desk.scenes.want_gradients(1));
  REQUIRE(desk.news() == Scenes::News::gradients);
  CHECK(desk.scenes.result()->untouched == first->untouched);
  CHECK(desk.scenes.result()->gradients->sentence == 1);
}

TEST_CASE("a sentence whose right translation is known keeps it when it is typed again") {
  Desk desk;
  desk.scenes.set_source("4 4");
  CHECK_FALSE(desk.scenes.scene().sentences.front().reference);
  desk.scenes.set_source("5 6 7");
  CHECK(desk.scenes.scene().sentences.front().reference == "8 9");
}

TEST_CASE("a hover is shown in place of the pin, and another sentence lets go of pinned words") {
  Desk desk;
  Selection pinned;
  pinned.query = 1;
  desk.scenes.pin(pinned);
  Selection hovered;
  hovered.key = 2;
  desk.scenes.hover(hovered);
  CHECK(desk.scenes.shown() == hovered);
  desk.scenes.hover(std::nullopt);
  CHECK(desk.scenes.shown() == pinned);
  desk.scenes.set_source("9 9");
  CHECK_FALSE(desk.scenes.pinned().query);
}

TEST_CASE("a change is computed beside what is known of the Scene without it, and nothing else is") {
  Desk desk;
  Scenes& scenes = desk.scenes;
  desk.compute();
  REQUIRE(desk.news() == Scenes::News::result);
  const auto first = scenes.result();
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::causal_mask_off));
  const auto changed = [&](bool changes) {
    REQUIRE(changes);
    desk.compute();
    REQUIRE(desk.next_result());
    return scenes.result();
  };
  const auto masked = changed(scenes.set_what_if(what_if));
  CHECK(masked->plain->trace == first->trace);
  what_if.changes.push_back(change_of(ChangeKind::scale_off));
  CHECK(changed(scenes.set_what_if(what_if))->plain->trace == first->trace);

  // Another sentence, another way to decode, other weights: nothing is known of those.
  const auto reversed = changed(scenes.set_source("7 6 5"));
  CHECK(reversed->plain->source_read == "7 6 5");
  CHECK(reversed->plain->trace->source.front() == reversed->trace->source.front());
  const auto by_beam = changed(scenes.set_decode({.search = Search::beam}));
  CHECK(by_beam->plain->scene.decode.search == Search::beam);
  CHECK(by_beam->plain != reversed->plain);
  desk.snapshot = random_snapshot();
  const auto later = changed(scenes.set_what_if(what_if.without(0)));
  CHECK(later->plain != by_beam->plain);
  CHECK(later->plain->untouched_snapshot == desk.snapshot);
  // What was reused is what would have been made.
  const auto anew = run_scene(desk.snapshot, {}, later->scene);
  for (const auto& made : anew->trace->tensors)
    CHECK_MESSAGE(later->trace->at(made.first).values == made.second.values, made.first);
}

TEST_CASE("what leaks without the causal mask follows the result") {
  Desk desk;
  desk.compute();
  REQUIRE(desk.next_result());
  while (!desk.scenes.result()->unmasked) REQUIRE(desk.news() == Scenes::News::gradients);
  WhatIf leak;
  leak.set(change_of(ChangeKind::causal_mask_off), true);
  REQUIRE(desk.scenes.set_what_if(leak));
  const auto before = desk.scenes.result();
  desk.compute();
  REQUIRE(desk.next_result());
  while (!desk.scenes.result()->unmasked) REQUIRE(desk.news() == Scenes::News::gradients);
  CHECK(desk.scenes.result()->unmasked == desk.scenes.result()->trace);
  // The mask off changes the words that are written; given the same ones, the leak is what it makes of them.
  const auto same = run_scene(desk.snapshot, {}, before->scene);
  const auto leaking = with_leak(*same);
  for (const auto& made : leaking->unmasked->tensors)
    CHECK_MESSAGE(before->unmasked->at(made.first).values == made.second.values, made.first);
  CHECK(leaking->unmasked->source == same->trace->source);
  CHECK(leaking->unmasked->target_in == same->trace->target_in);
}

TEST_CASE("gradients that are known of the Scene without changes are not made again") {
  Desk desk;
  Scenes& scenes = desk.scenes;
  scenes.want_gradients(0);
  desk.compute();
  REQUIRE(desk.news() == Scenes::News::result);
  while (!scenes.result()->gradients) REQUIRE(desk.news() != Scenes::News::none);
  const auto first = scenes.result();
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::scale_off));
  REQUIRE(scenes.set_what_if(what_if));
  desk.compute();
  while (!scenes.result()->gradients || scenes.result()->scene.what_if.empty())
    REQUIRE(desk.news() != Scenes::News::none);
  CHECK(scenes.result()->plain->trace == first->trace);
  CHECK(scenes.result()->plain->gradients == first->gradients);
  CHECK(scenes.result()->gradients != first->gradients);
}

TEST_CASE("selecting a cell selects the attention, head, row and column it lies in") {
  const Selection weight = selecting({}, {"encoder.layers.1.self_attn.weights", {2, 3, 4, 5}});
  CHECK(weight.kind == AttentionKind::encoder);
  CHECK(weight.layer == 1);
  CHECK(weight.sentence == 2);
  CHECK(weight.head == 3);
  CHECK(weight.query == 4);
  CHECK(weight.key == 5);
  const Selection value = selecting({}, {"decoder.layers.0.cross_attn.value", {0, 1, 6, 2}});
  CHECK(value.key == 6);
  CHECK(!value.query);
  Selection base;
  base.query = 1;
  const Selection elsewhere = selecting(base, {"memory", {0, 3, 2}});
  CHECK(elsewhere.query == 1);
  CHECK(elsewhere.cell->name == "memory");
}

TEST_CASE("a cell that is added becomes the pinned one, and the words before it stay lit") {
  Selection first{.head = 2, .query = 1, .key = 4};
  const Selection second{.head = 2, .query = 3, .key = 4};
  const Selection both = adding(first, second);
  CHECK(both.query == 3);
  CHECK(both.key == 4);
  CHECK(both.more_queries == std::vector<int>{1});
  CHECK(both.more_keys.empty());
  CHECK(adding(both, second) == Selection{.head = 2, .query = 1, .key = {}});  // again: taken out
  const Selection back = adding(both, first);                                  // both words were lit already
  CHECK(back.query == 1);
  CHECK(back.more_queries == std::vector<int>{3});
  const Selection elsewhere{.head = 0, .query = 2};
  CHECK(adding(both, elsewhere) == elsewhere);
}

TEST_CASE("a step of the decoding is a row of the decoder and nothing of the encoder") {
  const Selection cross{.query = 1, .key = 2, .cell = CellRef{"logits", {0, 1, 5}}, .more_keys = {3}};
  CHECK(at_step(cross, 4) == Selection{.query = 4});
  const Selection encoder{.kind = AttentionKind::encoder, .query = 1, .key = 2};
  CHECK(at_step(encoder, 4) == encoder);
}

TEST_CASE("decoder rows are shared by its attentions, the encoder's rows are other words") {
  const Selection cross{.query = 2, .key = 3};
  CHECK(of_kind(cross, AttentionKind::decoder) == Selection{.kind = AttentionKind::decoder, .query = 2});
  CHECK(of_kind(cross, AttentionKind::encoder) == Selection{.kind = AttentionKind::encoder});
}

// ---- A second Scene beside the first, without a session.

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

}  // namespace glassformer::scenes_test
