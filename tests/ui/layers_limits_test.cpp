// The layers of models that are deep, large or broken, and of Scenes that are changed or compared.
#include <doctest/doctest.h>

#include "tests/ui/layers_scene.h"

namespace glassformer::layers_test {

TEST_CASE("of more than three layers one is open, and a click on a closed one opens it") {
  const Config config = config_of(NormPlace::post, false, 5);
  SampleScene scene = scene_of(config);
  ViewStage stage("layers", scene);
  CHECK(stage.has("grid 1"));
  const RecordingCanvas before = picture_of(stage.view(), scene.input(), stage.area());
  CHECK(live_part(before, "lens layer 2 place 1"));
  CHECK_FALSE(live_part(before, "lens layer 2, cross-attention place 1"));
  CHECK(live_part(before, "lens layer 5, cross-attention place 1"));
  const Selection pinned = pinned_by(before, "lens layer 2 place 1");
  CHECK(pinned.query == 1);
  REQUIRE(pinned.cell);
  CHECK(pinned.cell->name == "decoder.layers.1.norm3");

  scene.pin(pinned);
  const RecordingCanvas after = picture_of(stage.view(), scene.input(), stage.area());
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
  const RecordingCanvas canvas = picture_of(*make_view("layers"), scene.input(), {0, 0, 1000, 704});
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

TEST_CASE("a model whose numbers broke is drawn with crosses, and nothing is called probable") {
  SampleScene scene = scene_of(config_of(NormPlace::post, false));
  auto broken = std::make_shared<Transformer<float>>(*scene.snapshot->weights);
  broken->decoder_layers[1].norm1.weight.setConstant(std::numeric_limits<float>::quiet_NaN());
  Snapshot snapshot = *scene.snapshot;
  snapshot.weights = broken;
  scene.snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
  scene.result = run_scene(scene.snapshot, scene.tokenizers, scene.result->scene);
  const auto view = make_view("layers");
  CHECK(in_lines(complaints(*view, scene.input())) == "");
  const RecordingCanvas canvas = picture_of(*view, scene.input(), {0, 0, 1000, 704});
  const auto live = live_part(canvas, "lens layer 2, self-attention place 1");
  REQUIRE(live);
  CHECK(texts_in(canvas, live->rect).empty());
  CHECK(canvas.find("NaN") != nullptr);
  CHECK(live->tooltip.starts_with("no word"));

  // Nowhere a word is settled or another one, though the layer before the broken one has its numbers.
  const ViewInput input = scene.input();
  LensCache cache;
  const LayersScene shown = layers_scene(input, cache, true);
  for (int line = 0; line < std::ssize(shown.lines); ++line)
    for (int place = 0; place < shown.places(); ++place) {
      CHECK_FALSE(shown.settles(line, place));
      if (line >= 4) CHECK_FALSE(shown.turns(line, place));  // layer 2
    }
  const std::string summary = lens_summary(shown);
  CHECK_FALSE(contains(summary, "keep the word"));
  CHECK(contains(summary, "At 8 of 8 places the numbers are not finite"));
  Selection cell = at_place(2);
  cell.cell = CellRef{shown.lens->rows.back().name, {0, 2, 0}};
  scene.pin(cell);
  const InspectorPage page = inspector_page(*view, scene.input());
  CHECK(contains(page.subject, "no word is said"));
}

TEST_CASE("of a model with one broken entry the places without numbers are counted") {
  SampleScene scene = scene_of(config_of(NormPlace::post, false));
  const int word = scene.result->trace->target_in[0][3];
  auto broken = std::make_shared<Transformer<float>>(*scene.snapshot->weights);
  broken->visit([&](const std::string& name, const Parameter<float>& tensor) {
    if (name == "target_embedding.weight")
      tensor.data[word * tensor.columns] = std::numeric_limits<float>::quiet_NaN();
  });
  Snapshot snapshot = *scene.snapshot;
  snapshot.weights = broken;
  scene.snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
  scene.result = run_scene(scene.snapshot, scene.tokenizers, scene.result->scene);
  const ViewInput input = scene.input();
  LensCache cache;
  const LayersScene shown = layers_scene(input, cache, true);
  const int last = static_cast<int>(shown.lines.size()) - 1;
  int without = 0;
  for (int place = 0; place < shown.places(); ++place) {
    without += shown.finite(last, place) ? 0 : 1;
    CHECK(shown.finite(0, place) ==
          (scene.result->trace->target_in[0][static_cast<std::size_t>(place)] != word));
    if (!shown.finite(last, place)) CHECK_FALSE(shown.settled(last, place));
  }
  CHECK(without >= 1);
  CHECK(contains(lens_summary(shown),
                 "At " + std::to_string(without) + " of 8 places the numbers are not finite"));
}

TEST_CASE("a right click on a row offers what can be done to the part of that row") {
  SettledProgram program({.view = "layers", .threads = 1});
  Selection other = program.session().pinned();
  other.kind = AttentionKind::cross, other.layer = 1, other.head = 0;
  program.session().apply({SetPin{other}});
  REQUIRE(program.settle());
  REQUIRE(program.right_click("lens layer 1, cross-attention place 2"));
  program.frame(2);
  CHECK(program.visible("Mute cross 1, head 1"));
  CHECK_FALSE(program.visible("Mute cross 2, head 1"));
  press(program, ui::Key::escape);
  REQUIRE(program.right_click("lens layer 2, self-attention place 1"));
  program.frame(2);
  CHECK(program.visible("Causal mask off"));
  press(program, ui::Key::escape);
  REQUIRE(program.right_click("lens the embedding place 1"));
  program.frame(2);
  CHECK(program.visible("Positions off"));
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
  const RecordingCanvas first = picture_of(*view, scene.input(), area);
  CHECK(first.find("Computing…") != nullptr);
  for (int i = 0; i < 3000 && view->traits().state == "nothing yet"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const RecordingCanvas next = picture_of(*view, scene.input(), area);
  }
  CHECK(view->traits().state == "7 rows");
  CHECK_FALSE(view->traits().busy);
  RecordingCanvas there, file(light_theme(), true);
  view->picture(there, scene.input(), area);
  CHECK(there.find("“100”, part by part") != nullptr);
  make_view("layers")->picture(file, scene.input(), area);  // a file waits for it
  CHECK(file.find("“100”, part by part") != nullptr);
}

}  // namespace glassformer::layers_test
