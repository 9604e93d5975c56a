// The four levels in the whole program: deeper on Enter, up on Backspace.
#include <doctest/doctest.h>
#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "app/offscreen.h"
#include "app/panels/shell.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("with a block open, map, keys and the layer's name in a head's breadcrumb lead to its parts") {
  SmallProgram program({.view = "block"});
  const auto crumb = [&] { return program.text("breadcrumb"); };
  click(program, "map: encoder layer 1 feed-forward");
  CHECK(crumb() == "Model > Encoder > Layer 1 > Feed-forward > First product");
  CHECK(program.find("map: encoder layer 1 feed-forward")->selected);
  click(program, "map: decoder layer 2 add & norm 2");
  CHECK(crumb() == "Model > Decoder > Layer 2 > Cross-attention > Add");
  CHECK(program.find("map: decoder layer 2 add & norm 2")->selected);
  press(program, 'd');
  CHECK(crumb() == "Model > Decoder > Layer 2 > Masked self-attention > Attend and project the heads");
  click(program, "map: decoder layer 1 cross-attention");
  CHECK(crumb() == "Model > Decoder > Layer 1 > Cross-attention > Attend and project the heads");

  // Down to the head, and from there back to the block.
  program.press(ui::Key::enter);
  CHECK(crumb().ends_with("Layer 1 > Cross-attention > Head 1"));
  click(program, "breadcrumb: Layer 1");
  CHECK(crumb() == "Model > Decoder > Layer 1 > Cross-attention > Attend and project the heads");

  // What a block does not hold opens its own view.
  click(program, "map: output");
  CHECK(program.program().shell().open_view() == "output");
}

TEST_CASE("Enter leads from the attention to a head and to one cell, Backspace back") {
  SmallProgram program;
  program.press('x');
  program.press('2');
  REQUIRE(program.session().pinned().head == 1);
  program.press(ui::Key::enter);
  CHECK(contains(program.text("breadcrumb"), "Cross-attention > Head 2"));
  program.press('d');  // another attention of the same pipeline
  CHECK(contains(program.text("breadcrumb"), "Masked self-attention > Head 2"));
  program.press(ui::Key::enter);
  CHECK(contains(program.text("breadcrumb"), "Softmax > A [<bos>, <bos>]"));
  program.press(ui::Key::backspace);
  CHECK(program.text("breadcrumb").ends_with("Head 2"));
  program.press(ui::Key::backspace);
  CHECK(program.text("breadcrumb").ends_with("Masked self-attention"));
}

TEST_CASE("a number is worked out term by term from where it is explained, and Backspace leads back there") {
  SmallProgram program;
  const auto open = [&] {
    program.frame(2);
    return program.program().shell().open_view();
  };
  const std::string weight =
      "cross layer " + std::to_string(program.session().pinned().layer + 1) + " head 1 query 1 key 2";
  REQUIRE(program.click(weight));
  const auto pinned = program.session().pinned().cell;
  REQUIRE(pinned);
  REQUIRE(program.click("Term by term"));
  CHECK(open() == "cell");
  CHECK(program.session().pinned().cell == pinned);
  CHECK_FALSE(program.find("Term by term"));  // it is here
  REQUIRE(program.find("How was this computed?"));
  program.press(ui::Key::backspace);
  CHECK(open() == "attention");
  CHECK(program.session().pinned().cell == pinned);

  // The same by the keyboard, from a view without heads.
  apply(program, {OpenView{"output"}});
  REQUIRE(program.click("position 1 guess 2"));
  program.press(ui::Key::enter);
  CHECK(open() == "cell");
  CHECK(contains(program.text("breadcrumb"), "log p ["));
  program.press(ui::Key::backspace);
  CHECK(open() == "output");

  // A weight was not computed: only the Walk knows more of it.
  program.session().apply({SetPin{selecting({}, {"output_projection.weight", {2, 3}})}});
  apply(program, {OpenView{"parameters"}});
  REQUIRE(program.find("How does training change it?"));
  CHECK_FALSE(program.find("Term by term"));
}

TEST_CASE("the map outlines the block whose number is worked out, from wherever the number was opened") {
  SmallProgram program;
  // Only a query and a key are chosen: the cell is the weight between them.
  program.press('x');
  program.press('1');
  apply(program, {OpenView{"cell"}});
  const int layer = program.session().pinned().layer;
  const auto lit = [&](const std::string& block) {
    program.frame(2);
    const auto found = program.find("map: " + block);
    return found && found->selected;
  };
  CHECK_FALSE(program.session().pinned().cell);
  CHECK(lit("decoder layer " + std::to_string(layer + 1) + " cross-attention"));
  CHECK_FALSE(lit("encoder layer 1 feed-forward"));

  const std::vector<std::pair<std::string, std::string>> cells = {
      {"encoder.layers.0.feed_forward.hidden", "encoder layer 1 feed-forward"},
      {"decoder.layers.1.norm2", "decoder layer 2 add & norm 2"},
      {"log_probabilities", "output"}};
  for (const auto& [value, block] : cells) {
    const std::string pinned = value;
    CAPTURE(pinned);
    program.session().apply({SetPin{selecting({}, {value, {0, 1, 1}})}});
    CHECK(lit(block));
    CHECK_FALSE(lit("decoder layer " + std::to_string(layer + 1) + " cross-attention"));
  }
}

TEST_CASE("a double click on a number leads deeper, two slow clicks do not") {
  SmallProgram program({.view = "block"});
  const auto twice = [&](double at, double pause) {
    Shell& shell = program.program().shell();
    const SetPin pin{
        selecting(program.session().pinned(), {"decoder.layers.1.cross_attn.output", {0, 1, 2}})};
    program.session().apply({pin});
    shell.apply({pin}, at);
    shell.apply({pin}, at + pause);
    program.frame(2);
    return shell.open_view();
  };
  CHECK(twice(100, 0.6) == "block");
  CHECK(twice(200, 0.2) == "cell");
}

TEST_CASE("in a block Shift and an arrow pin the number beside, within the matrix") {
  SmallProgram program({.view = "block"});
  const auto column_after = [&](int column, ui::Key key, bool shift) {
    program.session().apply({SetPin{
        selecting(program.session().pinned(), {"decoder.layers.1.cross_attn.output", {0, 1, column}})}});
    program.frame(2);
    const auto hold = [&](bool down) {
#if IMGUI_VERSION_NUM >= 18700
      ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, down);
#else
      ImGui::GetIO().KeyShift = down;
#endif
    };
    if (shift) hold(true);
    program.press(key);
    hold(false);
    program.frame(2);
    return program.session().pinned().cell->index.back();
  };
  const int last = program.session().snapshot()->config.d_model - 1;
  CHECK(column_after(4, ui::Key::right, true) == 5);
  CHECK(column_after(4, ui::Key::left, true) == 3);
  CHECK(column_after(0, ui::Key::left, true) == 0);
  CHECK(column_after(last, ui::Key::right, true) == last);
  CHECK(program.text("breadcrumb").ends_with("Cross-attention > Attend and project the heads"));
  // Without Shift the steps go along.
  CHECK(column_after(4, ui::Key::right, false) == 4);
  CHECK(program.text("breadcrumb").ends_with("Cross-attention > Add"));
}
