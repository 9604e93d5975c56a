// What the decoder's last row of numbers says at each position: the strongest guesses, the right word, and
// how far apart they are. Read from the Trace; "given the right words" throughout (teacher forcing).
#pragma once

#include <string>
#include <vector>

#include "app/views/view.h"

namespace glassformer {

struct Guess {
  int id = 0;
  std::string word;
  double probability = 0;  // exp of the trace's log-probability
  double target = 0;       // the smoothed target of this word
};

// One decoder row.
struct OutputRow {
  int position = 0;
  std::string read, right;  // the word just read, the word asked for
  int right_id = 0;
  double right_probability = 0;
  std::vector<Guess> guesses;  // best first
  double loss = 0;             // cross-entropy with the smoothed target, of the trace
  double target_entropy = 0;   // what no model can get below
  double kl() const { return loss - target_entropy; }
  bool hit() const { return !guesses.empty() && guesses.front().id == right_id; }
};

// Every real row of the sentence with its `count` best guesses (ties to the lower id).
std::vector<OutputRow> output_rows(const ViewInput& input, int sentence, int count);

// Entropy of the prediction at one position: 0 when the model is sure.
double prediction_entropy(const ViewInput& input, int sentence, int position);

}  // namespace glassformer
