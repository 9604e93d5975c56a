// The dialog that shows what was read of data, and how they are cut.
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
  CHECK(contains(program.text("how many pieces, note"), " " + std::to_string(smallest) + ";"));

  // Below the smallest nothing is read again.
  const auto before = data();
  REQUIRE(program.type("How many pieces", std::to_string(smallest - 1)));
  press(program, ui::Key::enter);
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
  type(program, "Vocabulary (0: what suits)", std::to_string(smallest - 1));
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
  REQUIRE(program.wait([&] { return contains(note(), "this text allows"); }));
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

TEST_CASE("files of one's own validate and test, and the recipe of a new model takes them") {
  const ScratchFolder scratch;
  std::string pairs;
  for (int i = 0; i < 60; ++i)
    pairs += "a cat " + std::to_string(i) + "\tun chat " + std::to_string(i) + "\n";
  scratch.write("pairs.tsv", pairs);
  scratch.write("held.tsv", "a dog 1\tun chien 1\na dog 2\tun chien 2\n\tnothing\n");
  scratch.write("test.tsv", "a cat 7\tun chat 7\n");
  OffscreenProgram program({.model = model_folder(scratch), .corpus = scratch.path("pairs.tsv")});
  const auto read = [&] { return program.wait([&] { return program.visible("example 1"); }); };
  const auto data = [&] { return program.session().preview()->data; };
  const auto choose = [&](const std::string& button, const std::string& file) {
    const auto before = data();
    click(program, button);
    REQUIRE(program.type("Folder or file", scratch.path(file)));
    program.press(ui::Key::enter);
    REQUIRE(program.wait([&] {
      const DataPreview* preview = program.session().preview();
      return preview && !preview->reading &&
             (preview->data ? preview->data != before : !preview->error.empty());
    }));
    program.frame(2);
  };
  REQUIRE(read());
  CHECK(program.text("data: Validation") == "split off the data");
  CHECK(program.text("data: Test") == "none");

  choose("Validation file", "held.tsv");
  CHECK(program.text("data: Validation") == "held.tsv");
  CHECK(program.text("data: held out") == "2");
  CHECK(program.text("kept apart, note").find("1 of 3 lines to validate with were rejected") == 0);
  CHECK(data()->training.pairs.size() == 60);

  choose("Test file", "test.tsv");
  CHECK(program.text("data: Test") == "test.tsv, never learned from");
  CHECK(data()->training.pairs.size() == 59);
  NewModelForm form;
  form.start(program.session().preview());
  CHECK(data_of(form).validation.corpus == scratch.path("held.tsv"));
  CHECK(data_of(form).leave_out == scratch.path("test.tsv"));

  // What cannot be read is reported where it was chosen, with the way back beside it.
  scratch.write("empty.tsv", "");
  choose("Validation file", "empty.tsv");
  CHECK(contains(program.text("kept apart, note"), "empty.tsv"));
  CHECK_FALSE(program.click("Use the data"));
  REQUIRE(program.click("No Validation file"));
  REQUIRE(program.wait([&] { return data() != nullptr; }));
  program.frame(2);
  CHECK(program.text("data: Validation") == "split off the data");
  CHECK(data_of(form).leave_out == program.session().preview()->options.leave_out);
}
