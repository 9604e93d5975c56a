// The head report on the stage.
#include "app/views/heads/heads_view.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/format/number_format.h"
#include "app/session/measuring.h"
#include "app/ui/ui.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

// Its own sentences are held out.
SampleScene measured_scene(const SampleOptions& options = {}) {
  SampleScene scene = make_sample_scene(options);
  auto text = scene.training_text ? *scene.training_text : TrainingText();
  for (const SceneSentence& sentence : options.sentences)
    text.held_out.push_back({sentence.source, sentence.reference.value_or("le chat voit")});
  scene.training_text = std::make_shared<const TrainingText>(std::move(text));
  return scene;
}

HeadReport report_of(const SampleScene& scene) {
  return *measured_heads(
      *scene.snapshot, scene.tokenizers,
      measuring_pairs(scene.training_text->held_out, scene.tokenizers, scene.snapshot->config),
      scene.result->scene.smoothing, nullptr);
}

// Until the report is there.
bool measured(ViewStage& stage) {
  for (int i = 0; i < 3000; ++i) {
    stage.frames(1);
    if (stage.has("sort: loss")) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

template <class Kind>
const Kind* asked(const Commands& commands) {
  for (const Command& command : commands)
    if (const Kind* found = command.get_if<Kind>()) return found;
  return nullptr;
}

}  // namespace

TEST_CASE("the head report is drawn whole at every size, with pairs and without") {
  const SampleScene scene = measured_scene();
  const HeadsView view;
  REQUIRE(view.numbers(scene.input()).size() == 3);  // measured from here on
  CHECK(in_lines(complaints(view, scene.input())) == "");
  SampleScene without = measured_scene();
  without.training_text = nullptr;
  CHECK(drawn(HeadsView(), without).find("No held-out pairs") != nullptr);
}

TEST_CASE("the numbers of the head report are the engine's, each row with its part") {
  const SampleScene scene = measured_scene();
  const HeadReport report = report_of(scene);
  const std::vector<NumberTable> tables = HeadsView().numbers(scene.input());
  REQUIRE(tables.size() == 3);
  REQUIRE(tables[0].rows.size() == report.rows.size());
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const PartRow& row = report.rows[i];
    CHECK(tables[0].rows[i].starts_with(row_name(row.part)));
    CHECK(tables[0].values[i][0] == row.by_zero.mean);
    CHECK(tables[0].values[i][2] == row.by_mean.mean);
    CHECK(tables[0].values[i][5] == row.reading.gradient);
    const double eos = tables[0].values[i].back();
    CHECK((eos == row.reading.attention.eos || (std::isnan(eos) && std::isnan(row.reading.attention.eos))));
  }
  for (std::size_t i = 0; i < report.greedy.size(); ++i) {
    CHECK(tables[1].values[i][0] == report.greedy[i].loss);
    CHECK(tables[2].values[i][1] == report.one_shot[i].exact_match);
  }
  CHECK(tables[0].rows.front().starts_with("encoder 1, head 1"));
  CHECK(tables[0].rows.back() == "decoder feed-forward 2");
}

TEST_CASE("every head stands with its loss, the one that matters most on top") {
  const SampleScene scene = measured_scene();
  const HeadReport report = report_of(scene);
  const HeadsView view;
  REQUIRE(!view.numbers(scene.input()).empty());
  const RecordingCanvas canvas = drawn(view, scene);
  float before = 0;
  for (const std::size_t index : sorted_parts(report, true, 0, true)) {
    const RecordingCanvas::Text* name = canvas.find(row_name(report.rows[index].part));
    REQUIRE(name != nullptr);
    CHECK(name->box.y > before);
    before = name->box.y;
    CHECK(canvas.find(format_signed(report.rows[index].by_zero.mean, 4)) != nullptr);
  }
}

TEST_CASE("headings and keys sort, a click opens the head, M mutes it") {
  SampleScene scene = measured_scene();
  ViewStage stage("heads", scene);
  REQUIRE(measured(stage));
  CHECK(stage.state() == "heads, by loss falling");
  REQUIRE(stage.click("sort: entropy"));
  CHECK(stage.state() == "heads, by entropy falling");
  REQUIRE(stage.click("sort: entropy"));
  CHECK(stage.state() == "heads, by entropy rising");
  REQUIRE(stage.click("sort: entropy"));
  CHECK(stage.state() == "heads, by as in the model");
  Commands commands;
  CHECK(stage.view().key('b', scene.input(), commands));
  CHECK(stage.state() == "heads, by loss rising");
  CHECK(stage.view().key('r', scene.input(), commands));
  CHECK(stage.state() == "heads, by loss falling");

  stage.frames();
  stage.take_commands();
  REQUIRE(stage.click("part: encoder 2, head 3"));
  commands = stage.take_commands();
  REQUIRE(asked<SetPin>(commands) != nullptr);
  CHECK(asked<SetPin>(commands)->selection.kind == AttentionKind::encoder);
  CHECK(asked<SetPin>(commands)->selection.layer == 1);
  CHECK(asked<SetPin>(commands)->selection.head == 2);
  REQUIRE(asked<OpenView>(commands) != nullptr);
  CHECK(asked<OpenView>(commands)->view == "head");

  commands.clear();
  CHECK(stage.view().key('m', scene.input(), commands));
  REQUIRE(asked<SetWhatIf>(commands) != nullptr);
  CHECK(asked<SetWhatIf>(commands)->what_if == WhatIf{{mute_head(AttentionKind::encoder, 1, 2)}});

  REQUIRE(stage.click("Parts: Sub-blocks"));
  CHECK(stage.has("part: decoder feed-forward 2"));
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
}
