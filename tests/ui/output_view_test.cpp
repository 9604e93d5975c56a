#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/output/output.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

TEST_CASE("the output stays inside its stage") {
  SampleScene scene = make_sample_scene();
  const auto view = make_view("output");
  CHECK(in_lines(complaints(*view, scene.input())) == "");
  Selection selection;
  selection.query = 5;
  scene.pin(selection);
  CHECK(in_lines(complaints(*view, scene.input())) == "");
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
      larger +=
          std::exp(static_cast<double>(log_p(row.position, id))) > row.guesses[4].share.probability + 1e-7;
    CHECK(larger <= 4);
    for (size_t i = 1; i < 5; ++i)
      CHECK(row.guesses[i - 1].share.probability >= row.guesses[i].share.probability);
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
    CHECK(row.said.kl == doctest::Approx(kl).epsilon(1e-4));
    sum += row.said.loss;
  }
  CHECK(trace.sentence_loss.front() == doctest::Approx(sum / static_cast<double>(rows.size())));
  CHECK(trace.sentence_loss.front() != doctest::Approx(trace.loss));  // of the whole padded batch
  CHECK(output_scene(scene.input()).loss == trace.sentence_loss.front());
}

TEST_CASE("the smoothed loss and the price of the words are told apart by name") {
  const SampleScene scene = make_sample_scene();
  const OutputScene shown = output_scene(scene.input());
  double price = 0;
  for (const OutputRow& row : shown.rows) price -= std::log(row.said.right.probability);
  price /= static_cast<double>(shown.rows.size());
  REQUIRE(shown.loss > price + 0.001);
  const std::string words = make_view("output")->caption(scene.input());
  CHECK(words.find(format_loss(shown.loss) + " with label smoothing 0.1 (mean −log p " + format_loss(price) +
                   ")") != std::string::npos);
  SampleScene plain = make_sample_scene();
  auto unsmoothed = std::make_shared<SceneResult>(*plain.result);
  unsmoothed->scene.smoothing = 0;
  plain.result = unsmoothed;
  CHECK(make_view("output")->caption(plain.input()).find("smoothing") == std::string::npos);
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
  CHECK(canvas.find(format_loss(output_rows(scene.input(), 0, 1)[0].said.loss)) != nullptr);
}

TEST_CASE("beside a word stand its logit, p over y and p − y, as the trace has them") {
  SampleScene scene = make_sample_scene();
  Selection selection;
  selection.query = 3;
  scene.pin(selection);
  const auto view = make_view("output");
  RecordingCanvas canvas;
  view->picture(canvas, scene.input(), {0, 0, 1000, 660});
  const Trace& trace = *scene.result->trace;
  const Plane logits = trace.plane("logits"), log_p = trace.plane("log_probabilities"),
              target = trace.plane("smoothed_target");
  const Tensor& gradient = scene.result->gradients->trace.gradients.find("logits")->second;
  const auto words = static_cast<double>(scene.result->target_out_words.size());
  int choices = 0;
  bool right_seen = false;
  for (const HitRegion& region : canvas.regions) {
    if (!region.label.starts_with("choice ") || !region.label.ends_with(" difference")) continue;
    const CellRef cell = *region.click->get<SetPin>().selection.cell;
    CHECK(cell.name == "logits");
    const int id = cell.index[2];
    const double p = std::exp(static_cast<double>(log_p(3, id))), y = static_cast<double>(target(3, id));
    const auto beside = [&](const std::string& text) {
      return std::ranges::any_of(canvas.texts, [&](const auto& each) {
        const float middle = each.box.y + each.box.height / 2;
        return each.text == text && each.box.x > 600 && middle > region.rect.y &&
               middle < region.rect.bottom();
      });
    };
    CHECK(beside(format_fixed(static_cast<double>(logits(3, id)), 2)));
    CHECK(beside(format_fixed(p, 3)));
    CHECK(beside(format_fixed(y, 3)));
    CHECK(beside(format_signed(p - y, 3)));
    // What flows back, in the loss of the sentence.
    const int at[] = {0, 3, id};
    CHECK(p - y == doctest::Approx(words * static_cast<double>(gradient.at(at))).epsilon(1e-3).scale(0.01));
    right_seen = right_seen || id == trace.target_out[0][3];
    ++choices;
  }
  CHECK(choices >= 5);
  CHECK(right_seen);
  const Prediction said = output_rows(scene.input(), 0, 1)[3].said;
  for (const double cost : {said.loss, said.target_entropy, said.kl, said.entropy})
    CHECK(canvas.find(format_loss(cost)) != nullptr);
}

TEST_CASE("the gradient of the right word's logit is one click away") {
  SampleScene scene = make_sample_scene();
  Selection selection;
  selection.query = 2;
  scene.pin(selection);
  ViewStage stage("output", scene);
  REQUIRE(stage.click("How does p − y flow back?"));
  const Commands commands = stage.take_commands();
  const auto open = std::ranges::find_if(commands, [](const Command& each) { return each.is<OpenStep>(); });
  REQUIRE(open != commands.end());
  CHECK(open->get<OpenStep>().cell == CellRef{"logits", {0, 2, scene.result->trace->target_out[0][2]}, true});
}

}  // namespace
}  // namespace glassformer
