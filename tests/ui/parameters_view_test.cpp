#include <doctest/doctest.h>

#include "app/views/parameters/parameter_sheets.h"
#include "engine/model/transformer.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

bool draws(const View& view, const ViewInput& input, const std::string& words) {
  RecordingCanvas canvas;
  view.picture(canvas, input, {0, 0, 1000, 700});
  return canvas.find(words) != nullptr;
}

// The sample's model with a gradient and moments, as a snapshot of a running training has them.
SampleScene learning_scene() {
  SampleScene scene = make_sample_scene();
  Snapshot snapshot = *scene.snapshot;
  auto other = std::make_shared<Transformer<float>>(snapshot.config);
  other->initialize(9);
  snapshot.gradients = snapshot.first_moment = snapshot.second_moment = other;
  scene.snapshot = std::make_shared<const Snapshot>(snapshot);
  return scene;
}

}  // namespace

TEST_CASE("the parameters are drawn whole at every size, with and without Adam's moments") {
  SampleScene plain = make_sample_scene();
  ViewStage stage("parameters", plain);
  CHECK(picture_complaints(stage.view(), plain.input()) == "");
  CHECK(draws(stage.view(), plain.input(), "not kept"));

  SampleScene learning = learning_scene();
  CHECK(picture_complaints(stage.view(), learning.input()) == "");
  CHECK_FALSE(draws(stage.view(), learning.input(), "not kept"));
}

TEST_CASE("the tree opens a block on a click and a tensor on the next, and every weight can be pinned") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("parameters", scene);
  stage.frames();
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
  REQUIRE(tables.size() == 3);
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
