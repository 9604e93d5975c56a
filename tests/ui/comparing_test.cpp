// Two Scenes side by side: another step, sentence, model, or the same without its changes.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "app/figure/figure.h"
#include "app/inspector/inspector.h"
#include "app/inspector/operands.h"
#include "app/inspector/other_value.h"
#include "app/session/paths.h"
#include "app/views/comparison.h"
#include "app/views/step_reader.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/number_format.h"
#include "engine/files/atomic_file.h"
#include "engine/model/parameters.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/session_helpers.h"
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
  what_if.drop_positions = true;
  return what_if;
}

}  // namespace

TEST_CASE("an earlier step is compared with the newest on the words that the newest writes") {
  const Home home;
  Session session(only("/nowhere/at/all"));
  session.apply({reverse_run(), Train{}});
  REQUIRE(frames_until(session, [&] { return session.run().step >= 12; }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] {
    return session.run().phase == RunPhase::paused && session.result() &&
           session.result()->snapshot->step == session.run().step;
  }));
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
  REQUIRE(frames_until(session, [&] { return session.compared()->second->scene.what_if.drop_positions; }));
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
    return session.result()->scene.what_if.drop_positions && session.compared()->second &&
           same_shape(*session.result(), *session.compared()->second);
  }));
  CHECK(session.compared()->second->scene.what_if.empty());
  CHECK(session.compared()->second_name == "untouched");
}

TEST_CASE("a difference is the numbers of the one less those of the other") {
  const SampleScene changed = make_sample_scene({.what_if = without_positions()}),
                    plain = make_sample_scene();
  ViewInput input = changed.input();
  const auto view = make_view("attention");
  const auto first = view->numbers(input), second = view->numbers(plain.input());
  input.minus = plain.result.get();
  const auto difference = view->numbers(input);
  REQUIRE(first.size() == difference.size());
  double largest = 0;
  for (size_t table = 0; table < first.size(); ++table)
    for (size_t row = 0; row < first[table].values.size(); ++row)
      for (size_t column = 0; column < first[table].values[row].size(); ++column) {
        const double one = first[table].values[row][column] - second[table].values[row][column];
        CHECK(difference[table].values[row][column] == doctest::Approx(one).epsilon(1e-5));
        largest = std::max(largest, std::abs(one));
      }
  CHECK(largest > 0.01);
  const auto wrong = complaints(*view, input);
  CHECK_MESSAGE(wrong.empty(), joined(wrong));
}

TEST_CASE("side by side the same colour means the same number") {
  const SampleScene mild = make_sample_scene({.sharpness = 1}), sharp = make_sample_scene({.sharpness = 4});
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
}

TEST_CASE("both sides end their colours alike and say so") {
  Config config;
  config.positions = PositionKind::learned;
  const SampleScene mild = make_sample_scene({.config = config, .sharpness = 1}),
                    sharp = make_sample_scene({.config = config, .seed = 2, .sharpness = 4});
  const std::string matrix = "encoder.layers.0.self_attn.in_proj_weight";
  const auto largest = [](const SampleScene& scene, const std::string& name) {
    for (const ParameterView& each : parameters(*scene.snapshot->weights))
      if (each.name == name) return largest_magnitude({.values = {each.data, each.rows(), each.columns()}});
    return 0.0;
  };
  REQUIRE(largest(mild, matrix) < largest(sharp, matrix));
  for (const std::string name : {"parameters", "positions", "masks"}) {
    CAPTURE(name);
    const auto view = make_view(name);
    const auto drawn_beside = [&](const SampleScene& scene, const SampleScene* other) {
      ViewInput input = scene.input();
      Selection selection = input.pinned;
      selection.cell = CellRef{matrix, {0, 0}};
      const ViewInput shown{.result = input.result,
                            .snapshot = input.snapshot,
                            .tokenizers = input.tokenizers,
                            .run = input.run,
                            .pinned = name == "parameters" ? selection : input.pinned,
                            .shown = name == "parameters" ? selection : input.pinned,
                            .other = other ? other->result.get() : nullptr};
      if (other) {
        const auto wrong = complaints(*view, shown);
        CHECK_MESSAGE(wrong.empty(), joined(wrong));
      }
      RecordingCanvas canvas;
      view->picture(canvas, shown, area_for(*view, shown, {1000, 660}));
      return canvas;
    };
    // Colour bars, ticks and ends of histograms: the numbers of a scale stand above 0 and below it alike.
    const auto ends = [](const RecordingCanvas& canvas) {
      std::set<std::string> found;
      for (const auto& text : canvas.texts)
        if (canvas.find("-" + text.text) || canvas.find("\u2212" + text.text)) found.insert(text.text);
      return found;
    };
    const RecordingCanvas left = drawn_beside(mild, &sharp), right = drawn_beside(sharp, &mild),
                          alone = drawn_beside(mild, nullptr);
    CHECK(left.find(kOneScale) != nullptr);
    CHECK(right.find(kOneScale) != nullptr);
    CHECK(alone.find(kOneScale) == nullptr);
    const auto words = [&](const RecordingCanvas& canvas) {
      std::string all;
      for (const std::string& end : ends(canvas)) all += end + " ";
      return all;
    };
    CHECK(words(left) == words(right));
    CHECK(ends(left).size() > 0);
    CHECK(ends(left) != ends(alone));
  }
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
  CHECK(program.text("first of two").find("the cat sees a bird") != std::string::npos);
  CHECK(program.text("second of two").find("the boy buys a green table") != std::string::npos);
  CHECK_FALSE(program.visible("Compared: Difference"));  // the words are others

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
  REQUIRE(program.click("Compared: Second"));
  REQUIRE(program.settle());
  CHECK(program.pixels() != shown);
  program.press('c');
  program.frame(2);
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
  CHECK(rows[2].value == value_text(own - other));
  CHECK(own != other);
}

TEST_CASE("the inspector tells of the side that was clicked") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch), .threads = 1});
  begin(program);
  program.session().apply({Compare{OtherSentence{"the tired girl sees a red car"}}});
  REQUIRE(program.settle());
  program.frame(2);
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
    CHECK(second->state() == first->state());
    CHECK(second->caption(scene.input()) == first->caption(scene.input()));
  }
}

TEST_CASE("a sentence that the second cannot read is told of, and the next one is shown") {
  const ScratchFolder scratch, elsewhere;
  SampleOptions brief;
  brief.config.max_length = 6;
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
  REQUIRE(program.settle());
  program.frame(2);
  for (const char* name : {"two.svg", "two.csv"}) {
    program.program().shell().apply({SaveFigure{.path = scratch.path(name)}}, 0);
    REQUIRE(program.wait([&] { return !program.program().shell().writing(); }));
    const std::string file = read_file(scratch.path(name));
    CAPTURE(name);
    CHECK(file.find("untouched") != std::string::npos);
    CHECK(file.find("with the changes") != std::string::npos);
    if (std::string(name) != "two.csv") continue;
    for (const auto* one :
         {program.session().compared()->first.get(), program.session().compared()->second.get()})
      CHECK(file.find(format_file(double(
                one->trace->plane("decoder.layers.1.cross_attn.weights", 0, 0)(1, 1)))) != std::string::npos);
  }
}

}  // namespace glassformer
