// Over how many words each head spreads, as a line a head.
#include <doctest/doctest.h>

#include <cmath>

#include "app/reading/attention_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer::entropy_view_test {

TEST_CASE("the entropies are those of the rows of the trace, head by head, in every attention") {
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    SampleScene scene = make_sample_scene();
    Selection open;
    open.kind = kind;
    scene.pin(open);
    const NumberTable table = make_view("entropy")->numbers(scene.input()).front();
    const int heads = scene.snapshot->config.heads;
    REQUIRE(table.values.size() == table.rows.size());
    for (std::size_t line = 0; line < table.rows.size(); ++line) {
      const int layer = static_cast<int>(line) / heads, head = static_cast<int>(line) % heads;
      CHECK(table.rows[line] == "layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1));
      const Plane weights =
          scene.result->trace->plane(written(value_in(kind, layer, ValueKind::weights)), 0, head);
      for (std::size_t word = 0; word < table.columns.size(); ++word) {
        double entropy = 0;
        for (int key = 0; key < weights.columns; ++key)
          if (const double w = weights(static_cast<int>(word), key); w > 0) entropy -= w * std::log(w);
        CHECK(table.values[line][word] == doctest::Approx(entropy).epsilon(1e-5));
      }
    }
    if (kind == AttentionKind::decoder) CHECK(table.values[0][0] == doctest::Approx(0));  // one word to read
  }
}

TEST_CASE("a row that a lesson covers has no entropy, and a click on a cell pins its head and its row") {
  SampleScene scene = make_sample_scene();
  ViewInput input = scene.input();
  input.covered = CoveredRow{AttentionKind::cross, 1, 0, 2};
  const NumberTable table = make_view("entropy")->numbers(input).front();
  const auto line = static_cast<std::size_t>(scene.snapshot->config.heads);
  CHECK(std::isnan(table.values[line][2]));
  CHECK_FALSE(std::isnan(table.values[line][1]));

  ViewStage stage("entropy", scene);
  REQUIRE(stage.click("entropy " + std::to_string(line) + " 2"));
  CHECK(scene.pinned.kind == AttentionKind::cross);
  CHECK(scene.pinned.layer == 1);
  CHECK(scene.pinned.head == 0);
  CHECK(scene.pinned.query == 2);
}

TEST_CASE("attention that reads one word alone has entropy 0, evenly shared the logarithm of its words") {
  AttentionTable table{.rows = 3, .columns = 4, .values = {0, 1, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0}, .hidden = {}};
  CHECK(row_entropy(table, 0) == 0);
  CHECK(row_entropy(table, 1) == doctest::Approx(std::log(4.0)));  // a ReLU's rows add up to other than 1
  CHECK(std::isnan(row_entropy(table, 2)));
}

}  // namespace glassformer::entropy_view_test
