// The text that a model was trained on, as far as views show it: a sample of its sentences and all its words.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/text/corpus.h"

namespace glassformer {

using WordSet = std::set<std::string, std::less<>>;

struct TrainingText {
  // One side of the pairs.
  struct Side {
    std::vector<std::string> lines;  // evenly drawn from all
    WordSet words;                   // runs of letters, as the tokenizer reads them
  };
  Side source, target;
  std::vector<SentencePair> held_out;  // the first of those that validate: what changes are measured on
  bool empty() const { return source.lines.empty(); }
};

// Whether a view can have it.
enum class TextState { unknown, reading, there };  // unknown: not recorded, gone, or not to be read unasked

}  // namespace glassformer
