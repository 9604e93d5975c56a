// One word being written, and its weights over the source by four score functions: three of the same dot
// products of one head of the Transformer, and the additive one of the recurrent model with attention. Both
// models learned the same task on the same batches and have read the same words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/bottleneck/race_runner.h"
#include "app/views/common/view.h"
#include "engine/math/matrix.h"

namespace glassformer {

struct ScoresChoice {
  int letters = 6;  // of recall the sentences in between
  int step = 0;     // of the decoder, from 0
  int head = 0;     // of the Transformer's cross-attention
};

struct ScoresPage {
  ScoresChoice choice;              // brought into range
  std::vector<std::string> reads;   // n words of the source, eos included
  std::vector<std::string> writes;  // as it should
  int heads = 1, head_width = 1;
  Matrix<float> weights;  // (4, n): dot, scaled dot, ReLU, additive
  double sum(int row) const;
  std::string step_name() const;  // "after b, writing a"
};
inline constexpr int kScoreRows = 4;
const char* score_name(int row);                             // "scaled dot"
std::string score_formula(int row, const ScoresPage& page);  // "softmax(q·k / √16)"

// Of the first held-out sentence of that length; nothing: the race has no models yet, or no such sentence.
std::optional<ScoresPage> scores_page(const ShownRace& race, const ScoresChoice& choice);

void draw_scores(Canvas& canvas, const Rect& content, const ScoresPage& page);
Point scores_minimum();
std::vector<NumberTable> scores_numbers(const ScoresPage& page);
std::string scores_caption(const ScoresPage& page);

}  // namespace glassformer
