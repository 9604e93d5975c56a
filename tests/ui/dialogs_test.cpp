#include "app/panels/dialogs.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/figure_writer.h"
#include "app/panels/new_model_form.h"
#include "app/panels/number_row.h"
#include "engine/math/error.h"
#include "engine/text/data.h"
#include "engine/text/toy_tasks.h"
#include "engine/train/presets.h"
#include "tests/scratch_folder.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("a wrong option is named as its field on screen") {
  NewModelForm form;
  form.start(nullptr);
  form.numbers["heads"] = "3";
  Config config = config_of(form);
  config.source_vocab = config.target_vocab = 20;
  try {
    check(config);
    FAIL("3 heads do not divide the width");
  } catch (const Error& error) {
    const std::string words = as_on_screen(error.what());
    CHECK(words.starts_with("Heads must be a divisor of Width d (64)"));
    CHECK_FALSE(contains(words, "d_model"));
  }
}

TEST_CASE("a fraction or a number beyond counting is refused where a whole number belongs") {
  NewModelForm form;
  form.start(nullptr);
  for (const char* text : {"2.5", "1e11", "nan", "-1", "four"}) {
    form.numbers["heads"] = text;
    CHECK_THROWS_WITH_AS(config_of(form), doctest::Contains("Heads"), Error);
  }
  form.numbers["heads"] = "4";
  form.numbers["steps"] = "10.5";
  CHECK_THROWS_WITH_AS(training_of(form), doctest::Contains("Steps"), Error);
}

TEST_CASE("the form learns at the rate the command line suggests, to the last digit, until it is changed") {
  NewModelForm form;
  form.start(nullptr);
  form.data = 1;
  form.preset = 0;
  form.take_preset();
  const TrainingOptions suggested =
      suggested_options(toy_task_name(toy_tasks()[0]), config_of(form), presets()[0]);
  CHECK(form.numbers["peak"].size() < 9);
  CHECK(training_of(form).peak == suggested.peak);
  form.numbers["peak"] = "0.00424";
  CHECK(training_of(form).peak == 0.00424);
}

TEST_CASE("attention is dropped as all else is until the form names a rate of its own") {
  NewModelForm form;
  form.start(nullptr);
  CHECK(config_of(form).attention_dropout == -1);
  form.numbers["attention_dropout"] = "0.25";
  CHECK(config_of(form).attention_dropout == 0.25);
  form.numbers["attention_dropout"] = "much";
  CHECK_THROWS_WITH_AS(config_of(form), doctest::Contains("Of attention"), Error);
}

TEST_CASE("embeddings that are to stay without vectors are reported, side by side") {
  NewModelForm form;
  form.start(nullptr);
  CHECK(frozen_as_drawn(form).empty());
  form.choices["freeze"] = 3;
  CHECK(frozen_as_drawn(form).starts_with("Without vectors the embeddings stay"));
  form.files["target_vectors"] = "words.vec";
  CHECK(frozen_as_drawn(form).starts_with("Without vectors the source embedding stays"));
  form.choices["sharing"] = 2;  // all three: one matrix
  CHECK(frozen_as_drawn(form).empty());
  form.choices["sharing"] = 0;
  form.choices["freeze"] = 2;
  CHECK(frozen_as_drawn(form).empty());
}

TEST_CASE("the vocabularies that the form counts with are about those of the model that is made") {
  NewModelForm form;
  form.start(nullptr);
  // The grammar twice: with one vocabulary for both languages, and with two.
  for (int at = -1; at <= static_cast<int>(toy_tasks().size()); ++at) {
    form.data = std::max(at, 0);
    form.take_preset();
    form.choices["shared_vocabulary"] = at == -1 ? 1 : 0;
    CAPTURE(data_kind(form));
    const PreparedData made = prepare_data(data_of(form));
    CHECK(guessed_vocabulary(form, nullptr, true) ==
          doctest::Approx(made.tokenizers.source->size()).epsilon(0.05));
    CHECK(guessed_vocabulary(form, nullptr, false) ==
          doctest::Approx(made.tokenizers.target->size()).epsilon(0.05));
  }
}

TEST_CASE("a recurrent model that has no room on the machine is refused before it is made") {
  NewModelForm form;
  form.start(nullptr);
  form.recurrent = true;
  CHECK(recurrent_summary(form, nullptr).starts_with("About "));
  form.numbers["recurrent_width"] = "60000";
  form.numbers["recurrent_layers"] = "900";
  CHECK_THROWS_WITH_AS(recurrent_summary(form, nullptr), doctest::Contains("and the machine has"), Error);
}

TEST_CASE("a figure takes a free name rather than another's place") {
  const ScratchFolder scratch;
  CHECK(free_path(scratch.path("attention.png"), {}, "") == scratch.path("attention.png"));
  scratch.write("attention.png", "old");
  CHECK(free_path(scratch.path("attention.png"), {}, "") == scratch.path("attention-2.png"));
  scratch.write("attention-2.png", "old");
  CHECK(free_path(scratch.path("attention.png"), {}, "") == scratch.path("attention-3.png"));
  const std::vector<std::string> being_written{scratch.path("attention-3.png")};
  CHECK(free_path(scratch.path("attention.png"), being_written, "") == scratch.path("attention-4.png"));
}

TEST_CASE("a figure in another format never takes the caption of the first") {
  const ScratchFolder scratch;
  const auto path = [&](const std::string& name, std::span<const std::string> taken = {}) {
    return std::filesystem::path(free_path(scratch.path(name), taken, "Step 2.\n")).filename().string();
  };
  const std::vector<std::string> being_written{scratch.path("attention.png")};
  CHECK(path("attention.svg", being_written) == "attention-2.svg");
  CHECK(path("heads.svg", being_written) == "heads.svg");
  scratch.write("attention.png", "old");
  for (const char* other : {"Step 1.\n", "Step 2.\nAnd more.\n", ""}) {
    scratch.write("attention.caption.txt", other);
    CHECK(path("attention.svg") == "attention-2.svg");
  }
  // Another format of the same figure shares it.
  scratch.write("attention.caption.txt", "Step 2.\n");
  CHECK(path("attention.svg") == "attention.svg");
  CHECK(path("attention.png") == "attention-2.png");
}

TEST_CASE("saving over a model asks once, and a place that holds other things offers another") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  program.session().settings().last_folder = scratch.path("");
  const auto save_as = [&](const std::string& name) {
    REQUIRE(program.click("File"));
    REQUIRE(program.click("Save model…"));
    REQUIRE(program.type("Name of the folder", name));
    click(program, "Save the model");
    CHECK(program.text("dialog") == "");  // what is there is not looked at in the frame
  };
  const auto said = [&](const std::string& words) {
    return program.wait([&] { return contains(program.text("model notice"), words); });
  };
  save_as("mine");
  REQUIRE(said("Saved to"));
  const auto written = std::filesystem::last_write_time(scratch.path("mine/weights.safetensors"));

  save_as("mine");
  REQUIRE(said("holds a model already"));
  CHECK(std::filesystem::last_write_time(scratch.path("mine/weights.safetensors")) == written);
  REQUIRE(program.click("Replace it"));
  REQUIRE(said("Saved to"));
  CHECK(std::filesystem::last_write_time(scratch.path("mine/weights.safetensors")) > written);

  std::filesystem::create_directories(scratch.path("thesis"));
  scratch.write("thesis/chapter.txt", "do not lose me");
  save_as("thesis");
  REQUIRE(said("other things"));
  REQUIRE(program.click("Choose another place"));
  CHECK(program.text("dialog") == "Save model");
}

TEST_CASE("the browser says when a folder holds no model, until one that does is entered") {
  const ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch)});
  scratch.write("notes.txt", "nothing to open");
  program.press(ui::Key::open);
  REQUIRE(program.click("Look in: Folders"));
  REQUIRE(program.type("Folder or file", scratch.path(".")));
  press(program, ui::Key::enter);
  CHECK(program.text("no model here").starts_with("No model in this folder."));
  CHECK_FALSE(program.click("Open this folder"));
}

TEST_CASE("a path can be typed as soon as the browser is open, and opens the model that lies there") {
  const ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  SettledProgram program({.model = folder});
  press(program, ui::Key::open);
  REQUIRE(program.find("Folder or file"));
  CHECK(program.find("Folder or file")->focused);
  const auto paste = [&](const std::string& path) {
    ImGui::GetIO().AddInputCharactersUTF8(path.c_str());
    program.frame(2);
    CHECK(program.text("Folder or file") == path);  // in place of what was there
    press(program, ui::Key::enter);
  };
  // A folder that is no model is looked into, and the next path can be typed at once.
  paste(scratch.path("nowhere"));
  CHECK(contains(program.text("browser error"), "nowhere"));
  CHECK(program.visible("Look in: Folders"));
  paste(std::filesystem::canonical(scratch.path(".")).string());
  CHECK(program.visible("Folder above"));
  CHECK(program.visible("small"));
  paste(folder);
  CHECK(program.text("dialog") == "");

  apply(program, {OpenDialog{"open corpus"}});
  CHECK(program.find("Folder or file")->focused);
}

TEST_CASE("the last option of a new model can be scrolled to, however small the window or large the font") {
  const ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  struct Screen {
    Point size;
    double scale;
  };
  for (const Screen& screen : {Screen{{1600, 1000}, 1}, Screen{{1024, 768}, 1}, Screen{{1600, 1000}, 2}}) {
    CAPTURE(screen.size.x);
    CAPTURE(screen.scale);
    SettledProgram program({.model = folder, .size = screen.size, .scale = screen.scale});
    apply(program, {OpenDialog{"new model"}});
    click(program, "Every option…");
    const Point beside = program.find("Learns from")->visible.center();
    for (int i = 0; i < 40; ++i) program.scroll({beside.x - 200, beside.y}, -3);
    program.frame(2);
    const auto last = program.find("Source ends in <eos>");
    REQUIRE(last);
    CHECK(last->visible.height == doctest::Approx(last->rect.height));
  }
}

TEST_CASE("a number that is too large is called that, and not no number") {
  const ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch)});
  apply(program, {OpenDialog{"new model"}});
  REQUIRE(program.click("Every option…"));
  const auto said = [&](const char* text) {
    type(program, "Steps (0: no end)", text);
    return program.text("new model summary");
  };
  CHECK(said("1e18") == "Steps: “1e18” is too large; at most 10¹²");
  CHECK(said("3e9") == "Steps: “3e9” is too large; at most 2 000 000 000");
  CHECK(said("2.5") == "Steps: “2.5” is no whole number");
  CHECK(said("many") == "Steps: “many” is no number from 0 on");
}

TEST_CASE("a new model takes files of vectors, and says what is wrong with one before anything begins") {
  const ScratchFolder scratch;
  scratch.write("few.txt", "a 1 2 3\nb 4 5 6\n");
  SettledProgram program({.model = model_folder(scratch)});
  const auto open = [&] {
    apply(program, {OpenDialog{"new model"}});
    if (program.find("Every option…")) {
      click(program, "Every option…");
    }
  };
  const auto said = [&](const char* label, const std::string& text) {
    type(program, label, text);
    return program.text("new model summary");
  };
  open();
  CHECK(said("Target vectors", scratch.path("none.txt")) ==
        "Target vectors: there is no file “" + scratch.path("none.txt") + "”");
  CHECK_FALSE(program.click("Train it"));
  CHECK(said("Target vectors", "").starts_with("About "));
  CHECK(said("Padding added (0: none)", "3").starts_with("About "));

  // What is in it shows when it is read: what was open stays so, with one sentence.
  const std::string before = program.session().model()->folder;
  CHECK(said("Source vectors", scratch.path("few.txt")).starts_with("About "));
  REQUIRE(program.click("Train it"));
  const auto refusal = [&] {
    std::string all;
    for (const Notice& notice : program.session().notices()) all += notice.text + "\n";
    return all;
  };
  REQUIRE(program.wait([&] { return contains(refusal(), "its vectors have 3 numbers"); }));
  CHECK(program.session().run().phase == RunPhase::none);
  CHECK(program.session().model()->folder == before);
}

TEST_CASE("the form of a new model asks for the vectors, the padding and who sees it") {
  const ScratchFolder scratch;
  scratch.write("glove.txt", "a 1\n");
  NewModelForm form;
  form.start(nullptr);
  CHECK(data_of(form).source_embedding.empty());
  CHECK(training_of(form).extra_padding == 0);
  form.files["source_vectors"] = scratch.path("glove.txt");
  form.choices["unmasked_padding"] = 5;
  form.numbers["extra_padding"] = "3";
  CHECK(data_of(form).source_embedding == scratch.path("glove.txt"));
  CHECK(data_of(form).target_embedding.empty());
  CHECK(training_of(form).extra_padding == 3);
  CHECK(training_of(form).unmasked_padding == "encoder,cross");
  CHECK_NOTHROW(check(training_of(form)));
  form.numbers["extra_padding"] = "0";
  try {
    check(training_of(form));
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(
        as_on_screen(error.what()) ==
        "Padding seen by does nothing where Padding added is 0, since batches have no padding of their own; "
        "set Padding added to 1 or more");
  }
  DataPreview preview;
  preview.options.training.corpus = "/somewhere/pairs.tsv";
  preview.options.source_embedding = scratch.path("glove.txt");
  preview.data = std::make_shared<const PreparedData>();
  NewModelForm own;
  own.start(&preview);
  CHECK(data_of(own).source_embedding == scratch.path("glove.txt"));
}

TEST_CASE("a number that is out of its range is told the range") {
  const ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch)});
  apply(program, {OpenDialog{"learning"}});
  type(program, "Learning rate ×", "1000000");
  CHECK(program.text("learning note") ==
        "Learning rate ×: “1000000” is too large for a number from 0 to below 1000000");
  REQUIRE(program.type("Learning rate ×", "1"));
  type(program, "Dropout", "1");
  CHECK(program.text("learning note") == "Dropout: “1” is too large for a number from 0 to below 1");
  CHECK(range_of({.label = "Seed", .note = "", .below = 2e9, .whole = true}) ==
        "a whole number from 0 to 1999999999");
}

TEST_CASE("one's own data are called by their file's name") {
  DataPreview preview;
  preview.data = std::make_shared<const PreparedData>();
  preview.options.training.corpus = "/home/me/pairs.tsv";
  NewModelForm form;
  form.start(&preview);
  CHECK(data_names(form).back() == "pairs.tsv");
  preview.options.training.corpus.clear();
  preview.options.training.source = "/home/me/train.en";
  preview.options.training.target = "/home/me/train.fr";
  form.start(&preview);
  CHECK(data_names(form).back() == "train.en and train.fr");
}

TEST_CASE("what was typed for a new model is there when it is asked for again, until other data are read") {
  NewModelForm form;
  form.start(nullptr);
  form.numbers["d_model"] = "48";
  form.start(nullptr);
  CHECK(form.numbers["d_model"] == "48");
  DataPreview preview;
  preview.options.training.corpus = "/somewhere/pairs.tsv";
  preview.data = std::make_shared<const PreparedData>();
  form.start(&preview);
  CHECK(form.numbers["d_model"] != "48");
  form.numbers["d_model"] = "96";
  form.start(&preview);
  CHECK(form.numbers["d_model"] == "96");
}
