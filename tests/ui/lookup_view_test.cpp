// A lookup, page by page and fact by fact.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/format/number_format.h"
#include "engine/analysis/position_study.h"
#include "tests/ui/lookup_helpers.h"

namespace glassformer::lookup_view_test {

TEST_CASE("at temperature 1 the row's numbers are the Trace's own, and a click pins them") {
  SampleScene scene = make_sample_scene();
  scene.pin(selected_row(AttentionKind::cross, 1, 2, 4));
  ViewStage stage("lookup", scene);
  REQUIRE(stage.click("Lookup: A row of attention"));
  const Trace& trace = *scene.result->trace;
  const std::string name = "decoder.layers.1.cross_attn.";
  const Plane weights = trace.plane(name + "weights", 0, 2),
              scores = trace.plane(name + "masked_scores", 0, 2),
              context = trace.plane(name + "context", 0, 2);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables[0].values.size() == scene.result->source_words.size());
  for (int key = 0; key < weights.columns && key < static_cast<int>(tables[0].values.size()); ++key) {
    const auto& line = tables[0].values[static_cast<std::size_t>(key)];
    CHECK(line[0] == double(scores(4, key)));
    CHECK(line[2] == double(weights(4, key)));
  }
  for (int column = 0; column < context.columns; ++column)
    CHECK(tables[1].values[1][static_cast<std::size_t>(column)] == double(context(4, column)));

  REQUIRE(stage.click("lookup score 3"));
  CHECK(scene.pinned.cell == CellRef{name + "masked_scores", {0, 2, 4, 3}});
  CHECK_FALSE(stage.view().inspect(scene.input()));  // the Trace's number explains itself
  REQUIRE(stage.click("lookup value 5 1"));
  CHECK(scene.pinned.cell == CellRef{name + "value", {0, 2, 5, 1}});
  REQUIRE(stage.click("lookup answer 2"));
  CHECK(scene.pinned.cell == CellRef{name + "context", {0, 2, 4, 2}});
}

TEST_CASE("a cold row is argmax alone, another temperature is explained beside the model's own") {
  SampleScene scene = make_sample_scene();
  scene.pin(selected_row(AttentionKind::encoder, 0, 1, 2));
  ViewStage stage("lookup", scene);
  REQUIRE(stage.click("Lookup: A row of attention"));
  set_slider(stage, "Temperature", 0);
  const auto cold = stage.view().numbers(scene.input());
  for (const auto& line : cold.at(0).values) CHECK(line[2] == doctest::Approx(line[1]).epsilon(1e-3));
  set_slider(stage, "Temperature", warmth_share(0.5));
  CHECK_FALSE(stage.has("lookup answer 2"));  // not a number of the model
  REQUIRE(stage.click("lookup weight 3"));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.caption == "Weight at another temperature");
  const Plane weights = scene.result->trace->plane("encoder.layers.0.self_attn.weights", 0, 1);
  CHECK(page.sections.at(0).rows.back().value == format_pinned(double(weights(2, 3))));
  CHECK(page.value != page.sections.at(0).rows.back().value);
}

TEST_CASE("the row follows the shared selection and moves it on") {
  SampleScene scene = make_sample_scene();
  scene.pin(selected_row(AttentionKind::cross, 0, 0, 3));
  ViewStage stage("lookup", scene);
  REQUIRE(stage.click("Lookup: A row of attention"));
  CHECK(stage.find("lookup row")->value == scene.result->target_in_words[3]);
  REQUIRE(stage.click("Next word"));
  CHECK(scene.pinned.query == 4);
  REQUIRE(stage.click("Previous word"));
  REQUIRE(stage.click("Previous word"));
  CHECK(scene.pinned.query == 2);
  REQUIRE(stage.click("Whose attention: Encoder"));
  CHECK(scene.pinned.kind == AttentionKind::encoder);
  CHECK(std::ranges::find(scene.result->source_words, stage.find("lookup row")->value) !=
        scene.result->source_words.end());
}

TEST_CASE("the chosen number is outlined in ink, and the row's sum is written out, strongest first") {
  SampleScene scene = make_sample_scene();
  Selection selection = selected_row(AttentionKind::encoder, 0, 1, 2);
  selection.cell = CellRef{"encoder.layers.0.self_attn.key", {0, 1, 3, 2}};
  scene.pin(selection);
  const auto outlines = [&] {
    const RecordingCanvas canvas = picture_of(*lookup_page(LookupPage::row), scene.input());
    return std::ranges::count_if(canvas.rectangles,
                                 [](const auto& each) { return each.box.outline_width == 3; });
  };
  CHECK(outlines() == 1);
  scene.pinned.cell = scene.shown.cell = CellRef{"encoder.layers.0.self_attn.masked_scores", {0, 1, 2, 4}};
  CHECK(outlines() == 1);
  scene.pinned.cell = scene.shown.cell = CellRef{"encoder.layers.0.self_attn.masked_scores", {0, 1, 1, 4}};
  CHECK(outlines() == 0);  // of another row

  const RowScene shown = row_scene(scene.input(), 1);
  const std::vector<double>& weights = shown.row.soft.weights;
  const auto best = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
  CHECK(row_sum(shown).starts_with(format_fixed(weights[best], 3) + " × " + shown.words[best]));
}

TEST_CASE("while the decoding is stepped the row stays among the words written") {
  SampleScene scene = make_sample_scene();
  scene.pin(selected_row(AttentionKind::decoder, 0, 0, 6));
  ViewInput input = scene.input();
  input.shown_steps = 2;
  const RowScene stepped = row_scene(input, 1);
  CHECK(*stepped.shown.query == 1);
  CHECK(stepped.writes == scene.result->target_out_words[1]);
  CHECK(stepped.words[1] == scene.result->target_in_words[1]);
  CHECK(stepped.words[2] == "not yet");
  input.shown_steps = 0;
  CHECK(row_scene(input, 1).writes == "");
  CHECK(in_lines(complaints(*lookup_page(LookupPage::row), input)) == "");
}

TEST_CASE("a model whose numbers broke shows that they are none") {
  SampleScene scene = make_sample_scene({.sharpness = std::nanf("")});
  const RecordingCanvas canvas = picture_of(*lookup_page(LookupPage::row), scene.input());
  CHECK(canvas.find("NaN") != nullptr);
}

TEST_CASE("a row that the mask hides in part shows hatched scores and no weight there") {
  SampleScene scene = make_sample_scene();
  scene.pin(selected_row(AttentionKind::decoder, 0, 0, 1));
  const auto tables = lookup_page(LookupPage::row)->numbers(scene.input());
  for (std::size_t key = 2; key < tables[0].values.size(); ++key) {
    CHECK(std::isinf(tables[0].values[key][0]));
    CHECK(tables[0].values[key][2] == 0);
  }
  const auto rows = lookup_page(LookupPage::row)->inspect(scene.input())->sections.at(0).rows;
  CHECK(rows.at(3).value == "hidden");
}

TEST_CASE("the index is most like the last place, the waves like the place itself, with the model's width") {
  SampleScene scene = sample_scene("d_model 48");
  ViewStage stage("lookup", scene);
  REQUIRE(stage.click("Lookup: Positions"));
  CHECK(stage.state() == "places, 64 seen from 20");
  const auto compared = stage.view().numbers(scene.input()).at(0);
  REQUIRE(compared.values.size() == 64);
  const auto best = [&](std::size_t column) {
    const auto less = [column](const auto& a, const auto& b) { return a[column] < b[column]; };
    return std::max_element(compared.values.begin(), compared.values.end(), less) - compared.values.begin();
  };
  CHECK(best(1) == 63);
  CHECK(best(3) == 20);
  CHECK(compared.values[63][1] == 20 * 63);
  const std::vector<float> waves = sinusoidal_table(64, 48);
  const std::vector<float> products = dot_products({waves.data(), 64, 48});
  CHECK(compared.values[7][3] == doctest::Approx(double(products[20 * 64 + 7])).epsilon(1e-5));
  CHECK(compared.values[63][2] == doctest::Approx(1));  // all the weight
  const auto signals = stage.view().numbers(scene.input()).at(1).values;
  CHECK(signals[0][2] == 0);        // neighbours by index: 0 x 1
  CHECK(signals[0][3] == 62 * 63);  // to the last two
  CHECK(signals[1][2] == doctest::Approx(signals[1][3]).epsilon(1e-4));

  // The longer the sentence, the less is left of the word beside the index; the waves keep their share.
  const auto shares = [&] { return stage.view().numbers(scene.input()).at(1).values; };
  const auto before = shares();
  set_slider(stage, "Words in the sentence", 1);
  CHECK(shares()[0][0] > before[0][0]);
  CHECK(shares()[1][0] == doctest::Approx(before[1][0]).epsilon(1e-4));
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
  set_slider(stage, "Words in the sentence", 0);
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("a click on a chart chooses the place that the others are compared with") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  REQUIRE(stage.click("Lookup: Positions"));
  const Rect plot = stage.find("alike by waves")->rect;
  stage.move_to({plot.x + plot.width * 32 / 63, plot.center().y});
  stage.press();
  CHECK(stage.state() == "places, 64 seen from 32");
  set_slider(stage, "Seen from place", 0);
  CHECK(stage.state() == "places, 64 seen from 0");
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("Enter goes from the facts to the row and on to its head, Backspace goes back") {
  SampleScene scene = make_sample_scene();
  LookupView view;
  Commands commands;
  CHECK_FALSE(view.key({ViewKey::backspace, 1}, scene.input(), commands));
  CHECK(view.key(ViewKey::enter, scene.input(), commands));
  CHECK(commands.empty());
  CHECK(view.place(scene.input()).path.back() == "A row of attention");
  CHECK(view.key(ViewKey::enter, scene.input(), commands));
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].get<OpenView>().view == "head");
  CHECK(view.key({ViewKey::backspace, 1}, scene.input(), commands));
  CHECK(view.place(scene.input()).path.back() == "A table of facts");
}

TEST_CASE("at both ends of the day query and slopes stay inside the chart") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const Rect plot = stage.find("facts chart")->rect.inset(-1);
  for (const double logarithm : {-1.0, 1.0}) {
    set_slider(stage, "Temperature", warmth_share(logarithm));
    for (const double hour : {kFirstHour, 11.5, 20.5, kLastHour}) {
      set_slider(stage, "Query", hour_share(hour));
      const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
      int seen = 0;
      for (std::size_t i = 0; i < canvas.lines.size(); ++i) {
        if (canvas.strokes[i].color != canvas.theme().query) continue;
        ++seen;
        for (const Point point : canvas.lines[i]) CHECK(plot.contains(point));
      }
      CHECK(seen == 3);  // the query, and a slope on each curve
    }
  }
}

TEST_CASE("moving the query makes argmax jump without a slope and softmax slide with one") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const auto ask = [&](double hour) {
    set_slider(stage, "Query", hour_share(hour));
    CHECK(stage.state() == "facts, hour " + format_fixed(hour, 1) + ", temperature 1");
    return stage.view().numbers(scene.input()).at(1).values;  // answer and slope of argmax, of softmax
  };
  const auto before = ask(11.4), after = ask(11.6);
  CHECK(before[0][0] == 14);
  CHECK(after[0][0] == 48);
  CHECK(before[0][1] == 0);
  CHECK(after[0][1] == 0);
  CHECK((after[1][0] - before[1][0]) / 0.2 == doctest::Approx(ask(11.5)[1][1]).epsilon(0.01));
  CHECK(after[1][1] > 1);
}

TEST_CASE("the temperature goes from the nearest fact to the mean of all, and says both slopes") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const auto answer = [&] { return stage.view().numbers(scene.input()).at(1).values[1][0]; };
  set_slider(stage, "Temperature", 0);
  CHECK(answer() == doctest::Approx(48));
  set_slider(stage, "Temperature", 1);
  CHECK(answer() == doctest::Approx(160.0 / 6).epsilon(0.02));
  set_slider(stage, "Temperature", warmth_share(0));
  CHECK(stage.state() == "facts, hour 11.7, temperature 1");
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
  CHECK(canvas.find("slope 0 here") != nullptr);
  const FactsAnswer engine = ask_facts(11.7, 1);
  CHECK(canvas.find("slope " + format_signed(engine.soft.slope(0, 0), 2)) != nullptr);
  CHECK(canvas.find(facts_sum(engine)) != nullptr);
  CHECK(facts_sum(engine).ends_with(" ≈ 35.9"));
  REQUIRE(stage.set("Query", "11.5"));  // as far from coffee as from lunch
  const RecordingCanvas between = picture_of(stage.view(), scene.input(), stage.area());
  CHECK(between.find("it jumps here") != nullptr);
  CHECK(between.find("slope 0 here") == nullptr);
}

TEST_CASE("the sum below the table gives what it says, from the weights as they are printed") {
  for (int tenth = 60; tenth <= 240; ++tenth) {
    CAPTURE(tenth);
    const std::string text = facts_sum(ask_facts(tenth / 10.0, 1));
    const std::size_t end = text.find(" ≈ ");
    double sum = 0;
    std::istringstream terms(text.substr(0, end));
    std::string weight, sign, guests;
    while (terms >> weight >> sign >> guests) {
      sum += std::stod(weight) * std::stod(guests);
      terms >> sign;
    }
    CHECK(std::abs(sum - std::stod(text.substr(end + std::string(" ≈ ").size()))) < 0.051);
  }
}

TEST_CASE("the query follows the mouse in the chart, and a link leads on to the sentence") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  const Rect plot = stage.find("facts chart")->rect;
  stage.move_to({plot.x + plot.width * static_cast<float>(hour_share(19)), plot.center().y});
  stage.press();
  CHECK(stage.state() == "facts, hour 19.0, temperature 1");
  REQUIRE(stage.click("The same table with your sentence"));
  CHECK(stage.state() == "row, temperature 1");
}

TEST_CASE("playing moves the query on from where it stands until it is paused") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  REQUIRE(stage.click("Play: Lookup"));
  CHECK(stage.state().ends_with(", playing"));
  CHECK(stage.state() != "facts, hour 11.7, temperature 1, playing");
  REQUIRE(stage.click("Pause: Lookup"));
  const std::string there = stage.state();
  stage.frames(10);
  CHECK(stage.state() == there);
}

TEST_CASE("a fact under the mouse is explained from query to weight") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("lookup", scene);
  CHECK(stage.view().inspect(scene.input())->caption == "Soft lookup");
  REQUIRE(stage.hover("fact coffee"));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.subject == "**coffee** at hour **10**");
  CHECK(page.value == format_pinned(ask_facts(11.7, 1).soft.weights[1]));
}

}  // namespace glassformer::lookup_view_test
