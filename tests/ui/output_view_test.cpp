#include <doctest/doctest.h>

#include <cmath>

#include "app/views/output_data.h"
#include "app/views/output_picture.h"
#include "app/widgets/number_format.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

TEST_CASE("the output stays inside its stage") {
  SampleScene scene = make_sample_scene();
  const auto view = make_view("output");
  const auto bare = complaints(*view, scene.input());
  CHECK_MESSAGE(bare.empty(), joined(bare));
  Selection selection;
  selection.query = 5;
  scene.pin(selection);
  const auto with_pin = complaints(*view, scene.input());
  CHECK_MESSAGE(with_pin.empty(), joined(with_pin));
}

TEST_CASE("guesses are the largest probabilities of the trace, best first") {
  const SampleScene scene = make_sample_scene();
  const std::vector<OutputRow> rows = output_rows(scene.input(), 0, 5);
  REQUIRE(rows.size() == 8);
  const Plane log_p = scene.result->trace->plane("log_probabilities", 0);
  for (const OutputRow& row : rows) {
    REQUIRE(row.guesses.size() == 5);
    int larger = 0;
    for (int id = 0; id < log_p.columns; ++id)
      larger += std::exp(static_cast<double>(log_p(row.position, id))) > row.guesses[4].probability + 1e-7;
    CHECK(larger <= 4);
    for (size_t i = 1; i < 5; ++i) CHECK(row.guesses[i - 1].probability >= row.guesses[i].probability);
  }
  CHECK(rows[3].read == "fatiguée");
  CHECK(rows[3].right == "voit");
}

TEST_CASE("loss is KL and the entropy of the smoothed target, and its mean is the sentence's") {
  const SampleScene scene = make_sample_scene();
  const Trace& trace = *scene.result->trace;
  const std::vector<OutputRow> rows = output_rows(scene.input(), 0, 3);
  const Plane target = trace.plane("smoothed_target", 0), log_p = trace.plane("log_probabilities", 0);
  double sum = 0;
  for (const OutputRow& row : rows) {
    double kl = 0;
    for (int id = 0; id < target.columns; ++id) {
      const double y = target(row.position, id);
      if (y > 0) kl += y * (std::log(y) - log_p(row.position, id));
    }
    CHECK(row.kl() == doctest::Approx(kl).epsilon(1e-4));
    sum += row.loss;
  }
  CHECK(trace.sentence_loss.front() == doctest::Approx(sum / static_cast<double>(rows.size())));
  CHECK(trace.sentence_loss.front() != doctest::Approx(trace.loss));  // of the whole padded batch
  CHECK(output_scene(scene.input()).loss == trace.sentence_loss.front());
}

TEST_CASE("a click on a guess pins its log-probability and the position") {
  const SampleScene scene = make_sample_scene();
  const auto view = make_view("output");
  RecordingCanvas canvas;
  view->picture(canvas, scene.input(), {0, 0, 1000, 660});
  const Selection pinned = pinned_by(canvas, "position 4 guess 2");
  CHECK(pinned.query == 4);
  REQUIRE(pinned.cell);
  CHECK(pinned.cell->name == "log_probabilities");
  CHECK(pinned.cell->index[1] == 4);
  CHECK(pinned_by(canvas, "position 2 loss").cell == CellRef{"token_loss", {0, 2}});
  CHECK(canvas.find(format_loss(output_rows(scene.input(), 0, 1)[0].loss)) != nullptr);
}

}  // namespace
}  // namespace glassformer
