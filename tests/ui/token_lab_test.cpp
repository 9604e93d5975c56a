// The pages of the Tokens view besides the sentence: merges, and what a unigram piece is worth; and what the
// marks on the chips say.
#include "app/views/tokens/tokens.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "app/format/number_format.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"
#include "tests/scratch_folder.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::token_lab_test {
namespace {

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

}  // namespace

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
  RecordingCanvas canvas(light_theme(), true);
  stage.view().picture(canvas, scene.input(), {0, 0, 1000, 704});
  for (const auto& [pair, count] : counts)
    if (count == most->second) CHECK(canvas.find(pair) != nullptr);
  CHECK(canvas.find(format_count(most->second)) != nullptr);
  // The order is counted here; the tokenizer's ranks come from elsewhere.
  const bool said = std::ranges::any_of(canvas.texts, [](const auto& text) {
    return text.text.find("the order is that of this text, not of the tokenizer’s ranks") !=
           std::string::npos;
  });
  CHECK(said);

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

  OffscreenProgram program({.size = {1600, 1000}, .view = "tokens", .threads = 1});
  REQUIRE(program.settle());
  const auto said = [&](const std::string& path) {
    REQUIRE(program.type("Tokenizer file", path));
    program.press(ui::Key::enter);
    const std::string name = std::filesystem::path(path).filename().string();
    program.wait([&] { return program.text("opened tokenizer").find(name) != std::string::npos; }, 5);
    return program.text("opened tokenizer");
  };
  CHECK(said(vocabulary) == "vocab.txt");
  // Its ids are in the words, and so is what was typed.
  program.session().apply({SetSource{"The girl[SEP]"}});
  REQUIRE(program.settle());
  press(program, ui::Key::describe);
  const std::string words = program.text("description text");
  CHECK(words.find("By vocab.txt, piece and id: [CLS] 2, the 4, girl 5, [SEP] 3, [SEP] 3.") !=
        std::string::npos);
  press(program, ui::Key::escape);
  CHECK(said(model) == "some.model");
  CHECK(said(broken).starts_with("no.model: "));
  CHECK(said(other).find("[UNK]") != std::string::npos);
  CHECK(said("/nowhere/vocab2.txt").find("vocab2.txt: ") != std::string::npos);
}

}  // namespace glassformer::token_lab_test
