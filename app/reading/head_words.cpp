#include "app/reading/head_words.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/format/number_format.h"

namespace glassformer {

namespace {

constexpr double kPointsOfYes = 1, kLossOfYes = 0.005, kPointsOfPerhaps = 3;
constexpr double kAlike = 1e-9;  // counts of pairs come as shares

// "encoder 1"
std::string attention_name(const Change& part) {
  const char* const kind = kind_of(part) == AttentionKind::cross ? "cross "
                           : part.block.encoder                  ? "encoder "
                                                                 : "decoder ";
  return kind + std::to_string(part.block.layer + 1);
}

std::string and_between(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// "encoder 1, heads 2 and 4; cross 2, head 1", in the model's order.
std::string names_of_heads(const HeadReport& report, std::size_t count) {
  std::vector<std::pair<std::string, std::vector<std::string>>> attentions;
  for (const PartRow& row : report.rows) {
    const auto gone = [&](const PrunePoint& point) { return point.muted == row.part; };
    const auto last = report.stepwise.begin() + 1 + static_cast<std::ptrdiff_t>(count);
    if (row.part.kind != ChangeKind::mute_head || std::none_of(report.stepwise.begin() + 1, last, gone))
      continue;
    const std::string attention = attention_name(row.part);
    if (attentions.empty() || attentions.back().first != attention) attentions.push_back({attention, {}});
    attentions.back().second.push_back(std::to_string(row.part.head + 1));
  }
  std::string text;
  for (const auto& [attention, heads] : attentions)
    text += (text.empty() ? "" : "; ") + attention + (heads.size() == 1 ? ", head " : ", heads ") +
            and_between(heads);
  return text;
}

}  // namespace

std::string row_name(const Change& part) {
  const std::string layer = std::to_string(part.block.layer + 1);
  const std::string side = part.block.encoder ? "encoder " : "decoder ";
  if (!is_attention(part.block.block)) return side + "feed-forward " + layer;
  if (part.kind == ChangeKind::mute_head)
    return attention_name(part) + ", head " + std::to_string(part.head + 1);
  return (kind_of(part) == AttentionKind::cross ? "cross-attention " : side + "self-attention ") + layer;
}

double points_lost(const PartRow& row) {
  return row.exact_match == 0 ? 0 : -100 * row.exact_match;
}

double right_without(const HeadReport& report, const PartRow& row) {
  return std::max(0.0, report.exact_match + row.exact_match);
}

CanGo can_go(const PartRow& row) {
  const double lost = points_lost(row), low = row.by_zero.low;
  if (lost <= kPointsOfYes + kAlike && low < kLossOfYes) return CanGo::yes;
  return lost <= kPointsOfPerhaps + kAlike || low < 0 ? CanGo::perhaps : CanGo::no;
}

const char* can_go_word(CanGo answer) {
  return answer == CanGo::yes ? "yes" : answer == CanGo::perhaps ? "perhaps" : "no";
}

std::string can_go_rule() {
  return "Yes: without it at most " + format_fixed(kPointsOfYes, 0) +
         " point is lost, and the interval of 95 % of its loss change begins below " +
         format_signed(kLossOfYes, 3) + ". Perhaps: at most " + format_fixed(kPointsOfPerhaps, 0) +
         " points are lost, or that interval begins below 0.";
}

HeadSentences head_sentences(const HeadReport& report) {
  if (report.stepwise.size() < 2) return {};
  const std::string heads = format_count(static_cast<long long>(report.stepwise.size()) - 1);
  if (report.exact_match <= 0)
    return {"No pair is right with all " + heads + " heads: none can be lost by taking heads out.",
            "What each of them does to the loss is among all columns."};
  const auto count = static_cast<std::size_t>(prune_reach(report.stepwise).muted);
  const std::string within = " within " + format_fixed(100 * kPruneFall, 0) + " point";
  HeadSentences said;
  if (count == 0)
    said.can_go =
        "None of the " + heads + " heads can go" + within + ", begun with what costs the loss least.";
  else
    said.can_go = (count == 1 ? "One head of " + heads + " can go"
                              : format_count(static_cast<long long>(count)) + " of " + heads +
                                    " heads can go together") +
                  within + ": " + names_of_heads(report, count) + ".";
  const auto left = [&](std::size_t without) {
    return format_percent(report.stepwise[without].exact_match, 1);
  };
  if (report.stepwise.size() > 3)
    said.left = "Take out three, each time the one that costs least, and " + left(3) + " stay right" +
                (report.stepwise.size() > 6 ? "; take out six, and " + left(6) + "." : ".");
  return said;
}

HeadSentences sub_block_sentences(const HeadReport& report) {
  std::vector<std::string> all, go;
  for (const PartRow& row : report.rows) {
    if (row.part.kind == ChangeKind::mute_head) continue;
    all.push_back(row_name(row.part));
    if (can_go(row) == CanGo::yes) go.push_back(all.back());
  }
  if (report.exact_match <= 0)
    return {"No pair is right as the model is: none can be lost by taking sub-blocks out.", ""};
  const std::string count = go.empty() ? "None" : go.size() == 1 ? "One" : format_count(std::ssize(go));
  return {count + " of " + format_count(std::ssize(all)) + " sub-blocks can go, each taken out alone" +
              (go.empty() ? "." : ": " + and_between(go) + "."),
          ""};
}

std::string few_pairs_words(int pairs) {
  if (pairs >= kFewPairs) return "";
  return "Measured on " + format_count(pairs) + (pairs == 1 ? " pair" : " pairs") +
         " alone: so few leave the intervals wide, and one from 0 to 0 says only that none of these pairs "
         "changed.";
}

std::optional<HeadHabit> habit_of(const PartRow& row) {
  if (row.part.kind != ChangeKind::mute_head) return std::nullopt;
  const HeadReading& reads = row.reading.attention;
  const bool cross = kind_of(row.part) == AttentionKind::cross;
  std::optional<HeadHabit> habit;
  const auto offer = [&](const char* brief, const char* words, double share) {
    if (share >= kHabitShare && (!habit || share > habit->share)) habit = {brief, words, share};
  };
  offer(cross ? "one place before" : "the word before",
        cross ? "reads one place before its own" : "reads the previous word", reads.previous);
  offer(cross ? "one place behind" : "the word after",
        cross ? "reads one place behind its own" : "reads the next word", reads.next);
  offer(cross ? "the same place" : "its own word", cross ? "reads the same place" : "reads its own word",
        reads.same_place);
  offer("the start mark", "reads <bos>", reads.bos);
  offer("the end mark", "reads <eos>", reads.eos);
  // Few rows have such a key: it speaks where nothing else does.
  if (!habit) offer("the same word", "reads the same word, where it is elsewhere too", reads.same_word);
  return habit;
}

HeadReads reads_of(const PartRow& row, const std::string& word) {
  if (row.part.kind != ChangeKind::mute_head) return {"", std::nan("")};
  if (const std::optional<HeadHabit> habit = habit_of(row)) return {habit->brief, habit->share};
  const double share = row.reading.attention.word_share;
  if (word.empty() || !(share >= kWordShare)) return {"no fixed place", std::nan("")};
  const std::string shown = word == "<eos>"   ? "the end mark"
                            : word == "<bos>" ? "the start mark"
                                              : "“" + word + "”";
  return {"often " + shown, share, true};
}

std::string HeadReads::text() const {
  return std::isnan(share) ? "–" : format_percent(share) + (of_rows ? " of rows" : "");
}

std::string habit_rule() {
  return "Where at least " + format_percent(kHabitShare) +
         " of the weight goes to one kind of place, that place with its share; else the word that most often "
         "has the largest weight of a row, with how many of the rows, from " +
         format_percent(kWordShare) +
         " on; else no fixed place: what such a head reads depends on the sentence.";
}

std::string reach_words(const HeadReport& report, PruneOrder order) {
  const bool stepwise = order == PruneOrder::stepwise;
  const std::vector<PrunePoint>& curve = stepwise ? report.stepwise : report.one_shot;
  if (curve.size() < 2) return "";
  const auto heads = static_cast<long long>(curve.size()) - 1;
  const std::string how = stepwise ? "each time the one that costs least" : "in one-shot order";
  if (report.exact_match <= 0) return "Exact match is 0 as the model is: muting heads cannot lower it.";
  const PruneReach reach = prune_reach(curve);
  const std::string least = format_percent(std::max(0.0, reach.least), 1);
  if (reach.muted == 0)
    return "No head can be muted, " + how + ", before exact match falls below " + least + ".";
  std::string text = format_count(reach.muted) + " of " + format_count(heads) + " heads can be muted, " + how;
  text += reach.muted == heads ? ": exact match never falls below " + least
                               : ", before exact match falls below " + least;
  const Difference& change = reach.at.exact_change;
  return text + " (at " + format_count(reach.muted) + ": " + format_percent(reach.at.exact_match, 1) + ", " +
         format_signed(100 * change.mean, 1) + " points, " + format_signed(100 * change.low, 1) + " to " +
         format_signed(100 * change.high, 1) + ").";
}

std::string reach_rule() {
  return "Falls: by more than " + format_fixed(100 * kPruneFall, 0) +
         " point of a hundred below the model as it is, at the first such number of heads. Behind it the "
         "change with its two-sided interval of 95 %, pair by pair.";
}

}  // namespace glassformer
