// A row of a head by hand: the draft, its keys, what it shows of its effect, and what is applied.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/model/what_if/change_text.h"
#include "tests/ui/small_program.h"

namespace glassformer {

namespace {

// The bundled model with a row of its cross-attention pinned.
void pin_row(OffscreenProgram& program, AttentionKind kind, int query, int key) {
  REQUIRE(program.settle());
  Selection pinned{.kind = kind, .layer = 1, .head = 1, .query = query, .key = key};
  program.session().apply({SetPin{pinned}});
  program.frame(2);
}

const Change& only_change(OffscreenProgram& program) {
  const WhatIf& what_if = program.session().scene().what_if;
  REQUIRE(what_if.changes.size() == 1);
  return what_if.changes.front();
}

}  // namespace

TEST_CASE("R opens the pinned row, the arrows move its weights, Enter makes it a change of the Scene") {
  OffscreenProgram program({.threads = 1});
  pin_row(program, AttentionKind::cross, 2, 0);
  const SceneResult& untouched = *program.session().result();
  const int keys = static_cast<int>(untouched.source_words.size());
  CHECK_FALSE(program.visible("sum of the row"));
  press(program, 'r');
  REQUIRE(program.visible("sum of the row"));
  CHECK(program.text("sum of the row") == "Sum 1.000");
  program.press(ui::Key::end);
  program.press(ui::Key::right);
  press(program, ui::Key::up);
  CHECK(program.text("draft of key 0") == "1.0");
  CHECK(contains(program.text("sum of the row"), "not 1"));
  CHECK(program.session().scene().what_if.empty());
  click(program, "Renormalise");
  CHECK(program.text("sum of the row") == "Sum 1.000");
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] {
    return !program.session().scene().what_if.empty() &&
           program.session().result()->scene.what_if == program.session().scene().what_if;
  }));
  const Change& change = only_change(program);
  CHECK(change.kind == ChangeKind::edit_row);
  CHECK(change.row == 2);
  REQUIRE(std::ssize(change.weights) == keys);
  const Plane weights = program.session().result()->trace->plane("decoder.layers.1.cross_attn.weights", 0, 1);
  float sum = 0;
  for (int key = 0; key < keys; ++key) {
    CHECK(weights(2, key) == change.weights[static_cast<std::size_t>(key)]);
    sum += weights(2, key);
  }
  CHECK(sum == doctest::Approx(1));
  CHECK(change.weights[0] > 0.4f);
}

TEST_CASE("a draft changes nothing until it is applied, and Esc lets it go") {
  OffscreenProgram program({.threads = 1});
  pin_row(program, AttentionKind::cross, 1, 1);
  press(program, 'r');
  press(program, ui::Key::end);
  // What it would do is worked out meanwhile.
  REQUIRE(program.wait([&] {
    program.frame();
    return program.visible("with the draft");
  }));
  CHECK(program.session().scene().what_if.empty());
  press(program, ui::Key::escape);
  CHECK_FALSE(program.visible("sum of the row"));
  CHECK(program.session().scene().what_if.empty());
  CHECK(program.session().pinned().query == 1);
}

TEST_CASE("what a mask hides stays at 0, and others give way where they are told to") {
  OffscreenProgram program({.threads = 1});
  pin_row(program, AttentionKind::decoder, 1, 3);
  press(program, 'r');
  CHECK(program.text("draft of key 3") == "masked");
  press(program, ui::Key::end);
  CHECK(program.text("draft of key 3") == "masked");
  program.press(ui::Key::left);
  program.press(ui::Key::left);
  REQUIRE(program.click("When one moves, the others: give way"));
  press(program, ui::Key::end);
  CHECK(program.text("draft of key 1") == "1.0");
  CHECK(program.text("sum of the row") == "Sum 1.000");
}

TEST_CASE("a row goes into every head of the layer when that is asked for") {
  OffscreenProgram program({.threads = 1});
  pin_row(program, AttentionKind::cross, 2, 0);
  press(program, 'r');
  press(program, ui::Key::end);
  click(program, "in all heads");
  REQUIRE(program.click("Apply"));
  REQUIRE(program.settle());
  const WhatIf& what_if = program.session().scene().what_if;
  const int heads = program.session().snapshot()->config.heads;
  REQUIRE(std::ssize(what_if.changes) == heads);
  for (int head = 0; head < heads; ++head) {
    const Change& change = what_if.changes[static_cast<std::size_t>(head)];
    CHECK(change.head == head);
    CHECK(change.block.layer == 1);
    CHECK(change.row == 2);
    const Plane weights =
        program.session().result()->trace->plane("decoder.layers.1.cross_attn.weights", 0, head);
    for (int key = 0; key < static_cast<int>(change.weights.size()); ++key)
      CHECK(weights(2, key) == what_if.changes[0].weights[static_cast<std::size_t>(key)]);
  }
}

}  // namespace glassformer
