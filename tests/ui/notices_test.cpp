// What the program tells over the stage.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("of several notices one stands over the stage, errors first, and the others are counted") {
  SmallProgram program;
  program.session().notify(
      {.place = Place::training, .error = true, .text = "The oldest.", .action = "", .command = {}});
  program.session().notify({.place = Place::model, .text = "In between.", .action = "", .command = {}});
  program.session().notify({.place = Place::data, .text = "The newest.", .action = "", .command = {}});
  program.frame(2);
  CHECK(program.text("training notice") == "The oldest.");
  CHECK(program.text("notices behind") == "2 more notices behind it.");
  CHECK_FALSE(program.find("model notice"));
  REQUIRE(program.click("Dismiss the training notice"));
  CHECK(program.text("data notice") == "The newest.");
  CHECK(program.text("notices behind") == "1 more notice behind it.");
  REQUIRE(program.click("Dismiss the data notice"));
  CHECK(program.text("model notice") == "In between.");
  CHECK_FALSE(program.find("notices behind"));
}

TEST_CASE("what merely informs takes two lines at most, in whole words") {
  SmallProgram program;
  std::string words = "It";
  for (int i = 0; i < 200; ++i) words += " goes on";
  program.session().notify({.place = Place::model, .text = words, .action = "", .command = {}});
  program.frame(2);
  REQUIRE(program.find("model notice"));
  CHECK(program.find("model notice")->rect.height < 70);
}

TEST_CASE("a saved figure is told for a moment and leaves no notice") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const std::string path = scratch.path("figure.csv");
  program.program().shell().apply({SaveFigure{.path = path}}, 0);
  REQUIRE(program.wait([&] { return program.text("said").starts_with("Saved "); }));
  CHECK(std::filesystem::exists(path));
  CHECK_FALSE(program.find("figure notice"));
  program.frame(900);  // 15 s
  CHECK_FALSE(program.find("said"));
}

TEST_CASE("what the model writes is told also when it writes nothing, inside the bar") {
  SmallProgram program;
  program.session().apply({SetTarget{"le chat voit un oiseau"}});
  REQUIRE(program.settle());
  const auto line = program.find("what the model writes");
  REQUIRE(line);
  CHECK(line->value != "the model writes  ");
  CHECK(line->rect.bottom() <= 752 + 160 - 4);
}
