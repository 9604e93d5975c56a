// Before attention: three models train in the window, and one sentence is looked at in a recurrent one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/session/recurrent_reader.h"
#include "app/views/bottleneck/bottleneck.h"
#include "engine/model/names.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_cases.h"

namespace glassformer::bottleneck_test {
TEST_CASE("before anything is trained the view says what it would train") {
  SampleScene scene = make_sample_scene();
  const BottleneckView view;
  const RecordingCanvas canvas = picture_of(view, scene.input(), {0, 0, 700, 500});
  CHECK(canvas.find("one vector") != nullptr);
  CHECK(canvas.find("Transformer") != nullptr);
  CHECK(view.numbers(scene.input()).empty());
}

TEST_CASE("the shares by length and all numbers beside are those of the race") {
  SampleScene scene = make_sample_scene();
  const auto runner = small_runner();
  BottleneckView view(runner);
  const ShownRace& race = *runner->shown();
  CHECK_FALSE(race.running);
  const ViewInput input = scene.input();
  const std::vector<NumberTable> tables = view.numbers(input);
  REQUIRE(tables.size() == 2);
  REQUIRE(tables[0].values.size() == 8);
  for (std::size_t n = 0; n < 8; ++n)
    for (std::size_t i = 0; i < kRacers; ++i) {
      const LengthScore& score = race.racers[i].scores[n];
      const double share = tables[0].values[n][i];
      if (score.pairs == 0)
        CHECK(std::isnan(share));
      else
        CHECK(share == double(score.right) / double(score.pairs));
    }
  for (const Point size : {Point{1100, 700}, Point{620, 560}}) {
    CAPTURE(size.x);
    const RecordingCanvas canvas = picture_of(view, input, {0, 0, size.x, size.y});
    CHECK(canvas.find("60 steps, " + format_fixed(race.seconds, 0) + " s") != nullptr);
    // 2 (8 + 1) steps in a row of both recurrent ones, and 17 states on the way of one.
    CHECK(std::ranges::count(canvas.texts, "18", &RecordingCanvas::Text::text) == 2);
    CHECK(std::ranges::count(canvas.texts, "17", &RecordingCanvas::Text::text) == 1);
    CHECK(overlapping_texts(canvas).empty());
  }
  const InspectorPage page = inspector_page(view, input);
  CHECK(page.sections.front().rows.size() == 3);
}

TEST_CASE("four score functions stand beside each other, each as worked out by itself") {
  SampleScene scene = make_sample_scene();
  const auto runner = small_runner();
  const ShownRace& race = *runner->shown();
  const auto page = scores_page(race, {.letters = 5, .step = 2, .head = 1});
  REQUIRE(page);
  REQUIRE(page->weights.rows() == kScoreRows);
  REQUIRE(page->weights.cols() == 6);
  // By the trace: the dot products, and the weights that the Transformer itself computed.
  const EncodedPair& pair = *held_out_of(race, 5);
  const Trace trace =
      record_trace(*race.transformer->weights, {.sources = {pair.source}, .targets = {pair.target}});
  const Plane own = trace.plane(attention_value(AttentionKind::cross, 0, ValueKind::weights), 0, 1);
  const Plane dots = trace.plane(attention_value(AttentionKind::cross, 0, ValueKind::dot_products), 0, 1);
  double all = 0;
  for (int i = 0; i < 6; ++i) all += std::exp(double(dots(2, i)));
  for (int i = 0; i < 6; ++i) {
    CHECK(double(page->weights(0, i)) == doctest::Approx(std::exp(double(dots(2, i))) / all).epsilon(1e-4));
    CHECK(double(page->weights(1, i)) == doctest::Approx(double(own(2, i))).epsilon(1e-4));
    CHECK(double(page->weights(2, i)) ==
          doctest::Approx(std::max(0.0, double(dots(2, i)) / std::sqrt(4.0)) / 6).epsilon(1e-4));
  }
  for (const int row : {0, 1, 3}) CHECK(page->sum(row) == doctest::Approx(1).epsilon(1e-5));
  CHECK(page->weights.row(3).minCoeff() > 0);
  CHECK_FALSE(scores_page(race, {.letters = 9}));
  CHECK_FALSE(scores_page(ShownRace(), {}));

  BottleneckView view(runner);
  REQUIRE(view.set("Page", "Scores"));
  CHECK(in_lines(complaints(view, scene.input())) == "");
  CHECK(view.numbers(scene.input()).front().rows.size() == kScoreRows);
}

TEST_CASE("recall is drawn by its distance, and says so") {
  SampleScene scene = make_sample_scene();
  const auto runner = std::make_shared<RaceRunner>();
  runner->run({.task = "recall", .longest = 5, .pairs = 900, .width = 16, .steps = 40});
  BottleneckView view(runner);
  const ViewInput input = scene.input();
  const NumberTable shares = view.numbers(input).front();
  CHECK(shares.rows == std::vector<std::string>{"0", "1", "2", "3", "4", "5"});
  CHECK(shares.title == "share written right by sentences in between");
  const RecordingCanvas canvas = picture_of(view, input, {0, 0, 1100, 700});
  CHECK(canvas.find("sentences in between") != nullptr);
  CHECK(canvas.find("longest way of the fruit, in states") != nullptr);
  // The fruit, 18 words behind it and eos, and the state that writes it.
  CHECK(longest_way(Racer::one_vector, runner->shown()->options) == 21);
  CHECK(overlapping_texts(canvas).empty());
  for (const char* const page : {"Lengths", "Sentence"}) {
    REQUIRE(view.set("Page", page));
    CHECK(in_lines(complaints(view, input)) == "");
  }
  const auto page = sentence_page(*runner->shown(), {.letters = 2});
  REQUIRE(page);
  CHECK(page->scene->reads.size() == 14);
}

TEST_CASE("one sentence shows the states of the model, and its gates add up") {
  SampleScene scene = make_sample_scene();
  BottleneckView view(small_runner());
  REQUIRE(view.set("Page", "Sentence"));
  CHECK_FALSE(view.set("Page", "Sentences"));
  const ViewInput input = scene.input();
  for (const Point size : {Point{1100, 700}, Point{760, 520}}) {
    const RecordingCanvas canvas = picture_of(view, input, {0, 0, size.x, size.y});
    CHECK(canvas.find("Where the decoder looks") != nullptr);
    CHECK(overlapping_texts(canvas).empty());
  }
  const std::vector<NumberTable> tables = view.numbers(input);
  REQUIRE(tables.size() == 2);
  for (const std::vector<double>& row : tables[0].values) {
    double sum = 0;
    for (const double weight : row) sum += weight;
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  }
  const auto race = small_runner()->shown();
  for (const Racer racer : {Racer::one_vector, Racer::attention}) {
    const auto page = sentence_page(*race, {.racer = racer, .letters = 5, .word = 3, .unit = 7});
    REQUIRE(page);
    CHECK(page->scene->reads.size() == 6);
    CHECK(page->scene->trace.weights.rows() ==
          (racer == Racer::attention ? std::ssize(page->scene->writes) : 0));
    const GruTrace& layer = page->scene->trace.encoder.back();
    const double z = double(page->gate(1, 7)), n = double(page->gate(2, 7));
    CHECK(double(layer.output(3, 7)) ==
          doctest::Approx((1 - z) * n + z * double(layer.previous(3, 7))).epsilon(1e-4).scale(1e-3));
    // Each gate is what its two parts make.
    const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    const double r = sigma(page->gates[0].by_word.total + page->gates[0].by_state.total);
    CHECK(double(page->gate(0, 7)) == doctest::Approx(r).epsilon(1e-4));
    CHECK(z ==
          doctest::Approx(sigma(page->gates[1].by_word.total + page->gates[1].by_state.total)).epsilon(1e-4));
    CHECK(n == doctest::Approx(std::tanh(page->gates[2].by_word.total + r * page->gates[2].by_state.total))
                   .epsilon(1e-4));
    CHECK(layer.previous.row(3).isApprox(layer.output.row(2)));
    CHECK(gate_lines(*page).back().ends_with(" = " + format_pinned(double(layer.output(3, 7)))));
  }
  CHECK_FALSE(sentence_page(*race, {.letters = 9}));
  CHECK_FALSE(sentence_page(ShownRace(), {}));
}

TEST_CASE("how far the next training goes is set for each task by itself") {
  SettledProgram program({.view = "bottleneck", .threads = 1});
  click(program, "Task: Recall");
  const std::string before = program.text("Longest");
  CHECK(before == "20");
  REQUIRE(program.click("Longest"));  // in its middle
  program.frame(2);
  CHECK(program.text("Longest") == "22");
  click(program, "Task: Copy");
  CHECK(program.text("Longest") == "20");
}

TEST_CASE("three that write alike are said to, and recall begins where they part") {
  ShownRace race;
  race.options.task = "recall";
  for (RacerState& racer : race.racers) racer.scores = {{.words = 1, .pairs = 10, .right = 10}};
  CHECK(contains(race_caption(race), "All three write the same share right, 100 %"));
  race.racers[0].scores[0].right = 4;
  CHECK(alike_words(race).empty());
  CHECK(race_width("recall") == 16);
  CHECK(race_width("copy") == 64);
  SettledProgram program({.view = "bottleneck", .threads = 1});
  click(program, "Task: Recall");
  CHECK(program.text("Width") == "16");
}

TEST_CASE("the width of the three is chosen for the next training") {
  const auto runner = std::make_shared<RaceRunner>();
  BottleneckView view(runner);
  CHECK(view.set("Width", "16"));
  CHECK_FALSE(view.set("Width", "20"));
  SettledProgram program({.view = "bottleneck", .threads = 1});
  CHECK(program.text("Width") == "64");
  click(program, "Width: 16");
  CHECK(program.text("Width") == "16");
  REQUIRE(program.click("Task: Copy"));
  REQUIRE(program.click("Train the three"));
  REQUIRE(program.click("Page: Sentence"));
  REQUIRE(program.wait([&] { return program.visible("Unit"); }, 120));
  REQUIRE(program.click("Stop"));
  REQUIRE(program.wait([&] { return program.text("race") == "over"; }, 60));
  // The states that are drawn have so many numbers.
  program.program().ui().focus.on("Unit");
  for (int i = 0; i < 40; ++i) program.press(ui::Key::right), program.frame(1);
  CHECK(program.text("Unit") == "15");
}

TEST_CASE("the three train in the window, are stopped, and a click on the map chooses a number") {
  SettledProgram program({.view = "bottleneck", .threads = 1});
  REQUIRE(program.click("Task: Copy"));
  REQUIRE(program.click("Train the three"));
  REQUIRE(program.wait([&] { return program.text("race") == "running"; }));
  CHECK_FALSE(program.visible("Train the three"));
  REQUIRE(program.click("Page: Sentence"));
  REQUIRE(program.wait([&] { return program.visible("states"); }, 120));
  REQUIRE(program.click("Stop"));
  REQUIRE(program.wait([&] { return program.text("race") == "over"; }, 60));
  program.frame(2);
  const std::string before = program.text("gates");
  click(program, "states");
  CHECK(program.text("gates") != before);
  CHECK(program.visible("Train the three"));
}

TEST_CASE("a recurrent model is asked for as a new model, learns, and is seen in every view that has one") {
  // So low that the stage is scrolled: a page's head lies over nothing that can be clicked then.
  SettledProgram program({.size = {1024, 600}, .threads = 1});
  apply(program, {OpenDialog{"new model"}});
  REQUIRE(program.visible("Make it"));
  const auto choose = [&](const char* list, const char* item) {
    click(program, list);
    click(program, item);
  };
  choose("Architecture", "recurrent");
  CHECK_FALSE(program.visible("Make it"));
  CHECK_FALSE(program.visible("Size"));
  choose("Learns from", "Task: reverse");
  type(program, "Width d", "0");
  CHECK(contains(program.text("new model summary"), "width"));
  REQUIRE(program.type("Width d", "16"));
  type(program, "Steps (0: what suits)", "30");
  CHECK(contains(program.text("new model summary"), "weights. It learns beside the Transformer"));
  REQUIRE(program.click("Train it"));
  REQUIRE(program.wait(
      [&] {
        const auto run = program.session().recurrent_run();
        return run && !run->preparing && !run->running;
      },
      60));
  const auto run = program.session().recurrent_run();
  CHECK(run->problem == "");
  CHECK(run->step == 30);
  CHECK(run->model->config.width == 16);
  REQUIRE(program.wait([&] { return program.session().recurrent().scene != nullptr; }));
  CHECK(program.session().recurrent().scene->name == "“reverse”");
  program.frame(3);
  click(program, "Attention view");
  CHECK(program.visible("alignment query 0 key 0"));
  apply(program, {OpenView{"bottleneck"}});
  click(program, "One cell");
  CHECK(program.visible("Number: z"));
  // The variants lead to the same form, on the data of the run.
  apply(program, {OpenDialog{"new recurrent model"}});
  CHECK(program.visible("Layers"));
  CHECK_FALSE(program.visible("Make it"));
  CHECK(program.text("Learns from") == "English–French grammar");
  CHECK(program.text("Width d") == "16");
  CHECK(program.text("new model summary").starts_with("About "));
}

TEST_CASE("the page of one's own model says what there is, whatever there is") {
  SampleScene scene = make_sample_scene();
  BottleneckView view;
  REQUIRE(view.set("Page", "Own model"));
  ViewInput input = scene.input();
  const RecordingCanvas nothing = picture_of(view, input);
  CHECK(nothing.find("There is none yet") != nullptr);
  CHECK(view.numbers(input).empty());

  auto state = std::make_shared<RecurrentRunState>();
  state->name = "letters";
  state->problem = "the file ends too early";
  input.recurrent_run = state;
  CHECK(contains(view.caption(input), "the file ends too early"));

  const auto race = small_runner()->shown();
  for (const auto& model : {race->attention, race->one_vector}) {
    auto ready = std::make_shared<RecurrentRunState>();
    ready->name = "letters";
    ready->model = model;
    ready->tokenizers = race->data->tokenizers;
    ready->sample = "a b c";
    auto curves = std::make_shared<Curves>();
    for (int i = 0; i < 20; ++i) curves->steps.push_back({.loss = 3.0f / static_cast<float>(1 + i)});
    ready->curves = curves;
    ready->step = 20;
    input.recurrent_run = ready;
    input.recurrent_reading =
        std::make_shared<const RecurrentReading>(recurrent_reading(*ready, "words of nobody"));
    const auto tables = view.numbers(input);
    CHECK(tables.size() == (model == race->attention ? 1u : 0u));
    CHECK(contains(view.caption(input), "It reads “a b c”"));
    CHECK(in_lines(complaints(view, input)) == "");
  }
}

}  // namespace glassformer::bottleneck_test
