// The strip over the stage: every change in words, as many as there is room for, and what is still to come.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/model/what_if/change_text.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer {

namespace {

// Parts of the strip that must not lie on one another, from the left.
std::vector<ui::Widget> parts_of_strip(OffscreenProgram& program) {
  std::vector<ui::Widget> parts;
  for (const std::string& label : program.labels()) {
    const bool chip = label.starts_with("change: ");
    if (chip || label == "what the strip is" || label == "more changes" || label == "Undo all" ||
        label == "what is shown")
      if (const auto found = program.find(label)) parts.push_back(*found);
  }
  std::ranges::sort(parts, {}, [](const ui::Widget& each) { return each.rect.x; });
  return parts;
}

// A few long words: forced words, words swapped, weights by their long names.
WhatIf many_changes(std::size_t count) {
  WhatIf many;
  Change force = change_of(ChangeKind::force_words);
  force.numbers = {6, 7, 8, 9, 6, 7, 8, 9, 6};
  many.changes.push_back(force);
  for (int i = 0; many.changes.size() < count; ++i) {
    Change edit = change_of(ChangeKind::edit_parameter);
    edit.parameter = i % 2 == 0 ? "decoder.layers.0.linear1.weight" : "encoder.layers.1.linear2.weight";
    edit.row = i;
    edit.column = i;
    edit.amount = 0.123456;
    many.changes.push_back(edit);
  }
  return many;
}

struct StripWindow {
  Point size;
  double scale;
};

bool any_label(OffscreenProgram& program, std::string_view begins) {
  return std::ranges::any_of(program.labels(),
                             [&](const std::string& label) { return label.starts_with(begins); });
}

}  // namespace

TEST_CASE("however many changes there are and however long their words, nothing lies on anything else") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  for (const StripWindow& look :
       {StripWindow{{1600, 1000}, 1}, StripWindow{{1280, 800}, 1}, StripWindow{{1024, 768}, 1},
        StripWindow{{1024, 768}, 2}, StripWindow{{1024, 768}, 2.5}, StripWindow{{2560, 1440}, 2}}) {
    CAPTURE(look.size.x);
    CAPTURE(look.scale);
    OffscreenProgram program({.model = folder, .size = look.size, .scale = look.scale});
    begin(program);
    for (const std::size_t count : {1u, 2u, 3u, 5u, 12u}) {
      CAPTURE(count);
      program.session().apply({SetWhatIf{many_changes(count)}});
      for (const bool settled : {false, true}) {
        if (settled) REQUIRE(program.settle());
        program.frame(2);
        const std::vector<ui::Widget> parts = parts_of_strip(program);
        REQUIRE(parts.size() >= 3);
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
          CAPTURE(parts[i].label);
          CAPTURE(parts[i + 1].label);
          CHECK(parts[i].rect.right() <= parts[i + 1].rect.x);
        }
        // All are there: as chips, or counted.
        std::size_t chips = 0;
        for (const ui::Widget& each : parts) chips += each.label.starts_with("change: ") ? 1 : 0;
        const std::string more = program.text("more changes");
        if (chips == 0)
          CHECK(more.starts_with(std::to_string(count) + " change"));
        else if (chips < count)
          CHECK(more.starts_with("+ " + std::to_string(count - chips) + " more: "));
        else
          CHECK(more.empty());
      }
    }
    REQUIRE(program.click("Undo all"));
    CHECK(program.session().scene().what_if.empty());
  }
}

TEST_CASE("while a mean is being taken the strip says so, and the chip does not look refused") {
  OffscreenProgram program({.threads = 1});
  REQUIRE(program.settle());
  Change mean = mute_head(AttentionKind::decoder, 0, 2);
  mean.by = Replacement::mean;
  program.session().apply({SetWhatIf{{{mean}}}});
  bool said = false, struck = false;
  REQUIRE(program.wait([&] {
    struck = struck || any_label(program, "idle: ");
    said = said || program.text("what is shown").find("the mean is being taken") != std::string::npos;
    return program.session().result()->scene.substitutes.means != nullptr;
  }));
  CHECK(said);
  CHECK_FALSE(struck);
  settle(program);
  CHECK_FALSE(program.find("what is shown"));
  CHECK_FALSE(any_label(program, "idle: "));
}

TEST_CASE("where no sentences are known to take a mean over, the chip says that it does nothing") {
  SmallProgram program;
  Change mean = mute_sub_block(value_in(AttentionKind::cross, 1, ValueKind::whole));
  mean.by = Replacement::mean;
  program.session().apply({SetWhatIf{{{mean}}}});
  settle(program);
  CHECK(any_label(program, "idle: "));
  CHECK_FALSE(program.find("what is shown"));
}

TEST_CASE("what was taken from a second of another length says so at its chip") {
  OffscreenProgram program({.threads = 1});
  REQUIRE(program.settle());
  Change taken = mute_head(AttentionKind::encoder, 0, 1);
  taken.by = Replacement::other;
  program.session().apply(
      {SetSource{"the red girl sees a car"}, Compare{OtherSentence{"the old boy sees a car"}}});
  REQUIRE(program.settle());
  program.session().apply({SetWhatIf{{{taken}}}});
  settle(program);
  CHECK_FALSE(any_label(program, "in part: "));
  CHECK_FALSE(any_label(program, "idle: "));
  program.session().apply({SetSource{"the girl sees a car"}});
  settle(program);
  CHECK(any_label(program, "in part: "));
  taken.row = 6;  // the place of <eos>, which the shorter one has not
  program.session().apply({SetWhatIf{{{taken}}}});
  settle(program);
  CHECK(any_label(program, "idle: "));
}

}  // namespace glassformer
