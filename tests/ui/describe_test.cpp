// Every view in words, and the parts of words as a lecture draws them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/figure/describe.h"
#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/views/common/page.h"
#include "app/views/view_table.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::describe_test {

// ---- Every view in words: from the numbers of its picture, in one sentence each, and nothing lost when
// saved.

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
  CHECK(contains(text, "|  | a | b\\|c | d |\n| --- | ---: | ---: | ---: |\n| one | 0.1 | 0.7 | 0.2 |"));
  CHECK(contains(text, "| three | – | – | – |"));
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
  CHECK(contains(text, "the cat sees a bird"));
  const std::string file = scratch.path("view.txt");
  REQUIRE(program.type("Save the text as", file));
  click(program, "Save the text");
  std::ostringstream saved;
  saved << std::ifstream(file, std::ios::binary).rdbuf();
  CHECK(saved.str() == text);
  std::ofstream(file, std::ios::binary) << "mine";
  click(program, "Save the text");
  CHECK(contains(program.text("saved text"), "there is something of this name"));
  CHECK(std::filesystem::file_size(file) == 4);
  press(program, ui::Key::escape);
  CHECK(program.text("description text").empty());
}

// ---- The parts of Tokens, Embedding, Positions and Output as a lecture draws them: 576 x 256, least
// type 12.

constexpr Rect kRoom{24, 24, 576, 256};

RecordingCanvas drawn_part(const std::string& view, const SampleScene& scene, const std::string& part,
                           const Rect& room = kRoom) {
  RecordingCanvas canvas(light_theme(), false);
  canvas.set_least_type(12);
  make_view(view)->panel(part, canvas, scene.input(), room.inset(-24));
  CAPTURE(view);
  CAPTURE(part);
  CHECK(canvas.texts.size() > 4);
  CHECK_MESSAGE(texts_outside(canvas, room).empty(), in_lines(texts_outside(canvas, room)));
  CHECK_MESSAGE(overlapping_texts(canvas).empty(), in_lines(overlapping_texts(canvas)));
  CHECK_MESSAGE(texts_on_curves(canvas).empty(), in_lines(texts_on_curves(canvas)));
  CHECK_MESSAGE(cut_texts(canvas).empty(), in_lines(cut_texts(canvas)));
  return canvas;
}

std::vector<NumberTable> numbers_of(const std::string& view, const SampleScene& scene,
                                    const std::string& part) {
  return with_panel(*make_view(view), part)->numbers(scene.input());
}

std::string caption_of(const std::string& view, const SampleScene& scene, const std::string& part) {
  return with_panel(*make_view(view), part)->caption(scene.input());
}

// Of so many words, each of them known.
SampleScene long_scene(int words) {
  SampleOptions options;
  SceneSentence sentence{"a", {}, "la"};
  for (int i = 1; i < words; ++i) {
    sentence.source += i % 2 == 0 ? " girl" : " red";
    *sentence.reference += i % 2 == 0 ? " fille" : " rouge";
  }
  options.sentences.insert(options.sentences.begin(), sentence);
  return make_sample_scene(options);
}

TEST_CASE("the sentence alone has its pieces and their ids, in half the height without its text") {
  const SampleScene scene = make_sample_scene({});
  const RecordingCanvas whole = drawn_part("tokens", scene, "sentence");
  CHECK(whole.find("the tired girl sees a red car") != nullptr);
  CHECK(whole.find("From text to ids") == nullptr);
  const RecordingCanvas half = drawn_part("tokens", scene, "sentence", {24, 24, 576, 97});
  CHECK(half.find("the tired girl sees a red car") == nullptr);
  for (const RecordingCanvas* each : {&whole, &half})
    for (const Piece& piece : scene.result->source_pieces) {
      CHECK(each->find(piece.text) != nullptr);
      CHECK(each->find(std::to_string(piece.id)) != nullptr);
    }
  CHECK(numbers_of("tokens", scene, "sentence").size() == 1);
  CHECK_FALSE(contains(caption_of("tokens", scene, "sentence"), "other ways"));
  drawn_part("tokens", long_scene(20), "sentence");
}

TEST_CASE("rows, most alike and the map are drawn and told one at a time") {
  SampleScene scene = make_sample_scene({});
  Selection girl{.key = 2};
  scene.pin(girl);
  CHECK(drawn_part("embedding", scene, "rows").find("Input to layer 1") != nullptr);
  CHECK(drawn_part("embedding", scene, "most-alike").find("Most like “girl”") != nullptr);
  CHECK(drawn_part("embedding", scene, "map").find("girl") != nullptr);
  CHECK(numbers_of("embedding", scene, "rows").size() == 3);
  CHECK(numbers_of("embedding", scene, "most-alike").size() == 1);
  CHECK(numbers_of("embedding", scene, "map").size() == 1);
  CHECK(caption_of("embedding", scene, "rows") == "Embedding of the English sentence");
  CHECK(caption_of("embedding", scene, "most-alike") == "Words most alike “girl” by cosine");
}

TEST_CASE("each picture of the positions stands alone") {
  const SampleScene scene = make_sample_scene({});
  CHECK(drawn_part("positions", scene, "waves").find("position →") != nullptr);
  CHECK(drawn_part("positions", scene, "whole-table").find("dimension →   rows: position") != nullptr);
  CHECK(drawn_part("positions", scene, "by-distance").find("distance between two words →") != nullptr);
  CHECK(drawn_part("positions", scene, "this-sentence").find("tired") != nullptr);
  CHECK(numbers_of("positions", scene, "whole-table").front().title == "positions, sinusoidal");
  CHECK(numbers_of("positions", scene, "by-distance").front().title == "dot product by distance");
  CHECK(numbers_of("positions", scene, "this-sentence").front().rows[1] == "tired");
}

TEST_CASE("asked words, one place and every place of the output say whose they are") {
  SampleScene scene = make_sample_scene({});
  Selection fille{.kind = AttentionKind::cross, .query = 2};
  scene.pin(fille);
  const RecordingCanvas asked = drawn_part("output", scene, "asked-words");
  CHECK(asked.find("fatiguée") != nullptr);
  CHECK(asked.find("loss") == nullptr);
  const RecordingCanvas one = drawn_part("output", scene, "one-place");
  CHECK(one.find("After “fille”: the right word is “fatiguée”") != nullptr);
  CHECK(one.find("loss of this word") == nullptr);
  CHECK(drawn_part("output", scene, "every-place").find("entropy") != nullptr);
  CHECK(numbers_of("output", scene, "asked-words").size() == 1);
  CHECK(numbers_of("output", scene, "one-place").front().rows == std::vector<std::string>{"2 fatiguée"});
  CHECK(caption_of("output", scene, "one-place").starts_with("After “fille” the right word is “fatiguée”"));
}

TEST_CASE("of a long sentence all asked words stand in two columns, and the table says how much it has") {
  const SampleScene scene = long_scene(20);
  const RecordingCanvas asked = drawn_part("output", scene, "asked-words");
  int words = 0;
  for (const RecordingCanvas::Text& text : asked.texts) words += text.text == "fille" || text.text == "rouge";
  CHECK(words == 19);
  const RecordingCanvas table = drawn_part("output", scene, "every-place");
  CHECK(contains(in_lines({table.texts.back().text}), "8 of 21 positions. "));
}

}  // namespace glassformer::describe_test
