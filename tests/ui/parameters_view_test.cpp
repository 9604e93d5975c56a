#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/cell_names.h"
#include "app/views/parameters/parameters.h"
#include "engine/model/transformer.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/view_cases.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

bool draws(const View& view, const ViewInput& input, const std::string& words) {
  const RecordingCanvas canvas = picture_of(view, input, {0, 0, 1000, 700});
  return canvas.find(words) != nullptr;
}

}  // namespace

TEST_CASE("where Adam's moments are not kept it is said") {
  const auto view = make_view("parameters");
  CHECK(draws(*view, make_sample_scene().input(), "not kept"));
  CHECK_FALSE(draws(*view, learning_scene().input(), "not kept"));
}

TEST_CASE("the tree opens a block on a click and a tensor on the next, and every weight can be pinned") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("parameters", scene);
  REQUIRE(stage.click("block Decoder layer 2"));
  CHECK(stage.state() == "decoder.layers.1.self_attn.in_proj_weight");
  REQUIRE(stage.click("block Cross-attention"));
  REQUIRE(stage.click("tensor decoder.layers.1.multihead_attn.out_proj.weight"));
  CHECK(stage.state() == "decoder.layers.1.multihead_attn.out_proj.weight");
  CHECK(stage.view().place(scene.input()).path.back() == "Decoder layer 2, cross-attention");

  REQUIRE(stage.click("weight row 3 column 4"));
  REQUIRE(scene.pinned.cell);
  CHECK(scene.pinned.cell->name == "decoder.layers.1.multihead_attn.out_proj.weight");
  CHECK(scene.pinned.cell->index == std::vector<int>{3, 4});
}

TEST_CASE("the tree's counts add up to the model's") {
  const SampleScene scene = make_sample_scene();
  const Config& config = scene.snapshot->config;
  for (const char* open : {"source_embedding.weight", "encoder.layers.1.linear2.weight", ""}) {
    long parts = 0;
    for (const TreeRow& row : parameter_tree(config, open))
      if (row.level == 0) parts += row.count;
    CHECK(parts == parameter_count(config));
  }
  long all = 0;
  for (const ParameterView& parameter : parameters(*scene.snapshot->weights)) all += parameter.size();
  CHECK(all == parameter_count(config));
}

TEST_CASE("the numbers are the weights themselves, with the figures of what the snapshot keeps") {
  SampleScene scene = learning_scene();
  ViewStage stage("parameters", scene);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 4);
  CHECK(tables[1].rows == std::vector<std::string>{"Weight", "Gradient", "Adam's m", "Adam's v"});
  const auto parameter = find_parameter(*scene.snapshot->weights, "source_embedding.weight");
  REQUIRE(parameter);
  CHECK(tables[2].values[2][3] == doctest::Approx(parameter->data[2 * parameter->columns() + 3]));
}

TEST_CASE("a matrix too large for a frame is looked through on a worker, and whole for a file") {
  SheetCache cache;
  SampleScene scene = make_sample_scene();
  const SheetKey key{scene.snapshot->weights, "source_embedding.weight"};
  const auto make = [key] { return make_sheet(key); };
  const auto first = cache.get(key, false, make);
  CHECK_FALSE(first.current);
  CHECK(cache.busy());
  SheetCache::Found later = first;
  while (!later.current) later = cache.get(key, false, make);
  CHECK(later.value->rows == scene.snapshot->config.source_vocab);
  SheetCache other;
  CHECK(other.get(key, true, make).current);
}

namespace {

// Fresh weights as step 0 has them, or these at a later step, each times a factor.
SampleScene begun_scene(long step, float factor = 1) {
  SampleScene scene = make_sample_scene();
  Snapshot snapshot = *scene.snapshot;
  auto weights = std::make_shared<Transformer<float>>(snapshot.config);
  weights->initialize(4);
  weights->visit([&](const std::string&, Parameter<float> tensor) {
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data[i] *= factor;
  });
  snapshot.weights = weights;
  snapshot.step = step;
  scene.snapshot = std::make_shared<const Snapshot>(snapshot);
  return scene;
}

InspectorSection beginning_in(ViewStage& stage, const SampleScene& scene) {
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  for (const InspectorSection& section : page.sections)
    if (section.heading == "How it began") return section;
  return {};
}

}  // namespace

TEST_CASE("the limits of Xavier stand on the histogram, and at step 0 no number lies beyond them") {
  SampleScene scene = begun_scene(0);
  ViewStage stage("parameters", scene);
  REQUIRE(stage.click("block Encoder layer 1"));
  REQUIRE(stage.state() == "encoder.layers.0.self_attn.in_proj_weight");
  const int d = scene.snapshot->config.d_model;
  const double a = std::sqrt(6.0 / (d + d));

  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1000, 700});
  CHECK(canvas.find("−a"));
  CHECK(canvas.find("a = " + format_pinned(a)));
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
  const InspectorSection section = beginning_in(stage, scene);
  CHECK(formula_as_text(section.formulas.back()) == "= " + format_pinned(a));
  CHECK(section.rows.back().value == "0 %");
  CHECK(contains(section.text, "All " + format_count(3 * d * d) + " numbers lie within."));
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 4);
  CHECK(tables[3].values[0][2] == doctest::Approx(a));
  CHECK(tables[3].values[0][3] == 0);

  // The marks lie as far from the middle as a is from 0.
  const SheetKey key{scene.snapshot->weights, stage.state()};
  const TensorSheet sheet = make_sheet(key);
  CHECK(sheet.limit == doctest::Approx(a));
  CHECK(sheet.histogram.high == doctest::Approx(1.125 * a));
}

TEST_CASE("at a later step the share that training carried beyond the limits is counted") {
  // Twice as large, half of evenly drawn numbers lie outside.
  SampleScene scene = begun_scene(700, 2);
  ViewStage stage("parameters", scene);
  REQUIRE(stage.click("block Encoder layer 1"));
  const std::string name = stage.state();
  const auto parameter = find_parameter(*scene.snapshot->weights, name);
  REQUIRE(parameter);
  const int d = scene.snapshot->config.d_model;
  const double a = std::sqrt(6.0 / (d + d));
  long outside = 0;
  for (long i = 0; i < parameter->size(); ++i) outside += std::abs(double(parameter->data[i])) > a;
  CHECK(double(outside) / double(parameter->size()) == doctest::Approx(0.5).epsilon(0.1));
  const std::string share = format_percent(double(outside) / double(parameter->size()), 1);
  const InspectorSection section = beginning_in(stage, scene);
  CHECK(section.rows.back().value == share);
  CHECK(contains(section.text, format_count(outside) + " of " + format_count(parameter->size()) +
                                   " numbers lie outside: training"));
  CHECK(contains(stage.view().caption(scene.input()), share + " outside at step 700"));
  CHECK(stage.view().numbers(scene.input())[3].values[0][3] == double(outside));
}

TEST_CASE("embeddings, norms and biases say what they begin with, and their histogram has no limits") {
  SampleScene scene = begun_scene(0);
  ViewStage stage("parameters", scene);
  const int d = scene.snapshot->config.d_model;
  InspectorSection section = beginning_in(stage, scene);
  CHECK(contains(section.text, "normal distribution around 0 with deviation 1/√d = " +
                                   format_pinned(1 / std::sqrt(double(d)))));
  CHECK_FALSE(draws(stage.view(), scene.input(), "−a"));
  REQUIRE(stage.click("block Encoder layer 1"));
  REQUIRE(stage.click("tensor encoder.layers.0.self_attn.in_proj_bias"));
  CHECK(beginning_in(stage, scene).text == "Every number began as 0.");
  CHECK_FALSE(draws(stage.view(), scene.input(), "−a"));
}

TEST_CASE("names that count layers from 0 are explained where they are shown") {
  CHECK(counted_layer("decoder.layers.1.norm3.weight") == "decoder.layers.1: layer 2; names count from 0");
  CHECK(counted_layer("encoder.layers.11.linear1.bias") == "encoder.layers.11: layer 12; names count from 0");
  CHECK(counted_layer("source_embedding.weight").empty());
  SampleScene scene = make_sample_scene();
  scene.pinned.cell = scene.shown.cell = CellRef{"decoder.layers.1.norm3.weight", {2}};
  const RecordingCanvas canvas = picture_of(*make_view("parameters"), scene.input(), {0, 0, 1000, 704});
  const auto name = std::ranges::find(canvas.regions, "name of the parameter", &HitRegion::label);
  REQUIRE(name != canvas.regions.end());
  CHECK(name->tooltip == counted_layer("decoder.layers.1.norm3.weight"));
}
