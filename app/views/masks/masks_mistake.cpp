#include "app/views/masks/masks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/reading/covered.h"
#include "app/reading/scene_words.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr double kClearlyLess = 0.9;  // of what the row adds up to with the mask where it belongs
constexpr const char* kNoMask =
    "The causal mask is off: nothing hides the words to come, so that nothing can hide them too late.";

Selection own_attention(const ViewInput& input, const Selection& chosen) {
  Selection shown = within(of_kind(chosen, AttentionKind::decoder), input);
  shown.head = std::max(shown.head, 0);
  return shown;
}

// The sentence's words of a head's weights, hidden where the scene hides them.
AttentionTable words_of(const Matrix<float>& weights, const AttentionTable& shown,
                        std::optional<int> covered) {
  AttentionTable table = shown;
  for (int row = 0; row < table.rows; ++row)
    for (int column = 0; column < table.columns; ++column)
      table.values[static_cast<std::size_t>(row * table.columns + column)] = weights(row, column);
  if (covered) table.cover(*covered);
  return table;
}

int row_to_explain(const MistakeScene& scene) {
  if (scene.shown.query && *scene.shown.query < scene.rows()) return *scene.shown.query;
  int shortest = 0;
  double least = kClearlyLess;
  for (int row = 0; row < scene.rows(); ++row) {
    if (row == scene.covered) continue;
    const double whole = scene.head().right_sum(row), share = whole > 0 ? scene.head().kept(row) / whole : 1;
    // The first row sees itself alone: another one says more.
    if (share < kClearlyLess && row > 0) return row;
    if (share < least) least = share, shortest = row;
  }
  return shortest;
}

std::string counted_to_come(int words) {
  constexpr std::array kCounts = {"",      "one",   "two",  "three", "four",   "five",  "six",
                                  "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  const std::string count = words < static_cast<int>(kCounts.size())
                                ? kCounts[static_cast<std::size_t>(words)]
                                : format_count(words);
  return "the " + count + (words == 1 ? " word" : " words") + " to come";
}

std::string activation(const MistakeScene& scene) {
  return scene.relu ? "ReLU" : "softmax";
}

std::string layer_and_head(const MistakeScene& scene) {
  return head_words(scene.shown.layer, scene.shown.head);
}

// A table with what each of its rows adds up to; NaN in the covered one.
NumberTable with_sums(std::string title, const MistakeScene& scene, const Matrix<float>& values, bool sums) {
  NumberTable table{.title = std::move(title), .columns = scene.words, .rows = scene.words};
  if (sums) table.columns.emplace_back("sum");
  for (int row = 0; row < scene.rows(); ++row) {
    std::vector<double>& numbers = table.values.emplace_back();
    for (int column = 0; column < scene.rows(); ++column)
      numbers.push_back(static_cast<double>(values(row, column)));
    if (sums) numbers.push_back(values.row(row).cast<double>().sum());
    if (row != scene.covered) continue;
    std::ranges::fill(numbers, std::numeric_limits<double>::quiet_NaN());
    std::string& name = table.rows[static_cast<std::size_t>(row)];
    name = covered_name(name);
  }
  return table;
}

}  // namespace

const MistakenHead& MistakeScene::head() const {
  return study->heads[static_cast<std::size_t>(shown.sentence)][static_cast<std::size_t>(shown.head)];
}

std::string MistakeScene::sum_text(int of, double sum) const {
  return of == covered ? "?" : format_probability(sum);
}

MistakeScene mistake_scene(const ViewInput& input, const Selection& chosen, MistakeStudies& studies,
                           bool at_once) {
  MistakeScene scene;
  scene.shown = own_attention(input, chosen);
  scene.words = key_words(input, AttentionKind::decoder, scene.shown.sentence);
  scene.given = given_words(input);
  scene.relu = input.snapshot.config.attention_activation == AttentionActivation::relu;
  const Scene& of = input.result.scene;
  const MistakeKey key{input.result.untouched_snapshot, input.result.trace, scene.shown.layer};
  double tokens = 0;
  for (const auto& row : key.trace->source) tokens += 2.0 * static_cast<double>(row.size());
  const bool small = static_cast<double>(parameter_count(input.snapshot.config)) * tokens < 1.5e7;
  const auto found = studies.get(
      key, at_once || small,
      [key, options = TraceOptions{
                .smoothing = of.smoothing, .what_if = of.what_if, .substitutes = of.substitutes}] {
        return study_mask_mistake(*key.model->weights, *key.trace, key.layer, options);
      });
  if (!found.current) return scene;
  scene.study = found.value;
  if (!scene.causal()) return scene;
  scene.padding_seen =
      of.what_if.padding_seen(AttentionKind::decoder) && scene.head().spread.cols() > std::ssize(scene.words);
  const AttentionTable shown = attention_table(*key.trace, AttentionKind::decoder, scene.shown.layer,
                                               scene.shown.head, scene.shown.sentence);
  scene.covered = covered_row(input.covered, AttentionKind::decoder, scene.shown.layer, scene.shown.head,
                              scene.shown.sentence);
  scene.right = words_of(scene.head().right, shown, scene.covered);
  scene.mistaken = words_of(scene.head().mistaken, shown, scene.covered);
  scene.row = row_to_explain(scene);
  return scene;
}

std::string mistake_subtitle(const MistakeScene& scene) {
  if (scene.study && !scene.study->causal) return "There is no causal mask here.";
  return scene.relu
             ? "Both hide the words to come; behind the ReLU a row is still divided by all keys."
             : "Both hide the words to come; 0 after the softmax throws away what it had given to them.";
}

std::string mistake_words(const MistakeScene& scene, int row) {
  const std::string whole = scene.sum_text(row, scene.head().right_sum(row)),
                    kept = scene.sum_text(row, scene.head().kept(row));
  const std::string word = "Row “" + scene.words[static_cast<std::size_t>(row)] + "”";
  const int behind = scene.rows() - 1 - row;
  if (behind == 0 && !scene.padding_seen)
    return word + " is the last one: there is nothing to come, and it keeps " + kept + ".";
  if (scene.relu)
    return word + " adds up to " + kept + " in place of " + whole +
           ": it is divided by all keys, not by the " + format_count(row + 1) + " that it sees.";
  const std::string to = behind == 0          ? "the padding"
                         : scene.padding_seen ? counted_to_come(behind) + " and the padding"
                                              : counted_to_come(behind);
  return word + " keeps " + kept + "; " + scene.sum_text(row, scene.head().thrown_away(row)) + " went to " +
         to + " and is thrown away.";
}

std::string mistake_caption(const MistakeScene& scene) {
  if (!scene.causal()) return kNoMask;
  return "Words to come hidden by −∞ before the " + activation(scene) + ", and by 0 after it: decoder, " +
         layer_and_head(scene) + ". " + mistake_words(scene, scene.row);
}

std::vector<NumberTable> mistake_numbers(const MistakeScene& scene) {
  if (!scene.causal()) return {};
  const MistakenHead& head = scene.head();
  const std::string by = activation(scene);
  return {with_sums("scores before any mask", scene, head.scores, false),
          with_sums("weights, −∞ before the " + by, scene, head.right, true),
          with_sums("weights, 0 after the " + by, scene, head.mistaken, true)};
}

InspectorPage mistake_page(const MistakeScene& scene) {
  InspectorPage page;
  page.caption = "Where a mask belongs";
  page.subject = "**Before the " + activation(scene) + "**";
  page.paper = "Paper, section 3.2.3";
  if (scene.study && !scene.study->causal) {
    page.meaning = kNoMask;
    return page;
  }
  if (scene.causal()) {
    InspectorSection row{.heading = "Row “" + scene.words[static_cast<std::size_t>(scene.row)] + "”"};
    const std::string whole = scene.sum_text(scene.row, scene.head().right_sum(scene.row)),
                      kept = scene.sum_text(scene.row, scene.head().kept(scene.row));
    row.rows = {{.label = "adds up to, −∞ before", .value = whole},
                {.label = "adds up to, 0 after", .value = kept, .wrong = kept != whole}};
    row.text = mistake_words(scene, scene.row);
    page.sections.push_back(std::move(row));
    page.sections.push_back(
        {.heading = "This model, the mistake in every layer",
         .rows = {{.label = "loss, −∞ before", .value = format_loss(scene.study->right_loss)},
                  {.label = "loss, 0 after",
                   .value = format_loss(scene.study->mistaken_loss),
                   .wrong = true}},
         .text = "Over all sentences of the batch, " + scene.given + "."});
  }
  page.meaning =
      scene.relu ? "Each word still counts the hidden ones among its keys, so that the first words of a "
                   "sentence say less than the last."
                 : "The softmax shares out 1 among all that it sees. A word that is hidden only afterwards "
                   "has taken its share already, and its score still decides how much is left.";
  return page;
}

}  // namespace glassformer
