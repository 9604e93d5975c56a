#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "engine/model/what_if/change_text.h"
#include "random_models.h"
#include "refusal.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

ChangeWords some_words() {
  ChangeWords words;
  words.source = {"the", "girl", "sees", "the", "car", "7", "<eos>"};
  words.target_in = {"<bos>", "la", "fille", "voit", "la", "voiture", ","};
  words.source_ids = [](const std::string& text) { return std::vector<int>(text == "two words" ? 2 : 1, 9); };
  words.target_ids = [](const std::string& text) { return std::vector<int>(text == "la fille" ? 2 : 1, 5); };
  words.source_word = [](int) { return std::string("boy"); };
  words.target_word = [](int) { return std::string("la"); };
  return words;
}

}  // namespace

TEST_CASE("every kind of change is written as it is read") {
  const ChangeWords words = some_words();
  for (const char* text : {"mute head cross 2.1",
                           "mute head encoder 1.4 at girl by mean",
                           "mute head decoder 2.3 times 0.5",
                           "mute head cross 2.2 at voit from other",
                           "mute unit encoder 1.17",
                           "mute unit decoder 2.3 at la#2",
                           "mute encoder 1",
                           "mute decoder 2",
                           "mute cross 2 by mean",
                           "mute encoder feed-forward 2",
                           "mute decoder feed-forward 1 at \",\"",
                           "cut cross 2.1 voit sees",
                           "cut encoder 1.1 the#2 car",
                           "set cross 2.1 voit sees 0.25",
                           "set decoder 1.2 voit la#2 1 renormalise",
                           "row cross 2.2 voit = 0 0 1 0 0 0 0",
                           "causal mask off",
                           "padding mask off",
                           "padding mask off cross",
                           "hide decoder voit la",
                           "hide encoder \"7\" girl",
                           "scale off",
                           "positions off",
                           "positions off decoder",
                           "shift positions 3",
                           "shift positions -2 encoder",
                           "swap positions 1 3",
                           "permute positions 2 0 1",
                           "permute positions 1 0 decoder",
                           "swap girl car",
                           "swap girl boy",
                           "force \"la la\"",
                           "weight encoder.layers.0.linear1.weight[3,7] = -0.5",
                           "weight decoder.layers.1.norm3.bias[2] = 1e+20"}) {
    CAPTURE(std::string(text));
    const WhatIf read = read_what_if(text, words);
    REQUIRE(read.changes.size() == 1);
    std::string wanted = text;
    if (read.changes.front().kind == ChangeKind::force_words) wanted = "force \"la\"";
    CHECK(text_of(read, words) == wanted);
    CHECK_FALSE(chip_words(read.changes.front(), words).empty());
    // Where no words are known, places are numbers, and mean the same.
    const ChangeWords unknown;
    if (read.changes.front().kind == ChangeKind::force_words) continue;
    CHECK(read_what_if(text_of(read, unknown), unknown) == read);
  }
}

TEST_CASE("a chip names heads, sub-blocks and weights as the rest of the screen does, layers from 1") {
  const ChangeWords words = some_words();
  const auto chip = [&](const char* text) {
    return chip_words(read_what_if(text, words).changes.front(), words);
  };
  CHECK(chip("mute head cross 2.1") == "cross 2, head 1 muted");
  CHECK(chip("mute head decoder 1.3 at voit from other") ==
        "decoder 1, head 3 from the second Scene at “voit”");
  CHECK(chip("mute cross 2 by mean") == "cross-attention 2 set to its mean");
  CHECK(chip("mute decoder 1") == "decoder self-attention 1 muted");
  CHECK(chip("mute encoder feed-forward 1 times -2") == "encoder feed-forward 1 × −2");
  CHECK(chip("mute unit encoder 1.17") == "encoder feed-forward 1, unit 17 muted");
  CHECK(chip("weight encoder.layers.0.linear1.weight[3,7] = -0.5") ==
        "encoder layer 1, linear1.weight[3,7] = −0.5");
  CHECK(chip("weight decoder.layers.1.norm3.bias[2] = 1") == "decoder layer 2, norm3.bias[2] = 1");
}

TEST_CASE("a list of changes keeps its order, and a later one takes the place of what it contradicts") {
  const ChangeWords words = some_words();
  const WhatIf read = read_what_if(
      "mute head cross 2.1, weight a[1,2] = 3; causal mask off, mute head cross 2.1 by mean", words);
  REQUIRE(read.changes.size() == 3);
  CHECK(read.changes[0].by == Replacement::mean);
  CHECK(text_of(read, words) == "mute head cross 2.1 by mean, weight a[1,2] = 3, causal mask off");
  CHECK(read_what_if("none", words).empty());
  CHECK(read_what_if("scale off, scale off", words).changes.size() == 1);
  WhatIf toggled = read;
  toggled.toggle(read.changes[1]);
  CHECK(toggled == read.without(1));
}

TEST_CASE("what is wrong in a change is said in one sentence") {
  const ChangeWords words = some_words();
  const auto refused = [&](const char* text) { return refusal([&] { read_what_if(text, words); }); };
  CHECK(refused("mute head cross 2").find("expected a layer and a head from 1, as 2.1, found “2”") !=
        std::string::npos);
  CHECK(refused("mute head cross 0.1").find("from 1") != std::string::npos);
  CHECK(refused("cut cross 2.1 fatigue sees").find("(<bos>, la, fille, voit, la, voiture, ,)") !=
        std::string::npos);
  CHECK(refused("cut cross 2.1 la#3 sees").find("found “la”") != std::string::npos);
  CHECK(refused("break it").find("expected one of mute head") != std::string::npos);
  CHECK(refused("set cross 2.1 voit sees").find("a weight, found the end") != std::string::npos);
  CHECK(refused("swap girl \"two words\"").find("is 2 pieces") != std::string::npos);
  CHECK(refused("weight a.b[1,2 = 3").find("expected") != std::string::npos);
  CHECK(refused("force \"la").find("second quotation mark") != std::string::npos);
  CHECK(refused("scale off off").find("the end of the change") != std::string::npos);
  CHECK(refused("mute unit encoder 99999999999999999999.1").find("from 1") != std::string::npos);
  CHECK(refused("mute head cross 2.1 at voit at la").find("one place, found “at”") != std::string::npos);
  CHECK(refused("mute cross 2 by mean times 3").find("one replacement, found “times”") != std::string::npos);
  CHECK(refused("mute unit encoder 1.2 times 3 at 1 times 3").find("one replacement") != std::string::npos);
  CHECK(refused("permute positions 0 2 2")
            .find("“permute positions 0 2 2”: expected each position from 0 to 2 once") != std::string::npos);
  CHECK(refused("permute positions 1 2 decoder").find("from 0 to 1 once") != std::string::npos);
  CHECK(refused("permute positions -1 0").find("once") != std::string::npos);
  CHECK(refused("hide decoder 4#0 1").find("from 1 on") != std::string::npos);
}

TEST_CASE("random edits of a text of changes never do worse than refuse") {
  const ChangeWords words = some_words();
  const std::string good =
      "mute head cross 2.1 at voit by mean, set decoder 1.2 voit la#2 1 renormalise, weight a[1,2] = 3, "
      "force \"la fille\", row cross 2.2 voit = 0 0 1, permute positions 2 0 1 encoder";
  Random random(5);
  int read = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    for (int edit = 0; edit <= random.below(4); ++edit) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
      if (random.below(3) == 0) {
        text.erase(at, 1 + static_cast<std::size_t>(random.below(9)));
      } else {
        text.insert(
            at, 1,
            static_cast<char>(random.below(2) == 0 ? "#\",;[] .="[random.below(9)] : random.below(256)));
      }
      if (text.empty()) text = " ";
    }
    try {
      read_what_if(text, words);
      ++read;
    } catch (const Error&) {
    }
  }
  CHECK(read > 0);
  CHECK(read < 5000);
}

TEST_CASE("a change that does not fit says why") {
  const Transformer<float> model = random_model<float>(small_config(), 1);
  const ChangeWords words;
  const auto wrong = [&](const char* text, int source = 6, int target = 5) {
    return misfit(read_what_if(text, words).changes.front(), {model, source, target});
  };
  CHECK(wrong("mute head cross 2.3").empty());
  CHECK(wrong("mute head cross 2.4") == "this model has 3 heads; there is no head 4");
  CHECK(wrong("mute encoder 3") == "this model has 2 encoder layers; there is no layer 3");
  CHECK(wrong("mute unit encoder 1.11") == "this model has 10 hidden units; there is no unit 11");
  CHECK(wrong("cut cross 1.1 4 5").empty());
  CHECK(wrong("cut cross 1.1 5 5") == "the sentence has 5 places; there is no place 5");
  CHECK(wrong("row cross 1.1 4 = 1 0") == "the row has 2 weights, this sentence 6 columns");
  CHECK(wrong("row decoder 1.1 1 = 1 0").empty());
  // Of a padded row the words have weights, and the padding none.
  const auto padded = [&](const char* text) {
    return misfit(read_what_if(text, words).changes.front(), {model, 6, 5, 4});
  };
  CHECK(padded("row cross 1.1 4 = 1 0").empty());
  CHECK(padded("row encoder 1.1 0 = 0.5 0.5").empty());
  CHECK(padded("row cross 1.1 4 = 1 0 0 0 0 0") ==
        "the row has 6 weights, this sentence 2 columns before its padding");
  CHECK(wrong("shift positions 6").empty());
  CHECK(wrong("shift positions 7") == "this model has positions from 0 to 11, and not 12");
  CHECK(wrong("swap positions 1 40") == "this model has positions from 0 to 11, and not 40");
  CHECK(wrong("weight encoder.layers.0.linear1.weight[9,11] = 1").empty());
  CHECK(wrong("weight encoder.layers.0.linear1.weight[10,0] = 1") ==
        "encoder.layers.0.linear1.weight has 10 rows and 12 columns");
  const char* outside = "weight decoder.layers.0.norm3.weight[3,0] = 1";
  CHECK(text_of(read_what_if(outside, words), words) == outside);
  CHECK(wrong(outside) == "decoder.layers.0.norm3.weight is a row of 12 numbers, counted from 0");
  CHECK(wrong("weight encoder.layers.1.linear1.bias[10] = 1") ==
        "encoder.layers.1.linear1.bias is a row of 10 numbers, counted from 0");
  CHECK(wrong("weight encoder.layers.1.linear1.bias[0,9] = 1").empty());
  CHECK(wrong("swap positions 2 2") == "a place that is swapped with itself stays as it is");
  CHECK(wrong("swap 3 3") == "a place that is swapped with itself stays as it is");
  CHECK(wrong("weight encoder.layers.9.linear1.weight[0,0] = 1").starts_with("this model has no parameter"));
  CHECK(wrong("scale off").empty());
  Config bare = small_config();
  bare.positions = PositionKind::none;
  bare.attention_scale = false;
  const Transformer<float> plain(bare);
  CHECK(misfit(change_of(ChangeKind::positions_off), {plain}) == "this model knows no positions");
  CHECK(misfit(change_of(ChangeKind::scale_off), {plain}) == "this model never divides its scores");
}
