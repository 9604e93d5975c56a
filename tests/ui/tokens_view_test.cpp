// Tokens: their strip, their view and its pages.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "app/format/number_format.h"
#include "app/views/tokens/tokens.h"
#include "app/widgets/ribbons.h"
#include "app/widgets/token_strip.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"
#include "tests/scratch_folder.h"
#include "tests/ui/component_sheet.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::tokens_view_test {

TEST_CASE("pieces stand with their ids, and a click leads to the row of the embedding") {
  const SampleScene scene = make_sample_scene();
  const auto view = make_view("tokens");
  const RecordingCanvas canvas = picture_of(*view, scene.input(), {0, 0, 1000, 660}, true);
  for (const Piece& piece : scene.result->source_pieces) {
    CHECK(canvas.find(piece.text) != nullptr);
    CHECK(canvas.find(std::to_string(piece.id)) != nullptr);
  }
  const Selection pinned = pinned_by(canvas, "source piece 3");
  CHECK(pinned.key == 3);
  CHECK(pinned.cell == CellRef{"source.embedding", {0, 3, 0}});
  CHECK(pinned_by(canvas, "vocabulary 5").cell == CellRef{"source_embedding.weight", {5, 0}});
}

TEST_CASE("five tokenizers cut the same text, and each puts it together again") {
  const SampleScene scene = make_sample_scene();
  const std::string text = "the tired girl sees a red car";
  const TokenComparison comparison =
      compare_tokenizers(scene.tokenizers.source, {text, "the cat sees a bird"});
  int own = 0;
  for (const ComparedTokenizer& each : comparison) {
    CAPTURE(kind_words(each.kind));
    REQUIRE(each.tokenizer);
    own += each.own;
    std::vector<int> ids;
    for (const Piece& piece : each.tokenizer->encode(text)) ids.push_back(piece.id);
    CHECK(each.tokenizer->decode(ids) == text);
  }
  CHECK(own == 1);
  CHECK(comparison[4].tokenizer->encode(text).size() == text.size());
}

TEST_CASE("the other language is one click away, and a narrow stage shows the vocabulary alone") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("tokens", scene, {560, 424});
  CHECK(stage.state() == "source");
  REQUIRE(stage.click("Side: French"));
  REQUIRE(stage.click("Show: Vocabulary"));
  CHECK(stage.state() == "target vocabulary");
  CHECK(stage.has("vocabulary 3"));
}

TEST_CASE("the numbers list the sentence and the whole vocabulary") {
  const SampleScene scene = make_sample_scene();
  const auto tables = make_view("tokens")->numbers(scene.input());
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].rows.size() == 7);
  CHECK(tables[1].rows.size() == static_cast<size_t>(scene.tokenizers.source->size()));
}

std::vector<TokenChip> sentence(int count) {
  std::vector<TokenChip> chips;
  for (int i = 0; i < count; ++i) {
    chips.push_back({.text = i % 3 == 0 ? "internationalisation" : "voit", .probability = 0.05 * (i % 20)});
  }
  return chips;
}

TEST_CASE("every word lies inside its chip, at every width") {
  for (int count : {1, 3, 8, 20, 60}) {
    for (bool file : {false, true}) {
      RecordingCanvas canvas(light_theme(), file);
      const TokenStripLayout layout = draw_token_strip(canvas, {10, 10, 800, 80}, sentence(count),
                                                       {.label = "Output", .probabilities = true});
      CHECK(overlapping_texts(canvas).empty());
      CHECK(texts_outside(canvas, {10, 10, 800, layout.height}).empty());
      for (const auto& text : canvas.texts) {
        for (int i = 0; i < layout.shown; ++i) {
          if (!layout.chip(i).contains(text.box.center())) continue;
          CHECK(text.box.x >= layout.chip(i).x);
          CHECK(text.box.right() <= layout.chip(i).right());
        }
      }
    }
  }
}

TEST_CASE("chips that do not fit are counted, not squeezed") {
  RecordingCanvas canvas;
  const TokenStripLayout layout = draw_token_strip(canvas, {0, 0, 300, 80}, sentence(40), {.min_width = 40});
  CHECK(layout.shown < 40);
  CHECK(canvas.find("+ " + std::to_string(40 - layout.shown)));
  CHECK(layout.chip(layout.shown - 1).right() <= 300);
}

TEST_CASE("two strips with room for the same count align") {
  const auto a = layout_token_strip({0, 0, 700, 80}, sentence(5), {.count = 8});
  const auto b = layout_token_strip({0, 90, 700, 80}, sentence(8), {.count = 8});
  for (int i = 0; i < 5; ++i) CHECK(a.chip(i).x == b.chip(i).x);
}

TEST_CASE("each state of a chip looks different from the others") {
  const std::vector<TokenChip> states = {{.text = "mot"},
                                         {.text = "mot", .special = true},
                                         {.text = "mot", .padding = true},
                                         {.text = "mot", .word_start = true},
                                         {.text = "mot", .unknown = true},
                                         {.text = "mot", .wrong = true},
                                         {.text = "mot", .hovered = true},
                                         {.text = "mot", .pin = ChipPin::query},
                                         {.text = "mot", .pin = ChipPin::key}};
  std::vector<std::string> looks;
  for (const TokenChip& chip : states) {
    RecordingCanvas canvas;
    draw_chip(canvas, {0, 0, 80, 28}, chip);
    std::string look;
    for (const auto& r : canvas.rectangles) {
      look += std::to_string(r.box.fill.b) + "," + std::to_string(r.box.outline.b) + "," +
              std::to_string(r.box.dashed) + std::to_string(r.box.hatch.a) + ";";
    }
    look += canvas.texts.front().text + std::to_string(canvas.lines.size());
    for (const std::string& other : looks) CHECK(look != other);
    looks.push_back(look);
  }
}

TEST_CASE("hovering a chip tells its whole word") {
  RecordingCanvas canvas;
  TokenStripOptions options;
  options.hit = [](int index) { return HitRegion{.label = "output " + std::to_string(index)}; };
  const auto layout = draw_token_strip(canvas, {0, 0, 200, 80}, sentence(4), options);
  const auto region = canvas.region_at(layout.chip(3).center());
  REQUIRE(region);
  CHECK(region->label == "output 3");
  CHECK(region->tooltip.starts_with("internationalisation"));
}

TEST_CASE("ribbons are the strongest links of each row, as wide as their weight, the pinned row in blue") {
  RecordingCanvas canvas;
  const std::vector<float> weights = {0.9f, 0.1f, 0, 0.4f, 0.4f, 0.2f};  // (2, 3)
  RibbonsOptions options;
  options.keys = {{.text = "a"}, {.text = "b"}, {.text = "c"}};
  options.queries = {{.text = "x"}, {.text = "y"}};
  options.row = 1;
  draw_ribbons(canvas, {0, 0, 300, 160}, {.values = {weights.data(), 2, 3}}, options);
  REQUIRE(canvas.strokes.size() == 3);  // 0.9 alone is 75 % of its row; 0.4 and 0.4 of theirs
  CHECK(canvas.strokes[0].width == doctest::Approx(9 * 0.9f));
  CHECK(canvas.strokes[1].color == canvas.theme().query);
  CHECK(canvas.strokes[2].color == canvas.theme().query);
}

// ---- The pages of the Tokens view besides the sentence: merges, and what a unigram piece is worth; and what
// the marks on the chips say.

SampleScene scene_with_text() {
  SampleScene scene = make_sample_scene();
  auto text = std::make_shared<TrainingText>();
  for (int i = 0; i < 12; ++i)
    for (const char* const line :
         {"the tired girl sees a red car", "the cat sees a bird", "the other thing there"})
      text->source.lines.emplace_back(line);
  text->target.lines = {"la fille voit une voiture", "le chat voit un oiseau"};
  scene.training_text = text;
  return scene;
}

// Pairs of neighbours in all words, letters alone, the blank before them counted as one.
std::map<std::string, long> first_pairs(const std::vector<std::string>& lines) {
  std::map<std::string, long> counts;
  for (const std::string& line : lines)
    for (const std::string& word : split_words(line)) {
      std::string before = "␣";
      for (const char letter : word) {
        ++counts[before + "  +  " + letter];
        before = letter;
      }
    }
  return counts;
}

TEST_CASE("merges are made one by one, and the table has the counts of the text") {
  SampleScene scene = scene_with_text();
  ViewStage stage("tokens", scene, {1000, 704});
  REQUIRE(stage.click("Show: Merges"));
  for (int i = 0; i < 600 && !stage.has("Merges"); ++i) stage.frames();
  REQUIRE(stage.has("Merges"));
  CHECK(stage.find("merges made")->value == "0");
  CHECK_FALSE(stage.find("Merge back")->enabled);
  const std::map<std::string, long> counts = first_pairs(scene.training_text->source.lines);
  const auto most =
      std::ranges::max_element(counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1000, 704}, true);
  for (const auto& [pair, count] : counts)
    if (count == most->second) CHECK(canvas.find(pair) != nullptr);
  CHECK(canvas.find(format_count(most->second)) != nullptr);
  // The order is counted here; the tokenizer's ranks come from elsewhere.
  CHECK(says(canvas, "the order is that of this text, not of the tokenizer’s ranks"));

  REQUIRE(stage.click("Next merge"));
  REQUIRE(stage.click("Next merge"));
  CHECK(stage.find("merges made")->value == "2");
  REQUIRE(stage.click("Merge back"));
  CHECK(stage.find("merges made")->value == "1");
  CHECK(stage.view().caption(scene.input()).starts_with("Byte-pair encoding after 1 merges: "));
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("merges play by themselves, and stop at the last") {
  SampleScene scene = scene_with_text();
  ViewStage stage("tokens", scene, {560, 424});
  REQUIRE(stage.click("Show: Merges"));
  for (int i = 0; i < 600 && !stage.has("Merges"); ++i) stage.frames();
  REQUIRE(stage.click("Play the merges"));
  CHECK(stage.find("merges made")->value != "0");
  REQUIRE(stage.click("Pause the merges"));
  CHECK(stage.has("Play the merges"));
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("each unigram piece of the sentence has its worth, in the picture and in the numbers") {
  SampleScene scene = scene_with_text();
  ViewStage stage("tokens", scene, {1000, 704});
  REQUIRE(stage.click("Show: Pieces"));
  const std::vector<NumberTable> tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 1);
  const TokenComparison learned =
      compare_tokenizers(scene.tokenizers.source, scene.training_text->source.lines);
  const auto losses = unigram_losses(*learned[1].tokenizer, "the tired girl sees a red car");
  REQUIRE(losses);
  REQUIRE(tables[0].rows.size() == losses->pieces.size());
  for (std::size_t i = 0; i < losses->pieces.size(); ++i) {
    CHECK(tables[0].values[i][1] == losses->pieces[i].log_p);
    CHECK(tables[0].values[i][2] == losses->pieces[i].loss);
    CHECK(losses->pieces[i].loss >= 0);
  }
  for (int i = 0; i < 200; ++i) stage.frames();  // what was begun aside is there by now
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("an emoji, a letter, digits and a byte are told apart") {
  CHECK(what_it_is("😀") == "an emoji");
  CHECK(what_it_is("é") == "a letter");
  CHECK(what_it_is("zxq") == "a word");
  CHECK(what_it_is("123") == "digits");
  CHECK(what_it_is("7") == "a digit");
  CHECK(what_it_is("§") == "a sign");
  CHECK(chips_note({{.id = 1, .text = "😀", .unknown = true}, {.id = 1, .text = "ж", .unknown = true}}) ==
        "Not in the vocabulary: “😀” (an emoji), “ж” (a letter). The model reads <unk> there.");
  CHECK(chips_note({{.id = 9, .text = "<0xF0>", .byte = true}}) ==
        "A dashed piece is one byte of a sign that has no piece of its own.");
  CHECK(chips_note({{.id = 9, .text = "cat", .word_start = true}}) ==
        "A bar marks the first piece of a word.");
  CHECK(bytes_of("é😀") == std::vector<std::string>{"c3", "a9", "f0", "9f", "98", "80"});
}

TEST_CASE("a tokenizer of a file is compared, and what is none is told in a sentence") {
  const ScratchFolder scratch;
  const auto written = [&](const std::string& name, const std::string& text) {
    std::ofstream(scratch.path(name), std::ios::binary) << text;
    return scratch.path(name);
  };
  const SampleScene scene = make_sample_scene();
  const auto trained =
      train_tokenizer({"the tired girl sees a red car", "the cat sees a bird", "a small dog"},
                      {.kind = TokenizerKind::bpe, .pieces = 0});
  const std::string vocabulary = written("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ngirl\nca\n##r\n"),
                    model = written("some.model", trained->bytes()), broken = written("no.model", "nothing"),
                    other = written("list.txt", "the\ngirl\n");
  const auto bert = open_tokenizer_file(vocabulary);
  CHECK(bert->encode("the car").size() == 3);
  CHECK(bert->encode("the zebra").back().unknown);
  // As BERT reads a text, between its marks; others have none.
  const std::vector<Piece> read = with_marks(*bert, "the car");
  REQUIRE(read.size() == 5);
  CHECK(read.front().text == "[CLS]");
  CHECK(read.back().text == "[SEP]");
  CHECK(read.back().special);
  CHECK(with_marks(*trained, "the tired girl").size() == trained->encode("the tired girl").size());
  const auto pieces = open_tokenizer_file(model);
  CHECK(pieces->special().eos == trained->special().eos);
  CHECK(pieces->encode("the tired girl").size() == trained->encode("the tired girl").size());

  SettledProgram program({.size = {1600, 1000}, .view = "tokens", .threads = 1});
  const auto said = [&](const std::string& path) {
    REQUIRE(program.type("Tokenizer file", path));
    program.press(ui::Key::enter);
    const std::string name = std::filesystem::path(path).filename().string();
    program.wait([&] { return contains(program.text("opened tokenizer"), name); }, 5);
    return program.text("opened tokenizer");
  };
  CHECK(said(vocabulary) == "vocab.txt");
  // Its ids are in the words, and so is what was typed.
  program.session().apply({SetSource{"The girl[SEP]"}});
  REQUIRE(program.settle());
  press(program, ui::Key::describe);
  const std::string words = program.text("description text");
  CHECK(contains(words, "By vocab.txt, piece and id: [CLS] 2, the 4, girl 5, [SEP] 3, [SEP] 3."));
  press(program, ui::Key::escape);
  CHECK(said(model) == "some.model");
  CHECK(said(broken).starts_with("no.model: "));
  CHECK(contains(said(other), "[UNK]"));
  CHECK(contains(said("/nowhere/vocab2.txt"), "vocab2.txt: "));
}

}  // namespace glassformer::tokens_view_test
