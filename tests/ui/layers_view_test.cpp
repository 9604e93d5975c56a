#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <thread>

#include "app/format/number_format.h"
#include "app/session/run_scene.h"
#include "app/views/layers/layers_view.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

Config config_of(NormPlace norm, bool final_norm, int layers = 2) {
  Config config;
  config.d_model = 32;
  config.d_ff = 48;
  config.norm = norm;
  config.final_norm = final_norm;
  config.decoder_layers = layers;
  return config;
}

SampleScene scene_of(const Config& config, TokenizerKind tokenizer = TokenizerKind::word) {
  SampleOptions options;
  options.config = config;
  options.tokenizer = tokenizer;
  return make_sample_scene(options);
}

// One place after one part, number by number in double.
struct ByHand {
  std::vector<double> log_p;  // V_t
  int best() const { return static_cast<int>(std::ranges::max_element(log_p) - log_p.begin()); }
  int rank(int word) const {
    return 1 + static_cast<int>(std::ranges::count_if(
                   log_p, [&](double other) { return other > log_p[static_cast<std::size_t>(word)]; }));
  }
};

ByHand by_hand(const SampleScene& scene, const std::string& name, int place) {
  const Transformer<float>& model = *scene.snapshot->weights;
  const Plane plane = scene.result->trace->plane(name);
  std::vector<double> x;
  for (int c = 0; c < plane.columns; ++c) x.push_back(static_cast<double>(plane(place, c)));
  if (model.config.final_norm) {
    const auto d = static_cast<double>(x.size());
    double mean = 0, variance = 0;
    for (const double v : x) mean += v / d;
    for (const double v : x) variance += (v - mean) * (v - mean) / d;
    for (std::size_t c = 0; c < x.size(); ++c) {
      const auto at = static_cast<Eigen::Index>(c);
      x[c] = (x[c] - mean) / std::sqrt(variance + model.config.layer_norm_eps) *
                 static_cast<double>(model.decoder_norm.weight(at)) +
             static_cast<double>(model.decoder_norm.bias(at));
    }
  }
  ByHand found;
  double sum = 0;
  for (int id = 0; id < model.config.target_vocab; ++id) {
    double logit = static_cast<double>(model.output_projection.bias(id));
    for (std::size_t c = 0; c < x.size(); ++c)
      logit += x[c] * static_cast<double>(model.projection()(id, static_cast<Eigen::Index>(c)));
    found.log_p.push_back(logit);
    sum += std::exp(logit);
  }
  for (double& each : found.log_p) each -= std::log(sum);
  return found;
}

std::vector<std::string> texts_in(const RecordingCanvas& canvas, const Rect& rect) {
  std::vector<std::string> found;
  for (const RecordingCanvas::Text& text : canvas.texts)
    if (rect.contains({text.box.x + text.box.width / 2, text.box.y + text.box.height / 2}))
      found.push_back(text.text);
  return found;
}

bool has(const std::vector<std::string>& texts, const std::string& wanted) {
  return std::ranges::find(texts, wanted) != texts.end();
}

Selection at_place(int place) {
  Selection selection;
  selection.query = place;
  return selection;
}

const std::string kParts[] = {"embedding", "self-attention", "cross-attention", "feed-forward"};
std::string title(std::size_t row) {
  return row == 0 ? "the embedding"
                  : "layer " + std::to_string((row - 1) / 3 + 1) + ", " + kParts[(row - 1) % 3 + 1];
}

}  // namespace

TEST_CASE("layer by layer stays inside its stage for every kind of model and tokenizer") {
  for (const Config& config :
       {config_of(NormPlace::post, false), config_of(NormPlace::post, true), config_of(NormPlace::pre, true),
        config_of(NormPlace::pre, false), config_of(NormPlace::pre, true, 6)})
    for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::bpe, TokenizerKind::character}) {
      SampleScene scene = scene_of(config, kind);
      const auto view = make_view("layers");
      const auto bare = complaints(*view, scene.input());
      CHECK_MESSAGE(bare.empty(), in_lines(bare));
      Selection selection = at_place(3);
      selection.cell = CellRef{lens_rows(config)[2].name, {0, 3, 0}};
      scene.pin(selection);
      const auto pinned = complaints(*view, scene.input());
      CHECK_MESSAGE(pinned.empty(), in_lines(pinned));
    }
  SampleScene scene = scene_of(config_of(NormPlace::pre, true));
  scene.tokenizers = {};
  const auto without = complaints(*make_view("layers"), scene.input());
  CHECK_MESSAGE(without.empty(), in_lines(without));
}

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

TEST_CASE("of more than three layers one is open, and a click on a closed one opens it") {
  const Config config = config_of(NormPlace::post, false, 5);
  SampleScene scene = scene_of(config);
  ViewStage stage("layers", scene);
  stage.frames();
  CHECK(stage.has("grid 1"));
  RecordingCanvas before;
  stage.view().picture(before, scene.input(), stage.area());
  CHECK(live_part(before, "lens layer 2 place 1"));
  CHECK_FALSE(live_part(before, "lens layer 2, cross-attention place 1"));
  CHECK(live_part(before, "lens layer 5, cross-attention place 1"));
  const Selection pinned = pinned_by(before, "lens layer 2 place 1");
  CHECK(pinned.query == 1);
  REQUIRE(pinned.cell);
  CHECK(pinned.cell->name == "decoder.layers.1.norm3");

  scene.pin(pinned);
  RecordingCanvas after;
  stage.view().picture(after, scene.input(), stage.area());
  CHECK(live_part(after, "lens layer 2, cross-attention place 1"));
  CHECK(live_part(after, "lens layer 5 place 1"));
  // A closed layer's change is that of all its parts.
  LensCache cache;
  const LayersScene shown = layers_scene(scene.input(), cache, true);
  REQUIRE(shown.lines[1].closed());
  const int written = scene.result->trace->target_out[0][1];
  const auto log_p = [&](const char* name) {
    return by_hand(scene, name, 1).log_p[static_cast<std::size_t>(written)];
  };
  CHECK(*shown.change(1, 1) ==
        doctest::Approx(log_p("decoder.layers.0.norm3") - log_p("target.input")).epsilon(1e-4));
}

TEST_CASE("the page of a cell works out its p, lists the five most probable and says why no heads") {
  SampleScene scene = scene_of(config_of(NormPlace::post, false));
  Selection selection = at_place(3);
  selection.cell = CellRef{"decoder.layers.1.norm2", {0, 3, 0}};
  scene.pin(selection);
  const auto view = make_view("layers");
  RecordingCanvas canvas;
  view->picture(canvas, scene.input(), {0, 0, 1000, 704});
  const auto page = view->inspect(scene.input());
  REQUIRE(page);
  const ByHand exact = by_hand(scene, "decoder.layers.1.norm2", 3);
  CHECK(page->value == format_pinned(std::exp(exact.log_p[static_cast<std::size_t>(exact.best())])));
  CHECK(page->subject == "reads **fatiguée**  says **" + scene.tokenizers.target->piece(exact.best()) + "**");
  CHECK(page->index == "[3, :] of 8 × 32");
  REQUIRE(page->sections.size() == 3);
  CHECK(page->sections[1].rows.size() == 5);
  CHECK(page->sections[2].heading == "Why not head by head");
  REQUIRE(page->action);
  CHECK(page->action->command.get<OpenStep>().cell == *selection.cell);
  CHECK(view->place(scene.input()).computing == "decoder.layers.1.cross_attn.output");

  // Of two that are compared it has no value that could be taken for a number of the row.
  ViewInput input = scene.input();
  input.other = scene.result.get();
  CHECK(view->inspect(input)->value.empty());

  SampleScene pre = scene_of(config_of(NormPlace::pre, true));
  selection.cell = CellRef{"decoder.layers.1.residual2", {0, 3, 0}};
  pre.pin(selection);
  const auto heads = view->inspect(pre.input());
  REQUIRE(heads);
  CHECK(heads->sections[2].rows.size() == 4);
  CHECK(heads->sections[2].rows[0].label == "head 1");
}

TEST_CASE("layer by layer reads the Scene as it is changed, and a translation that was typed") {
  SampleOptions options;
  options.config = config_of(NormPlace::pre, true);
  options.sentences[0].target = "le chat voit";
  options.what_if.changes = {mute_head(AttentionKind::cross, 1, 2)};
  const SampleScene scene = make_sample_scene(options);
  LensCache cache;
  const LayersScene shown = layers_scene(scene.input(), cache, true);
  CHECK(shown.places() == 4);
  CHECK(shown.written[1] == "chat");
  CHECK(shown.lens->shares[1].parts[5][2] == 0);
  CHECK(shown.lens->shares[1].parts[5][1] != 0);
  const auto last = static_cast<int>(shown.lines.size()) - 1;
  const Plane log_p = scene.result->trace->plane("log_probabilities");
  const LensCell& cell = shown.cell(last, 1);
  CHECK(cell.log_probability(cell.written) ==
        doctest::Approx(static_cast<double>(log_p(1, cell.written.id))).epsilon(1e-4));
  RecordingCanvas canvas;
  make_view("layers")->picture(canvas, scene.input(), {0, 0, 1000, 704});
  CHECK(canvas.find("right word") != nullptr);
}

TEST_CASE("the second of two reads the words of the first, and says so") {
  SampleOptions options;
  options.config = config_of(NormPlace::post, false);
  options.sentences[0].reference.reset();
  const SampleScene scene = make_sample_scene(options);
  ViewInput input = scene.input();
  input.other = scene.result.get();
  RecordingCanvas first, second;
  const auto view = make_view("layers");
  view->picture(first, input, {0, 0, 1000, 704});
  input.second_of_two = true;
  const auto beside = make_view("layers");
  CHECK(beside->show_like(*view));
  beside->picture(second, input, {0, 0, 1000, 704});
  CHECK(first.find("writes") != nullptr);
  CHECK(second.find("writes") == nullptr);
  CHECK(second.find("the first writes") != nullptr);
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
                              std::to_string(*most) + of + "keep the word that is written.";
    CHECK((text.find(keeps) != std::string::npos) == (*most > 0));
    CHECK((text.find("At " + std::to_string(never) + of + "the model itself") != std::string::npos) ==
          (never > 0));
  }
}

TEST_CASE("a model whose numbers broke is drawn with crosses, and nothing is called probable") {
  SampleScene scene = scene_of(config_of(NormPlace::post, false));
  auto broken = std::make_shared<Transformer<float>>(*scene.snapshot->weights);
  broken->decoder_layers[1].norm1.weight.setConstant(std::numeric_limits<float>::quiet_NaN());
  Snapshot snapshot = *scene.snapshot;
  snapshot.weights = broken;
  scene.snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
  scene.result = run_scene(scene.snapshot, scene.tokenizers, scene.result->scene);
  const auto view = make_view("layers");
  const auto found = complaints(*view, scene.input());
  CHECK_MESSAGE(found.empty(), in_lines(found));
  RecordingCanvas canvas;
  view->picture(canvas, scene.input(), {0, 0, 1000, 704});
  const auto live = live_part(canvas, "lens layer 2, self-attention place 1");
  REQUIRE(live);
  CHECK(texts_in(canvas, live->rect).empty());
  CHECK(canvas.find("NaN") != nullptr);
}

TEST_CASE("a large model is read on a worker, once, and its picture is there afterwards") {
  Snapshot snapshot;
  snapshot.config.source_vocab = 20;
  snapshot.config.target_vocab = 3000;
  auto model = std::make_shared<Transformer<float>>(snapshot.config);
  model->initialize(1);
  snapshot.weights = model;
  SampleScene scene;
  scene.snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
  std::string words;
  for (int i = 0; i < 60; ++i) words += std::to_string(100 + i) + " ";
  Scene wanted;
  wanted.sentences = {{"5 6 7", {}, words}};
  scene.result = run_scene(scene.snapshot, scene.tokenizers, wanted);
  const auto view = make_view("layers");
  const Rect area{0, 0, 4000, 1000};
  RecordingCanvas first;
  view->picture(first, scene.input(), area);
  CHECK(first.find("Computing…") != nullptr);
  for (int i = 0; i < 3000 && view->traits().state == "nothing yet"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    RecordingCanvas next;
    view->picture(next, scene.input(), area);
  }
  CHECK(view->traits().state == "7 rows");
  CHECK_FALSE(view->traits().busy);
  RecordingCanvas there, file(light_theme(), true);
  view->picture(there, scene.input(), area);
  CHECK(there.find("“100”, part by part") != nullptr);
  make_view("layers")->picture(file, scene.input(), area);  // a file waits for it
  CHECK(file.find("“100”, part by part") != nullptr);
}

TEST_CASE(
    "the map opens layer by layer, arrows go over all its cells, Enter pins and then leads to the Walk") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch), .size = {1600, 1000}});
  begin(program);
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

}  // namespace glassformer
