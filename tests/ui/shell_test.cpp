// The whole program without a display, clicked and typed into by the labels on screen.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/offscreen.h"
#include "engine/model/checkpoint.h"
#include "sample_scene.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

// A small seeded model with words of its own, written where the program can open it.
std::string model_folder(const ScratchFolder& scratch) {
  const SampleScene scene = make_sample_scene();
  const std::string folder = scratch.path("small");
  std::filesystem::create_directories(folder);
  save_model(folder, *scene.snapshot, scene.tokenizers);
  return folder;
}

void translate(OffscreenProgram& program, const std::string& sentence) {
  REQUIRE(program.type("Source sentence", sentence));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
}

// Open, with a sentence translated.
void begin(OffscreenProgram& program) {
  REQUIRE(program.settle());
  translate(program, "the cat sees a bird");
}

}  // namespace

TEST_CASE("a typed sentence is translated and its words stand on the chips") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const auto result = program.session().result();
  REQUIRE(result);
  CHECK(result->scene.sentences.front().source == "the cat sees a bird");
  CHECK(result->source_words == std::vector<std::string>{"the", "cat", "sees", "a", "bird", "<eos>"});
  CHECK(program.find("source chip 4").has_value());
  CHECK_FALSE(program.find("source chip 6").has_value());
  CHECK(program.text("translation") == result->translation);
}

TEST_CASE("letters typed into a field are text, on the stage they are keys") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  program.press('e');
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  REQUIRE(program.type("Source sentence", "xd"));
  CHECK(program.text("Source sentence") == "xd");
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  program.press(ui::Key::escape);  // leaves the field, keeps the text
  CHECK(program.text("Source sentence") == "xd");
  program.press('x');
  CHECK(program.session().pinned().kind == AttentionKind::cross);
  CHECK(program.text("Source sentence") == "xd");
}

TEST_CASE("a field takes words of any script") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const std::string words = "Łódź é ñ Σ√∞ Привет 你好 नमस्ते";
  REQUIRE(program.type("Source sentence", words));
  CHECK(program.text("Source sentence") == words);
}

TEST_CASE("hover previews, a click pins, Escape clears") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  program.press('x');
  const Selection before = program.session().pinned();
  REQUIRE(program.hover("output chip 0"));
  program.frame(2);
  CHECK(program.session().hovering());
  CHECK(program.session().shown().query == 0);
  CHECK(program.session().pinned() == before);
  REQUIRE(program.click("source chip 2"));
  CHECK(program.session().pinned().key == 2);
  program.move({5, 5});
  CHECK_FALSE(program.session().hovering());
  program.press(ui::Key::escape);
  program.press(ui::Key::escape);
  CHECK_FALSE(program.session().pinned().key.has_value());
}

TEST_CASE("digits choose heads and arrows layers, within what the model has") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const Config config = program.session().snapshot()->config;
  program.press('2');
  CHECK(program.session().pinned().head == 1);
  program.press('8');  // there is no such head
  CHECK(program.session().pinned().head == std::min(config.heads - 1, config.heads >= 8 ? 7 : 1));
  program.press('0');
  CHECK(program.session().pinned().head == -1);
  for (int i = 0; i < 5; ++i) program.press(ui::Key::down);
  CHECK(program.session().pinned().layer == 0);
  for (int i = 0; i < 5; ++i) program.press(ui::Key::up);
  CHECK(program.session().pinned().layer == config.decoder_layers - 1);
}

TEST_CASE("the decoding is stepped word by word, back and forth") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const int total = static_cast<int>(program.session().result()->target_out_words.size());
  REQUIRE(total >= 1);
  REQUIRE(program.click("First word"));
  CHECK(program.session().shown_steps() == 0);
  program.press(ui::Key::right);
  CHECK(program.text("decode step") == "1 / " + std::to_string(total));
  program.press(ui::Key::left);
  CHECK(program.text("decode step") == "0 / " + std::to_string(total));
  REQUIRE(program.click("Last word"));
  CHECK(program.text("decode step") == std::to_string(total) + " / " + std::to_string(total));
}

TEST_CASE("beam search is one click, and undo takes it back") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  REQUIRE(program.click("Search: Beam"));
  REQUIRE(program.settle());
  CHECK(program.session().result()->scene.decode.search == Search::beam);
  CHECK_FALSE(program.session().result()->decoding.hypotheses.empty());
  program.press(ui::Key::undo);
  REQUIRE(program.settle());
  CHECK(program.session().result()->scene.decode.search == Search::greedy);
  program.press(ui::Key::redo);
  REQUIRE(program.settle());
  CHECK(program.session().result()->scene.decode.search == Search::beam);
}

TEST_CASE("a target of one's own is fed to the decoder until it is taken back") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  REQUIRE(program.click("Set the target yourself…"));
  REQUIRE(program.type("Target sentence", "le chat voit"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().result()->target_origin == TargetOrigin::typed);
  CHECK(program.session().result()->target_out_words ==
        std::vector<std::string>{"le", "chat", "voit", "<eos>"});
  REQUIRE(program.click("Let the model write it"));
  REQUIRE(program.settle());
  CHECK(program.session().result()->target_origin != TargetOrigin::typed);
}

TEST_CASE("a block of the map opens what it shows") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  REQUIRE(program.click("map: encoder layer 1 self-attention"));
  program.frame(2);
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  CHECK(program.session().pinned().layer == 0);
  CHECK(program.find("map: encoder layer 1 self-attention")->selected);
  REQUIRE(program.click("map: decoder layer 2 cross-attention"));
  program.frame(2);
  CHECK(program.session().pinned().kind == AttentionKind::cross);
  CHECK(program.session().pinned().layer == 1);
  REQUIRE(program.click("map: decoder layer 1 feed-forward"));
  program.frame(2);
  REQUIRE(program.session().pinned().cell.has_value());
  CHECK(program.session().pinned().cell->name == "decoder.layers.0.feed_forward.hidden");
}

TEST_CASE("every view of the menu opens and draws something of its own") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  std::set<std::string> crumbs;
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(std::string(entry.name));
    REQUIRE(program.click("View"));
    REQUIRE(program.click(entry.title));
    REQUIRE(program.settle());
    CHECK(program.program().shell().open_view() == entry.name);
    CHECK(program.text("stage error") == "");
    CHECK(program.text("breadcrumb").starts_with("Model > "));
    crumbs.insert(program.text("breadcrumb"));
    program.move({5, 5});
    program.frame(3);
    // What a view learns on a worker has arrived when the picture stands still.
    std::vector<Color> before;
    CHECK(program.wait(
        [&] {
          const std::vector<Color> now = program.pixels();
          return std::exchange(before, now) == now;
        },
        20));
  }
  CHECK(crumbs.size() == view_table().size());
}

TEST_CASE("an empty sentence changes nothing and says what to do") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const auto before = program.session().result();
  REQUIRE(program.type("Source sentence", ""));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().result() == before);
  CHECK(program.text("sentence notice") != "");
}

TEST_CASE("a model that is none leaves the open one and a sentence on screen") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const std::string folder = scratch.path("broken");
  std::filesystem::create_directories(folder);
  program.program().dropped({folder});
  REQUIRE(program.settle());
  CHECK(program.text("model notice") != "");
  REQUIRE(program.session().result());
  CHECK(program.click("Dismiss the model notice"));
  program.frame(2);
  CHECK(program.text("model notice") == "");
}

TEST_CASE("the pin is explained in the inspector at full precision") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  program.press('x');
  program.press('1');
  REQUIRE(program.click("source chip 1"));
  REQUIRE(program.click("output chip 0"));
  program.move({5, 5});
  CHECK(program.text("inspector name").find("cross_attn.weights") != std::string::npos);
  CHECK(program.text("inspector value") != "");
  REQUIRE(program.click("value"));
  CHECK(program.clipboard() != "");
}

TEST_CASE("dialogs hold the keyboard and close on Escape") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  program.press('?');
  CHECK(program.text("dialog") == "Keys");
  const Selection before = program.session().pinned();
  program.press('e');
  CHECK(program.session().pinned() == before);
  CHECK_FALSE([&] {
    program.click("output chip 0");
    return !(program.session().pinned() == before);
  }());
  program.press(ui::Key::escape);
  CHECK(program.text("dialog") == "");
}

TEST_CASE("Tab goes from control to control and Enter uses the one in focus") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  program.press(ui::Key::tab);
  REQUIRE(program.find("File"));
  CHECK(program.find("File")->focused);
  program.press(ui::Key::enter);
  CHECK(program.visible("New model…"));
  program.press(ui::Key::escape);
  CHECK_FALSE(program.visible("New model…"));
}
