#include <doctest/doctest.h>

#include <numeric>

#include "tests/ui/layers_scene.h"

namespace glassformer::layers_test {

TEST_CASE("words, p, rank and log p on screen are those of the stream, worked out by hand") {
  for (const Config& config : {config_of(NormPlace::post, false), config_of(NormPlace::pre, true)}) {
    SampleScene scene = scene_of(config);
    const int place = 3;
    scene.pin(at_place(place));
    const auto view = make_view("layers");
    RecordingCanvas canvas;
    const Rect area{0, 0, 1000, 704};
    view->picture(canvas, scene.input(), area);
    LensCache cache;
    const LayersScene shown = layers_scene(scene.input(), cache, true);
    const LayersLayout at = layout_layers(area, shown);
    const int written = scene.result->trace->target_out[0][place];
    double before = 0;
    const std::vector<LensRow> rows = lens_rows(config);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      CAPTURE(rows[r].name);
      for (int p = 0; p < 8; ++p) {
        const ByHand exact = by_hand(scene, rows[r].name, p);
        const int best = exact.best();
        const auto live = live_part(canvas, "lens " + title(r) + " place " + std::to_string(p));
        REQUIRE(live);
        const auto texts = texts_in(canvas, live->rect);
        CHECK(has(texts, elided(canvas, scene.tokenizers.target->piece(best), {.size = 12}, 1000)));
        CHECK(has(texts, format_weight_cell(std::exp(exact.log_p[static_cast<std::size_t>(best)]))));
        if (r > 0)
          CHECK(shown.turns(static_cast<int>(r), p) == (by_hand(scene, rows[r - 1].name, p).best() != best));
      }
      const ByHand exact = by_hand(scene, rows[r].name, place);
      const double log_p = exact.log_p[static_cast<std::size_t>(written)];
      const Rect line = at.row(static_cast<int>(r));
      const auto texts = texts_in(canvas, {at.follow.x, line.y, at.follow.width, line.height});
      CHECK(has(texts, format_count(exact.rank(written))));
      CHECK(has(texts, format_fixed(log_p, 2)));
      if (config.norm == NormPlace::post && r > 0) CHECK(has(texts, format_signed(log_p - before, 2)));
      before = log_p;
    }
  }
}

TEST_CASE("the shares on screen of a pre-norm model add up to the logit that stands below them") {
  SampleScene scene = scene_of(config_of(NormPlace::pre, true));
  scene.pin(at_place(2));
  const auto view = make_view("layers");
  RecordingCanvas canvas;
  const Rect area{0, 0, 1000, 704};
  view->picture(canvas, scene.input(), area);
  LensCache cache;
  const LayersScene shown = layers_scene(scene.input(), cache, true);
  const LayersLayout at = layout_layers(area, shown);
  double sum = 0;
  for (int line = 0; line < static_cast<int>(shown.lines.size()); ++line) {
    const Rect row = at.row(line);
    CHECK(has(texts_in(canvas, {at.follow.x, row.y, at.follow.width, row.height}),
              format_signed(shown.share(line, 2), 2)));
    sum += shown.share(line, 2);
  }
  const int index[] = {0, 2, scene.result->trace->target_out[0][2]};
  const auto logit = static_cast<double>(scene.result->trace->at("logits").at(index));
  sum += shown.lens->shares[2].biases;
  CHECK(sum == doctest::Approx(logit).epsilon(1e-4).scale(1));
  CHECK(canvas.find("logit " + format_fixed(logit, 2)) != nullptr);
  CHECK(canvas.find("biases " + format_signed(shown.lens->shares[2].biases, 2)) != nullptr);

  // The table for the CSV: a row a head, and each column adds up.
  const std::vector<NumberTable> tables = view->numbers(scene.input());
  REQUIRE(tables.size() == 2);
  const NumberTable& shares = tables[1];
  REQUIRE(shares.rows.size() == 1 + 2 * (4 + 4 + 1) + 3);
  CHECK(shares.rows[1] == "layer 1 self-attention head 1");
  CHECK(shares.rows.back() == "logit");
  for (std::size_t place = 0; place < shares.columns.size(); ++place) {
    double of_all = 0;
    for (std::size_t r = 0; r + 1 < shares.rows.size(); ++r) of_all += shares.values[r][place];
    CHECK(of_all == doctest::Approx(shares.values.back()[place]));
  }
}

TEST_CASE("the page of a cell works out its p, lists the five most probable and says why no heads") {
  SampleScene scene = scene_of(config_of(NormPlace::post, false));
  Selection selection = at_place(3);
  selection.cell = CellRef{"decoder.layers.1.norm2", {0, 3, 0}};
  scene.pin(selection);
  const auto view = make_view("layers");
  const RecordingCanvas canvas = picture_of(*view, scene.input(), {0, 0, 1000, 704});
  const InspectorPage page = inspector_page(*view, scene.input());
  const ByHand exact = by_hand(scene, "decoder.layers.1.norm2", 3);
  CHECK(page.value == format_pinned(std::exp(exact.log_p[static_cast<std::size_t>(exact.best())])));
  CHECK(page.subject == "reads **fatiguée**  says **" + scene.tokenizers.target->piece(exact.best()) + "**");
  CHECK(page.index == "[3, :] of 8 × 32");
  REQUIRE(page.sections.size() == 3);
  CHECK(page.sections[1].rows.size() == 5);
  CHECK(page.sections[2].heading == "Why not head by head");
  REQUIRE(page.action);
  CHECK(page.action->command.get<OpenStep>().cell == *selection.cell);
  CHECK(view->place(scene.input()).computing == "decoder.layers.1.cross_attn.output");

  // Of two that are compared it has no value that could be taken for a number of the row.
  ViewInput input = scene.input();
  input.other = scene.result.get();
  CHECK(view->inspect(input)->value.empty());

  SampleScene pre = scene_of(config_of(NormPlace::pre, true));
  selection.cell = CellRef{"decoder.layers.1.residual2", {0, 3, 0}};
  pre.pin(selection);
  const InspectorPage heads = inspector_page(*view, pre.input());
  CHECK(heads.sections[2].rows.size() == 4);
  CHECK(heads.sections[2].rows[0].label == "head 1");
}

TEST_CASE("the sentence below counts the places that repeat a word, and those that come to theirs") {
  std::optional<SampleScene> bundled = bundled_scene("the tired girl sees a red car");
  SampleScene other = scene_of(config_of(NormPlace::post, false));
  for (SampleScene* scene : {bundled ? &*bundled : &other, &other}) {
    LensCache cache;
    const LayersScene shown = layers_scene(scene->input(), cache, true);
    const std::vector<LensRow> rows = lens_rows(scene->snapshot->config);
    const Trace& trace = *scene->result->trace;
    const auto places = trace.target_out[0].size();
    int repeats = 0, never = 0;
    std::vector<int> from(rows.size());
    for (std::size_t place = 0; place < places; ++place) {
      const int at = static_cast<int>(place);
      repeats += by_hand(*scene, rows[0].name, at).best() == trace.target_in[0][place];
      std::size_t first = rows.size();
      while (first > 0 && by_hand(*scene, rows[first - 1].name, at).best() == trace.target_out[0][place])
        --first;
      first == rows.size() ? ++never : ++from[first];
    }
    const std::string text = lens_summary(shown), of = " of " + std::to_string(places) + " places ";
    CHECK(text.find(std::to_string(repeats) + of + "say the word they read") == 0);
    const auto most = std::ranges::max_element(from);
    const std::string keeps = "From " + title(static_cast<std::size_t>(most - from.begin())) + " on, " +
                              std::to_string(std::accumulate(from.begin(), most + 1, 0)) + of +
                              "keep the word that is written.";
    CHECK((contains(text, keeps)) == (*most > 0));
    CHECK((contains(text, "At " + std::to_string(never) + of + "the model itself")) == (never > 0));
  }
}

TEST_CASE("the map opens layer by layer, arrows go over all cells, Enter pins and then leads to the Walk") {
  SmallProgram program({.size = {1600, 1000}});
  REQUIRE(program.click("map: decoder layer 2 by layer"));
  REQUIRE(program.settle());
  CHECK(program.program().shell().open_view() == "layers");
  CHECK(program.text("breadcrumb") == "Model > Decoder > Layer by layer");
  program.press(ui::Key::tab);
  REQUIRE(program.find("grid 1"));
  CHECK(program.find("grid 1")->focused);
  for (int i = 0; i < 4; ++i) program.press(ui::Key::down);  // into the second layer
  program.press(ui::Key::right);
  CHECK(program.find("grid 1")->value == "lens layer 2, self-attention place 1");
  CHECK_FALSE(program.session().pinned().cell);
  program.press(ui::Key::enter);
  REQUIRE(program.session().pinned().cell);
  CHECK(program.session().pinned().cell->name == "decoder.layers.1.norm1");
  CHECK(program.session().pinned().query == 1);
  program.frame(2);
  CHECK(program.find("map: decoder layer 2 masked self-attention")->selected);
  CHECK_FALSE(program.find("Term by term"));  // a row of numbers, not one
  program.frame(30);
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.program().shell().open_view() == "walk");
}

}  // namespace glassformer::layers_test
