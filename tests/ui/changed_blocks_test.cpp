// The dots of the map: blocks that a what-if has changed, in columns of all widths.
#include "app/theme/theme.h"
#include "tests/ui/small_program.h"

namespace glassformer {

namespace {

// How many pixels round a block's upper right corner have the colour of what is changed.
int dot_at(OffscreenProgram& program, const std::string& label) {
  program.program().ui().scroll.reveal(label);
  program.frame(2);
  const auto block = program.find(label);
  REQUIRE(block);
  const std::vector<Color> pixels = program.pixels();
  const int width = static_cast<int>(program.size().x);
  int count = 0;
  for (int dy = -4; dy <= 6; ++dy)
    for (int dx = -6; dx <= 4; ++dx) {
      const int x = static_cast<int>(block->rect.right()) + dx, y = static_cast<int>(block->rect.y) + dy;
      if (x >= width || y >= static_cast<int>(program.size().y)) continue;
      count += pixels[static_cast<std::size_t>(y * width + x)] == light_theme().reference;
    }
  return count;
}

void change(OffscreenProgram& program, const WhatIf& what_if) {
  program.session().apply({SetWhatIf{what_if}});
  settle(program);
}

}  // namespace

TEST_CASE("changed blocks have a dot on the map and on the small window's rail") {
  for (const Point size : {Point{1600, 1000}, Point{1280, 860}, Point{1024, 768}}) {
    CAPTURE(size.x);
    SmallProgram program({.size = size, .threads = 1});
    const std::string changed = "map: decoder layer 2 feed-forward",
                      other = "map: decoder layer 2 cross-attention",
                      norm = "map: decoder layer 2 add & norm 2";
    CHECK(dot_at(program, changed) == 0);
    change(program, {{mute_sub_block({BlockKind::feed_forward, ValueKind::whole, false, 1})}});
    CHECK(dot_at(program, changed) > 8);
    CHECK(dot_at(program, other) == 0);
    // A weight of a norm is its block's.
    Change gain = change_of(ChangeKind::edit_parameter);
    gain.parameter = "decoder.layers.1.norm2.weight";
    gain.row = 0, gain.column = 0, gain.amount = 2;
    change(program, {{gain}});
    CHECK(dot_at(program, changed) == 0);
    CHECK(dot_at(program, norm) > 8);
    // The words of the source are the embedding's.
    Change swap = change_of(ChangeKind::swap_words);
    swap.row = 0, swap.column = 1;
    change(program, {{swap}});
    CHECK(dot_at(program, "map: source embedding") > 8);
    CHECK(dot_at(program, "map: target embedding") == 0);
    change(program, {});
    CHECK(dot_at(program, "map: source embedding") == 0);
  }
}

TEST_CASE("a closed layer has the dot of what is changed in it") {
  ScratchFolder scratch;
  SampleOptions deep;
  deep.config.encoder_layers = deep.config.decoder_layers = 6;
  OffscreenProgram program({.model = model_folder(scratch, deep), .size = {1600, 900}});
  begin(program);
  const std::string layer = "map: decoder layer 5";
  const auto closed = program.find(layer);
  REQUIRE(closed);
  REQUIRE(closed->kind == "layer");
  CHECK(dot_at(program, layer) == 0);
  change(program, {{mute_head(AttentionKind::cross, 4, 1)}});
  CHECK(dot_at(program, layer) > 8);
  CHECK(dot_at(program, "map: decoder layer 4") == 0);
  CHECK(dot_at(program, "map: encoder layer 5") == 0);
}

}  // namespace glassformer
