// The head report on the stage.
#include "app/views/heads/heads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/format/number_format.h"
#include "app/reading/head_words.h"
#include "app/session/measuring.h"
#include "app/ui/ui.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

// Its own sentences are held out.
SampleScene measured_scene(SampleOptions options = {}) {
  options.held_out = true;
  return make_sample_scene(options);
}

HeadReport report_of(const SampleScene& scene) {
  return *measured_heads(
      *scene.snapshot, scene.tokenizers,
      measuring_pairs(scene.training_text->held_out, scene.tokenizers, scene.snapshot->config),
      scene.result->scene.smoothing, nullptr);
}

TEST_CASE("without held-out pairs the head report says so") {
  SampleScene without = measured_scene();
  without.training_text = nullptr;
  CHECK(drawn(HeadsView(), without).find("No held-out pairs") != nullptr);
}

// Until the report is there.
bool measured(ViewStage& stage) {
  for (int i = 0; i < 3000; ++i) {
    stage.frames(1);
    if (stage.has("sort: lost, points")) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("the numbers of the head report are the engine's, each row with its part") {
  const SampleScene scene = measured_scene();
  const HeadReport report = report_of(scene);
  const HeadsView view;
  const std::vector<NumberTable> tables = view.numbers(scene.input());
  REQUIRE(tables.size() == 4);
  const NumberTable& parts = tables[3];
  REQUIRE(parts.rows.size() == report.rows.size());
  const std::vector<std::size_t> columns = shown_columns(report, true);
  REQUIRE(parts.columns.size() == columns.size());
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const PartRow& row = report.rows[i];
    CHECK(parts.rows[i].starts_with(row_name(row.part)));
    CHECK(parts.values[i][0] == right_without(report, row));
    CHECK(parts.values[i][1] == points_lost(row));
    CHECK(parts.values[i][2] == row.by_zero.mean);
    CHECK(parts.values[i][4] == row.by_mean.mean);
    const double eos = parts.values[i].back();
    CHECK((eos == row.reading.attention.eos || (std::isnan(eos) && std::isnan(row.reading.attention.eos))));
  }
  for (std::size_t i = 0; i < report.stepwise.size(); ++i) {
    CHECK(tables[1].values[i][0] == report.stepwise[i].loss);
    CHECK(tables[2].values[i][1] == 100 * report.one_shot[i].exact_match);
  }
  CHECK(parts.rows.front().starts_with("encoder 1, head 1"));
  CHECK(parts.rows.back() == "decoder feed-forward 2");
  // The first is what is on screen, and the words begin with its sentence.
  const std::vector<std::size_t> order = sorted_parts(report, true, kLostColumn, false);
  REQUIRE(tables[0].rows.size() == order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PartRow& row = report.rows[order[i]];
    CHECK(tables[0].rows[i].starts_with(row_name(row.part)));
    CHECK(tables[0].rows[i].ends_with(std::string("can it go? ") + can_go_word(can_go(row))));
    CHECK(tables[0].values[i][1] == 100 * right_without(report, row));
  }
  CHECK(view.caption(scene.input()).starts_with(head_sentences(report).can_go));
  CHECK(contains(HeadsView().caption(scene.input()), "not measured"));
}

TEST_CASE("every head has its row with what it costs, the one that costs least on top") {
  const SampleScene scene = measured_scene();
  const HeadReport report = report_of(scene);
  const HeadsView view;
  REQUIRE(!view.numbers(scene.input()).empty());
  const RecordingCanvas canvas = drawn(view, scene);
  float before = 0;
  double lost = -1000;
  for (const std::size_t index : sorted_parts(report, true, kLostColumn, false)) {
    const PartRow& row = report.rows[index];
    const RecordingCanvas::Text* name = canvas.find(row_name(row.part));
    REQUIRE(name != nullptr);
    CHECK(name->box.y > before);
    CHECK(points_lost(row) >= lost);
    before = name->box.y, lost = points_lost(row);
    CHECK(canvas.find(can_go_word(can_go(row))) != nullptr);
    CHECK(canvas.find(format_percent(right_without(report, row), 1)) != nullptr);
  }
}

TEST_CASE("BLEU has no column where it says little, and all columns are one press away") {
  HeadReport report;
  CHECK(shown_columns(report, false).size() == kFirstColumns);
  const std::size_t all = shown_columns(report, true).size();
  CHECK(all == head_columns().size());
  report.bleu = std::nan("");
  CHECK(shown_columns(report, true).size() == all - 1);

  SampleScene scene = measured_scene();
  ViewStage stage("heads", scene);
  REQUIRE(measured(stage));
  CHECK_FALSE(stage.has("sort: entropy"));
  REQUIRE(stage.set("All columns", "on"));
  CHECK(stage.has("sort: entropy"));
  REQUIRE(stage.set("All columns", "off"));
  CHECK_FALSE(stage.has("sort: entropy"));
}

TEST_CASE("rows stand there as they are measured") {
  const SampleScene scene = measured_scene();
  HeadMeasuring measuring;
  bool part_known = false;
  measuring.get(scene.input(), true, false);
  for (int i = 0; i < 30000; ++i) {
    const auto now = measuring.get(scene.input(), false, false);
    if (now.report) break;
    if (now.so_far) {
      part_known = true;
      CHECK(!now.so_far->rows.empty());
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  CHECK(part_known);
  CHECK(measuring.get(scene.input(), false, false).so_far == nullptr);
}

TEST_CASE("what is drawn while it is measured has room") {
  SampleScene scene = measured_scene();
  ViewStage stage("heads", scene);
  CHECK(stage.view().minimum_size(scene.input()).y < 400);
  bool tall = false;
  for (int i = 0; i < 30000 && !tall; ++i) {
    stage.frames(1);
    tall = stage.view().minimum_size(scene.input()).y >
           400;  // rows are there, of a part of the report or of all
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  CHECK(tall);
}

TEST_CASE("headings and keys sort, a click opens the head, M mutes it") {
  SampleScene scene = measured_scene();
  ViewStage stage("heads", scene);
  REQUIRE(measured(stage));
  CHECK(stage.state() == "heads, by lost, points rising");
  REQUIRE(stage.click("sort: right without it"));
  CHECK(stage.state() == "heads, by right without it falling");
  REQUIRE(stage.click("sort: right without it"));
  CHECK(stage.state() == "heads, by right without it rising");
  REQUIRE(stage.click("sort: right without it"));
  CHECK(stage.state() == "heads, by as in the model");
  Commands commands;
  CHECK(stage.view().key('b', scene.input(), commands));
  CHECK(stage.state() == "heads, by right without it rising");
  CHECK(stage.view().key('b', scene.input(), commands));
  CHECK(stage.view().key('r', scene.input(), commands));
  CHECK(stage.state() == "heads, by lost, points falling");

  stage.frames();
  stage.take_commands();
  REQUIRE(stage.click("part: encoder 2, head 3"));
  commands = stage.take_commands();
  REQUIRE(asked<SetPin>(commands));
  CHECK(asked<SetPin>(commands)->selection.kind == AttentionKind::encoder);
  CHECK(asked<SetPin>(commands)->selection.layer == 1);
  CHECK(asked<SetPin>(commands)->selection.head == 2);
  REQUIRE(asked<OpenView>(commands));
  CHECK(asked<OpenView>(commands)->view == "head");

  commands.clear();
  CHECK(stage.view().key('m', scene.input(), commands));
  REQUIRE(asked<SetWhatIf>(commands));
  CHECK(asked<SetWhatIf>(commands)->what_if == WhatIf{{mute_head(AttentionKind::encoder, 1, 2)}});

  REQUIRE(stage.click("Parts: Sub-blocks"));
  CHECK(stage.has("part: decoder feed-forward 2"));
  const std::string said = sub_block_sentences(report_of(scene)).can_go;
  const RecordingCanvas blocks = drawn(stage.view(), scene);
  CHECK(says(blocks, said.substr(0, said.find(" taken out"))));
  CHECK_FALSE(says(blocks, "Heads taken out"));
  CHECK(contains(stage.view().caption(scene.input()), "A sub-block is taken out by setting its output to 0"));
}

TEST_CASE("a report is kept with its weights, and one that is not wished for any more ends") {
  const SampleScene scene = measured_scene();
  HeadMeasuring measuring;
  const auto first = measuring.get(scene.input(), false, true).report;
  REQUIRE(first);
  CHECK(measuring.get(scene.input(), true, true).report == first);
  SampleOptions other;
  other.seed = 2;
  const SampleScene second = measured_scene(other);
  CHECK(measuring.get(second.input(), false, false).report == nullptr);
  CHECK(measuring.get(second.input(), true, false).busy);
  measuring.cancel();
  while (measuring.get(second.input(), false, false).busy)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(measuring.get(scene.input(), false, false).report == first);
  const SampleScene again = measured_scene();  // the same model, opened anew
  CHECK(measuring.get(again.input(), false, false).report == first);
}

TEST_CASE("what goes to a file is not measured to its end when it is given up") {
  const SampleScene scene = measured_scene();
  HeadMeasuring measuring;
  std::atomic<bool> stop = true;
  REQUIRE(measuring.get(scene.input(), true, false).busy);  // beside the screen
  CHECK_FALSE(
      measuring.get(scene.input(), false, true, &stop).report);  // and it does not end what is measured there
  CHECK(measuring.get(scene.input(), false, true).report);
  HeadMeasuring another;
  CHECK_FALSE(another.get(scene.input(), false, true, &stop).report);
  HeadsView view;
  view.stop_with(std::make_shared<const std::atomic<bool>>(true));
  CHECK(view.clone()->numbers(scene.input()).empty());
  view.stop_with(nullptr);
  CHECK_FALSE(view.clone()->numbers(scene.input()).empty());
}

TEST_CASE("what was measured when a report was cancelled stays, and is said to be a part") {
  SampleScene scene = measured_scene();
  ViewStage stage("heads", scene);
  REQUIRE([&] {
    for (int i = 0; i < 30000; ++i) {
      stage.frames(1);
      if (stage.view().minimum_size(scene.input()).y > 400) return true;
    }
    return false;
  }());
  if (!stage.click("Cancel")) return;  // it was done before
  for (int i = 0; i < 4000 && stage.view().traits().busy; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stage.frames(1);
  }
  const RecordingCanvas canvas = drawn(stage.view(), scene);
  CHECK(says(canvas, "Cancelled: "));
}

TEST_CASE("a report stays while the weights learn on, and says of which step it is") {
  const SampleScene scene = measured_scene();
  HeadMeasuring measuring;
  const auto first = measuring.get(scene.input(), false, true).report;
  REQUIRE(first);
  SampleOptions later;
  later.seed = 2;
  SampleScene learned = measured_scene(later);
  learned.training_text = scene.training_text;  // the same run
  const HeadMeasuring::Found found = measuring.get(learned.input(), false, false);
  CHECK(found.report == first);
  CHECK(found.step == scene.snapshot->step);
  CHECK(measuring.get(scene.input(), false, false).at_step(scene.input()).empty());
  auto later_on = std::make_shared<Snapshot>(*learned.snapshot);
  later_on->step = scene.snapshot->step + 500;
  const auto shown = std::make_shared<SceneResult>(*learned.result);
  shown->untouched_snapshot = later_on;
  learned.result = shown;
  CHECK(measuring.get(learned.input(), false, false).at_step(learned.input()) ==
        ", at step " + format_count(scene.snapshot->step));
  // Of another run it says nothing.
  const SampleScene other = measured_scene(later);
  CHECK(measuring.get(other.input(), false, false).report == nullptr);
}

TEST_CASE("while the pairs are being read nobody says that there are none") {
  SampleScene scene = measured_scene();
  scene.training_text = nullptr;
  ViewInput input = scene.input();
  input.training_text_state = TextState::reading;
  HeadMeasuring measuring;
  CHECK(measuring.get(input, true, false).reading);
  CHECK_FALSE(measuring.get(input, true, false).no_pairs);
  input.training_text_state = TextState::unknown;
  CHECK(measuring.get(input, true, false).no_pairs);
}
