// What can be tried out where the hand is: the menus of right click and of the menu key.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/reading/change_offers.h"
#include "engine/analysis/prediction.h"
#include "engine/model/what_if/change_text.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer {

namespace {

std::string text_of_scene(OffscreenProgram& program) {
  return text_of(program.session().scene().what_if, {});
}

bool choose(OffscreenProgram& program, const std::string& on, const std::string& item) {
  return program.right_click(on) && program.click(item) && program.settle();
}

}  // namespace

TEST_CASE("a right click on a head, a weight, a block and a word offers what can be tried there") {
  SettledProgram program({.threads = 1});
  REQUIRE(choose(program, "cross layer 2 head 2", "Mute cross 2, head 2"));
  CHECK(text_of_scene(program) == "mute head cross 2.2");
  CHECK(program.visible("undo: cross 2, head 2 muted"));
  CHECK(program.session().result()->trace->sentence_loss[0] >
        program.session().result()->untouched->sentence_loss[0]);
  // The same line takes it back.
  REQUIRE(choose(program, "cross layer 2 head 2", "Mute cross 2, head 2"));
  CHECK(program.session().scene().what_if.empty());
  REQUIRE(choose(program, "map: encoder layer 1 self-attention", "Mute encoder self-attention 1"));
  CHECK(text_of_scene(program) == "mute encoder 1");
  program.press(ui::Key::undo);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.empty());
  REQUIRE(choose(program, "cross layer 2 head 1 query 2 key 1", "Cut this weight"));
  CHECK(text_of_scene(program) == "cut cross 2.1 2 1");
  REQUIRE(program.click("Undo all"));
  REQUIRE(program.settle());
  REQUIRE(choose(program, "source chip 1",
                 "Swap “" + program.session().result()->source_words[1] + "” with “" +
                     program.session().result()->source_words[2] + "”"));
  CHECK(text_of_scene(program) == "swap 1 2");
}

TEST_CASE("an output chip and the last block offer the likeliest words, a mask's cell what its weight has") {
  SettledProgram program({.threads = 1});
  const Trace& trace = *program.session().result()->trace;
  const std::vector<WordShare> likely = prediction_at(trace, 0, 1, 2).strongest;
  const auto word = [&](int id) { return program.session().tokenizers().target->piece(id); };
  const std::string after = " after “" + program.session().result()->target_in_words[1] + "”";
  REQUIRE(choose(program, "output chip 1", "Force “" + word(likely[1].id) + "”" + after));
  const std::vector<int>& forced = program.session().scene().what_if.changes.at(0).numbers;
  CHECK(forced == std::vector<int>{trace.target_in[0][1], likely[1].id});
  REQUIRE(program.click("Undo all"));
  REQUIRE(program.settle());
  const std::vector<WordShare> first = prediction_at(*program.session().result()->trace, 0, 0, 2).strongest;
  REQUIRE(choose(program, "map: output", "Force “" + word(first[1].id) + "” after “<bos>”"));
  CHECK(program.session().scene().what_if.changes.at(0).numbers == std::vector<int>{first[1].id});
  REQUIRE(program.click("Undo all"));
  REQUIRE(program.settle());

  program.program().shell().apply({OpenView{"masks"}}, 0);
  REQUIRE(program.settle());
  Selection decoder = program.session().pinned();
  decoder.kind = AttentionKind::decoder, decoder.layer = 0, decoder.head = 0;
  program.session().apply({SetPin{decoder}});
  REQUIRE(program.settle());
  REQUIRE(choose(program, "combined mask query 3 key 1", "Hide this pair from all heads and layers"));
  CHECK(text_of_scene(program) == "hide decoder 3 1");
  REQUIRE(program.click("Undo all"));
  REQUIRE(program.settle());
  REQUIRE(choose(program, "combined mask query 1 key 3", "Causal mask off"));
  CHECK(program.session().scene().what_if.has(ChangeKind::causal_mask_off));
}

TEST_CASE("a candidate of the beam offers its whole beginning by mouse and by key, as F forces it") {
  SettledProgram program({.threads = 1});
  program.session().apply({SetSource{"the old dog sees a small table"}});
  program.program().shell().apply({OpenView{"decode"}}, 0);
  REQUIRE(program.settle());
  const std::string node = "beam step 3 rank 1";
  const auto item = [&](const std::vector<int>& words) {
    return "Force “" + program.session().tokenizers().target->decode(words) + "” as the beginning";
  };
  REQUIRE(program.click(node));
  program.press('f');
  REQUIRE(program.settle());
  REQUIRE(program.session().scene().what_if.changes.size() == 1);
  const WhatIf forced = program.session().scene().what_if;
  const std::vector<int> words = forced.changes.front().numbers;
  REQUIRE(words.size() == 3);
  REQUIRE(program.click("Undo all"));
  REQUIRE(program.settle());

  REQUIRE(choose(program, node, item(words)));
  CHECK(program.session().scene().what_if == forced);
  REQUIRE(choose(program, node, item(words)));  // and taken back
  CHECK(program.session().scene().what_if.empty());
  REQUIRE(program.click(node));
  program.press(ui::Key::left);  // the node before it has the pin
  program.frame(2);
  press(program, ui::Key::menu);
  CHECK(program.visible(item({words[0], words[1]})));
  press(program, ui::Key::escape);

  // The steps of the other pages are the Scene's own words.
  const std::vector<int> ids = program.session().result()->decoding.ids;
  for (const auto& [page, step] :
       {std::pair{"Decode: Sampling", "drawn step 2"}, std::pair{"Decode: Computed anew", "cache step 2"}}) {
    const std::string opened = page;
    CAPTURE(opened);
    REQUIRE(program.click(page));
    REQUIRE(program.settle());
    REQUIRE(program.right_click(step));
    program.frame(2);
    CHECK(program.visible(item({ids[0], ids[1]})));
    press(program, ui::Key::escape);
  }
}

TEST_CASE("a beginning that has ended is offered, but there is nothing to search behind it") {
  const SampleScene scene = make_sample_scene();
  const int eos = scene.snapshot->config.eos_id;
  CHECK(beginning_offers(scene.input(), {}).empty());
  CHECK(beginning_offers(scene.input(), {7, 8}).at(0).enabled);
  CHECK_FALSE(beginning_offers(scene.input(), {7, eos}).at(0).enabled);
}

TEST_CASE("a head is muted at the pinned word alone") {
  const SampleScene scene = make_sample_scene();
  const ViewInput input = scene.input();
  const std::vector<Offer> offers =
      change_offers(input, {.kind = AttentionKind::cross, .layer = 1, .head = 1, .query = 2});
  const std::string words = "Mute it at “" + input.result.target_in_words[2] + "” alone";
  const auto found = std::ranges::find(offers, words, &Offer::words);
  REQUIRE(found != offers.end());
  const WhatIf& what_if = found->what_if;
  CHECK(what_if.mutes(AttentionKind::cross, 1, 1, 2));
  CHECK_FALSE(what_if.mutes(AttentionKind::cross, 1, 1, 1));
  CHECK_FALSE(what_if.mutes(AttentionKind::cross, 1, 1));
  CHECK_FALSE(what_if.mutes(AttentionKind::cross, 1, 0, 2));
  // Doubled is not muted.
  WhatIf doubled = what_if;
  doubled.changes.front().by = Replacement::times;
  CHECK_FALSE(doubled.mutes(AttentionKind::cross, 1, 1, 2));
}

TEST_CASE("the menu key opens the menu of what is pinned") {
  SettledProgram program({.threads = 1});
  Selection pinned = program.session().pinned();
  pinned.head = 2;
  program.session().apply({SetPin{pinned}});
  program.frame(2);
  press(program, ui::Key::menu);
  REQUIRE(program.visible("Mute cross 2, head 3"));
  press(program, ui::Key::escape);
  CHECK_FALSE(program.visible("Mute cross 2, head 3"));
}

TEST_CASE("opened by key, the menu's first line is lit and Enter takes it; by hand none is") {
  SettledProgram program({.threads = 1});
  REQUIRE(program.right_click("cross layer 2 head 2"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.empty());
  program.press(ui::Key::escape);
  Selection pinned = program.session().pinned();
  pinned.kind = AttentionKind::encoder, pinned.layer = 0, pinned.head = 3;
  program.session().apply({SetPin{pinned}});
  program.frame(2);
  press(program, ui::Key::menu);
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(text_of_scene(program) == "mute head encoder 1.4");
}

TEST_CASE("the menu key speaks of the block, the word or the cell that is open") {
  SettledProgram program({.threads = 1});
  const std::string head = "Mute cross 2, head 1";
  Selection pinned = program.session().pinned();
  pinned.head = 0;
  program.session().apply({SetPin{pinned}});
  program.frame(2);
  // The menu has this line, and the pinned head's or not.
  const auto offers = [&](const std::string& line, bool with_head) {
    press(program, ui::Key::menu);
    CAPTURE(line);
    CHECK(program.find(line));
    CHECK(program.find(head).has_value() == with_head);
    press(program, ui::Key::escape);
    CHECK_FALSE(program.find(line));
  };
  // From the attention on, with the head pinned.
  const auto click = [&](const std::string& label) {
    program.program().shell().apply({OpenView{"attention"}}, 0);
    program.session().apply({SetPin{pinned}});
    REQUIRE(program.settle());
    REQUIRE(program.click(label));
    settle(program);
  };
  offers(head, true);
  click("map: decoder layer 2 feed-forward");
  offers("Mute decoder feed-forward 2", false);
  click("map: source embedding");
  offers("Positions off", false);
  click("map: output");
  const auto force = [&](int place) {
    const SceneResult& result = *program.session().result();
    const int id = prediction_at(*result.trace, 0, place, 1).strongest.front().id;
    return "Force “" + program.session().tokenizers().target->piece(id) + "” after “" +
           result.target_in_words[static_cast<std::size_t>(place)] + "”";
  };
  offers(force(0), false);
  click("output chip 2");
  offers(force(2), true);

  program.session().apply({SetPin{pinned}});
  program.program().shell().apply({OpenView{"cell"}}, 0);
  settle(program);
  offers("Cut this weight", true);
  const auto show = [&](const char* name) {
    program.session().apply({SetPin{selecting(pinned, CellRef{name, {0, 1, 3}})}});
    settle(program);
  };
  show("encoder.layers.1.feed_forward.output");
  offers("Mute encoder feed-forward 2", false);
  show("encoder.layers.0.feed_forward.pre_activation");
  offers("Mute this unit for every word", false);
}

TEST_CASE("each offer makes what it says, and is ticked while it is in force") {
  const SampleScene scene = make_sample_scene();
  const auto offers = [&](const Selection& selection) { return change_offers(scene.input(), selection); };
  const auto texts = [&](const Selection& selection) {
    std::vector<std::string> all;
    for (const Offer& each : offers(selection)) all.push_back(text_of(each.what_if, {}));
    return all;
  };
  const auto has = [](const std::vector<std::string>& all, const std::string& wanted) {
    return std::ranges::find(all, wanted) != all.end();
  };
  Selection weight{.kind = AttentionKind::decoder, .layer = 1, .head = 1, .query = 2, .key = 1};
  CHECK(has(texts(weight), "cut decoder 2.2 2 1"));
  CHECK(has(texts(weight), "set decoder 2.2 2 1 0.5 renormalise"));
  CHECK(has(texts(weight), "hide decoder 2 1"));
  CHECK(has(texts(weight), "mute head decoder 2.2 by mean"));
  Selection unit{.cell = CellRef{"encoder.layers.0.feed_forward.hidden", {0, 1, 3}}};
  CHECK(texts(unit) == std::vector<std::string>{"mute unit encoder 1.4", "mute unit encoder 1.4 at 1",
                                                "mute unit encoder 1.4 from other"});
  Selection parameter{.cell = CellRef{"encoder.layers.0.linear1.weight", {2, 1}}};
  CHECK(has(texts(parameter), "weight encoder.layers.0.linear1.weight[2,1] = 0"));
  Selection candidate{.cell = CellRef{"log_probabilities", {0, 1, 7}}};
  const std::vector<int>& read = scene.input().result.trace->target_in.front();
  CHECK(texts(candidate) == std::vector<std::string>{"force " + std::to_string(read[1]) + " 7"});
  // What lies before the activation is the same unit's; what no head made is the block's.
  unit.cell = CellRef{"decoder.layers.1.feed_forward.pre_activation", {0, 2, 4}};
  CHECK(has(texts(unit), "mute unit decoder 2.5 at 2"));
  weight.cell = CellRef{"encoder.layers.1.self_attn.output", {0, 1, 3}};
  CHECK(has(texts(weight), "mute encoder 2"));
  CHECK_FALSE(has(texts(weight), "cut decoder 2.2 2 1"));
  // A sum and its norm are those of the sub-block.
  weight.cell = CellRef{"decoder.layers.0.residual2", {0, 1, 3}};
  CHECK(texts(weight).front() == "mute cross 1");
  weight.cell = CellRef{"encoder.layers.1.norm2", {0, 1, 3}};
  CHECK(texts(weight).front() == "mute encoder feed-forward 2");
  // The word that an embedding's row is of, whatever is pinned.
  weight.cell = CellRef{"source.embedding", {0, 2, 3}};
  CHECK(texts(weight).front() == "positions off");
  CHECK(has(texts(weight), "swap 0 2"));
  CHECK_FALSE(has(texts(weight), "swap 0 1"));
  weight.cell.reset();
  // The encoder's row is a word of the source.
  CHECK(has(texts({.kind = AttentionKind::encoder, .layer = 0, .head = 0, .query = 1}), "swap 1 2"));
  // Another sentence of the batch has no places of its own to change.
  weight.sentence = 1;
  CHECK(offers(weight).empty());
  // The mean over heads is no head.
  CHECK(offers({.kind = AttentionKind::cross, .layer = 0, .head = -1}).empty());
}

TEST_CASE("groups of offers stand apart, and every other word of the sentence is offered to swap with") {
  const SampleScene scene = make_sample_scene();
  const ViewInput input = scene.input();
  const std::vector<Offer> offers =
      change_offers(input, {.kind = AttentionKind::cross, .layer = 1, .head = 1, .query = 2, .key = 1});
  CHECK_FALSE(offers.front().divider);
  CHECK(std::ranges::count(offers, true, &Offer::divider) == 2);  // the head, the words
  const auto swaps = std::ranges::count_if(
      offers, [](const Offer& each) { return each.what_if.has(ChangeKind::swap_words); });
  CHECK(swaps == std::ssize(input.result.source_pieces) - 1);
  std::vector<std::string> labels;
  for (const Offer& each : offers) labels.push_back(each.words);
  std::ranges::sort(labels);
  CHECK(std::ranges::adjacent_find(labels) == labels.end());
}

TEST_CASE("a value is taken from the second Scene where one of the same length stands beside this one") {
  const auto scene_of = [](const char* source, const char* reference) {
    SampleOptions options;
    options.sentences[0] = {source, {}, reference};
    return make_sample_scene(options);
  };
  const SampleScene scene =
                        scene_of("the tired girl sees a red car", "la fille fatiguée voit une voiture rouge"),
                    alike =
                        scene_of("the red girl sees a tired car", "la fille rouge voit une voiture fatiguée"),
                    shorter = scene_of("the cat sees a bird", "le chat voit un oiseau");
  const SampleScene unlike = sample_scene("heads 2");
  const Selection head{.kind = AttentionKind::cross, .layer = 1, .head = 1, .query = 2};
  const auto offer = [&](const SampleScene* second, const std::string& text) -> std::optional<Offer> {
    ViewInput input = scene.input();
    input.other = second ? second->result.get() : nullptr;
    for (const Offer& each : change_offers(input, head))
      if (text_of(each.what_if, {}) == text) return each;
    return std::nullopt;
  };
  const std::string all = "mute head cross 2.2 from other", one = "mute head cross 2.2 at 2 from other";
  REQUIRE(offer(nullptr, all));
  CHECK_FALSE(offer(nullptr, all)->enabled);
  CHECK(offer(nullptr, all)->note == "needs a second sentence beside: C");
  REQUIRE(offer(&alike, all));
  CHECK(offer(&alike, all)->enabled);
  CHECK(offer(&alike, all)->note == "place by place: as many in both");
  REQUIRE(offer(&shorter, all));
  CHECK_FALSE(offer(&shorter, all)->enabled);
  CHECK(offer(&shorter, all)->note == "other length, 8 and 6 places: pick one place");
  REQUIRE(offer(&shorter, one));
  CHECK(offer(&shorter, one)->enabled);
  CHECK_FALSE(offer(&unlike, one)->enabled);
  CHECK(offer(&unlike, one)->note == "the first has 4 heads, the second 2");
}

TEST_CASE("chosen in the menu, the head hands over what the second Scene's head did") {
  SettledProgram program({.threads = 1});
  program.session().apply({SetSource{"the tired girl sees a red car"}});
  REQUIRE(program.settle());
  REQUIRE(program.right_click("map: encoder layer 1 self-attention"));
  CHECK_FALSE(program.click("Take encoder self-attention 1 from the second"));
  program.press(ui::Key::escape);
  program.session().apply({Compare{OtherSentence{"the old girl sees a red car"}}});
  REQUIRE(program.wait([&] { return program.session().compared() && program.session().compared()->second; }));
  const auto second = program.session().compared()->second;
  program.frame(2);
  REQUIRE(choose(program, "map: encoder layer 1 self-attention",
                 "Take encoder self-attention 1 from the second"));
  CHECK(text_of_scene(program) == "mute encoder 1 from other");
  const SceneResult& result = *program.session().result();
  const Plane here = result.trace->plane("encoder.layers.0.self_attn.output", 0),
              there = second->trace->plane("encoder.layers.0.self_attn.output", 0),
              untouched = result.untouched->plane("encoder.layers.0.self_attn.output", 0);
  const auto rows = static_cast<int>(result.source_words.size());  // the rest is padding
  bool moved = false;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < here.columns; ++column) {
      CHECK(here(row, column) == there(row, column));
      moved = moved || here(row, column) != untouched(row, column);
    }
  CHECK(moved);
  CHECK(program.visible("undo: encoder self-attention 1 from the second Scene"));
}

}  // namespace glassformer
