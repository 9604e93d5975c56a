// Four runs that learn beside each other: what the session holds and what the screen says of them.
#include <doctest/doctest.h>

#include "tests/ui/variant_runs.h"

namespace glassformer::variant_runs {

TEST_CASE("four runs learn beside each other; each variant ends on its own, and a fourth is refused") {
  Session session(nothing_open());
  const NewRun run = run_of(100000);
  session.apply({run});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  for (const char* const about : {"Heads", "Positions", "Seed"})
    session.apply({TrainVariant{variation_about(run, about)}});
  REQUIRE(session.beside().size() == 3);
  const auto all_reach = [&](long step) {
    return frames_until(session, [&] {
      return session.run().step > step && std::ranges::all_of(session.beside(), [&](const RunBeside* each) {
               return each->run.step > step;
             });
    });
  };
  REQUIRE(all_reach(3));

  // What is told names the variant.
  CHECK(session.why_no_variant().find("Four runs learn already") == 0);
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  CHECK(session.beside().size() == 3);
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text == session.why_no_variant());

  // Changes reach each of them, and so does a pause.
  session.apply({SetLearning{.rate_scale = 0.5}});
  REQUIRE(frames_until(session, [&] {
    return std::ranges::all_of(session.beside(),
                               [](const RunBeside* each) { return each->run.live.rate_scale == 0.5; });
  }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return !session.training(); }));
  session.apply({Train{}});

  // One is compared with by its id: that another ends does not move it.
  const int first = session.beside()[0]->id, middle = session.beside()[1]->id, last = session.beside()[2]->id;
  const std::string ended = session.beside()[1]->title(), compared = session.beside()[0]->title();
  session.apply({Compare{OtherRun{.variant = first}}});
  REQUIRE(frames_until(session, [&] { return session.compared()->second != nullptr; }));
  session.apply({EndVariant{middle}});
  REQUIRE(session.beside().size() == 2);
  CHECK(session.beside()[0]->id == first);
  CHECK(session.beside()[1]->id == last);
  CHECK(session.beside()[1]->place == 2);  // its colour stays
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text.find(ended) != std::string::npos);
  REQUIRE(session.compared());
  CHECK(session.compared()->second_name.find(compared) == 0);
  REQUIRE(all_reach(session.run().step + 3));

  // Without a choice the newest one, and it stays that when a newer one begins.
  session.apply({Compare{OtherRun{}}});
  CHECK(session.compared()->variant == last);
  session.apply({TrainVariant{variation_about(run, "Positions")}});
  CHECK(session.beside().size() == 3);
  CHECK(session.beside()[2]->place == 1);
  CHECK(session.compared()->variant == last);
  session.apply({EndVariant{last}});
  CHECK(session.compared() == nullptr);
  REQUIRE(all_reach(session.run().step + 3));
  const std::size_t learning = session.beside().size();
  CHECK(session.close() == "");
  CHECK(read_settings(settings_file()).unfinished_variants.size() == learning);
  const Session next(nothing_open());
  REQUIRE(notice(next, Place::training));
  CHECK(notice(next, Place::training)->text.find("So are those beside it") != std::string::npos);
}

TEST_CASE("a variant that has ended makes room for another") {
  Session session(nothing_open());
  NewRun run = run_of(100000);
  session.apply({run});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  Variation shorter = variation_about(run, "Seed");
  shorter.training.steps = 5;
  session.apply({TrainVariant{shorter}, TrainVariant{variation_about(run, "Positions")}});
  const int ends = session.beside()[1]->id;
  REQUIRE(frames_until(session, [&] { return session.beside()[1]->run.phase == RunPhase::stopped; }));
  CHECK(session.beside().size() == 3);
  CHECK(session.why_no_variant().empty());
  // What is there already would learn the same once more.
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text.find("is beside this run already") != std::string::npos);
  CHECK(session.beside()[1]->id == ends);
  session.apply({TrainVariant{variation_about(run, "Dropout")}});
  REQUIRE(session.beside().size() == 3);
  CHECK(std::ranges::none_of(session.beside(), [&](const RunBeside* each) { return each->id == ends; }));
}

TEST_CASE("the screen starts three variants, ends one, and says which when there is no place") {
  OffscreenProgram program({.threads = 1});
  Session& session = program.session();
  session.apply({run_of(100000)});
  REQUIRE(program.wait([&] { return session.run().phase == RunPhase::ready; }));
  const std::vector<Variation> all = variations(session.recipe()->config, session.recipe()->training);
  for (std::size_t i = 0; i < 3; ++i) {
    apply(program, {OpenView{"training"}, OpenDialog{"variant"}});
    REQUIRE(program.click("variation: " + all[i].about + ": " + all[i].name));
    click(program, "Train the variant");
    CHECK(session.beside().size() == i + 1);
  }
  REQUIRE(program.wait([&] {
    return std::ranges::all_of(session.beside(), [](const RunBeside* each) { return each->run.step > 3; });
  }));
  // The menu names whom it ends.
  click(program, "Model");
  for (const RunBeside* const each : session.beside())
    CHECK(program.visible("End the variant “" + each->title() + "”"));
  CHECK_FALSE(program.visible("End the variant"));
  program.press(ui::Key::escape);
  apply(program, {OpenDialog{"variant"}});
  CHECK(program.text("variant note").find("Four runs learn already") == 0);
  const int middle = session.beside()[1]->id;
  click(program, "End " + session.beside()[1]->title());
  CHECK(session.beside().size() == 2);
  CHECK(std::ranges::none_of(session.beside(), [&](const RunBeside* each) { return each->id == middle; }));
  CHECK(program.visible("Train the variant"));

  // One of them is chosen to be compared with.
  apply(program, {OpenDialog{"compare"}});
  const RunBeside* const oldest = session.beside().front();
  click(program, "variant: " + oldest->title());
  click(program, "Compare: A step of the variant");
  REQUIRE(session.compared());
  CHECK(session.compared()->variant == oldest->id);
  CHECK(session.compared()->held);
}

TEST_CASE("the charts name all four runs") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400);
  std::vector<RunBeside> beside;
  for (const char* const name : {"none", "learned", "rotary"}) {
    beside.push_back({"Positions", name, scene.run});
    beside.back().id = static_cast<int>(beside.size());
    beside.back().place = beside.back().id - 1;
  }
  const auto view = make_view("training");
  ViewInput input = scene.input();
  const size_t tables = view->numbers(input).size();
  for (const RunBeside& each : beside) input.beside.push_back(&each);
  for (const float width : {560.0f, 1000.0f}) {
    RecordingCanvas canvas;
    view->picture(canvas, input, {0, 0, width, 704});
    CHECK(canvas.find("this run"));
    std::vector<Stroke> strokes;
    for (const RunBeside& each : beside) {
      CHECK(canvas.find(each.title()));
      const Stroke stroke = beside_stroke(canvas.theme(), each);
      CHECK(std::ranges::none_of(strokes, [&](const Stroke& other) {
        return other.color == stroke.color || (other.dashed == stroke.dashed && other.dash == stroke.dash);
      }));
      strokes.push_back(stroke);
    }
  }
  CHECK(view->numbers(input).size() == 4 * tables);
  for (const RunBeside& each : beside) CHECK(view->caption(input).find(each.title()) != std::string::npos);
  CHECK(in_lines(complaints(*view, input)) == "");
}

}  // namespace glassformer::variant_runs
