#include "app/panels/watch_page.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "engine/layers/cross_entropy.h"
#include "engine/model/names.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostWords = 12;

// length[i][j] of the longest common subsequence of the words from i and from j on.
std::vector<std::vector<int>> common_lengths(const std::vector<std::string>& a,
                                             const std::vector<std::string>& b) {
  std::vector<std::vector<int>> length(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      length[i][j] = a[i] == b[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
  return length;
}

// A word that is wrong again and again is one with a number.
void count_repeats(std::vector<AttemptWord>& words) {
  std::vector<AttemptWord> kept;
  for (AttemptWord& word : words)
    if (!kept.empty() && !word.text.empty() && !word.right && !kept.back().right &&
        kept.back().text == word.text)
      ++kept.back().times;
    else
      kept.push_back(std::move(word));
  words = std::move(kept);
}

std::string counted(int count, const std::string& one, const std::string& more) {
  return count == 1 ? "one word " + one : std::to_string(count) + " words " + more;
}

}  // namespace

bool Attempt::writes_nothing() const {
  return std::ranges::all_of(words, [](const AttemptWord& word) { return word.text.empty(); });
}

std::string Attempt::says(bool known) const {
  if (writes_nothing()) return "nothing: it ends at once";
  const std::string others =
      known ? counted(wrong, "is wrong", "are wrong") : counted(wrong, "differs", "differ");
  if (missing > 0 && wrong > 0)
    return others + ", " + std::to_string(missing) +
           (missing == 1 ? " is missing (the box)" : " are missing (the boxes)");
  if (missing > 0) return counted(missing, "is missing", "are missing");
  return wrong > 0 ? others : "";
}

Attempt attempt_of(const std::string& written, const std::string& right) {
  const std::vector<std::string> own = split_words(written), wanted = split_words(right);
  const std::vector<std::vector<int>> common = common_lengths(own, wanted);
  Attempt attempt;
  // Between two common words: the written ones are wrong, and what is lacking then is missing.
  int wrong = 0, lacking = 0;
  const auto close_gap = [&] {
    for (int i = wrong; i < lacking; ++i) attempt.words.push_back({}), ++attempt.missing;
    wrong = lacking = 0;
  };
  std::size_t i = 0, j = 0;
  while (i < own.size() || j < wanted.size()) {
    if (i < own.size() && j < wanted.size() && own[i] == wanted[j]) {
      close_gap();
      attempt.words.push_back({own[i], true});
      ++i, ++j, ++attempt.hits;
    } else if (i < own.size() && (j == wanted.size() || common[i + 1][j] >= common[i][j + 1])) {
      attempt.words.push_back({own[i++], false});
      ++wrong, ++attempt.wrong;
    } else {
      ++j, ++lacking;
    }
  }
  close_gap();
  count_repeats(attempt.words);
  attempt.cut = attempt.words.size() > kMostWords;
  if (attempt.cut) attempt.words.resize(kMostWords);
  return attempt;
}

WatchScene watch_scene(const SceneResult& result, const Tokenizers& tokenizers, bool known) {
  const Trace& trace = *result.trace;
  const Config& config = result.snapshot->config;
  WatchScene scene{.reads = result.source_words,
                   .rows = {},
                   .heads = {},
                   .all_heads = (config.encoder_layers + 2 * config.decoder_layers) * config.heads,
                   .layers = config.decoder_layers,
                   .heads_in_layer = config.heads,
                   .known = known,
                   .right = result.scene.sentences.front().target.value_or(""),
                   .own = {},
                   .guesses = false,
                   .says = {}};
  for (std::string& word : scene.reads) word = plain_word(word);
  scene.own = attempt_of(result.translation, scene.right);
  const Plane chances = trace.plane(output_value(ValueKind::log_probabilities), 0);
  const std::vector<int>& right = trace.target_out.front();
  for (int row = 0; row < static_cast<int>(right.size()); ++row) {
    const int id = right[static_cast<std::size_t>(row)];
    int best = 0;
    for (int each = 1; each < chances.columns; ++each)
      if (chances(row, each) > chances(row, best)) best = each;
    scene.rows.push_back({.right = plain_word(word_of(tokenizers.target.get(), config, id)),
                          .next = plain_word(word_of(tokenizers.target.get(), config, best)),
                          .hit = best == id,
                          .chance = std::exp(static_cast<double>(chances(row, id)))});
  }
  double surprise = 0;
  for (const WatchedRow& row : scene.rows)
    surprise -= std::log(row.chance) / static_cast<double>(scene.rows.size());
  scene.guesses =
      std::ranges::none_of(scene.own.words, &AttemptWord::right) && surprise > even_guess(config) / 2;
  const long step = result.snapshot->step;
  const std::string boxes = scene.own.missing > 0 ? "; a box is a missing word" : "";
  scene.says = !scene.guesses ? scene.own.says(known)
               : step == 0
                   ? "untrained: it guesses" + boxes
                   : "after " + format_count(step) + (step == 1 ? " step" : " steps") + " it guesses" + boxes;
  for (int layer = 0; layer < scene.layers; ++layer)
    for (int head = 0; head < config.heads; ++head)
      scene.heads.push_back(attention_table(trace, AttentionKind::cross, layer, head, 0));
  return scene;
}

std::string WatchScene::asks(WatchPart part, bool small) const {
  if (part == WatchPart::measures)
    return std::string("The lower its loss, the better it guesses") +
           (small ? "." : "; at the right, sentences that it never learns from.");
  const auto hits = std::ranges::count_if(rows, &WatchedRow::hit);
  const std::string fed = "Fed the goal word by word, it guesses " + std::to_string(hits) + " of " +
                          std::to_string(rows.size()) + " next words";
  if (part == WatchPart::reads)
    return fed + (small ? "; alone its own mistakes mislead it."
                        : ". Alone it goes on from its own words, and mistakes mislead it.");
  if (says.empty()) return "It writes this sentence on its own. Look at those that it has never seen.";
  const std::string known_words = known ? "are wrong" : "differ";
  if (part == WatchPart::writes)
    return small ? std::string("Underlined: ") + (known ? "wrong" : "different") + ". A box: missing."
                 : std::string(guesses ? "It begins knowing nothing, and guesses. " : "") +
                       "Underlined words " + known_words + ", a box is a word that is missing.";
  if (hits == 0 || guesses)
    return std::string(small ? "" : "It begins knowing nothing. ") +
           "Look at “On its own” first: it grows into the goal.";
  return fed + (small ? "." : ". On its own it is fed its own words, mistakes too.");
}

double even_guess(const Config& config) {
  return std::log(static_cast<double>(std::max(1, config.target_vocab)));
}

double lowest_possible(const Config& config, double smoothing) {
  return smoothed_entropy(smoothing, std::max(1, config.target_vocab));
}

std::string goal_words(const WatchState& state) {
  return state.by_model ? "what the trained model writes; nobody has said what is right" : "the right words";
}

std::string learns_how(const WatchState& state) {
  if (!state.quick || !state.result) return {};
  const bool rotary = state.result->snapshot->config.positions == PositionKind::rotary;
  return std::string("It learns as the size “quick” of New model…: LayerNorm before each block, ") +
         (rotary ? "rotary positions, " : "") + "batches of " + format_count(state.run.options.batch_tokens) +
         " tokens.";
}

std::string counted_right(const RunState& run, long step) {
  if (!run.curves || run.curves->validations.empty()) return "";
  const ValidationPoint& last = run.curves->validations.back();
  if (last.step != step || last.exact_match < 0) return "";  // -1: nothing is held out
  return format_percent(last.exact_match, 1) + " of " + format_count(run.validation_pairs) + " right";
}

std::string watch_words(const WatchState& state, const Tokenizers& tokenizers) {
  std::string words = "Watch one learn\n" + format_count(std::llround(state.seconds)) + " s, step " +
                      format_count(state.run.step);
  if (state.run.curves && !state.run.curves->steps.empty())
    words += ", loss " + format_fixed(state.run.curves->steps.back().loss, 2);
  words += "\n";
  if (!state.result) return words + "It has written nothing yet.\n";
  if (const std::string how = learns_how(state); !how.empty()) words += how + "\n";
  if (state.run.curves && !state.run.curves->validations.empty()) {
    const long counted = state.run.curves->validations.back().step;
    if (const std::string right = counted_right(state.run, counted); !right.empty())
      words +=
          "Of the sentences that it has never seen, at step " + format_count(counted) + ": " + right + "\n";
  }
  const WatchScene scene = watch_scene(*state.result, tokenizers, !state.by_model);
  words +=
      "The goal, " + goal_words(state) + ": " + scene.right + "\nOn its own: " + state.result->translation;
  const std::string& says = scene.says;
  words += (state.result->translation.empty() || says.empty() ? "" : ": ") + says + "\n";
  for (const WatchedAttempt& each : state.attempts)
    words += "at step " + format_count(each.step) +
             " it wrote: " + (each.written.empty() ? "nothing" : each.written) + "\n";
  for (std::size_t row = 0; row < scene.rows.size(); ++row) {
    const WatchedRow& each = scene.rows[row];
    words += "for " + each.right + " it would write " + each.next + "; chance of " + each.right + " " +
             format_fixed(each.chance, 3) + "\n";
  }
  return words;
}

}  // namespace glassformer
