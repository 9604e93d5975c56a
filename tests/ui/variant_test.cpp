// A second run beside the first, with one thing changed.
#include <doctest/doctest.h>

#include "tests/ui/variant_runs.h"

namespace glassformer::variant_runs {

TEST_CASE("both runs see the same batches in the same order") {
  Session session(nothing_open());
  const NewRun run = run_of(25);
  make_ready(session, run);
  session.apply({TrainVariant{{"Nothing", "the same", "The same curve.", run.config, run.training}}});
  REQUIRE(both_end(session));  // a run that had not begun began with it
  testing::check_same_curves(*session.run().curves, *session.beside().back()->run.curves);
}

TEST_CASE("what was changed on the way of a run is changed in its variant at the same step") {
  Session session(nothing_open());
  const NewRun run = run_of(25);
  make_ready(session, run);
  for (long step = 1; step <= 5; ++step) {
    session.apply({TrainOneStep{}});
    REQUIRE(frames_until(session, [&] { return session.run().step == step; }));
  }
  session.apply({SetLearning{.rate_scale = 0.5, .dropout = 0.3, .smoothing = {}, .clip = {}}});
  REQUIRE(frames_until(session, [&] { return session.run().live.dropout == 0.3; }));
  session.apply(
      {TrainVariant{{"Nothing", "the same", "The same curve.", run.config, run.training}}, Train{}});
  REQUIRE(both_end(session));
  testing::check_same_curves(*session.run().curves, *session.beside().back()->run.curves);
  REQUIRE(session.beside().back()->run.curves->marks.size() == 1);
  CHECK(session.beside().back()->run.curves->marks[0].step == 5);
  CHECK(session.beside().back()->run.live == session.run().live);
}

TEST_CASE("changes go on reaching the variant when the run begins again") {
  Session session(nothing_open());
  const NewRun run = run_of(100000);
  make_ready(session, run);
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  const auto both_have = [&](double dropout) {
    session.apply({SetLearning{.rate_scale = {}, .dropout = dropout, .smoothing = {}, .clip = {}}});
    return frames_until(session, [&] {
      return session.run().live.dropout == dropout && session.beside().back()->run.live.dropout == dropout;
    });
  };
  REQUIRE(frames_until(session, [&] { return session.training() && session.beside().back()->run.step > 2; }));
  REQUIRE(both_have(0.3));
  session.apply({ResetTraining{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  CHECK(both_have(0.2));
}

TEST_CASE("what a variant is about stays as it is when the run is changed") {
  Session session(nothing_open());
  NewRun run = run_of(25);
  run.config.dropout = 0.1;
  make_ready(session, run);
  session.apply({SetLearning{.rate_scale = 0.5, .dropout = 0.3, .smoothing = {}, .clip = {}}});
  REQUIRE(frames_until(session, [&] { return session.run().live.dropout == 0.3; }));
  Config other = run.config;
  other.dropout = 0;
  session.apply({TrainVariant{{"Dropout", "0", "", other, run.training}}, Train{}});
  REQUIRE(both_end(session));
  CHECK(session.beside().back()->run.live.dropout == 0);
  CHECK(session.beside().back()->run.live.rate_scale == 0.5);
}

TEST_CASE("a variant is another model, compared step by step, and stays among the runs") {
  Session session(nothing_open());
  const NewRun run = run_of(20);
  make_ready(session, run);
  session.apply({TrainVariant{variation_about(run, "Heads")}});
  REQUIRE(session.beside().size() == 1);
  CHECK(session.beside().back()->about == "Heads");
  REQUIRE(both_end(session));
  CHECK(session.run().curves->steps.back().loss != session.beside().back()->run.curves->steps.back().loss);

  session.apply({Compare{OtherRun{}}});
  REQUIRE(frames_until(session, [&] { return session.compared()->second != nullptr; }));
  CHECK(session.compared()->second->snapshot->config.heads != session.result()->snapshot->config.heads);
  CHECK(session.compared()->second->snapshot->step == 20);

  // The training slider moves both.
  session.apply({ShowStep{4}});
  REQUIRE(frames_until(session, [&] {
    return session.result()->snapshot->step == 4 && session.compared()->second->snapshot->step == 4;
  }));
  // The second can be held at a step of its own, wherever the slider goes.
  session.apply({Compare{OtherRun{8}}});
  const auto shown = [&](long first, long second) {
    return frames_until(session, [&] {
      const Compared* two = session.compared();
      return two && two->second && two->first->snapshot->step == first &&
             two->second->snapshot->step == second;
    });
  };
  REQUIRE(shown(4, 8));
  session.apply({ShowStep{12}});
  REQUIRE(shown(12, 8));
  CHECK(session.compared()->first_name == "this run, step 12");
  CHECK(session.compared()->second_name == session.beside().back()->title() + ", step 8, held");
  session.apply({Compare{OtherRun{}}});
  REQUIRE(shown(12, 12));
  CHECK(session.compared()->second_name == session.beside().back()->title() + ", step 12");
  session.apply({EndVariant{}});
  CHECK(session.beside().empty());
  CHECK(session.compared() == nullptr);
  CHECK(session.close() == "");
  int kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(runs_folder())) {
    const OpenedModel model = open_model(entry.path().string());
    CHECK(model.last_step == 20);
    ++kept;
  }
  CHECK(kept == 2);
}

TEST_CASE("both of two runs that the end of the program interrupted are told of at the next start") {
  const NewRun run = run_of(100000);
  {
    Session session(nothing_open());
    make_ready(session, run);
    session.apply({TrainVariant{variation_about(run, "Heads")}});
    REQUIRE(frames_until(session, [&] {
      return session.run().step > 3 && !session.beside().empty() && session.beside().back()->run.step > 3;
    }));
    CHECK(session.close() == "");
  }
  const Settings settings = read_settings(settings_file());
  REQUIRE(settings.unfinished_variants.size() == 1);
  CHECK(settings.unfinished_run != settings.unfinished_variants.front());
  const Session session(nothing_open());
  const Notice* offer = notice(session, Place::training);
  REQUIRE(offer);
  for (const std::string& folder : {settings.unfinished_run, settings.unfinished_variants.front()})
    CHECK(contains(offer->text, run_in_words(std::filesystem::path(folder).filename().string())));
}

TEST_CASE("one button pauses both and goes on with both") {
  Session session(nothing_open());
  const NewRun run = run_of(100000);
  make_ready(session, run);
  session.apply({TrainVariant{variation_about(run, "Positions")}});
  REQUIRE(
      frames_until(session, [&] { return session.run().step > 3 && session.beside().back()->run.step > 3; }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return !session.training(); }));
  const long first = session.run().step, second = session.beside().back()->run.step;
  session.apply({TrainOneStep{}});
  REQUIRE(frames_until(session, [&] {
    return session.run().step == first + 1 && session.beside().back()->run.step == second + 1;
  }));
  session.apply({Train{}});
  REQUIRE(frames_until(session, [&] {
    return session.run().step > first + 3 && session.beside().back()->run.step > second + 3;
  }));
}

TEST_CASE("a variant takes two settings at once, of any value, or says what does not fit") {
  OffscreenProgram program({.threads = 1});
  program.session().apply({run_of(8)});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::ready; }));
  apply(program, {OpenView{"training"}, OpenDialog{"variant"}});
  type(program, "Settings of one's own", "heads = 3");
  CHECK(contains(program.text("variant note"), "heads must be a divisor"));
  CHECK_FALSE(program.find("Train the variant")->enabled);
  type(program, "Settings of one's own", "heads = 1, dropout = 0.3");
  REQUIRE(program.click("Train the variant"));
  REQUIRE(program.wait([&] {
    return !program.session().beside().empty() &&
           program.session().beside().back()->run.phase == RunPhase::stopped;
  }));
  const RunBeside& beside = *program.session().beside().back();
  CHECK(beside.title() == "Settings: heads=1, dropout=0.3");
  CHECK(beside.run.options.steps == 8);
  CHECK(beside.run.live.dropout == 0.3);
}

TEST_CASE("a variant is chosen from a list, and its curve lies over the other") {
  OffscreenProgram program({.threads = 1});
  NewRun run = run_of(30);
  run.training.validate_every = 5;
  program.session().apply({run});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::ready; }));
  program.session().apply({OpenDialog{"variant"}});
  apply(program, {OpenView{"training"}, OpenDialog{"variant"}});
  CHECK(program.text("dialog") == "Train a variant beside this run");
  REQUIRE(program.click("variation: Positions: none"));
  CHECK(contains(program.text("variant note"), "bag of words"));
  REQUIRE(program.click("Train the variant"));
  REQUIRE(program.wait([&] {
    return !program.session().beside().empty() &&
           program.session().beside().back()->run.phase == RunPhase::stopped &&
           program.session().run().phase == RunPhase::stopped;
  }));
  program.frame(2);
  CHECK(program.session().beside().back()->title() == "Positions: none");

  // The second of the two is held at a step, and released again.
  program.press('c');
  REQUIRE(program.settle());
  REQUIRE(program.click("Compare with another"));
  REQUIRE(program.type("A step of the variant", "8"));
  REQUIRE(program.click("Compare: A step of the variant"));
  settle(program);
  CHECK(contains(program.text("first of two"), "step 30"));
  CHECK(contains(program.text("second of two"), "step 8, held"));
  REQUIRE(program.click("Follow the slider"));
  settle(program);
  CHECK(contains(program.text("second of two"), "step 30"));
  CHECK(program.visible("Hold the second"));
  program.press('c');
  apply(program, {OpenView{"training"}});
  REQUIRE(program.click("End the variant"));
  program.frame();
  CHECK(program.session().beside().empty());
}

TEST_CASE("a variant that diverges says so and waits, while the run goes on") {
  Session session(nothing_open());
  NewRun run = run_of(100000);
  run.training.schedule = "constant";
  run.training.peak = 1e-9;
  session.apply({run, Train{}});
  REQUIRE(frames_until(session, [&] { return session.run().step > 5; }));
  TrainingOptions higher = run.training;
  higher.peak = 0.004;
  session.apply({TrainVariant{{"Peak", "wild", "", run.config, higher}}});
  REQUIRE(frames_until(session,
                       [&] { return !session.beside().empty() && session.beside().back()->run.step > 5; }));
  session.apply({SetLearning{.rate_scale = 1e6, .clip = 0}});  // of both
  REQUIRE(frames_until(session,
                       [&] { return !session.beside().empty() && session.beside().back()->run.diverged; }));
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->error);
  CHECK(contains(notice(session, Place::training)->text, "wild"));
  CHECK(session.training());  // the run itself continues
  CHECK(session.beside().back()->run.phase == RunPhase::paused);
}

TEST_CASE("a run that is over is not trained on because the other one is") {
  Session session(nothing_open());
  const NewRun run = run_of(8);
  make_ready(session, run);
  Variation longer = variation_about(run, "Seed");
  longer.training.steps = 100000;
  session.apply({TrainVariant{longer}});
  REQUIRE(frames_until(session, [&] {
    return session.run().phase == RunPhase::stopped && session.beside().back()->run.step > 12;
  }));
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return !session.training(); }));
  const long paused = session.beside().back()->run.step;
  session.apply({Train{}});
  REQUIRE(frames_until(session, [&] { return session.beside().back()->run.step > paused + 5; }));
  CHECK(session.run().step == 8);
  session.apply({ResetTraining{.new_seed = true}});  // other batches: no pair any more
  CHECK(session.beside().empty());
}

TEST_CASE("the charts and the numbers of the training hold both runs") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400);
  RunBeside beside{"Positions", "none", scene.run};
  const auto view = make_view("training");
  ViewInput input = scene.input();
  RecordingCanvas alone, both;
  view->picture(alone, input, {0, 0, 1000, 704});
  const size_t tables = view->numbers(input).size();
  input.beside = {&beside};
  view->picture(both, input, {0, 0, 1000, 704});
  CHECK(both.lines.size() > alone.lines.size());
  CHECK(view->numbers(input).size() == 2 * tables);
  CHECK(contains(view->caption(input), "Positions: none"));
  CHECK(in_lines(complaints(*view, input)) == "");
}

TEST_CASE("in every chart a variant is dashed, its line over the run's, its training loss faint under it") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400);
  std::vector<RunBeside> variants;
  for (int place = 0; place < 3; ++place) {
    variants.push_back({"Heads", std::to_string(place + 1), scene.run});  // the same curve: all lie on one
    variants.back().place = place;
  }
  ViewInput input = scene.input();
  for (const RunBeside& each : variants) input.beside.push_back(&each);
  const auto view = make_view("training");
  RecordingCanvas canvas;
  view->panel("loss", canvas, input, {0, 0, 1000, 500});
  const auto curve_in = [&](const Stroke& wanted) {
    for (std::size_t i = 0; i < canvas.lines.size(); ++i)
      if (canvas.lines[i].size() > 2 && canvas.strokes[i].color == wanted.color &&
          canvas.strokes[i].width == 2)
        return static_cast<int>(i);
    return -1;
  };
  const int own = curve_in({.color = canvas.theme().ink});
  REQUIRE(own >= 0);
  for (const RunBeside& each : variants) {
    const Stroke stroke = beside_stroke(canvas.theme(), each);
    CAPTURE(each.place);
    const int at = curve_in(stroke);
    REQUIRE(at > own);
    CHECK(canvas.strokes[static_cast<std::size_t>(at)].dashed);
    CHECK(canvas.strokes[static_cast<std::size_t>(at)].dash == stroke.dash);
    for (std::size_t i = 0; i < canvas.lines.size(); ++i) {
      const Color color = canvas.strokes[i].color;
      if (canvas.lines[i].size() < 3 || color.with_alpha(1) != stroke.color) continue;
      CHECK((canvas.strokes[i].dashed || color.a <= 80));
    }
  }
  // The names over the charts are whole where they have room.
  variants[0].about = "Layer norm", variants[0].name = "before each sublayer";
  const RecordingCanvas named = picture_of(*view, input, {0, 0, 1000, 704});
  CHECK(named.find("Layer norm: before each sublayer") != nullptr);
}

}  // namespace glassformer::variant_runs
