// The whole program without a display, clicked and typed into by the labels on screen.
#include <doctest/doctest.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/offscreen.h"
#include "app/views/view_table.h"
#include "engine/files/read_file.h"
#include "engine/model/checkpoint.h"
#include "tests/scratch_folder.h"
#include "tests/ui/built_program.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("a typed sentence is translated and its words stand on the chips") {
  SmallProgram program;
  const auto result = program.session().result();
  REQUIRE(result);
  CHECK(result->scene.sentences.front().source == "the cat sees a bird");
  CHECK(result->source_words == std::vector<std::string>{"the", "cat", "sees", "a", "bird", "<eos>"});
  CHECK(program.find("source chip 4").has_value());
  CHECK_FALSE(program.find("source chip 6").has_value());
  CHECK(program.text("translation") == result->translation);
}

TEST_CASE("letters typed into a field are text, on the stage they are keys") {
  SmallProgram program;
  program.press('e');
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  REQUIRE(program.type("Source sentence", "xd"));
  CHECK(program.text("Source sentence") == "xd");
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  program.press(ui::Key::escape);  // leaves the field for what is translated
  CHECK(program.text("Source sentence") == "the cat sees a bird");
  program.press('x');
  CHECK(program.session().pinned().kind == AttentionKind::cross);
  CHECK(program.text("Source sentence") == "the cat sees a bird");
}

TEST_CASE("a field takes words of any script") {
  SmallProgram program;
  const std::string words = "Łódź é ñ Σ√∞ Привет 你好 नमस्ते";
  REQUIRE(program.type("Source sentence", words));
  CHECK(program.text("Source sentence") == words);
}

TEST_CASE("hover previews, a click pins, Escape clears") {
  SmallProgram program;
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
  SmallProgram program;
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

TEST_CASE("a block of the map opens what it shows") {
  SmallProgram program;
  click(program, "map: encoder layer 1 self-attention");
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  CHECK(program.session().pinned().layer == 0);
  CHECK(program.find("map: encoder layer 1 self-attention")->selected);
  click(program, "map: decoder layer 2 cross-attention");
  CHECK(program.session().pinned().kind == AttentionKind::cross);
  CHECK(program.session().pinned().layer == 1);
  REQUIRE(program.click("map: decoder layer 1 feed-forward"));
  REQUIRE(program.settle());
  CHECK(program.program().shell().open_view() == "walk");
}

TEST_CASE("every view of the menu opens and draws something of its own") {
  SmallProgram program;
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
    // What a view computes on a worker has arrived when the picture is still.
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

TEST_CASE("an open menu gives way to the next one under the mouse, and a click there means that one") {
  SmallProgram program;
  REQUIRE(program.click("File"));
  REQUIRE(program.visible("Open corpus…"));
  REQUIRE(program.hover("Help"));
  program.frame(2);
  CHECK(program.visible("About Glassformer"));
  CHECK_FALSE(program.visible("Open corpus…"));
  click(program, "Help");
  CHECK(program.visible("About Glassformer"));
  REQUIRE(program.click("Help"));  // now it was open
  program.frame(2);
  CHECK_FALSE(program.visible("About Glassformer"));
}

TEST_CASE("About says which build this is, word for word as --version does") {
  SmallProgram program;
  REQUIRE(program.click("Help"));
  program.frame(2);
  REQUIRE(program.click("About Glassformer"));
  program.frame(2);
  ScratchFolder scratch;
  run_program("--version | tee version", scratch.path(""));
  const std::string said = program.text("about text"), version = read_file(scratch.path("version"));
  CHECK(version.starts_with("Glassformer " GLASSFORMER_VERSION ", "));
  CHECK(std::ranges::count(version, '\n') == 3);
  CHECK(said.ends_with("\n" + version));
}

TEST_CASE("an empty sentence changes nothing and says what to do") {
  SmallProgram program;
  const auto before = program.session().result();
  REQUIRE(program.type("Source sentence", ""));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().result()->trace == before->trace);
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
  SmallProgram program;
  program.press('x');
  program.press('1');
  REQUIRE(program.click("source chip 1"));
  REQUIRE(program.click("output chip 0"));
  program.move({5, 5});
  CHECK(contains(program.text("inspector name"), "cross_attn.weights"));
  CHECK(program.text("inspector value") != "");
  REQUIRE(program.click("value"));
  CHECK(program.clipboard() != "");
}

TEST_CASE("dialogs hold the keyboard and close on Escape") {
  SmallProgram program;
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
  SmallProgram program;
  program.press(ui::Key::escape);  // out of the field
  REQUIRE(program.find("File"));
  for (int i = 0; i < 5 && !program.find("File")->focused; ++i)
    program.press(ui::Key::tab);  // past the grids
  CHECK(program.find("File")->focused);
  program.press(ui::Key::enter);
  CHECK(program.visible("New model…"));
  program.press(ui::Key::escape);
  CHECK_FALSE(program.visible("New model…"));
}

TEST_CASE("a pinned number that the opened view does not show gives way to the view's own page") {
  SmallProgram program;
  program.press('x');
  program.press('1');
  const int layer = program.session().pinned().layer + 1;
  REQUIRE(program.click("cross layer " + std::to_string(layer) + " head 1 query 1 key 2"));
  program.move({5, 5});
  CHECK(contains(program.text("inspector name"), "cross_attn.weights"));
  REQUIRE(program.session().pinned().cell);
  REQUIRE(program.click("map: source embedding"));
  program.move({5, 5});
  CHECK_FALSE(program.session().pinned().cell);
  CHECK(contains(program.text("inspector name"), "embedding"));
  CHECK(program.session().pinned().query == 1);  // its words stay lit
  CHECK_FALSE(program.find("inspector state"));  // but the page is not about them
  REQUIRE(program.click("map: source positions"));
  program.move({5, 5});
  CHECK_FALSE(contains(program.text("inspector name"), "_attn"));

  // On a link the inspector follows the number, whatever view is open.
  program.press('x');
  program.move({5, 5});
  std::string score;
  for (const std::string& label : program.labels())
    if (label.starts_with("inspector row 3.1 S′")) score = label;
  REQUIRE(program.click(score));
  program.move({5, 5});
  CHECK(contains(program.text("inspector name"), "scores"));
}

TEST_CASE("a sentence of the batch is looked at in the Masks view alone") {
  SmallProgram program({.view = "masks"});
  Selection other = program.session().pinned();
  other.kind = AttentionKind::encoder;
  other.sentence = 1;
  other.query = 1;
  program.session().apply({SetPin{other}});
  program.frame(2);
  REQUIRE(program.session().pinned().sentence == 1);
  REQUIRE(program.click("map: source embedding"));
  CHECK(program.session().pinned().sentence == 0);
  CHECK_FALSE(program.session().pinned().query);
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
}

TEST_CASE("the scroll bars of long sentences lie under their numbers, not on them") {
  ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch)});
  translate(program, "the cat sees a bird the cat sees a bird the cat sees a bird the cat sees a bird");
  program.resize({1440, 1000});
  const auto across = [&](const char* strip) {
    return program.find(std::string(strip) + " strip: scroll bar across");
  };
  REQUIRE(across("source"));
  const Rect chip = program.find("source chip 0")->rect, below = program.find("output chip 0")->rect;
  CHECK(across("source")->rect.y >= chip.bottom());
  CHECK(across("source")->rect.bottom() <= below.y);
  if (across("output")) CHECK(across("output")->rect.y >= below.bottom());
}

TEST_CASE("whatever Tab reaches shows that it has the focus") {
  SmallProgram program({.size = {1440, 900}});
  program.press(ui::Key::escape);  // out of the field
  program.move({720, 5});
  const std::vector<Color> at_rest = program.pixels();
  const auto focused = [&] {
    for (const std::string& label : program.labels())
      if (const auto widget = program.find(label); widget && widget->focused) return label;
    return std::string();
  };
  std::set<std::string> reached;
  for (int i = 0; i < 200; ++i) {
    program.press(ui::Key::tab);
    const std::string label = focused();
    if (label.empty()) break;
    CAPTURE(label);
    reached.insert(label);
    program.frame(2);  // a field takes the keyboard one frame later
    CHECK(program.pixels() != at_rest);
    if (label == "Source sentence") {
      ImGui::GetIO().AddInputCharactersUTF8("cat");
      program.frame(2);
      CHECK(contains(program.text(label), "cat"));
    }
  }
  CHECK(reached.contains("Source sentence"));
  CHECK(reached.contains("View"));
  CHECK(reached.contains("map: output"));
  CHECK(reached.contains("Save figure"));
}
