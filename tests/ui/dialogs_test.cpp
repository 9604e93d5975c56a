#include "app/panels/dialogs.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include "app/panels/new_model_form.h"
#include "app/panels/number_row.h"
#include "engine/math/error.h"
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
    CHECK(words.find("d_model") == std::string::npos);
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

TEST_CASE(
    "the form learns at the rate that the command line suggests, to the last digit, until it is changed") {
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
    REQUIRE(program.click("Save the model"));
    program.frame(2);
    CHECK(program.text("dialog") == "");  // what stands there is not looked at in the frame
  };
  const auto said = [&](const std::string& words) {
    return program.wait([&] { return program.text("model notice").find(words) != std::string::npos; });
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
  OffscreenProgram program({.model = model_folder(scratch)});
  REQUIRE(program.settle());
  scratch.write("notes.txt", "nothing to open");
  program.press(ui::Key::open);
  REQUIRE(program.click("Look in: Folders"));
  REQUIRE(program.type("Folder or file", scratch.path(".")));
  program.press(ui::Key::enter);
  program.frame(2);
  CHECK(program.text("no model here").starts_with("No model in this folder."));
  CHECK_FALSE(program.click("Open this folder"));
}

TEST_CASE("a path can be typed as soon as the browser is open, and opens the model that lies there") {
  const ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  OffscreenProgram program({.model = folder});
  REQUIRE(program.settle());
  program.press(ui::Key::open);
  program.frame(3);
  REQUIRE(program.find("Folder or file"));
  CHECK(program.find("Folder or file")->focused);
  const auto paste = [&](const std::string& path) {
    ImGui::GetIO().AddInputCharactersUTF8(path.c_str());
    program.frame(2);
    CHECK(program.text("Folder or file") == path);  // in place of what stood there
    program.press(ui::Key::enter);
    program.frame(3);
  };
  // A folder that is no model is looked into, and the next path can be typed at once.
  paste(scratch.path("nowhere"));
  CHECK(program.text("browser error").find("nowhere") != std::string::npos);
  CHECK(program.visible("Look in: Folders"));
  paste(std::filesystem::canonical(scratch.path(".")).string());
  CHECK(program.visible("Folder above"));
  CHECK(program.visible("small"));
  paste(folder);
  CHECK(program.text("dialog") == "");

  program.program().shell().apply({OpenDialog{"open corpus"}}, 0);
  program.frame(3);
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
    OffscreenProgram program({.model = folder, .size = screen.size, .scale = screen.scale});
    REQUIRE(program.settle());
    program.program().shell().apply({OpenDialog{"new model"}}, 0);
    program.frame(2);
    REQUIRE(program.click("Every option…"));
    program.frame(3);
    const Point beside = program.find("Learns from")->visible.center();
    for (int i = 0; i < 40; ++i) program.scroll({beside.x - 200, beside.y}, -3);
    program.frame(2);
    const auto last = program.find("Source ends in <eos>");
    REQUIRE(last);
    CHECK(last->visible.height == doctest::Approx(last->rect.height));
  }
}

TEST_CASE("a number that is out of its range is told the range") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  REQUIRE(program.settle());
  program.program().shell().apply({OpenDialog{"learning"}}, 0);
  program.frame(2);
  REQUIRE(program.type("Learning rate ×", "1000000"));
  program.frame(2);
  CHECK(program.text("learning note") ==
        "Learning rate ×: “1000000” is not a number from 0 to below 1000000");
  REQUIRE(program.type("Learning rate ×", "1"));
  REQUIRE(program.type("Dropout", "1"));
  program.frame(2);
  CHECK(program.text("learning note") == "Dropout: “1” is not a number from 0 to below 1");
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

TEST_CASE("lengths are named under their bars, and one length of all sentences is said in words") {
  const ScratchFolder scratch;
  std::string same, various;
  for (int i = 0; i < 60; ++i) {
    same += "a b c\tx y z\n";
    various += std::string("a b c").substr(0, 1 + 2 * static_cast<size_t>(i % 3)) + "\tx y z\n";
  }
  const auto lengths_of = [&](const char* file, const std::string& text) {
    scratch.write(file, text);
    OffscreenProgram program({.model = model_folder(scratch), .corpus = scratch.path(file)});
    REQUIRE(program.wait([&] { return program.visible("Source lengths"); }));
    const SideReport& side = program.session().preview()->data->report.source;
    return std::pair{program.text("Source lengths"), side};
  };
  const auto [one, one_side] = lengths_of("same.tsv", same);
  REQUIRE(one_side.shortest == one_side.longest);
  const std::string length = std::to_string(one_side.longest);
  CHECK(one.starts_with("every sentence has " + length + " piece"));
  CHECK(one.ends_with(": " + length));
  const auto [several, side] = lengths_of("various.tsv", various);
  REQUIRE(side.shortest < side.longest);
  CHECK(several ==
        "pieces in a sentence: " + std::to_string(side.shortest) + " to " + std::to_string(side.longest));
}

TEST_CASE("of a table with more columns the preview shows the first lines, and other columns can be chosen") {
  const ScratchFolder scratch;
  std::string table = "id\tscore\ten\tfr\tde\n";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    table += n + "\t0.5\tthe cat no " + n + "\tle chat no " + n + "\tdie Katze nr " + n + "\n";
  }
  scratch.write("table.tsv", table);
  OffscreenProgram program({.model = model_folder(scratch), .corpus = scratch.path("table.tsv")});
  const auto shows = [&](const std::string& line) {
    return program.wait([&] { return program.text("first line 1") == line; });
  };
  REQUIRE(shows("the cat no 0 | le chat no 0"));
  CHECK(program.text("first line 5") == "the cat no 4 | le chat no 4");
  CHECK_FALSE(program.visible("first line 6"));

  REQUIRE(program.click("Target column"));
  REQUIRE(program.click("5 de"));
  REQUIRE(shows("the cat no 0 | die Katze nr 0"));
  CHECK(program.session().preview()->data->training.pairs[0].target.starts_with("die Katze"));

  // The other side's column: the two change places.
  REQUIRE(program.click("Source column"));
  REQUIRE(program.click("5 de"));
  REQUIRE(shows("die Katze nr 0 | the cat no 0"));

  // A plain pair of columns needs no choice.
  std::string pairs;
  for (int i = 0; i < 60; ++i)
    pairs += "a cat " + std::to_string(i) + "\tun chat " + std::to_string(i) + "\n";
  scratch.write("pairs.tsv", pairs);
  DataOptions data;
  data.training.corpus = scratch.path("pairs.tsv");
  program.session().apply({ReadData{data}});
  REQUIRE(program.wait([&] { return program.visible("example 1"); }));
  CHECK_FALSE(program.visible("Target column"));
}

TEST_CASE("data show how they are cut, and are cut anew as is asked for, not below the smallest vocabulary") {
  const ScratchFolder scratch;
  std::string pairs;
  for (int i = 0; i < 400; ++i)
    pairs += "number " + std::to_string(i) + "\tle nombre " + std::to_string(i) + "\n";
  scratch.write("pairs.tsv", pairs);
  OffscreenProgram program({.model = model_folder(scratch), .corpus = scratch.path("pairs.tsv")});
  const auto read = [&] { return program.wait([&] { return program.visible("example 1"); }); };
  const auto data = [&] { return program.session().preview()->data; };
  REQUIRE(read());
  CHECK(program.text("example 1").starts_with("number|"));
  const long smallest =
      std::max(data()->report.source.smallest_vocabulary, data()->report.target.smallest_vocabulary);
  REQUIRE(smallest > 10);
  CHECK(program.text("how many pieces, note").find(" " + std::to_string(smallest) + ";") !=
        std::string::npos);

  // Below the smallest nothing is read again.
  const auto before = data();
  REQUIRE(program.type("How many pieces", std::to_string(smallest - 1)));
  program.press(ui::Key::enter);
  program.frame(2);
  CHECK(program.text("how many pieces, note").starts_with("How many must be a whole number from"));
  CHECK(data() == before);

  // With it, words fall into letters; the new model's form has taken it over.
  REQUIRE(program.type("How many pieces", std::to_string(smallest)));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return data() && data() != before; }));
  REQUIRE(read());
  CHECK(data()->report.target.vocabulary == smallest);
  CHECK(data()->report.target.mean > before->report.target.mean + 3);
  NewModelForm form;
  form.start(program.session().preview());
  CHECK(data_of(form).pieces == smallest);
  CHECK_FALSE(data_of(form).tokenizer);  // still what suits

  REQUIRE(program.click("Use the data"));
  REQUIRE(program.click("Every option…"));
  REQUIRE(program.type("Vocabulary (0: what suits)", std::to_string(smallest - 1)));
  program.frame(2);
  CHECK(program.text("new model summary") ==
        "Vocabulary: this text allows no fewer than " + std::to_string(smallest) + " pieces");
  CHECK_FALSE(program.click("Train it"));
  program.press(ui::Key::escape);
  program.program().shell().apply({OpenDialog{"data"}}, 0);
  REQUIRE(read());

  // More than the text gives: the sentence of the refusal beside the field, and the way back.
  const auto options = [&] { return program.session().preview()->options; };
  REQUIRE(program.click("Pieces are"));
  REQUIRE(program.click("unigram"));
  REQUIRE(program.wait([&] { return data() && data()->kind == TokenizerKind::unigram; }));
  REQUIRE(read());
  REQUIRE(program.type("How many pieces", "90000"));
  program.press(ui::Key::enter);
  const auto note = [&] { return program.text("how many pieces, note"); };
  REQUIRE(program.wait([&] { return note().find("this text allows") != std::string::npos; }));
  CHECK(program.text("How many pieces") == "90000");
  CHECK(program.text("Pieces are") == "unigram");
  CHECK_FALSE(program.click("Use the data"));
  REQUIRE(program.click("Cut as it suits"));
  REQUIRE(program.wait([&] { return data() != nullptr; }));
  REQUIRE(read());
  CHECK(options().pieces == 0);
  CHECK(options().tokenizer == TokenizerKind::unigram);
  CHECK(note().starts_with("Enter cuts anew."));
}

TEST_CASE("few sentences are cut into words with a size as well, as suits them") {
  const ScratchFolder scratch;
  std::string text;
  for (int i = 0; i < 60; ++i) text += "a b c\tx y " + std::to_string(i) + "\n";
  scratch.write("few.tsv", text);
  OffscreenProgram program({.model = model_folder(scratch), .corpus = scratch.path("few.tsv")});
  const auto data = [&] { return program.session().preview()->data; };
  REQUIRE(program.wait([&] { return program.visible("example 1"); }));
  REQUIRE(data()->kind == TokenizerKind::word);
  REQUIRE(program.type("How many pieces", "20"));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return data() && data()->report.target.vocabulary == 20; }));
  CHECK(data()->kind == TokenizerKind::word);
  CHECK_FALSE(program.session().preview()->options.tokenizer);
}

TEST_CASE("sentences beyond the last length that has a bar of its own are counted in the last bar") {
  const ScratchFolder scratch;
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += "a " + std::to_string(i);
    for (int n = 0; n < (i < 12 ? 90 + i : 2); ++n) text += " c";
    text += "\tx y z\n";
  }
  scratch.write("long.tsv", text);
  OffscreenProgram program({.model = model_folder(scratch), .corpus = scratch.path("long.tsv")});
  REQUIRE(program.wait([&] { return program.visible("Source lengths"); }));
  const SideReport& side = program.session().preview()->data->report.source;
  REQUIRE(side.longest > 80);
  long from_80 = 0;
  for (size_t n = 80; n < side.lengths.size(); ++n) from_80 += side.lengths[n];
  REQUIRE(from_80 > 0);
  CHECK(program.text("Source lengths") ==
        "pieces in a sentence, the longest " + std::to_string(side.longest) + ": " +
            std::to_string(side.shortest) + " to 80 and longer: " + std::to_string(from_80));
}

TEST_CASE("one vocabulary for both sides counts as one size, so that all embeddings can be shared") {
  auto data = std::make_shared<PreparedData>();
  data->report.source.vocabulary = 5585;
  data->report.target.vocabulary = 5770;
  data->report.kept = 29000;
  DataPreview preview;
  preview.data = data;
  preview.options.training.corpus = "/home/me/pairs.tsv";
  NewModelForm form;
  form.start(&preview);
  REQUIRE(config_of(form).sharing == Sharing::all);
  CHECK(guessed_vocabulary(form, &preview, true) == guessed_vocabulary(form, &preview, false));
  form.choices["shared_vocabulary"] = 0;
  CHECK(guessed_vocabulary(form, &preview, true) == 5585);
  CHECK(guessed_vocabulary(form, &preview, false) == 5770);
}
