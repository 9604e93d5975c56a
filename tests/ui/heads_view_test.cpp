// The head report on the stage.
#include "app/views/heads/heads_view.h"

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
  for (std::size_t i = 0; i < report.stepwise.size(); ++i) {
    CHECK(tables[1].values[i][0] == report.stepwise[i].loss);
    CHECK(tables[2].values[i][1] == report.one_shot[i].exact_match);
  }
  for (const PruneOrder order : {PruneOrder::stepwise, PruneOrder::one_shot}) {
    const std::string said = reach_words(report, order);
    CHECK(said.find("xact match") != std::string::npos);
    CHECK(HeadsView().caption(scene.input()).find("not measured") != std::string::npos);
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

TEST_CASE("how many heads can be muted is said in the order's own words, with its rule") {
  HeadReport report;
  report.exact_match = 0.985;
  for (const double exact : {0.985, 0.98, 0.975, 0.9})
    report.stepwise.push_back(
        {.exact_match = exact, .exact_change = {exact - 0.985, exact - 1, exact - 0.97}});
  CHECK(reach_words(report, PruneOrder::stepwise) ==
        "2 of 3 heads can be muted, each time the one that costs least, before exact match falls below "
        "97.5 % (at 2: 97.5 %, −1.0 points, −2.5 to +0.5).");
  report.one_shot = {report.stepwise[0], report.stepwise[3]};
  CHECK(reach_words(report, PruneOrder::one_shot) ==
        "No head can be muted, in one-shot order, before exact match falls below 97.5 %.");
  report.stepwise.resize(3);
  CHECK(reach_words(report, PruneOrder::stepwise).find("never falls") != std::string::npos);
  report.exact_match = 0;
  CHECK(reach_words(report, PruneOrder::stepwise).find("cannot lower it") != std::string::npos);
  const std::string zero = reach_words(report);
  CHECK(zero == reach_words(report, PruneOrder::stepwise));
  CHECK(zero.find("cannot lower it") == zero.rfind("cannot lower it"));
  CHECK(reach_words({}, PruneOrder::stepwise).empty());
}

TEST_CASE("a head is called by the largest share that passes, and by none that does not") {
  PartRow row;
  row.part = mute_head(AttentionKind::encoder, 0, 0);
  HeadReading& reads = row.reading.attention;
  CHECK_FALSE(habit_of(row).has_value());  // nothing measured
  reads.previous = 0.49, reads.largest = 0.6;
  CHECK_FALSE(habit_of(row).has_value());
  reads.previous = 0.62, reads.eos = 0.55, reads.same_word = 0.99;
  CHECK(habit_of(row)->words == "reads the previous word");
  CHECK(habit_of(row)->share == 0.62);
  CHECK(reads_text(row, {}) == "previous 62 %");
  reads.eos = 0.7;
  CHECK(habit_of(row)->words == "reads <eos>");
  reads.previous = reads.eos = 0.1;
  CHECK(habit_of(row)->brief == "same word");
  reads.same_word = HeadReading::kNone, reads.largest = 0.2;
  CHECK(habit_of(row)->brief == "spread");
  row.part = mute_sub_block(row.part.block);
  CHECK_FALSE(habit_of(row).has_value());
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
  CHECK(std::ranges::any_of(canvas.texts,
                            [](const auto& each) { return each.text.starts_with("Cancelled: "); }));
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
  // Of another run it tells nothing.
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
