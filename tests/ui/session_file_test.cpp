// A session saved in one window and opened in another brings back the model, the sentence, the view, the pin,
// the changes, the comparison, the decoding and the controls; what cannot be opened changes nothing.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "app/lessons/session_text.h"
#include "engine/files/read_file.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace {

void save_as(OffscreenProgram& program, const std::string& file) {
  REQUIRE(program.settle());
  press(program, ui::Key::save);
  REQUIRE(program.text("dialog") == "Save session");
  INFO(program.text("session error"));
  REQUIRE(program.type("Session file", file));
  click(program, "Save the session");
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string value_in(const std::string& file, const char* keyword) {
  const ReadSession read = read_session(read_file(file));
  const SceneLine* const line = find_line(read.lines, keyword);
  return line ? line->value : "";
}

// All that a person would look at.
void change_all(OffscreenProgram& program) {
  Session& session = program.session();
  session.apply({SetDecode{{.search = Search::beam, .beam = 3, .alpha = 0.25}}});
  session.apply({SetWhatIf{{{mute_head(AttentionKind::cross, 1, 1)}}}});
  REQUIRE(program.settle());
  session.apply({Compare{OtherSentence{"a bird; sees the \"cat\""}}});
  REQUIRE(program.wait([&] { return session.compared() && session.compared()->second; }));
  Selection pin{.kind = AttentionKind::decoder, .layer = 0, .head = 1, .query = 2, .key = 1};
  session.apply({SetPin{pin}});
  program.frame(5);
}

}  // namespace

TEST_CASE("what one window saves the other opens: Scene, comparison, view, pin and controls") {
  const ScratchFolder scratch;
  const std::string model = model_folder(scratch), file = scratch.path("cat.glassformer");
  Scene scene;
  Selection pin;
  std::string translation, link;
  {
    OffscreenProgram program({.model = model});
    begin(program);
    click(program, "Head as: Ribbons");
    change_all(program);
    save_as(program, file);
    CHECK(program.text("session") == "cat");
    CHECK_FALSE(program.visible("session changed"));
    scene = program.session().scene();
    pin = program.session().pinned();
    translation = program.session().result()->translation;
    press(program, ui::Key::copy_link);
    link = program.clipboard();
    CHECK(link.starts_with("glassformer:session 1; model "));
  }
  CHECK(value_in(file, "model") == std::filesystem::canonical(model).string());
  CHECK(value_in(file, "source") == "the cat sees a bird");
  CHECK(value_in(file, "compare") == "source a bird; sees the \"cat\"");
  for (const std::string& what : {file, link}) {
    CAPTURE(what);
    OffscreenProgram program({.model = "", .view = "masks", .session = what});
    REQUIRE(program.wait([&] { return !program.program().shell().opening_session(); }));
    REQUIRE(program.settle());
    program.frame(30);
    const Session& session = program.session();
    CHECK(program.program().shell().open_view() == "attention");
    CHECK(std::filesystem::canonical(session.open_folder()) == std::filesystem::canonical(model));
    CHECK(session.scene().sentences.front() == scene.sentences.front());
    CHECK(session.scene().what_if == scene.what_if);
    CHECK(session.scene().decode == scene.decode);
    CHECK(session.pinned() == pin);
    CHECK(session.result()->translation == translation);
    REQUIRE(session.compared_with());
    CHECK(std::get<OtherSentence>(*session.compared_with()).source == "a bird; sees the \"cat\"");
    CHECK(program.text("Head as") == "Ribbons");
    CHECK(program.text("session") == (what == file ? "cat" : "link text"));
    CHECK_FALSE(program.visible("session changed"));

    // A change is reported, and leads nowhere by itself.
    REQUIRE(program.click("Head as: Heatmap"));
    program.frame(40);
    CHECK(program.wait(
        [&] {
          program.frame();
          return program.visible("session changed");
        },
        5));
  }
}

TEST_CASE("Ctrl+S saves again under the name, never over what another wrote there") {
  const ScratchFolder scratch;
  const std::string file = scratch.path("a.glassformer"), foreign = scratch.path("notes.glassformer");
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  save_as(program, file);
  translate(program, "a bird sees");
  press(program, ui::Key::save);
  CHECK(program.text("dialog").empty());
  CHECK(value_in(file, "source") == "a bird sees");

  // Somebody else wrote there meanwhile: it is asked about.
  write(file, "my notes");
  press(program, ui::Key::save);
  REQUIRE(program.text("dialog") == "Save session");
  click(program, "Save the session");
  CHECK(contains(program.text("session replaces"), "no session"));
  CHECK(read_file(file) == "my notes");
  REQUIRE(program.type("Session file", foreign));
  press(program, ui::Key::enter);
  CHECK(value_in(foreign, "source") == "a bird sees");
  CHECK(read_file(file) == "my notes");

  // Enter does not replace; the button does.
  click(program, "File");
  click(program, "Save session as…");
  REQUIRE(program.type("Session file", file));
  press(program, ui::Key::enter);
  CHECK(read_file(file) == "my notes");
  CHECK(program.text("dialog") == "Save session");
  click(program, "Save the session");
  CHECK(value_in(file, "source") == "a bird sees");
}

TEST_CASE("what cannot be opened is told with its line and changes nothing; the way back leads back") {
  const ScratchFolder scratch;
  const std::string model = model_folder(scratch), file = scratch.path("a.glassformer");
  OffscreenProgram program({.model = model});
  begin(program);
  const Scene before = program.session().scene();
  const auto drop = [&](const std::string& text) {
    write(file, text);
    program.program().dropped({file});
    program.frame(2);
    program.wait([&] { return !program.program().shell().opening_session(); });
    program.frame(3);
  };
  const std::string head = "glassformer session 1\nmodel " + model + "\n";
  const auto refused = [&](const std::string& text, const std::string& words) {
    CAPTURE(text);
    drop(text);
    CHECK(program.text("dialog") == "Open session");
    CHECK(contains(program.text("session problem"), words));
    CHECK(program.session().scene().sentences == before.sentences);
    CHECK(program.session().scene().what_if == before.what_if);
    CHECK(program.program().shell().open_view() == "attention");
    CHECK(program.text("session").empty());
    press(program, ui::Key::escape);
  };
  refused("no session", "a.glassformer:1: expected glassformer session 1");
  refused("", "expected glassformer session 1, got nothing");
  refused(head + "source the cat\nview atention\n", "a.glassformer:4: expected a view");
  refused(head + "source the cat\nwhat-if mute head cross 9.9\n", "a.glassformer:4: ");
  refused(head + "source the cat\npin query 99\n", "a.glassformer:4: expected ");
  refused(head + "source the cat\npin cell nothing[0,9]\n",
          "a.glassformer:4: expected a number of this Scene");
  refused(head + "source the cat\nkind both\nlayer 0\n",
          "a.glassformer:4: expected encoder, decoder or cross");
  refused(head + "source the cat\nstep 5\n", "a.glassformer:4: expected a model with kept steps");
  refused("glassformer session 1\nmodel /nowhere/at-all\nsource the cat\n",
          "a.glassformer:2: the model “/nowhere/at-all” is not here");
  refused(head + "source " + std::string(1'100'000, 'a'), "1");

  // Other weights: reported, and opened all the same when the person says so.
  drop(head + "fingerprint 0123456789abcdef\nsource a bird sees\nview masks\n");
  CHECK(contains(program.text("session problem"), "the weights of"));
  CHECK(program.session().scene().sentences == before.sentences);
  REQUIRE(program.click("Open all the same"));
  REQUIRE(program.wait([&] { return program.text("session") == "a"; }));
  REQUIRE(program.wait([&] { return !program.program().shell().opening_session(); }));
  settle(program);
  CHECK(program.session().scene().sentences.front().source == "a bird sees");
  CHECK(program.program().shell().open_view() == "masks");

  REQUIRE(program.click("Back to what was"));
  REQUIRE(program.wait([&] { return !program.program().shell().opening_session(); }));
  settle(program);
  CHECK(program.session().scene().sentences.front().source == "the cat sees a bird");
  CHECK(program.program().shell().open_view() == "attention");
  CHECK(program.text("session").empty());
}

TEST_CASE("a missing model is replaced by the bundled one, and the sentence's field takes a link text") {
  SmallProgram program;
  REQUIRE(program.type("Source sentence",
                       "glassformer:session 1; model /gone; source the red cat; view masks; "
                       "what-if mute head cross 2.1"));
  program.press(ui::Key::enter);
  program.press(ui::Key::escape);
  REQUIRE(program.wait([&] { return program.text("dialog") == "Open session"; }));
  CHECK(program.session().scene().sentences.front().source == "the cat sees a bird");
  program.frame(2);
  REQUIRE(program.click("Use the bundled model"));
  REQUIRE(program.wait([&] { return program.text("session") == "link text"; }));
  REQUIRE(program.wait([&] { return !program.program().shell().opening_session(); }));
  REQUIRE(program.settle());
  CHECK(program.session().title().name == "English → French");
  CHECK(program.session().scene().sentences.front().source == "the red cat");
  CHECK(program.session().scene().what_if.changes.size() == 1);
  CHECK(program.program().shell().open_view() == "masks");
}

TEST_CASE("controls of views that are not open come back when they are opened") {
  const ScratchFolder scratch;
  const std::string model = model_folder(scratch);
  OffscreenProgram program(
      {.model = model,
       .session = "glassformer:session 1; model " + model +
                  "; source the cat sees; view masks; set \"attention/Head as\" Ribbons"});
  REQUIRE(program.wait([&] { return !program.program().shell().opening_session(); }));
  REQUIRE(program.settle());
  CHECK(program.program().shell().open_view() == "masks");
  // Still kept, though it was never opened.
  press(program, ui::Key::copy_link);
  CHECK(contains(program.clipboard(), "set \"attention/Head as\" Ribbons"));
  program.press('x');
  program.program().shell().apply({OpenView{"attention"}}, 0);
  program.frame(4);
  CHECK(program.text("Head as") == "Ribbons");
}
