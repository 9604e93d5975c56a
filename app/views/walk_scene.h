// What the Walk looks at: one sentence pair run forward and backward, and the list of its steps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/views/background.h"
#include "app/views/view.h"
#include "engine/model/steps/step_numbers.h"
#include "engine/model/steps/steps.h"

namespace glassformer {

struct WalkScene {
  std::shared_ptr<const Transformer<float>> weights;
  Trace trace;  // of the one sentence, with gradients
  std::vector<Step> steps;
  StepNumbers::Update update;
  std::vector<std::string> source, target, written;  // words of the rows
  std::vector<std::string> vocabulary_words;         // of the ids below
  std::vector<int> vocabulary_ids;                   // target words of this sentence, each once

  StepNumbers numbers() const {
    StepNumbers numbers(*weights, trace);
    numbers.set_update(update);
    return numbers;
  }
};

// The Scene that was run, and which sentence of it.
struct WalkKey {
  const SceneResult* result = nullptr;
  int sentence = 0;
  bool operator==(const WalkKey&) const = default;
};
using WalkCache = Background<WalkKey, WalkScene>;

// Small models at once, large ones on a worker.
WalkCache::Found walk_scene(WalkCache& cache, const ViewInput& input, bool at_once);

// One axis of an operand as it is drawn: all of it, or the part that concerns the sentence.
struct WalkAxis {
  std::vector<int> shown;
  std::vector<std::string> labels;  // empty: indices
  int total = 0;
  bool complete() const { return static_cast<int>(shown.size()) == total; }
};
WalkAxis walk_axis(const WalkScene& scene, Extent extent, int most);

}  // namespace glassformer
