// What the files of this view share, part by part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/hit_region.h"
#include "app/views/common/view.h"
#include "engine/analysis/prediction.h"

namespace glassformer {

// What the decoder's last row of numbers says at each position: the strongest guesses, the word asked
// for, and how far apart they are. Read from the Trace: the decoder is given its words (teacher forcing).

struct Guess {
  WordShare share;
  std::string word;
};

// One decoder row.
struct OutputRow {
  int position = 0;
  std::string read, right;     // the word just read, the word asked for: right, or the model's own
  Prediction said;             // in numbers
  std::vector<Guess> guesses;  // the strongest words, best first
  bool hit() const { return !guesses.empty() && guesses.front().share.id == said.right.id; }
};

// Logits, shares, targets and losses.
bool is_value_of_output(const std::string& name);

inline constexpr int kMostGuesses = 8;  // of a row

// Every real row of a sentence with its best guesses (ties to the lower id). Those of the sentence that was
// asked for last are kept: where words are many, they take longer than a frame has.
class OutputRows {
 public:
  const std::vector<OutputRow>& of(const ViewInput& input, int sentence);

 private:
  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const Tokenizer> words_;
  int sentence_ = 0;
  std::vector<OutputRow> rows_;
};

// The parts of the Output view: a table of all positions, and one position in detail.

struct OutputScene {
  const ViewInput& input;
  int sentence = 0;
  int chosen = 0;       // position in detail
  bool pinned = false;  // it was chosen by the person
  int written = 0;      // positions that the decoding has reached while it is stepped; else all
  std::vector<OutputRow> rows;
  double loss = 0;     // of the sentence: the mean over its rows
  bool known = false;  // the words asked for are right ones, not the model's own
  std::string asked;   // "right word" or "own word"
};

OutputScene output_scene(const ViewInput& input, OutputRows& rows);
// The mean of −log p alone, where the loss is smoothed.
std::optional<double> unsmoothed_loss(const OutputScene& scene);
// " with label smoothing 0.1 (mean −log p 0.110)", behind the sentence's loss; empty where it is the same.
std::string smoothed_words(const OutputScene& scene);

// The selection that a click on a position means, with the number that was clicked.
Selection choose_position(const OutputScene& scene, int position, const CellRef& cell);

// What pins a number of a position.
HitRegion output_hit(const OutputScene& scene, const Rect& rect, std::string label, int position,
                     const CellRef& cell, std::string tooltip = {});

struct OutputLayout {
  bool columns = true;  // table and detail side by side; else one at a time
  bool subtitle = true;
  Rect table, detail;  // empty: not shown
  Rect part_switch;    // empty: none
};
OutputLayout layout_output(const Rect& area, bool detail_wanted);

float smallest_row_height();
// `alone`: as a part of the view. A table that is too low has the rows around the chosen one, and says so.
void draw_output_table(Canvas& canvas, const Rect& area, const OutputScene& scene, bool alone = false);
// `alone`: the words without the loss taken apart.
void draw_output_detail(Canvas& canvas, const Rect& area, const OutputScene& scene, bool alone = false);
// What each word that is asked for gets, beside its target.
void draw_asked_words(Canvas& canvas, const Rect& area, const OutputScene& scene);
// Under what the detail says of p - y: where a link to it has room.
std::optional<Point> output_link(const Canvas& canvas, const Rect& area, const OutputScene& scene);

}  // namespace glassformer
