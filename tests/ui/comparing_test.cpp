// Two Scenes side by side: another step, sentence, model, or the same without its changes.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/format/table.h"
#include "app/inspector/inspector.h"
#include "app/inspector/pages.h"
#include "app/reading/step_reader.h"
#include "app/session/paths.h"
#include "app/views/view_table.h"
#include "engine/files/read_file.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

SessionOptions only(const std::string& model) {
  SessionOptions options;
  options.model = model;
  options.keep_settings = options.keep_runs = false;
  options.threads = 1;
  return options;
}

bool compared(Session& session) {
  return frames_until(session, [&] { return session.compared() && session.compared()->second; });
}

WhatIf without_positions() {
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::positions_off));
  return what_if;
}

}  // namespace

TEST_CASE("an earlier step is compared with the newest on the words that the newest writes") {
  Session session(only("/nowhere/at/all"));
  train_and_pause(session, 12);
  session.apply({SetSource{"a b c d"}});
  REQUIRE(frames_until(session, [&] { return session.result()->source_read == "a b c d"; }));

  session.apply({Compare{OtherStep{2}}});
  REQUIRE(compared(session));
  const Compared& other = *session.compared();
  CHECK(other.second->snapshot->step == 2);
  CHECK(other.looked_back == 2);
  CHECK(other.first_name == "step " + std::to_string(session.run().step));
  CHECK(other.second_name == "step 2");
  CHECK(same_shape(*session.result(), *other.second));
  CHECK(other.second->trace->loss != session.result()->trace->loss);

  // The second follows the sentence of the first, and its changes.
  session.apply({SetSource{"d c"}});
  REQUIRE(frames_until(session, [&] { return session.compared()->second->source_read == "d c"; }));
  session.apply({SetWhatIf{without_positions()}});
  REQUIRE(frames_until(
      session, [&] { return session.compared()->second->scene.what_if.has(ChangeKind::positions_off); }));
  CHECK(session.compared()->second->snapshot->step == 2);

  session.apply({StopComparing{}});
  CHECK(session.compared() == nullptr);
  CHECK(session.result()->snapshot->step == session.run().step);
}

TEST_CASE("another sentence, another model and the untouched Scene are compared with the open one") {
  const ScratchFolder scratch, elsewhere;
  const std::string open = model_folder(scratch), another = model_folder(elsewhere, {.seed = 7});
  Session session(only(open));
  REQUIRE(frames_until(session, [&] { return session.snapshot() != nullptr; }));
  session.apply({SetSource{"the cat sees a bird"}});
  REQUIRE(frames_until(session, [&] { return session.result() != nullptr; }));

  session.apply({Compare{OtherSentence{"a small dog finds the book"}}});
  REQUIRE(compared(session));
  CHECK(session.compared()->second->source_read == "a small dog finds the book");
  CHECK(session.compared()->second->snapshot == session.result()->snapshot);
  CHECK_FALSE(same_shape(*session.result(), *session.compared()->second));

  session.apply({Compare{OtherModel{another}}});
  CHECK(session.compared()->second == nullptr);  // of the one before nothing is left
  REQUIRE(compared(session));
  CHECK(session.compared()->second->source_read == "the cat sees a bird");
  CHECK(session.compared()->second->trace->loss != session.result()->trace->loss);

  session.apply({Compare{OtherModel{scratch.path("nothing here")}}});
  REQUIRE(frames_until(session, [&] { return !session.compared()->problem.empty(); }));
  CHECK(session.compared()->second == nullptr);

  session.apply({SetWhatIf{without_positions()}, Compare{OtherUntouched{}}});
  REQUIRE(frames_until(session, [&] {
    return session.result()->scene.what_if.has(ChangeKind::positions_off) && session.compared()->second &&
           same_shape(*session.result(), *session.compared()->second);
  }));
  CHECK(session.compared()->second->scene.what_if.empty());
  CHECK(session.compared()->second_name == "untouched");
}

TEST_CASE("side by side the same colour means the same number") {
  const auto scene_of = [](float sharpness, const char* source) {
    SampleOptions options;
    options.sharpness = sharpness;
    options.sentences[0].source = source;
    return make_sample_scene(options);
  };
  const SampleScene mild = scene_of(1, "the tired girl sees a red car"),
                    sharp = scene_of(4, "the tired girl sees a red car"),
                    shorter = scene_of(4, "the cat sees a bird");
  StepLists lists;
  const auto limit_of_scores = [&](const SampleScene& scene, const SceneResult* other) {
    ViewInput input = scene.input();
    input.other = other;
    const StepReader reader(input, lists);
    for (const Step& step : reader.steps())
      if (step.output.name.ends_with(".scores")) return operand_matrix(reader, step.output).limit;
    return 0.0;
  };
  const double own = limit_of_scores(mild, nullptr), larger = limit_of_scores(sharp, nullptr);
  CHECK(own > 0);
  CHECK(own < larger);
  CHECK(limit_of_scores(mild, sharp.result.get()) == larger);
  CHECK(limit_of_scores(sharp, mild.result.get()) == larger);
  // Other words are in other rows, and still the colours end alike.
  const double other_words = limit_of_scores(shorter, nullptr);
  REQUIRE(other_words > own);
  CHECK(limit_of_scores(mild, shorter.result.get()) == other_words);
  CHECK(limit_of_scores(shorter, mild.result.get()) == other_words);
}

TEST_CASE("the stage shows both, either or the difference, and one selection") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch), .threads = 1});
  begin(program);
  program.press('c');
  program.frame();
  CHECK(program.text("dialog") == "Compare with…");
  REQUIRE(program.type("Another sentence", "the boy buys a green table"));
  REQUIRE(program.click("Compare: Another sentence"));
  REQUIRE(program.settle());
  CHECK(contains(program.text("first of two"), "the cat sees a bird"));
  CHECK(contains(program.text("second of two"), "the boy buys a green table"));
  REQUIRE(program.click("Compared: Difference"));
  program.frame();
  CHECK(program.text("no difference") == "The two cannot be subtracted: the two read other words.");

  REQUIRE(program.click("Compared: First"));
  program.frame();
  CHECK_FALSE(program.find("second of two")->rect.width > 0);
  REQUIRE(program.click("Stop comparing"));
  program.frame();
  CHECK_FALSE(program.visible("Compared: First"));

  // Without the changes, word by word the same axes.
  program.session().apply({SetWhatIf{without_positions()}});
  REQUIRE(program.settle());
  program.press('c');
  REQUIRE(program.settle());
  // A click on the second pins the same place of both.
  REQUIRE(program.click("cross layer 2 head 1 query 1 key 2 of the second"));
  program.frame();
  CHECK(program.session().pinned().query == 1);
  CHECK(program.session().pinned().key == 2);
  REQUIRE(program.find("cross layer 2 head 1 query 1 key 2"));
  REQUIRE(program.click("Compared: Difference"));
  REQUIRE(program.settle());
  const auto shown = program.pixels();
  CHECK_FALSE(program.visible("no difference"));
  const Compared& two = *program.session().compared();
  const auto weight = [](const SceneResult& of) {
    return double(of.trace->plane("decoder.layers.1.cross_attn.weights", 0, 0)(1, 2));
  };
  program.move({5, 5});
  program.frame(3);
  CHECK(program.text("inspector value") == value_text(weight(*two.second) - weight(*two.first)));
  program.program().shell().apply({SaveFigure{.path = scratch.path("difference.csv")}}, 0);
  REQUIRE(program.wait([&] { return !program.program().shell().writing(); }));
  const float difference = float(weight(*two.second)) - float(weight(*two.first));
  CHECK(contains(read_file(scratch.path("difference.csv")), csv_number(double(difference))));
  CHECK(contains(read_file(scratch.path("difference.caption.txt")), "less with the changes"));
  REQUIRE(program.click("Compared: Second"));
  REQUIRE(program.settle());
  CHECK(program.pixels() != shown);
  press(program, 'c');
  CHECK(program.session().compared() == nullptr);
}

TEST_CASE("a pinned number is told of both") {
  const SampleScene changed = make_sample_scene({.what_if = without_positions()}),
                    plain = make_sample_scene();
  const CellRef cell{"decoder.layers.0.cross_attn.weights", {0, 1, 1, 2}};
  const ViewInput first = changed.input(), second = plain.input();
  InspectorPage page = describe_cell(first, cell);
  const size_t before = page.sections.size();
  add_other_value(page, cell, {"changed", first}, {"plain", second});
  REQUIRE(page.sections.size() == before + 1);
  const auto& rows = page.sections.front().rows;
  REQUIRE(rows.size() == 3);
  const double own = changed.result->trace->plane(cell.name, 0, 1)(1, 2),
               other = plain.result->trace->plane(cell.name, 0, 1)(1, 2);
  CHECK(rows[0].value == value_text(own));
  CHECK(rows[1].value == value_text(other));
  CHECK(rows[2].value == value_text(other - own));
  CHECK(own != other);
}

TEST_CASE("the inspector tells of the side that was clicked") {
  SmallProgram program({.threads = 1});
  program.session().apply({Compare{OtherSentence{"the tired girl sees a red car"}}});
  settle(program);
  const auto weight = [](const SceneResult& of) {
    return value_text(double(of.trace->plane("decoder.layers.1.cross_attn.weights", 0, 0)(1, 2)));
  };
  const Compared& two = *program.session().compared();
  REQUIRE(weight(*two.first) != weight(*two.second));
  REQUIRE(program.click("cross layer 2 head 1 query 1 key 2 of the second"));
  program.move({5, 5});
  program.frame(3);
  CHECK(program.text("inspector value") == weight(*two.second));
  REQUIRE(program.click("cross layer 2 head 1 query 1 key 2"));
  program.move({5, 5});
  program.frame(3);
  CHECK(program.text("inspector value") == weight(*two.first));
}

TEST_CASE("every view that stands beside itself shows the second as it shows the first") {
  const SampleScene scene = make_sample_scene();
  for (const ViewEntry& entry : view_table()) {
    const auto first = entry.make(), second = entry.make();
    if (!second->show_like(*first)) continue;
    CAPTURE(entry.name);
    Commands ignored;
    for (const char key : {'x', 'd', 'e'}) first->key(key, scene.input(), ignored);
    REQUIRE(second->show_like(*first));
    CHECK(second->traits().state == first->traits().state);
    CHECK(second->caption(scene.input()) == first->caption(scene.input()));
  }
}

TEST_CASE("a sentence that the second cannot read is told of, and the next one is shown") {
  const ScratchFolder scratch, elsewhere;
  SampleOptions brief = sample_options("max_length 6");
  const std::string open = model_folder(scratch);
  brief.sentences = {{"the cat sees", {}, "le chat voit"}};
  Session session(only(open));
  REQUIRE(frames_until(session, [&] { return session.snapshot() != nullptr; }));
  session.apply(
      {SetSource{"the cat"}, SetTarget{"le chat"}, Compare{OtherModel{model_folder(elsewhere, brief)}}});
  REQUIRE(compared(session));
  session.apply({SetSource{"the tired girl sees a red car"}});
  REQUIRE(frames_until(session, [&] { return !session.compared()->problem.empty(); }));
  CHECK(session.compared()->second == nullptr);
  CHECK(session.result()->source_read == "the tired girl sees a red car");
  session.apply({SetSource{"the cat"}, SetTarget{"le chat"}});
  REQUIRE(compared(session));
  CHECK(session.compared()->problem.empty());
}

TEST_CASE("a figure of two says both names and holds both numbers") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch), .threads = 1});
  begin(program);
  program.session().apply({SetWhatIf{without_positions()}, Compare{OtherUntouched{}}});
  // Both sides as they stay: another caption would give the second file another name.
  REQUIRE(program.wait([&] {
    const Compared* const pair = program.session().compared();
    return pair && pair->first && pair->second && !pair->first->scene.what_if.empty() &&
           pair->second->scene.what_if.empty();
  }));
  settle(program);
  for (const char* name : {"two.svg", "two.csv"}) {
    program.program().shell().apply({SaveFigure{.path = scratch.path(name)}}, 0);
    REQUIRE(program.wait([&] { return !program.program().shell().writing(); }));
    const std::string file = read_file(scratch.path(name));
    CAPTURE(std::string(name));
    CHECK(contains(file, "untouched"));
    CHECK(contains(file, "with the changes"));
    if (std::string(name) != "two.csv") continue;
    for (const auto* one :
         {program.session().compared()->first.get(), program.session().compared()->second.get()})
      CHECK(contains(
          file, csv_number(double(one->trace->plane("decoder.layers.1.cross_attn.weights", 0, 0)(0, 1)))));
  }
}

TEST_CASE("two that are too wide to stand side by side stand one above the other") {
  const ScratchFolder scratch;
  struct Window {
    Point size;
    double scale;
  };
  for (const Window& window : {Window{{1024, 768}, 1}, Window{{1600, 1000}, 2}}) {
    OffscreenProgram program(
        {.model = model_folder(scratch), .size = window.size, .scale = window.scale, .threads = 1});
    begin(program);
    program.session().apply({Compare{OtherSentence{"the tired girl sees a red car"}}});
    REQUIRE(program.settle());
    for (const char* view : {"masks", "output", "positions"}) {
      CAPTURE(std::string(view));
      CAPTURE(window.scale);
      program.program().shell().apply({OpenView{view}}, 0);
      settle(program);
      REQUIRE(program.visible("Compared: Both"));
      const Rect first = program.find("first of two")->rect, second = program.find("second of two")->rect;
      CHECK(second.x == first.x);
      CHECK(second.y > first.bottom() + 300);
      CHECK(second.width >= 560);
      CHECK(program.text("stage error").empty());
    }
  }
  OffscreenProgram roomy({.model = model_folder(scratch), .size = {2000, 1200}, .threads = 1});
  begin(roomy);
  roomy.session().apply({Compare{OtherSentence{"the tired girl sees a red car"}}});
  REQUIRE(roomy.settle());
  roomy.program().shell().apply({OpenView{"positions"}}, 0);
  roomy.frame(3);
  CHECK(roomy.find("second of two")->rect.y == roomy.find("first of two")->rect.y);
}

TEST_CASE("unknown words of the second sentence are told of as those of the first") {
  const ScratchFolder scratch;
  Session session(only(model_folder(scratch)));
  REQUIRE(frames_until(session, [&] { return session.snapshot() != nullptr; }));
  session.apply({SetSource{"the cat sees a bird"}});
  REQUIRE(frames_until(session, [&] { return session.result() != nullptr; }));
  CHECK(notice(session, Place::sentence) == nullptr);
  session.apply({Compare{OtherSentence{"the zebra sees a bird"}}});
  REQUIRE(compared(session));
  REQUIRE(notice(session, Place::sentence));
  CHECK(notice(session, Place::sentence)->text.starts_with("The second: “zebra” is not among the "));
  session.apply({SetSource{"the okapi sees a bird"}});
  REQUIRE(frames_until(session, [&] {
    const Notice* note = notice(session, Place::sentence);
    return note && contains(note->text, "“okapi”") && contains(note->text, "The second: “zebra”");
  }));
  session.apply({StopComparing{}});
  REQUIRE(notice(session, Place::sentence));
  CHECK_FALSE(contains(notice(session, Place::sentence)->text, "zebra"));
}

}  // namespace glassformer
