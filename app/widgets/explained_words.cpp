#include "app/widgets/explained_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/canvas/hit_region.h"

namespace glassformer {

namespace {

struct ExplainedWord {
  std::string_view word, meaning;
};

constexpr std::array kExplainedWords{
    ExplainedWord{"query",
                  "Q, the query: what is asked for, here or by a word.\nIt is compared with every key."},
    ExplainedWord{"key",
                  "K, the key: what a word can be found by.\nThe more it fits a query, the larger the "
                  "score of the two."},
    ExplainedWord{"value",
                  "V, the value: what a word hands over.\nWhoever reads it takes a share of it, the "
                  "attention weight."},
    ExplainedWord{"score", "Score: how well a key fits the query.\nThe larger it is, the larger the weight."},
    ExplainedWord{"weight", "Weight: how much is read of a word."},
    ExplainedWord{"softmax",
                  "Softmax: gives each one a weight, the larger the better it fits.\nThe best gets "
                  "most; all weights add up to 1."},
    ExplainedWord{"argmax", "Argmax: the best one alone.\nAll others get nothing."},
    ExplainedWord{"temperature",
                  "Temperature: how evenly softmax shares.\nCold: nearly all to the best one. "
                  "Hot: the same to each."},
    ExplainedWord{"slope", "Slope: how steeply the answer climbs here,\nfor each hour further to the right."},
    ExplainedWord{"gradient",
                  "Gradient: the slope that training follows.\nIt says which way to move a number, "
                  "and how much that helps."},
    ExplainedWord{"loss", "Loss: how far the guesses are from the right words; less is better."},
    ExplainedWord{"head",
                  "Head: one of the model's ways of reading.\nIts attention is 1, shared out among the "
                  "words and their end."},
    ExplainedWord{"<eos>",
                  "<eos>, the end of the sentence: a sign of its own.\nThe model writes it when it is "
                  "done."},
    ExplainedWord{"<bos>",
                  "<bos>, the beginning of the sentence: a sign of its own.\nThe model reads it before "
                  "it writes the first word."},
    ExplainedWord{"<pad>",
                  "<pad>: fills a shorter sentence up to the length of the longest.\nNobody reads it."},
    ExplainedWord{"<unk>", "<unk>: stands for what the model has no sign for."},
};

}  // namespace

std::string_view explained(std::string_view word) {
  const auto found = std::ranges::find(kExplainedWords, word, &ExplainedWord::word);
  return found == kExplainedWords.end() ? std::string_view() : found->meaning;
}

void explain(Canvas& canvas, const Rect& rect, std::string_view word) {
  const std::string_view meaning = explained(word);
  if (meaning.empty()) return;
  canvas.hit({.rect = rect,
              .label = "what is " + std::string(word) + " at " +
                       std::to_string(std::lround(rect.center().x)) + " " +
                       std::to_string(std::lround(rect.center().y)),
              .tooltip = std::string(meaning)});
}

void draw_explained(Canvas& canvas, Point at, std::string_view word, const TextStyle& style) {
  canvas.text(at, std::string(word), style);
  if (explained(word).empty()) return;
  const float width = canvas.measure(std::string(word), style).x;
  const float x = style.x == AlignX::right    ? at.x - width
                  : style.x == AlignX::center ? at.x - width / 2
                                              : at.x;
  explain(canvas, {x, at.y - 9, width, 18}, word);
}

}  // namespace glassformer
