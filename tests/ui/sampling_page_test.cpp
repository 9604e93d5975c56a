#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/decode/decode.h"
#include "engine/model/what_if/changed_model.h"
#include "tests/ui/decode_scene.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

// p of every token after these words, by the whole model in double.
std::vector<double> probabilities_by_hand(const SampleScene& scene, const std::vector<int>& before) {
  const Matrix<double> logits = exact_logits(scene, before);
  const auto row = logits.row(logits.rows() - 1).array();
  const double sum = row.exp().sum();
  std::vector<double> shares;
  for (Eigen::Index i = 0; i < row.size(); ++i) shares.push_back(std::exp(row(i)) / sum);
  return shares;
}

SamplingState with(const SamplingSettings& settings) {
  SamplingState state;
  state.own = settings;
  return state;
}

void open(ViewStage& stage) {
  stage.frames(3);
  REQUIRE(stage.click("Decode: Sampling"));
  REQUIRE(stage.state() == "sampling");
}

}  // namespace

TEST_CASE("the sampling page draws each word's probability before and after, as worked out by hand") {
  SampleScene scene = scene_to_decode();
  scene.pin({.query = 2});
  const SamplingSettings settings{.temperature = 0.5, .top_k = 5, .top_p = 0.8};
  const ViewInput input = scene.input();
  const SamplingScene now = sampling_scene(input, with(settings), true);
  REQUIRE(now.step == 2);
  const std::vector<int> before(now.written().begin(), now.written().begin() + 2);
  const std::vector<double> p = probabilities_by_hand(scene, before);
  std::vector<int> order(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) order[i] = static_cast<int>(i);
  const auto at = [&](int id) { return p[static_cast<std::size_t>(id)]; };
  std::ranges::stable_sort(order, [&](int a, int b) { return at(a) > at(b); });
  // p to the power of 1 / 0.5, of the five likeliest; as many of them as reach 0.8.
  double five = 0, kept_sum = 0, all = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    all += at(order[i]) * at(order[i]);
    if (i < 5) five += at(order[i]) * at(order[i]);
  }
  std::size_t kept = 0;
  while (kept < 5 && kept_sum < 0.8 * five) kept_sum += std::pow(at(order[kept++]), 2);
  REQUIRE(kept < 5);

  RecordingCanvas canvas(light_theme(), true);
  draw_sampling_page(canvas, {0, 0, 1200, 800}, now);
  REQUIRE(now.shares.size() == p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double squared = at(order[i]) * at(order[i]);
    CHECK(now.shares[i].before == doctest::Approx(at(order[i])).epsilon(1e-4));
    CHECK(now.shares[i].tempered == doctest::Approx(squared / all).epsilon(1e-4));
    CHECK(now.shares[i].after == doctest::Approx(i < kept ? squared / kept_sum : 0).epsilon(1e-4));
    if (i >= 7) continue;
    CHECK(canvas.find(target_word(scene.input(), now.shares[i].id)) != nullptr);
    CHECK(canvas.find(format_fixed(now.shares[i].before, 3)) != nullptr);
    if (i < kept) CHECK(canvas.find(format_fixed(now.shares[i].after, 3)) != nullptr);
  }
  CHECK(canvas.find("cut: top-p") != nullptr);
  CHECK(canvas.find("cut: top-k") != nullptr);
  const auto words = setting_words(now);
  CHECK(contains(words[0].text, format_fixed(now.shares[0].tempered, 3)));
  CHECK(contains(words[1].text, format_fixed(five / all, 3)));
  CHECK(contains(words[2].text, std::to_string(kept) + (kept == 1 ? " word with " : " words with ") +
                                    format_fixed(kept_sum / five, 3)));
}

TEST_CASE("every sample is what the Scene decodes with its seed, and a click makes it the Scene's") {
  SampleScene scene = scene_to_decode();
  ViewStage stage("decode", scene, {1300, 900});
  open(stage);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 3);
  const ChangedModel<float> model(*scene.snapshot->weights, {});
  REQUIRE(tables[1].values.size() == 5);
  bool differ = false;
  for (std::size_t i = 0; i < 5; ++i) {
    DecodeOptions options;
    options.search = Search::sampling;
    options.seed = i + 1;
    const DecodeResult own = decode(model, {scene.result->trace->source.front()}, options).front();
    CHECK(tables[1].values[i][0] == static_cast<double>(i + 1));
    CHECK(tables[1].values[i][1] == static_cast<double>(own.ids.size()));
    CHECK(tables[1].values[i][2] == doctest::Approx(own.score));
    double total = 0;
    std::vector<int> before;
    for (const int id : own.ids) {
      total += std::log(probabilities_by_hand(scene, before)[static_cast<std::size_t>(id)]);
      before.push_back(id);
    }
    CHECK(own.score == doctest::Approx(total).epsilon(1e-4));
    differ = differ || own.ids != scene.result->decoding.ids;
  }
  CHECK(differ);

  stage.take_commands();
  REQUIRE(stage.click("sample of seed 3"));
  Commands commands = stage.take_commands();
  REQUIRE(asked<SetDecode>(commands));
  CHECK(asked<SetDecode>(commands)->options.search == Search::sampling);
  CHECK(asked<SetDecode>(commands)->options.seed == 3);

  // As the Scene's own it is marked, and its place and its words are those of the Scene.
  auto sampled = std::make_shared<SceneResult>(*scene.result);
  sampled->scene.decode = asked<SetDecode>(commands)->options;
  sampled->decoding = decode(model, {scene.result->trace->source.front()}, sampled->scene.decode).front();
  scene.result = sampled;
  const ViewInput input = scene.input();
  const SamplingScene now = sampling_scene(input, {}, true);
  CHECK(now.is_scenes(3));
  CHECK_FALSE(now.is_scenes(2));
  CHECK(now.samples->drawn[2].ids == sampled->decoding.ids);

  stage.frames(2);
  REQUIRE(stage.click("Other seeds"));
  CHECK(stage.has("sample of seed 6"));
  CHECK_FALSE(stage.has("sample of seed 3"));
}

TEST_CASE("the sliders change what is drawn from and leave the Scene alone") {
  SampleScene scene = scene_to_decode();
  ViewStage stage("decode", scene, {1300, 900});
  open(stage);
  CHECK(stage.find("Temperature now")->value == "1.00");
  CHECK(stage.find("Top-k now")->value == "off");
  const auto set = [&](std::string_view label, float share) {
    const Rect track = stage.find(label)->rect;
    stage.move_to({track.x + track.width * share, track.center().y});
    stage.press();
    stage.frames(3);
  };
  stage.take_commands();
  set("Temperature", 0.9f);
  set("Top-k", 0.2f);
  set("Top-p", 0.3f);
  CHECK(stage.find("Temperature now")->value != "1.00");
  CHECK(stage.find("Top-k now")->value != "off");
  CHECK(stage.find("Top-p now")->value != "off");
  CHECK_FALSE(asked<SetDecode>(stage.take_commands()));
  const auto tables = stage.view().numbers(scene.input());
  CHECK(contains(tables[0].title, "temperature " + stage.find("Temperature now")->value));
  const auto zeros = std::ranges::count_if(tables[0].values, [](const auto& row) { return row[2] == 0; });
  CHECK(zeros > 0);
  // The Scene's own settings take over when they change.
  auto changed = std::make_shared<SceneResult>(*scene.result);
  changed->scene.decode.temperature = 0.3;
  scene.result = changed;
  stage.frames(3);
  CHECK(stage.find("Temperature now")->value == "0.30");
  CHECK(stage.find("Top-k now")->value == "off");
}

TEST_CASE("numbers that are not finite are said on the sampling page") {
  Change edit = change_of(ChangeKind::edit_parameter);
  edit.parameter = "decoder.layers.1.norm3.weight";
  edit.row = edit.column = 0;
  edit.amount = std::numeric_limits<double>::infinity();
  SampleOptions options;
  for (const bool broken : {false, true}) {
    if (broken) options.what_if = {{edit}};
    const SampleScene scene = scene_to_decode(options);
    const SamplingState state = with({});
    const ViewInput input = scene.input();
    const std::string words = not_finite_words(sampling_scene(input, state, true));
    CHECK(words.empty() == !broken);
  }
}

TEST_CASE("a click on a word explains its place") {
  SampleScene scene = scene_to_decode();
  ViewStage stage("decode", scene, {1300, 900});
  open(stage);
  REQUIRE(stage.click("drawn step 2"));
  CHECK(scene.pinned.query == 1);
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.caption == "Share at step 2");
  const std::vector<int>& written = scene.result->decoding.ids;
  const double p = probabilities_by_hand(scene, {written[0]})[static_cast<std::size_t>(written[1])];
  CHECK(page.value == format_pinned(p));
  CHECK(contains(stage.view().caption(scene.input()), "At step 2"));
}

TEST_CASE("in the program arrows go from place to place, and a clicked sample is what is decoded") {
  SmallProgram program({.view = "decode"});
  click(program, "Decode: Sampling");
  program.session().apply({SetPin{at_step(program.session().pinned(), 1)}});
  program.frame(2);
  REQUIRE(program.session().pinned().query == 1);
  press(program, ui::Key::right);
  CHECK(program.session().pinned().query == 2);
  press(program, ui::Key::left);
  CHECK(program.session().pinned().query == 1);

  REQUIRE(program.settle());
  REQUIRE(program.click("sample of seed 4"));
  REQUIRE(program.settle());
  const DecodeOptions& options = program.session().scene().decode;
  CHECK(options.search == Search::sampling);
  CHECK(options.seed == 4);
}

TEST_CASE("the sampling page stays inside its stage for every model, with forced words and without text") {
  for (const NormPlace norm : {NormPlace::post, NormPlace::pre})
    for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::bpe, TokenizerKind::character}) {
      SampleOptions options;
      options.config.norm = norm;
      options.tokenizer = kind;
      if (norm == NormPlace::pre) {
        Change force{.kind = ChangeKind::force_words, .numbers = {5, 6}};
        options.what_if.changes = {force};
      }
      SampleScene scene = scene_to_decode(options);
      if (kind == TokenizerKind::character) scene.tokenizers = {};
      ViewStage stage("decode", scene, {1300, 900});
      open(stage);
      CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
      const ViewInput input = scene.input();
      const SamplingScene now = sampling_scene(input, {}, true);
      CHECK_FALSE(now.forced);
      if (norm == NormPlace::pre) {
        scene.pin({.query = 1});
        CHECK(sampling_scene(scene.input(), {}, true).forced);
        for (const DecodeResult& each : now.samples->drawn) {
          CHECK(each.ids[0] == 5);
          CHECK(each.ids[1] == 6);
        }
      }
    }
}

}  // namespace glassformer
