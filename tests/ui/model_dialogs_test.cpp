// Dialogs about a model and its runs.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/canvas/file_canvas.h"
#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/report/session_figure.h"
#include "app/view_controls_offscreen.h"
#include "engine/files/read_file.h"
#include "tests/session/session_helpers.h"
#include "tests/session/unsaved_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer::model_dialogs_test {

namespace fs = std::filesystem;

// ---- The Model menu's three ideas: on with what is there, one thing changed, and from the beginning.

void show(OffscreenProgram& program, const char* dialog) {
  apply(program, {OpenDialog{dialog}});
}

TEST_CASE("the Model menu has three ideas of training, and none of the old entries") {
  SettledProgram program({.size = {1024, 768}});
  click(program, "Model");
  for (const char* const label : {"Continue training", "Change one thing…", "Start over…", "One step"})
    CHECK(program.visible(label));
  for (const char* const label :
       {"Train a fresh model", "Train this one on", "Change the learning…", "Train a copy from here…",
        "Train a variant beside it…", "Try settings…", "Start again, same seed", "Start again, new seed"})
    CHECK_FALSE(program.visible(label));
}

TEST_CASE("without known data nothing trains it, and the menu says why") {
  ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch), .size = {1024, 768}});
  CHECK_FALSE(program.find("Train")->enabled);
  click(program, "Model");
  CHECK_FALSE(program.find("Continue training")->enabled);
  CHECK_FALSE(program.find("Start over…")->enabled);
}

TEST_CASE("what cannot be changed in a place is grey there, with its reason") {
  SettledProgram program({.size = {1024, 768}});
  show(program, "change one thing");
  CHECK(program.visible("In this run, from now on"));
  CHECK(program.text("about: In a copy, from an earlier step") == "drag the training slider there first");
  click(program, "thing: Heads");
  CHECK_FALSE(program.find("In this run, from now on"));
  CHECK(program.find("Beside it, from step 0")->selected);
  click(program, "thing: Dropout");
  type(program, "New value", "2");
  CHECK_FALSE(program.find("Change it")->enabled);
  type(program, "New value", "0.2");
  CHECK(program.find("Change it")->enabled);
  click(program, "All options…");
  CHECK(program.text("dialog") == "Train a variant beside this run");
}

TEST_CASE("a copy learns at × the rate of the schedule, however the copied run's was scaled, and says so") {
  for (const double scale : {0.5, 2.0}) {
    renew_home();
    SettledProgram program({.size = {1024, 768}, .threads = 1});
    Session& session = program.session();
    train_and_pause(session, 4);
    LearningWish wish;
    wish.rate_scale = scale;
    const long before = session.run().step;
    session.apply({wish, Train{}});
    REQUIRE(program.wait([&] { return session.run().step > before + 3; }));
    session.apply({PauseTraining{}});
    REQUIRE(program.wait([&] { return session.run().phase == RunPhase::paused; }));
    session.apply({ShowStep{before + 2}});
    REQUIRE(program.settle());
    const TrainingOptions made_by = session.recipe()->training;
    RunState anew;
    anew.options = made_by;
    const double highest = run_schedule(anew, session.snapshot()->config).peak_rate();
    show(program, "change one thing");
    click(program, "thing: Learning rate");
    REQUIRE(program.type("New value", "0.25"));
    click(program, "In a copy, from an earlier step");
    CHECK(contains(program.text("change note"), "is then " + format_short(0.25 * highest) + "."));
    REQUIRE(program.click("Change it"));
    const auto learns_at_a_quarter = [&] {
      const TrainingOptions& options = session.run().options;
      return options.peak == doctest::Approx(0.25 * made_by.peak) &&
             options.factor == doctest::Approx(0.25 * made_by.factor);
    };
    CHECK(program.wait([&] { return session.run().step > 0 && learns_at_a_quarter(); }, 120));
    session.apply({PauseTraining{}});
  }
}

TEST_CASE("Start over begins at step 0 and says what is kept") {
  SettledProgram program({.size = {1024, 768}, .threads = 1});
  show(program, "start over");
  CHECK(contains(program.text("what is kept"), "stays as it is"));
  REQUIRE(program.click("Start over from step 0"));
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::ready; }, 120));
  CHECK(program.session().run().step == 0);
}

// ---- Model, Try settings…: what varies is typed, trained in the background, and reported.

TEST_CASE("settings are tried from the dialog") {
  OffscreenProgram program({.threads = 1});
  Session& session = program.session();
  session.apply({reverse_run()});
  REQUIRE(program.wait([&] { return session.run().phase == RunPhase::ready; }));
  apply(program, {OpenDialog{"trials"}});
  CHECK(program.text("dialog") == "Try settings");
  CHECK(program.text("trials note") == "Type what the setting is to be: 1, 2, 4.");
  type(program, "Values 1", "1, x");
  CHECK(program.text("trials note") == "--heads: expected a whole number, found \"x\"");
  CHECK_FALSE(program.click("Train them"));
  REQUIRE(program.type("Values 1", "1, 2"));
  REQUIRE(program.type("Seeds", "1"));
  type(program, "Steps", "6");
  CHECK(program.text("trials note").find("2 runs of 6 steps") == 0);
  click(program, "Train them");
  CHECK(session.trials().all == 2);
  CHECK(program.text("trials progress").find("1 of 2: heads 1, seed 1") == 0);
  REQUIRE(program.wait([&] { return !session.trials().under_way(); }));
  program.frame(2);
  CHECK(program.text("trials progress") == "All 2 runs are trained.");
}

// ---- The question that is asked of who leaves while a run cannot be saved.

TEST_CASE("who leaves while a run cannot be saved is asked, and can try again or leave without") {
  BlockedRuns runs;
  OffscreenProgram program({.keep_runs = true, .threads = 1});
  Session& session = program.session();
  session.apply({short_run(20), Train{}});
  int failures = 0;  // as in train_to_the_end
  REQUIRE(program.wait(
      [&] {
        const std::vector<UnsavedRun> unsaved = session.unsaved();
        if (session.run().phase == RunPhase::paused && !unsaved.empty() &&
            unsaved[0].failed_saves > failures) {
          failures = unsaved[0].failed_saves;
          session.apply({Train{}});
        }
        return session.run().phase == RunPhase::stopped;
      },
      120));
  REQUIRE_FALSE(program.program().may_close());
  program.frame(2);
  CHECK(program.text("dialog") == "The run is not saved");
  CHECK(contains(program.text("unsaved run"), "Trained to step 20"));

  const int before = session.unsaved().front().failed_saves;
  REQUIRE(program.click("Try again"));
  CHECK(program.program().wants_close());
  REQUIRE_FALSE(program.program().may_close());
  CHECK_FALSE(program.program().wants_close());
  program.frame(2);
  const int after = session.unsaved().front().failed_saves;
  CHECK(after > before);
  CHECK(contains(program.text("unsaved run"), "failed " + std::to_string(after) + " times"));

  SUBCASE("there is room now") {
    runs.make_room();
    REQUIRE(program.click("Try again"));
    CHECK(program.program().wants_close());
    CHECK(program.program().may_close());
  }
  SUBCASE("another folder") {
    const ScratchFolder elsewhere;
    click(program, "Another folder…");
    REQUIRE(program.type("Folder or file", elsewhere.path("")));
    program.press(ui::Key::enter);
    REQUIRE(program.type("Name of the folder", "kept"));
    REQUIRE(program.click("Save the run"));
    CHECK(program.program().wants_close());
    CHECK(program.program().may_close());
    CHECK(step_on_disk(elsewhere.path("kept")) == 20);
  }
  SUBCASE("never mind") {
    REQUIRE(program.click("Close without saving"));
    CHECK(program.program().wants_close());
    CHECK(program.program().may_close());
    CHECK_FALSE(session.unsaved().empty());
  }
  SUBCASE("rather stay") {
    press(program, ui::Key::escape);
    CHECK_FALSE(program.visible("dialog"));
    CHECK_FALSE(program.program().wants_close());
  }
}

// ---- Ctrl+R writes what the window shows into a new folder, on a worker, and can be stopped.

void open_report(OffscreenProgram& program, const std::string& folder) {
  press(program, ui::Key::report);
  REQUIRE(program.text("dialog") == "Report");
  type(program, "Report folder", folder);
}

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
  if (writes_pdf()) click(program, "LaTeX: report.tex, and each figure as PDF");
  REQUIRE(program.click("Write the report"));
  REQUIRE(program.wait([&] { return !program.text("report done").empty(); }));
  CHECK(program.text("report done").starts_with("Written: " + taken + "-2, "));
  const std::string html = read_file(taken + "-2/index.html");
  CHECK(contains(html, "Report by Ada &lt;Martin&gt;. Made with"));
  CHECK(contains(html, "the cat sees a bird"));
  CHECK(fs::exists(taken + "-2/figures/2-output.pdf") == writes_pdf());
  CHECK(contains(read_file(taken + "-2/session.glassformer"), "\nsource the cat sees a bird\n"));
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

TEST_CASE("a view's figure has the controls of the screen, and the session of the report makes it again") {
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
  CHECK(contains(session, "set \"Head as\" Ribbons\n"));

  LessonStage stage;
  const StagedPage page =
      staged_session(stage, "session", read_session_lines(folder + "/session.glassformer"));
  const auto drawn = [&](bool controls) {
    std::unique_ptr<View> view = view_of(page);
    const FigureContent content = figure_of(page, *view);
    if (controls) set_controls(*view, content.input(), FigureRequest{}.size, page.settings);
    return figure_bytes(session_figure(page, "", "", std::move(view)), {.path = "1-attention.svg"});
  };
  CHECK(figure == drawn(true));
  CHECK(figure != drawn(false));
}

}  // namespace glassformer::model_dialogs_test
