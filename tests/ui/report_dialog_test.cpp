// Ctrl+R writes what the window shows into a new folder, on a worker, and can be stopped.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "app/report/session_figure.h"
#include "app/view_controls_offscreen.h"
#include "engine/files/read_file.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

void open_report(OffscreenProgram& program, const std::string& folder) {
  press(program, ui::Key::report);
  REQUIRE(program.text("dialog") == "Report");
  type(program, "Report folder", folder);
}

}  // namespace

TEST_CASE("Ctrl+R writes what is shown, never where something stands, and can be stopped") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const std::string taken = scratch.path("taken");
  fs::create_directory(taken);
  std::ofstream(taken + "/notes.txt") << "mine";
  open_report(program, taken);
  CHECK(program.text("report folder") == "There is something of this name, and it stays as it is.");
  CHECK_FALSE(program.click("Write the report"));
  click(program, "Take another name");
  CHECK(program.text("Report folder") == taken + "-2");
  CHECK(program.text("report folder") == "A new folder.");

  // Stopped: nothing is left.
  click(program, "Write the report");
  REQUIRE(program.text("report writing") == "Writing…");
  REQUIRE(program.click("Cancel"));
  REQUIRE(program.wait([&] { return !program.text("report problem").empty(); }));
  CHECK(program.text("report problem") == "Cancelled: nothing was written.");
  CHECK_FALSE(fs::exists(taken + "-2"));

  // Written: what is ticked, by whom, of what is on screen.
  CHECK(program.text("What goes in, at the right") == "5 figures");
  CHECK(program.text("Training curves and learning rate, at the right") == "no curves are kept");
  click(program, "All heads of the encoder, the decoder and between them");
  CHECK(program.text("What goes in, at the right") == "2 figures");
  REQUIRE(program.type("Report name", "Ada <Martin>"));
  click(program, "LaTeX: report.tex, and each figure as PDF");
  REQUIRE(program.click("Write the report"));
  REQUIRE(program.wait([&] { return !program.text("report done").empty(); }));
  CHECK(program.text("report done").starts_with("Written: " + taken + "-2, "));
  const std::string html = read_file(taken + "-2/index.html");
  CHECK(html.find("Report by Ada &lt;Martin&gt;. Made with") != std::string::npos);
  CHECK(html.find("the cat sees a bird") != std::string::npos);
  CHECK(fs::exists(taken + "-2/figures/2-output.pdf"));
  CHECK(read_file(taken + "-2/session.glassformer").find("\nsource the cat sees a bird\n") !=
        std::string::npos);
  CHECK(program.session().settings().student == "Ada <Martin>");
  CHECK_FALSE(program.click("Cancel"));  // nothing is left to cancel
  click(program, "Copy the path");
  CHECK(program.clipboard() == taken + "-2");
  REQUIRE(program.click("Write the report"));  // Close, by then
  program.frame(2);
  CHECK(program.text("dialog").empty());
  CHECK(read_file(taken + "/notes.txt") == "mine");

  // The next one gets the next number.
  press(program, ui::Key::report);
  CHECK(program.text("Report folder") == taken + "-3");
}

TEST_CASE(
    "the figure of a view has the controls of the screen, and the session of the report makes it again") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  click(program, "Head as: Ribbons");
  click(program, "Heads of every attention");
  const std::string folder = scratch.path("report");
  open_report(program, folder);
  click(program, "All heads of the encoder, the decoder and between them");
  REQUIRE(program.click("Write the report"));
  REQUIRE(program.wait([&] { return !program.text("report done").empty(); }));
  const std::string session = read_file(folder + "/session.glassformer"),
                    figure = read_file(folder + "/figures/1-attention.svg");
  CHECK(session.find("set \"Head as\" Ribbons\n") != std::string::npos);

  LessonStage stage;
  const StagedPage page =
      staged_session(stage, "session", read_session_lines(folder + "/session.glassformer"));
  const auto drawn = [&](bool controls) {
    std::unique_ptr<View> view = view_of(page);
    const FigureContent content = figure_of(*page.model, *page.result, *view);
    if (controls) set_controls(*view, content.input(), FigureRequest{}.size, page.settings);
    return figure_bytes(session_figure(page, "", "", std::move(view)), {.path = "1-attention.svg"});
  };
  CHECK(figure == drawn(true));
  CHECK(figure != drawn(false));
}
