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

TEST_CASE("whether a part can go is said by its points and by where its interval begins") {
  const auto answer = [](double lost, double low) {
    PartRow row;
    row.exact_match = -lost / 100;
    row.by_zero = {.mean = low + 1, .low = low, .high = low + 2};
    return can_go(row);
  };
  CHECK(answer(0, 0.004) == CanGo::yes);
  CHECK(answer(1, -0.1) == CanGo::yes);
  CHECK(answer(-2, 0) == CanGo::yes);  // more are right without it
  CHECK(answer(0, 0.005) == CanGo::perhaps);
  CHECK(answer(1.5, 0.004) == CanGo::perhaps);
  CHECK(answer(3, 0.2) == CanGo::perhaps);
  CHECK(answer(40, -0.001) == CanGo::perhaps);
  CHECK(answer(3.5, 0) == CanGo::no);
  CHECK(answer(3.5, 0.004) == CanGo::no);
  // Shares of pairs are rounded: 2 of 200 are a point.
  PartRow row;
  row.exact_match = 0.955 - 0.965;
  CHECK(can_go(row) == CanGo::yes);
}

TEST_CASE("the sentence names the heads that the stepwise curve takes out within a point") {
  HeadReport report;
  report.exact_match = 0.965;
  const std::vector<Change> heads{
      mute_head(AttentionKind::encoder, 0, 0), mute_head(AttentionKind::encoder, 0, 1),
      mute_head(AttentionKind::encoder, 0, 3), mute_head(AttentionKind::decoder, 1, 0),
      mute_head(AttentionKind::cross, 1, 2),   mute_head(AttentionKind::cross, 1, 3)};
  for (const Change& head : heads) report.rows.emplace_back().part = head;
  const auto curve = [&](std::vector<double> right, const std::vector<std::size_t>& order) {
    report.stepwise = {{.exact_match = report.exact_match}};
    for (std::size_t i = 0; i < order.size(); ++i)
      report.stepwise.push_back({.muted = heads[order[i]], .exact_match = right[i]});
    return head_sentences(report);
  };
  HeadSentences said = curve({0.965, 0.95, 0.92, 0.8, 0.7, 0.715}, {1, 4, 2, 0, 3, 5});
  CHECK(said.can_go == "One head of 6 can go within 1 point: encoder 1, head 2.");
  CHECK(
      said.left ==
      "Take out three, each time the one that costs least, and 92.0 % stay right; take out six, and 71.5 %.");
  said = curve({0.965, 0.96, 0.955, 0.955, 0.7, 0.96}, {4, 2, 0, 1, 3, 5});
  CHECK(said.can_go ==
        "4 of 6 heads can go together within 1 point: encoder 1, heads 1, 2 and 4; cross 2, head 3.");
  said = curve({0.9, 0.97, 0.8}, {0, 1, 2});
  CHECK(said.can_go == "None of the 3 heads can go within 1 point, begun with what costs the loss least.");
  CHECK(said.left == "Take out three, each time the one that costs least, and 80.0 % stay right.");
  CHECK(curve({0.965, 0.965}, {0, 1}).left.empty());
  report.exact_match = 0;
  CHECK(curve({0, 0, 0}, {0, 1, 2}).can_go.starts_with("No pair is right"));
  CHECK(head_sentences({}).can_go.empty());
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
  CHECK(contains(reach_words(report, PruneOrder::stepwise), "never falls"));
  report.exact_match = 0;
  CHECK(contains(reach_words(report, PruneOrder::stepwise), "cannot lower it"));
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
  CHECK(reads_of(row, "+").words == "the word before");
  CHECK(reads_of(row, "+").share == 0.62);
  CHECK(reads_of(row, "+").text() == "62 %");
  reads.eos = 0.7;
  CHECK(habit_of(row)->words == "reads <eos>");
  CHECK(reads_of(row, "").words == "the end mark");
  reads.previous = reads.eos = 0.1;
  CHECK(habit_of(row)->brief == "the same word");
  // No kind of place has half.
  reads.same_word = HeadReading::kNone, reads.largest = 0.2;
  CHECK_FALSE(habit_of(row).has_value());
  reads.word_share = 0.25;
  CHECK(reads_of(row, "+").words == "often “+”");
  CHECK(reads_of(row, "+").text() == "25 % of rows");
  CHECK(reads_of(row, "<eos>").words == "often the end mark");
  CHECK(reads_of(row, "").words == "no fixed place");
  reads.word_share = 0.24;
  CHECK(reads_of(row, "+").words == "no fixed place");
  CHECK(reads_of(row, "+").text() == "–");
  row.part = mute_sub_block(row.part.block);
  CHECK_FALSE(habit_of(row).has_value());
  CHECK(reads_of(row, "+").words.empty());
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
