#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/views/common/page.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

SampleScene masks_scene(const WhatIf& what_if, AttentionKind kind, int sentence) {
  SampleScene scene = make_sample_scene({.what_if = what_if});
  scene.pin({.kind = kind, .head = 1, .sentence = sentence});
  return scene;
}

TEST_CASE("the map outlines the attention whose masks are shown") {
  SampleScene scene = masks_scene({}, AttentionKind::cross, 0);
  const auto view = make_view("masks");
  CHECK(view->place(scene.input()).attention == AttentionKind::decoder);
  CHECK(view->place(scene.input()).path.at(2) == "Masked self-attention");
  Commands commands;
  CHECK(view->key('x', scene.input(), commands));
  CHECK(view->place(scene.input()).attention == AttentionKind::cross);
  CHECK(view->place(scene.input()).path.at(2) == "Cross-attention");
}

TEST_CASE("a word may look at itself and what stands before it, never at padding") {
  const SampleScene scene = masks_scene({}, AttentionKind::decoder, 1);  // six words, two of padding
  const auto tables = make_view("masks")->numbers(scene.input());
  const NumberTable& allowed = titled(tables, "may look (1) or hidden (0)");
  const NumberTable& weights = titled(tables, "weights, after the mask");
  REQUIRE(allowed.values.size() == 8);
  CHECK(allowed.columns.back() == "<pad>");
  for (size_t row = 0; row < 6; ++row) {
    for (size_t column = 0; column < 8; ++column) {
      const bool may = column <= row && column < 6;
      CHECK(allowed.values[row][column] == (may ? 1 : 0));
      if (!may) CHECK(weights.values[row][column] == 0);
    }
  }
}

TEST_CASE("the row that a lesson asks for is told nowhere, but what it may look at") {
  const SampleScene scene = masks_scene({}, AttentionKind::decoder, 0);
  const auto view = make_view("masks");
  const auto hatched = [&](const ViewInput& input) {
    const RecordingCanvas canvas = picture_of(*view, input, area_for(*view, input, {1000, 660}));
    return std::ranges::count_if(canvas.rectangles, [](const auto& each) { return each.box.hatch.a > 0; });
  };
  const auto blank = [&](const ViewInput& input) {
    const RecordingCanvas canvas = picture_of(*view, input, area_for(*view, input, {1000, 660}));
    return std::ranges::count_if(canvas.rectangles, [&](const auto& each) {
      return each.box.fill == canvas.theme().sunken && each.rect.width == each.rect.height;
    });
  };
  ViewInput input = scene.input();
  const auto open = hatched(input);
  CHECK(blank(input) == 0);
  const std::string caption = view->caption(input);
  const int layer = input.shown.layer;
  input.covered = CoveredRow{AttentionKind::decoder, layer, 1, 3};
  // Nothing of its three rows looks as if a mask hid it: of the four words to come the weights were hatched.
  CHECK(hatched(input) == open - 4);
  CHECK(blank(input) == 3 * 8);
  CHECK_FALSE(contains(caption, "covered"));
  CHECK(contains(view->caption(input), "is covered until the question is answered"));
  const auto tables = view->numbers(input);
  for (const std::string title : {"may look (1) or hidden (0)", "scores, before the mask",
                                  "weights, after the mask", "weights, causal mask off"}) {
    CAPTURE(title);
    const NumberTable& each = titled(tables, title);
    const bool known = title.starts_with("may look");
    for (std::size_t column = 0; column < each.columns.size(); ++column) {
      CHECK(std::isnan(each.values[3][column]) != known);
      CHECK_FALSE(std::isnan(each.values[2][column]));
    }
  }
  for (const CoveredRow other :
       {CoveredRow{AttentionKind::decoder, layer, 0, 3}, CoveredRow{AttentionKind::cross, layer, 1, 3}}) {
    input.covered = other;
    CHECK(hatched(input) == open);
  }
  for (const int outside : {-1, 17, 1'000'000'000}) {
    input.covered = CoveredRow{AttentionKind::decoder, layer, 1, outside};
    CHECK(hatched(input) == open);
    CHECK(view->caption(input) == caption);
  }
}

TEST_CASE("one mask and the weights behind it are pictures alone, whole in the room of a lecture") {
  const Rect room{24, 24, 576, 256};
  for (const auto kind : {AttentionKind::encoder, AttentionKind::decoder})
    for (const WhatIf& what_if : {WhatIf{}, WhatIf{{change_of(ChangeKind::causal_mask_off)}}}) {
      const SampleScene scene = masks_scene(what_if, kind, 0);
      ViewInput input = scene.input();
      input.covered = CoveredRow{kind, input.shown.layer, 1, 0};
      const auto view = make_view("masks");
      for (const std::string part : {"mask", "weights"}) {
        CAPTURE(part);
        RecordingCanvas canvas;
        canvas.set_least_type(12);
        view->panel(part, canvas, input, room.inset(-24));
        CHECK_MESSAGE(texts_outside(canvas, room).empty(), in_lines(texts_outside(canvas, room)));
        CHECK_MESSAGE(overlapping_texts(canvas).empty(), in_lines(overlapping_texts(canvas)));
        CHECK(cut_texts(canvas).empty());
        // The words of the rows and the columns, what hatching means, and nothing of the covered row.
        const bool french = kind == AttentionKind::decoder;
        const auto named = std::ranges::count(canvas.texts, std::string(french ? "fatiguée" : "tired"),
                                              &RecordingCanvas::Text::text);
        CHECK(named == 2);
        if (part == "mask") CHECK(canvas.find("may look"));
        const auto asked = std::ranges::count(canvas.texts, "?", &RecordingCanvas::Text::text);
        const auto table = titled(view->numbers(input), "weights, after the mask");
        if (part == "weights")
          CHECK(static_cast<std::size_t>(asked) == (french ? 8 : table.columns.size()));
        else
          CHECK(asked == 0);
        const auto alone = with_panel(*view, part);
        REQUIRE(alone->numbers(input).size() == 1);
        CHECK(alone->numbers(input)[0].title.starts_with(part == "mask" ? "may look" : "weights, after"));
      }
    }
}

TEST_CASE("without the causal mask attention leaks to words not yet written, as the caption says") {
  const SampleScene scene = masks_scene({}, AttentionKind::decoder, 0);
  const auto view = make_view("masks");
  const NumberTable off = titled(view->numbers(scene.input()), "weights, causal mask off");
  double leaked = 0;
  for (size_t row = 0; row < 8; ++row)
    for (size_t column = row + 1; column < 8; ++column) leaked += off.values[row][column] / 8;
  CHECK(leaked > 0);
  const std::string percent = std::to_string(static_cast<int>(leaked * 100 + 0.5)) + " %";
  CHECK_MESSAGE(contains(view->caption(scene.input()), percent), percent, " in ",
                view->caption(scene.input()));

  // The same pass as the Scene that has the mask dropped.
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::causal_mask_off));
  const SampleScene dropped = masks_scene(what_if, AttentionKind::decoder, 0);
  const NumberTable now = titled(view->numbers(dropped.input()), "weights, after the mask");
  CHECK(now.values == off.values);
}

TEST_CASE("a leak is said to be of a model that learned with the mask, where that is known") {
  SampleScene scene = masks_scene({}, AttentionKind::decoder, 0);
  const auto says = [&](const std::string& words) {
    return contains(make_view("masks")->caption(scene.input()), words);
  };
  CHECK_FALSE(says("learned"));
  scene.run.data_name = "pairs";
  CHECK(says("not yet written, in a model that has learned nothing yet."));
  scene.run.step = 10;
  CHECK(says("not yet written, in a model that learned with the mask."));
  scene.run.options.mask_future = false;
  CHECK(says("not yet written, in a model that learned without the mask."));
}

TEST_CASE("the inspector's switches change the Scene's masks and show both losses") {
  const SampleScene scene = masks_scene({}, AttentionKind::decoder, 0);
  const std::optional<InspectorPage> page = make_view("masks")->inspect(scene.input());
  REQUIRE(page);
  REQUIRE(page->switches.size() == 2);
  CHECK(page->switches[0].on);
  CHECK(page->switches[0].command.get<SetWhatIf>().what_if.has(ChangeKind::padding_mask_off));
  CHECK(!page->switches[0].command.get<SetWhatIf>().what_if.has(ChangeKind::causal_mask_off));
  CHECK(page->switches[1].command.get<SetWhatIf>().what_if.has(ChangeKind::causal_mask_off));
  REQUIRE(!page->sections.empty());
  CHECK(page->sections[0].rows[0].value != page->sections[0].rows[1].value);
}

TEST_CASE("the switch beside the causal mask drops it") {
  SampleScene scene = masks_scene({}, AttentionKind::decoder, 0);
  ViewStage stage("masks", scene);
  stage.take_commands();
  REQUIRE(stage.click("Causal"));
  bool dropped = false;
  for (const Command& each : stage.take_commands())
    if (const SetWhatIf* change = each.get_if<SetWhatIf>())
      dropped |= change->what_if.has(ChangeKind::causal_mask_off);
  CHECK(dropped);
  CHECK(stage.hover("scores query 3 key 1"));
}

TEST_CASE("a click on a row of the batch opens its sentence") {
  const SampleScene scene = masks_scene({}, AttentionKind::decoder, 0);
  const auto view = make_view("masks");
  const RecordingCanvas canvas = picture_of(*view, scene.input());
  CHECK(pinned_by(canvas, "batch row 2 token 1").sentence == 2);
  const Selection score = pinned_by(canvas, "scores query 4 key 2");
  CHECK(score.cell == CellRef{"decoder.layers.0.self_attn.scores", {0, 1, 4, 2}});
}

TEST_CASE("from cross-attention the masks of the decoder itself are shown, until cross is asked for") {
  SampleScene scene = masks_scene({}, AttentionKind::cross, 1);
  const auto view = make_view("masks");
  CHECK(view->place(scene.input()).path[2] == "Masked self-attention");
  CHECK(view->numbers(scene.input())[0].columns.front() == "<bos>");
  Commands commands;
  REQUIRE(view->key('x', scene.input(), commands));
  REQUIRE(commands.size() == 1);
  scene.pin(commands[0].get<SetPin>().selection);
  CHECK(view->place(scene.input()).path[2] == "Cross-attention");
  CHECK(view->numbers(scene.input())[0].columns.front() == "the");
}

TEST_CASE("the switch over the masks chooses whose they are, for every view") {
  SampleScene scene = masks_scene({}, AttentionKind::decoder, 0);
  ViewStage stage("masks", scene);
  REQUIRE(stage.click("Masks of: Encoder"));
  CHECK(scene.pinned.kind == AttentionKind::encoder);
  REQUIRE(stage.click("Masks of: Cross"));
  CHECK(scene.pinned.kind == AttentionKind::cross);
  CHECK(stage.state() == "masks, cross");
}

}  // namespace
}  // namespace glassformer
