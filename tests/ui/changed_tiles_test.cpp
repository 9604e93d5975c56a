#include "app/changed_tiles.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include "tests/ui/small_program.h"

using namespace glassformer;

namespace {

constexpr int kWidth = 640, kHeight = 320;
constexpr Color kPaper{250, 250, 250, 255};
constexpr ImU32 kRed = IM_COL32(200, 0, 0, 255), kBlue = IM_COL32(0, 0, 200, 255);

struct Square {
  ImVec2 at;
  float side = 10;
  ImU32 color = kRed;
};

// Dear ImGui without any screen: frames of squares.
struct Frames {
  Frames() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {kWidth, kHeight};
    io.DeltaTime = 1.0f / 60;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  }
  ~Frames() { ImGui::DestroyContext(); }

  ImDrawData& of(const std::vector<Square>& squares) {
    ImGui::NewFrame();
    for (const Square& s : squares)
      ImGui::GetBackgroundDrawList()->AddRectFilled(s.at, {s.at.x + s.side, s.at.y + s.side}, s.color);
    ImGui::Render();
    return *ImGui::GetDrawData();
  }
  std::vector<PixelRect> changed(const std::vector<Square>& squares, Color paper = kPaper) {
    const std::vector<Backing> backings{{{0, 0, kWidth, kHeight}, paper}};
    return tiles.next(kWidth, kHeight, backings, of(squares));
  }
  ChangedTiles tiles;
};

int triangles(const ImDrawData& data) {
  int count = 0;
  for (int l = 0; l < data.CmdListsCount; ++l)
    for (const ImDrawCmd& command : data.CmdLists[l]->CmdBuffer)
      count += static_cast<int>(command.ElemCount) / 3;
  return count;
}

using Parts = std::vector<PixelRect>;

}  // namespace

TEST_CASE("only the tiles are drawn again in which something changed") {
  Frames frames;
  const std::vector<Square> before{{.at = {70, 70}}, {.at = {400, 200}}};
  CHECK(frames.changed(before) == Parts{{0, 0, kWidth, kHeight}});
  CHECK(frames.changed(before).empty());

  SUBCASE("a square that moves changes where it was and where it is") {
    CHECK(frames.changed({{.at = {300, 70}}, {.at = {400, 200}}}) ==
          Parts{{64, 64, 96, 96}, {288, 64, 320, 96}});
  }
  SUBCASE("a square of another colour, on the border of four tiles") {
    CHECK(frames.changed({{.at = {70, 70}}, {.at = {400, 200}}, {.at = {123, 123}}}) ==
          Parts{{96, 96, 160, 160}});
    CHECK(frames.changed({{.at = {70, 70}}, {.at = {400, 200}}, {.at = {123, 123}, .color = kBlue}}) ==
          Parts{{96, 96, 160, 160}});
  }
  SUBCASE("the order of what overlaps counts") {
    frames.changed({{.at = {70, 70}}, {.at = {72, 72}, .color = kBlue}});
    CHECK(frames.changed({{.at = {72, 72}, .color = kBlue}, {.at = {70, 70}}}) == Parts{{64, 64, 96, 96}});
  }
  SUBCASE("another paper changes everything") {
    CHECK(frames.changed(before, {0, 0, 0, 255}) == Parts{{0, 0, kWidth, kHeight}});
  }
  SUBCASE("a frame that was lost is drawn whole") {
    frames.tiles.forget();
    CHECK(frames.changed(before) == Parts{{0, 0, kWidth, kHeight}});
  }
}

TEST_CASE("what touches no changed part is left out, and the rest is clipped to the parts") {
  Frames frames;
  ImDrawData& data = frames.of({{.at = {10, 10}}, {.at = {60, 10}}, {.at = {300, 200}}});
  REQUIRE(triangles(data) == 6);
  const Parts parts{{0, 0, 64, 64}, {64, 0, 128, 64}};
  keep_only(data, parts);
  // The second square lies in both parts.
  CHECK(triangles(data) == 6);
  for (int l = 0; l < data.CmdListsCount; ++l) {
    for (const ImDrawCmd& command : data.CmdLists[l]->CmdBuffer) {
      CHECK(command.ClipRect.w <= 64);
      CHECK(command.ClipRect.z - command.ClipRect.x == 64);
    }
  }
  keep_only(data, Parts{});
  CHECK(triangles(data) == 0);
}

TEST_CASE("drawing only what changed leaves the picture that drawing everything gives") {
  SmallProgram program({.size = {1600, 1000}, .draws = true});
  const auto same = [&program] {
    const std::vector<Color> over = program.pixels();
    return over == program.pixels(true);
  };
  CHECK(same());
  program.move({700, 400});
  CHECK(same());
  program.move({120, 300});
  CHECK(same());
  translate(program, "a bird sees the cat");
  CHECK(same());
  for (const char* view : {"walk", "positions", "parameters", "attention"}) {
    program.program().shell().apply({OpenView{view}}, 0);
    program.settle();
    CHECK_MESSAGE(same(), view);
  }
  program.press('?');
  CHECK(same());
  program.press(ui::Key::escape);
  program.resize({1024, 768});
  program.settle();
  CHECK(same());
}
