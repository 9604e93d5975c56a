// What stands beside the open Scene and its run: the other Scene of a comparison, and the run of a variant.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/run_state.h"
#include "app/session/scene.h"

namespace glassformer {

// A second run, which trains beside the first with one thing changed.
struct RunBeside {
  std::string name;  // what is changed: "Layer norm: before each sublayer"
  RunState run;
};

// The other Scene. Where nobody said what is to be written, it reads the words that the first one wrote, so
// that the rows of both mean the same; its own translation is in the decoding.
struct Compared {
  std::string first, second;                  // what to call the two: "step 1 240", "step 300"
  std::shared_ptr<const SceneResult> result;  // null: not there yet
  Tokenizers tokenizers;
  const RunState* run = nullptr;  // whose curves and steps; never null
  std::optional<long> looked_back;
  bool given_words = false;  // it reads what the first wrote
  std::string source_language, target_language;
  std::string problem;  // why there is no result; empty: it is on its way
};

// The Scene of the first for the weights of the second: with the words that the first wrote, unless others
// are known to be right.
Scene on_same_words(const SceneResult& first);
bool writes_own_words(const SceneResult& result);  // nobody said what is right

}  // namespace glassformer
