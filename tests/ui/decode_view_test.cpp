#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/decode/decode.h"
#include "engine/model/what_if/changed_model.h"
#include "tests/ui/decode_scene.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

// Sum of log p of these words, by the whole model in double.
double total_by_hand(const SampleScene& scene, const std::vector<int>& words) {
  const Matrix<double> logits = exact_logits(scene, words);
  double total = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto row = logits.row(static_cast<Eigen::Index>(i)).array();
    total += row(words[i]) - std::log(row.exp().sum());
  }
  return total;
}

BeamFound searched(const SampleScene& scene, int width = 4) {
  BeamCache cache;
  return *beam_found(scene.input(), cache, {.width = width}, true).value;
}

}  // namespace

TEST_CASE("sums, penalties and scores in the table are those of the words, worked out by hand") {
  const SampleScene scene = scene_to_decode();
  const BeamFound found = searched(scene);
  const RecordingCanvas canvas = picture_of(*make_view("decode"), scene.input(), {0, 0, 1400, 1000}, true);
  REQUIRE(found.hypotheses() == 4);
  for (int i = 0; i < 4; ++i) {
    const std::vector<int> words =
        found.record().words(found.record().finished[static_cast<std::size_t>(i)].place);
    const double total = total_by_hand(scene, words), n = static_cast<double>(words.size());
    const double penalty = std::pow((5 + n) / 6, 0.6);
    CHECK(canvas.find(format_fixed(total, 3)) != nullptr);
    CHECK(canvas.find("( " + std::to_string(words.size() + 5) + " / 6 )") != nullptr);
    CHECK(canvas.find(" = " + format_fixed(penalty, 3)) != nullptr);
    CHECK(canvas.find(format_fixed(total / penalty, 3)) != nullptr);
  }
  const double right = total_by_hand(scene, found.right);
  CHECK(found.right_score->total == doctest::Approx(right).epsilon(1e-4));
  CHECK((verdict(found) == Verdict::search_error) == (found.right_score->score > found.beam.score));

  // No search finds what the forced words rule out.
  BeamFound forced = found;
  forced.forced = {found.right.front()};
  CHECK_FALSE(ruled_out(forced));
  CHECK(verdict(forced) == verdict(found));
  forced.forced = {found.right.front() + 1};
  CHECK(ruled_out(forced));
  CHECK(verdict(forced) == Verdict::none);
  forced.forced = found.right;
  forced.forced.push_back(found.right.front());
  CHECK(ruled_out(forced));
}

TEST_CASE("the tree draws the winner in the first lane, kept nodes once, and counts what it folds") {
  for (const int width : {1, 2, 4, 8}) {
    CAPTURE(width);
    const BeamFound found = searched(scene_to_decode(), width);
    const DecodeTree tree = lay_out_tree(found.record(), found.hypotheses(), found.greedy.ids);
    const std::size_t words = found.beam.ids.size();
    std::size_t winners = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const TreeNode& node = tree.nodes[i];
      winners += node.winner ? 1 : 0;
      if (node.winner) CHECK(node.lane == 0);
      CHECK(tree.find(node.place) == static_cast<int>(i));
      if (node.parent >= 0)
        CHECK(tree.nodes[static_cast<std::size_t>(node.parent)].place == found.record().before(node.place));
      for (std::size_t j = 0; j < i; ++j)
        CHECK_FALSE((tree.nodes[j].lane == node.lane && tree.nodes[j].place.step == node.place.step));
    }
    CHECK(winners == words);
    for (int step = 0; step < tree.columns; ++step) {
      const auto& considered = found.record().steps[static_cast<std::size_t>(step)].considered;
      const auto kept =
          std::ranges::count_if(considered, [](const BeamNode& n) { return n.fate != BeamFate::cut; });
      const auto drawn = std::ranges::count_if(
          tree.nodes, [&](const TreeNode& n) { return n.place.step == step && !n.stub; });
      CHECK(tree.folded[static_cast<std::size_t>(step)] == kept - drawn);
    }
  }
}

TEST_CASE("a stub says what it was cut against, in one line or in two, wherever that finds room") {
  const SampleScene scene = scene_to_decode();
  const ViewInput input = scene.input();
  int stubs = 0, in_two = 0;
  for (const int width : {1, 2, 4, 8}) {
    BeamCache cache;
    const DecodeScene shown = decode_scene(input, cache, {.width = width}, {}, true);
    REQUIRE(shown.found);
    for (const float wide : {decode_minimum(shown).x, 1000.0f, 1600.0f}) {
      const DecodeLayout at = layout_decode({0, 0, wide, 1200}, shown);
      RecordingCanvas canvas(light_theme(), true);
      draw_tree(canvas, at, shown);
      for (int i = 0; i < static_cast<int>(shown.tree.nodes.size()); ++i) {
        const TreeNode& node = shown.tree.nodes[static_cast<std::size_t>(i)];
        if (!node.stub) continue;
        ++stubs;
        // The best that was kept at this step, by hand.
        const auto& considered = shown.record().steps[static_cast<std::size_t>(node.place.step)].considered;
        int kept = -1;
        for (int rank = 0; rank < node.place.node; ++rank)
          if (considered[static_cast<std::size_t>(rank)].fate != BeamFate::cut) kept = rank;
        if (kept < 0) continue;  // nothing was
        const std::string total = format_fixed(considered[static_cast<std::size_t>(kept)].total, 2);
        const Rect box = at.node(node.lane, node.place.step);
        std::string said;
        int lines = 0;
        float right = 0;
        for (const RecordingCanvas::Text& text : canvas.texts) {
          const bool behind = text.box.x > box.right() && text.box.x < box.right() + 20 &&
                              std::abs(text.box.center().y - box.center().y) < 12;
          if (!behind) continue;
          said += (lines++ > 0 ? " " : "") + text.text;
          right = std::max(right, text.box.right());
        }
        CAPTURE(said);
        CAPTURE(wide);
        CHECK(right <= at.tree.right() + 1);
        CHECK(said.starts_with(ordinal(node.place.node + 1) + ", " + format_fixed(shown.at(i).total, 2)));
        const TextStyle style{.size = 12};
        const std::string here =
            ordinal(node.place.node + 1) + ", " + format_fixed(shown.at(i).total, 2) + ";";
        const float needed = std::max(canvas.measure(ordinal(kept + 1) + ", " + total, style).x,
                                      canvas.measure(here, style).x);
        const bool room = box.right() + 16 + needed <= at.tree.right();
        if (room) CHECK(said.ends_with(total));
        in_two += lines == 2;
        CHECK(cut_words(shown, i).ends_with("the " + ordinal(kept + 1) + " had " + total));
      }
    }
  }
  CHECK(stubs > 0);
  CHECK(in_two > 0);
}

TEST_CASE("width, penalty and alpha search anew, aside from the Scene or as its own beam") {
  SampleScene scene = scene_to_decode();
  ViewStage stage("decode", scene, {1300, 900});
  CHECK(stage.state().starts_with("width 4, α 0.60, paper"));
  REQUIRE(stage.set("Beam width", "2"));
  stage.frames(3);
  CHECK(stage.state().starts_with("width 2, α 0.60, paper, best " +
                                  format_fixed(searched(scene, 2).beam.score, 3)));
  REQUIRE(stage.click("Form of the penalty: n^α"));
  CHECK(stage.state().starts_with("width 2, α 0.60, length"));
  for (const Command& command : stage.take_commands()) CHECK_FALSE(command.is<SetDecode>());

  auto beam = std::make_shared<SceneResult>(*scene.result);
  beam->scene.decode.search = Search::beam;
  beam->scene.decode.beam = 2;
  scene.result = beam;
  stage.frames(3);
  for (const int width : {5, 16}) {
    REQUIRE(stage.set("Beam width", std::to_string(width)));
    stage.frames(2);
    CHECK(asked<SetDecode>(stage.take_commands())->options.beam == width);
  }
}

TEST_CASE("a click pins a node, arrows move it, and F forces the beginning up to it") {
  SampleScene scene = scene_to_decode();
  const BeamFound found = searched(scene);
  ViewStage stage("decode", scene, {1300, 900});
  const DecodeTree tree = lay_out_tree(found.record(), found.hypotheses(), found.greedy.ids);
  const auto second = std::ranges::find_if(tree.nodes, [&](const TreeNode& node) {
    return node.place.step == 1 && found.record().at(node.place).id != scene.snapshot->config.eos_id;
  });
  REQUIRE(second != tree.nodes.end());
  REQUIRE(stage.click("beam step 2 rank " + std::to_string(second->place.node + 1)));
  CHECK(stage.state().ends_with("pinned 2"));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.caption == "Candidate at step 2");
  const BeamNode& node = found.record().at(second->place);
  CHECK(page.value == format_pinned(std::exp(node.log_probability)));
  CHECK(page.sections[1].rows.size() == 5);

  Commands commands;
  REQUIRE(stage.view().key('f', scene.input(), commands));
  const WhatIf forced = commands.front().get<SetWhatIf>().what_if;
  const std::vector<int> words = found.record().words(second->place);
  CHECK(forced_beginning(forced) == words);
  CHECK(forcing(forced, {}).empty());

  // With it every sentence begins so, and greedy's too.
  SampleOptions options;
  options.what_if = forced;
  const SampleScene changed = scene_to_decode(options);
  const BeamFound after = searched(changed);
  for (const Hypothesis& each : after.beam.hypotheses)
    CHECK(std::equal(words.begin(), words.end(), each.ids.begin()));
  CHECK(std::equal(words.begin(), words.end(), after.greedy.ids.begin()));
  CHECK(after.forced == words);
}

TEST_CASE("what is computed anew has a page of its own, with the sums of all steps") {
  SampleScene scene = scene_to_decode();
  ViewStage stage("decode", scene, {1300, 900});
  REQUIRE(stage.click("Decode: Computed anew"));
  CHECK(stage.state() == "computed-anew");
  const Trace& trace = *scene.result->trace;
  const CacheUse use = compare_with_cache(ChangedModel<float>(*scene.snapshot->weights, {}), trace.source[0],
                                          trace.target_out[0]);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1200, 800}, true);
  for (const CacheStep& step : use.steps) {
    CHECK(step.difference < 1e-4);
    CHECK(canvas.find(format_count(step.with.all())) != nullptr);
    CHECK(canvas.find(format_count(step.without.all())) != nullptr);
  }
  REQUIRE(stage.click("cache step 3"));
  CHECK(scene.pinned.query == 2);
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.caption == "Step 3 of the decoder");
  CHECK(page.sections[0].note == format_count(use.steps[2].with.all()));
  // The mask of each step: a row and a column a word, of which the cache makes the last row.
  const auto& mask = page.sections[3];
  CHECK(mask.rows[0].value == "3 × 3");
  CHECK(mask.rows[1].value == "1 × 3");
  const std::string all = std::to_string(use.steps.size());
  CHECK(contains(stage.view().caption(scene.input()), "from 1 × 1 to " + all + " × " + all));
  const RecordingCanvas third = picture_of(stage.view(), scene.input(), {0, 0, 1200, 800}, true);
  CHECK(third.find("mask, 3 × 3: new is 1 × 3") != nullptr);
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("where a change lets words read ahead all rows are counted, and no cache is spoken of") {
  SampleOptions options;
  // A weight that a row of the decoder gives to what follows it does the same as no mask at all.
  Change ahead = mute_head(AttentionKind::decoder, 1, 0);
  ahead.kind = ChangeKind::set_weight;
  ahead.row = 1;
  ahead.column = 3;
  ahead.amount = 0.4;
  for (const Change& change : {change_of(ChangeKind::causal_mask_off), ahead}) {
    options.what_if = {{change}};
    SampleScene scene = scene_to_decode(options);
    ViewStage stage("decode", scene, {1300, 900});
    REQUIRE(stage.click("Decode: Computed anew"));
    const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1200, 800}, true);
    CHECK(says(canvas, "all are computed anew"));
    CHECK(says(canvas, "all computed anew"));
    CHECK_FALSE(says(canvas, "stays as it is"));
    CHECK(canvas.find("with") == nullptr);
    CHECK(canvas.find("difference") == nullptr);
    const int source = static_cast<int>(scene.result->trace->source[0].size());
    for (int words = 1; words <= std::ssize(scene.result->trace->target_out[0]); ++words)
      CHECK(canvas.find(format_count(cost_without_cache(scene.snapshot->config, source, words).all())));
    REQUIRE(stage.click("cache step 2"));
    const InspectorPage page = inspector_page(stage.view(), scene.input());
    REQUIRE(page.sections.size() == 3);
    CHECK(page.sections[1].rows.size() == 1);  // no cache is kept
    CHECK(page.sections[2].heading == "In use and in training");
    CHECK(page.sections[2].for_hands);  // no report shows times
    CHECK(page.sections[0].note == format_count(cost_without_cache(scene.snapshot->config, source, 2).all()));
    const auto tables = stage.view().numbers(scene.input());
    const auto table = std::ranges::find_if(
        tables, [](const NumberTable& each) { return each.title.starts_with("multiplications"); });
    REQUIRE(table != tables.end());
    CHECK(table->columns.size() == 1);
    CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
  }
  // With a cache the encoder runs once: the others run it once more.
  SampleScene scene = scene_to_decode();
  ViewStage stage("decode", scene, {1300, 900});
  REQUIRE(stage.click("Decode: Computed anew"));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  REQUIRE(page.sections.size() == 5);
  CHECK(page.sections[1].rows.back().label == "encoder, once more");
  CHECK(page.sections[2].rows.back().label == "encoder");
}

TEST_CASE("numbers that are not finite are said, and no lane is drawn with them") {
  const SampleScene untouched = scene_to_decode();
  const auto complaint_of = [&](const char* table, int word) {
    Change edit = change_of(ChangeKind::edit_parameter);
    edit.parameter = table;
    edit.row = word;
    edit.column = 0;
    edit.amount = 3e38;
    SampleOptions options;
    options.what_if = {{edit}};
    const SampleScene scene = scene_to_decode(options);
    RecordingCanvas canvas(light_theme(), true);
    const auto view = make_view("decode");
    view->picture(canvas, scene.input(), {0, 0, 1400, 1000});
    std::string said;
    for (const RecordingCanvas::Text& each : canvas.texts) {
      CHECK_FALSE(contains(each.text, "NaN"));
      CHECK_FALSE(contains(each.text, "∞"));
      if (contains(each.text, "not finite")) said = each.text;
    }
    CHECK_FALSE(contains(view->caption(scene.input()), "NaN"));
    const auto found = complaints(*view, scene.input(), Shapes::few);
    CHECK_MESSAGE(found.empty(), in_lines(found));
    return said;
  };
  // A word that is read at every step: nothing is known from the first on.
  CHECK(complaint_of("source_embedding.weight", untouched.result->trace->source[0][1])
            .starts_with("From step 1 on"));
  // One that the decoder may write and read.
  const int first = searched(untouched).greedy.ids[0];
  CHECK(complaint_of("target_embedding.weight", first).starts_with("From step 2 on"));
}

TEST_CASE("a panel saved alone has the caption of its own page") {
  const SampleScene scene = scene_to_decode();
  const auto caption = [&](const char* panel) {
    FigureContent content{};
    content.view = make_view("decode");
    content.result = scene.result;
    content.tokenizers = scene.tokenizers;
    content.run = scene.run;
    content.panel = panel;
    return caption_text(content);
  };
  CHECK(caption("tree").starts_with("Beam search for "));
  CHECK(caption("finished-sentences").starts_with("Beam search for "));
  CHECK(caption("computed-anew").starts_with("What the decoder computes for each word of "));
  CHECK_FALSE(contains(caption("sampling"), "Beam search"));
  CHECK(caption("sampling") != caption("computed-anew"));
}

TEST_CASE("the table of numbers holds every continuation and every finished sentence") {
  const SampleScene scene = scene_to_decode();
  const BeamFound found = searched(scene);
  const auto tables = make_view("decode")->numbers(scene.input());
  REQUIRE(tables.size() == 2);  // those of the open page alone
  std::size_t nodes = 0;
  for (const BeamStep& step : found.record().steps) nodes += step.considered.size();
  CHECK(tables[1].rows.size() == nodes);
  CHECK(tables[0].rows.size() == found.record().finished.size() + 2);
  CHECK(contains(make_view("decode")->caption(scene.input()), format_fixed(found.beam.score, 3)));
}

}  // namespace glassformer
