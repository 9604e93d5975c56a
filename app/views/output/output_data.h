// What the decoder's last row of numbers says at each position: the strongest guesses, the word asked
// for, and how far apart they are. Read from the Trace: the decoder is given its words (teacher forcing).
#pragma once

#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "engine/model/prediction.h"

namespace glassformer {

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

// Every real row of the sentence with its `count` best guesses (ties to the lower id).
std::vector<OutputRow> output_rows(const ViewInput& input, int sentence, int count);

}  // namespace glassformer
