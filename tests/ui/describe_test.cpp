// Every view in words: from the numbers of its picture, in one sentence each, and nothing lost when saved.
#include "app/figure/describe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/views/view_table.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer {

TEST_CASE("every view can be told in words, with the numbers behind its picture") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400, 0.2);
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(entry.name);
    const auto view = entry.make();
    const ViewInput input = scene.input();
    const Description words = described(*view, input);
    CHECK_FALSE(words.title.empty());
    REQUIRE_FALSE(words.sentences.empty());
    for (const std::string& sentence : words.sentences) {
      CHECK(sentence.find("**") == std::string::npos);
      CHECK(std::string(".?!:").find(sentence.back()) != std::string::npos);
      // Nobody reads a report with the mouse in the hand.
      for (const char* const hands : {"click", "Click", "Switch it", "press ", "F keeps", "drag", "Drag"}) {
        CAPTURE(sentence);
        CHECK(sentence.find(hands) == std::string::npos);
      }
    }
    const std::vector<NumberTable> tables = view->numbers(input);
    const std::string_view name = entry.name;
    const bool compares = name == "attention" || name == "masks";
    for (const std::string& sentence : words.sentences)
      if (!compares) CHECK_FALSE(sentence.starts_with("Largest in its row"));
    if (tables.empty()) continue;
    const NumberTable& all = tables.front();
    CHECK(words.table.values.size() + words.rows_left_out == all.values.size());
    CHECK(words.table.columns.size() + words.columns_left_out == all.columns.size());
    const std::string text = text_of(words);
    if (all.values.empty() || all.values.front().empty()) continue;
    // A row of the table as it is printed.
    std::string row = "| " + (all.rows.empty() ? std::string("0") : all.rows.front()) + " |";
    CHECK(text.find(row.substr(0, row.find('\n'))) != std::string::npos);
  }
}

TEST_CASE("where a row has its largest number is told as it is") {
  struct Table : View {
    std::unique_ptr<View> clone() const override { return std::make_unique<Table>(*this); }
    ViewTraits traits() const override { return {}; }
    void picture(Canvas&, const ViewInput&, const Rect&) const override {}
    ViewPlace place(const ViewInput&) const override { return {.path = {"Model", "Table"}}; }
    std::string caption(const ViewInput&) const override { return "A **table** of weights"; }
    std::vector<NumberTable> numbers(const ViewInput&) const override {
      NumberTable table{.title = "weights",
                        .columns = {"a", "b|c", "d"},
                        .rows = {"one", "two", "three"},
                        .one_quantity = true};
      const double none = std::nan("");
      table.values = {{0.1, 0.7, 0.2}, {none, -3, -2}, {none, none, none}};
      return {table};
    }
  };
  SampleScene scene = make_sample_scene();
  const Table view;
  const Description words = described(view, scene.input());
  CHECK(words.title == "Model, Table");
  REQUIRE(words.sentences.size() == 4);
  CHECK(words.sentences[0] == "A table of weights.");
  CHECK(words.sentences[3] ==
        "Largest in its row: “one”: “b|c” 0.7; “two”: “d” −2; the other rows are in the table.");
  const std::string text = text_of(words);
  CHECK(text.find("| | a | b\\|c | d |\n|---|---:|---:|---:|\n| one | 0.1 | 0.7 | 0.2 |") !=
        std::string::npos);
  CHECK(text.find("| three | – | – | – |") != std::string::npos);
}

TEST_CASE("of a difference the largest is so in size, with its sign; of numbers alike none is named") {
  struct Table : View {
    std::unique_ptr<View> clone() const override { return std::make_unique<Table>(*this); }
    ViewTraits traits() const override { return {}; }
    void picture(Canvas&, const ViewInput&, const Rect&) const override {}
    ViewPlace place(const ViewInput&) const override { return {.path = {"Table"}}; }
    std::string caption(const ViewInput&) const override { return "A table"; }
    std::vector<NumberTable> numbers(const ViewInput&) const override {
      return {NumberTable{.columns = {"a", "b", "d"},
                          .rows = {"one", "two"},
                          .values = {{0.1, -0.7, 0.2}, {1, 0, 1}},
                          .one_quantity = true}};
    }
  };
  SampleScene scene = make_sample_scene();
  ViewInput input = scene.input();
  CHECK(described(Table(), input).sentences.back() ==
        "Largest in its row: “one”: “d” 0.2; “two”: 2 of 3 alike, 1.");
  input.difference_to = scene.result.get();
  CHECK(described(Table(), input).sentences.back() ==
        "Largest difference in its row: “one”: “b” −0.7; “two”: 2 of 3 alike, 1.");
}

TEST_CASE("an SVG says what is to be seen, and a text file is the view in words") {
  SampleScene scene = make_sample_scene();
  FigureContent content{{.result = scene.result,
                         .tokenizers = scene.tokenizers,
                         .run = scene.run,
                         .model_name = "small <model>",
                         .source_language = "source",
                         .target_language = "target"}};
  content.view = make_view("attention");
  content.selection = scene.pinned;
  content.theme = light_theme();
  content.fonts = find_font_files();
  const std::string svg = figure_bytes(content, {.path = "a.svg"});
  const std::size_t from = svg.find("<desc>"), to = svg.find("</desc>");
  REQUIRE(from != std::string::npos);
  CHECK(to > from + 100);
  CHECK(svg.find("<title>") < from);
  const std::string text = figure_bytes(content, {.path = "a.txt"});
  CHECK(text == text_of(described(*content.view, content.input())));
}

TEST_CASE("Ctrl+D tells the open view, copies and saves it, never over another file") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  press(program, ui::Key::describe);
  const std::string text = program.text("description text");
  CHECK(text.find("the cat sees a bird") != std::string::npos);
  const std::string file = scratch.path("view.txt");
  REQUIRE(program.type("Save the text as", file));
  click(program, "Save the text");
  std::ostringstream saved;
  saved << std::ifstream(file, std::ios::binary).rdbuf();
  CHECK(saved.str() == text);
  std::ofstream(file, std::ios::binary) << "mine";
  click(program, "Save the text");
  CHECK(program.text("saved text").find("there is something of this name") != std::string::npos);
  CHECK(std::filesystem::file_size(file) == 4);
  press(program, ui::Key::escape);
  CHECK(program.text("description text").empty());
}

}  // namespace glassformer
