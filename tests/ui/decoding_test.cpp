// The translation on screen: searched, stepped, played, pinned, and fed with other words.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/format/number_format.h"
#include "app/offscreen.h"
#include "tests/scratch_folder.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("the decoding is stepped word by word, back and forth") {
  SmallProgram program;
  const int total = static_cast<int>(program.session().result()->target_out_words.size());
  REQUIRE(total >= 1);
  REQUIRE(program.click("First word"));
  CHECK(program.text("decode step") == "1 / " + std::to_string(total));
  program.press(ui::Key::right);
  CHECK(program.text("decode step") == std::to_string(std::min(2, total)) + " / " + std::to_string(total));
  program.press(ui::Key::left);
  program.press(ui::Key::left);
  CHECK(program.text("decode step") == "1 / " + std::to_string(total));
  REQUIRE(program.click("Last word"));
  CHECK(program.text("decode step") == std::to_string(total) + " / " + std::to_string(total));
}

TEST_CASE("a step of the decoding says how probable what is written so far is, the last one the whole") {
  SmallProgram program;
  const DecodeResult decoding = program.session().result()->decoding;
  REQUIRE(decoding.ids.size() >= 3);
  REQUIRE(program.click("First word"));
  CHECK(program.text("log p so far") == format_fixed(decoding.log_probabilities[0], 2));
  REQUIRE(program.click("Next word"));
  CHECK(program.text("log p so far") ==
        format_fixed(decoding.log_probabilities[0] + decoding.log_probabilities[1], 2));
  REQUIRE(program.click("Last word"));
  CHECK(program.text("log p so far").empty());
  CHECK(program.text("log p") == format_fixed(decoding.score, 2));
}

TEST_CASE("pieces that begin a word carry the mark of it in the output as in the source") {
  ScratchFolder scratch;
  SampleOptions letters = sample_options("tokenizer char");
  OffscreenProgram program({.model = model_folder(scratch, letters)});
  begin(program);
  program.session().apply({SetTarget{"le chat"}});
  settle(program);
  const std::vector<Color> pixels = program.pixels();
  const auto marked = [&](const std::string& chip) {
    const auto widget = program.find(chip);
    REQUIRE(widget);
    const int x = static_cast<int>(widget->rect.x) + 5, y = static_cast<int>(widget->rect.y) + 34;
    return pixels[static_cast<size_t>(y * static_cast<int>(program.size().x) + x)] == light_theme().ink;
  };
  for (const char* side : {"source chip ", "output chip "}) {
    CAPTURE(std::string(side));
    CHECK(marked(side + std::string("0")));
    CHECK_FALSE(marked(side + std::string("1")));
  }
}

TEST_CASE("at every step of the decoding the row that writes its word is the query in every view") {
  SmallProgram program;
  program.press('x');
  const int total = static_cast<int>(program.session().result()->target_out_words.size());
  REQUIRE(total >= 3);
  REQUIRE(program.click("First word"));
  CHECK(program.session().pinned().query == 0);
  REQUIRE(program.click("Next word"));
  CHECK(program.session().pinned().query == 1);
  CHECK_FALSE(program.session().pinned().cell.has_value());
  // Rows to come are not computed yet: nothing of them can be pinned.
  const int head = program.session().pinned().head + 1, layer = program.session().pinned().layer + 1;
  const std::string cell = "cross layer " + std::to_string(layer) + " head " + std::to_string(head);
  REQUIRE(program.click(cell + " query 2 key 0"));
  CHECK(program.session().pinned().query == 1);
  REQUIRE(program.click("output chip 2"));  // but a click on its chip goes to that step
  CHECK(program.text("decode step") == "3 / " + std::to_string(total));
  CHECK(program.session().pinned().query == 2);

  // The other views of the decoder show the same step; the encoder has none.
  program.press('d');
  CHECK(program.session().pinned().query == 2);
  program.press('e');
  CHECK_FALSE(program.session().pinned().query.has_value());
  program.press('x');
  CHECK(program.session().pinned().query == 2);
  program.press(ui::Key::escape);
  CHECK(program.session().shown_steps() == -1);
  CHECK_FALSE(program.session().pinned().query.has_value());
}

TEST_CASE("space plays the decoding, which stops at its last word") {
  SmallProgram program;
  program.press('x');
  const int total = static_cast<int>(program.session().result()->target_out_words.size());
  REQUIRE(total >= 2);
  program.press(ui::Key::space);
  CHECK(program.session().pinned().query == 0);
  CHECK(program.find("Stop playing").has_value());
  program.frame(60 * total);  // a frame is a sixtieth of a second, a step at most one second
  CHECK_FALSE(program.find("Stop playing").has_value());
  CHECK(program.session().pinned().query == total - 1);
  CHECK(program.text("decode step") == std::to_string(total) + " / " + std::to_string(total));
}

TEST_CASE("a click with Ctrl selects more words, and takes them out again") {
  SmallProgram program;
  program.press('x');
  REQUIRE(program.click("source chip 1"));
  REQUIRE(program.click("source chip 3", true));
  CHECK(program.session().pinned().key == 3);
  CHECK(program.session().pinned().more_keys == std::vector<int>{1});
  REQUIRE(program.click("output chip 0", true));
  CHECK(program.session().pinned().query == 0);
  CHECK(program.session().pinned().more_keys == std::vector<int>{1});
  REQUIRE(program.click("source chip 1", true));
  CHECK(program.session().pinned().more_keys.empty());
  CHECK(program.session().pinned().key == 3);
  REQUIRE(program.click("source chip 2"));  // without Ctrl: this one alone
  CHECK(program.session().pinned().key == 2);
  CHECK(program.session().pinned().more_keys.empty());
  program.press(ui::Key::escape);
  CHECK_FALSE(program.session().pinned().query.has_value());
}

TEST_CASE("beam search is one click, and undo takes it back") {
  SmallProgram program;
  REQUIRE(program.click("Search: Beam"));
  REQUIRE(program.settle());
  CHECK(program.session().result()->scene.decode.search == Search::beam);
  CHECK_FALSE(program.session().result()->decoding.hypotheses.empty());
  program.press(ui::Key::undo);
  REQUIRE(program.settle());
  CHECK(program.session().result()->scene.decode.search == Search::greedy);
  program.press(ui::Key::redo);
  REQUIRE(program.settle());
  CHECK(program.session().result()->scene.decode.search == Search::beam);
}

TEST_CASE("the sentences that the beam kept are listed with the best first") {
  SmallProgram program;
  REQUIRE(program.click("Search: Beam"));
  REQUIRE(program.settle());
  REQUIRE(program.click("Decoding options"));
  CHECK(program.text("hypothesis 1") == program.session().result()->translation);
  const size_t kept = program.session().result()->decoding.hypotheses.size();
  CHECK(program.find("hypothesis " + std::to_string(std::min<size_t>(kept, 6))).has_value());
}

TEST_CASE("Esc brings back the sentence that is translated") {
  SmallProgram program;
  REQUIRE(program.type("Source sentence", "never sent"));
  CHECK(program.text("Source sentence") == "never sent");
  program.press(ui::Key::escape);
  REQUIRE(program.settle());
  CHECK(program.text("Source sentence") == "the cat sees a bird");
}

TEST_CASE("a target of one's own is fed to the decoder until it is taken back") {
  SmallProgram program;
  REQUIRE(program.click("Set the target yourself…"));
  REQUIRE(program.type("Target sentence", "le chat voit"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().result()->target_origin == TargetOrigin::typed);
  CHECK(program.session().result()->target_out_words ==
        std::vector<std::string>{"le", "chat", "voit", "<eos>"});
  const Trace& trace = *program.session().result()->trace;
  CHECK(program.text("loss of the sentence") == format_loss(trace.sentence_loss.front()));
  REQUIRE(program.click("Let the model write it"));
  REQUIRE(program.settle());
  CHECK(program.session().result()->target_origin != TargetOrigin::typed);
}

TEST_CASE("a target's field goes with the target, whatever else is being typed, and not under the hand") {
  SmallProgram program;
  program.session().apply({SetTarget{"le chat voit"}});
  settle(program);
  CHECK(program.text("Target sentence") == "le chat voit");
  REQUIRE(program.type("Source sentence", "the cat"));
  program.session().apply({SetTarget{std::nullopt}});
  settle(program);
  CHECK_FALSE(program.find("Target sentence"));

  program.session().apply({SetTarget{"le chat voit"}});
  settle(program);
  REQUIRE(program.type("Target sentence", "le"));
  program.session().apply({SetTarget{std::nullopt}});
  settle(program);
  CHECK(program.find("Target sentence"));
}

TEST_CASE("a word that was not in the training text is said to be read in pieces, above the picture") {
  SettledProgram program({});
  const auto translated = [&](const std::string& sentence) {
    REQUIRE(program.type("English sentence", sentence));
    program.press(ui::Key::enter);
    REQUIRE(program.settle());
  };
  translated("the zebra sees a red car");
  CHECK(program.wait([&] {
    return program.text("sentence notice").starts_with("The model never saw “zebra” in training");
  }));
  translated("the girl loved a red car");  // cut as well, but known
  CHECK(program.text("sentence notice").empty());
}
