// What the head report says in words, of numbers made up.
#include "app/reading/head_words.h"

#include <doctest/doctest.h>

#include <cmath>

#include "app/views/heads/heads.h"
#include "tests/ui/text_checks.h"

using namespace glassformer;

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

TEST_CASE("of sub-blocks those that can go alone are named") {
  HeadReport report;
  report.exact_match = 0.9;
  report.rows.resize(3);
  report.rows[0].part = mute_sub_block({.block = BlockKind::feed_forward, .encoder = true});
  report.rows[1].part = mute_sub_block({.block = BlockKind::feed_forward, .layer = 1});
  report.rows[2].part = mute_head(AttentionKind::encoder, 0, 0);
  report.rows[0].exact_match = -0.2, report.rows[0].by_zero.low = 0.5;
  CHECK(sub_block_sentences(report).can_go ==
        "One of 2 sub-blocks can go, each taken out alone: decoder feed-forward 2.");
  report.rows[1] = report.rows[0];
  CHECK(sub_block_sentences(report).can_go == "None of 2 sub-blocks can go, each taken out alone.");
  report.exact_match = 0;
  CHECK(contains(sub_block_sentences(report).can_go, "No pair is right as the model is"));
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
