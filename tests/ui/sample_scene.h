// A small seeded model with a few English and French words, run through the engine: what the tests of views
// and of the inspector look at. Nothing in it is made up by hand but the sentences.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/run_scene.h"
#include "app/views/common/view.h"

namespace glassformer {

struct SampleOptions {
  Config config = {};  // vocabulary sizes are filled in
  std::vector<SceneSentence> sentences = {
      {"the tired girl sees a red car", {}, "la fille fatiguée voit une voiture rouge"},
      {"the cat sees a bird", {}, "le chat voit un oiseau"},
      {"a small dog finds the book", {}, "un petit chien trouve le livre"},
      {"the boy buys a green table", {}, "le garçon achète une table verte"}};
  WhatIf what_if = {};
  TokenizerKind tokenizer = TokenizerKind::word;
  std::uint64_t seed = 1;
  float sharpness =
      3;  // the query, key and value projections are multiplied by it, so that heads differ visibly
  bool held_out = false;  // its own sentences are held out
};

// Owns all that a ViewInput refers to.
struct SampleScene {
  std::shared_ptr<const Snapshot> snapshot;
  Tokenizers tokenizers;
  std::shared_ptr<const SceneResult> result;
  RunState run;
  Selection pinned, shown;
  std::optional<long> looked_back;
  std::shared_ptr<const TrainingText> training_text;  // what its tokenizers were learned from
  mutable std::vector<std::shared_ptr<const ViewInput>> inputs;

  // Stays with this scene, as what views make of it refers to it.
  const ViewInput& input() const {
    const ViewInput input{.result = *result,
                          .snapshot = *snapshot,
                          .tokenizers = tokenizers,
                          .run = run,
                          .pinned = pinned,
                          .shown = shown,
                          .looked_back = looked_back,
                          .source_language = "English",
                          .target_language = "French",
                          .training_text = training_text,
                          .training_text_state = training_text ? TextState::there : TextState::unknown};
    inputs.push_back(std::make_shared<const ViewInput>(input));
    return *inputs.back();
  }
  void pin(const Selection& selection) { pinned = shown = selection; }
};

SampleScene make_sample_scene(const SampleOptions& options = {});
// "norm pre positions rotary": keys of config.json and their values. Besides: "tokenizer char",
// "sharpness 1", "words 25" (a first sentence so long), "held_out own", "causal_mask off", "padding_mask
// off".
SampleOptions sample_options(const std::string& settings);
// Besides: "ids only" (a model without tokenizers), "run 400".
SampleScene sample_scene(const std::string& settings, const Selection& pin = {});
// A run of 3200 planned steps that has come to this one: its curves fall, with as much noise as asked for.
void add_run(SampleScene& scene, long steps, double noise = 0);

// The model that ships, on this sentence; nothing while the repository does not hold it.
std::optional<SampleScene> bundled_scene(const std::string& sentence, const WhatIf& what_if = {});

}  // namespace glassformer
