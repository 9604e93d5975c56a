// The scenes, settings and pins that every view is drawn of, and what its tests of common things go over.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/views/bottleneck/bottleneck.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {

struct ViewCase {
  std::string view;
  std::string settings = {};  // of sample_scene()
  Selection pin = {};
  // What is set and clicked before it is drawn: "Page=Batch", "distance 5".
  std::vector<std::string> hands = {};
  Shapes shapes = Shapes::many;
  int step = -1;                            // View::show_step
  std::function<SampleScene()> scene = {};  // one that settings do not name
  std::function<std::unique_ptr<View>()> made = {};

  std::string name() const;
};

const std::vector<ViewCase>& view_cases();

// A case as it is looked at, with all that is worked out aside. Made once.
struct StagedCase {
  const ViewCase& row;
  SampleScene scene;
  std::unique_ptr<View> view;
};
StagedCase& staged(std::size_t row);

// ---- Scenes that settings do not name.

// A run whose numbers each say where they belong, looked at after steps 1, 2, 4, ... and every 50.
SampleScene diagnosed_scene(long steps, const SampleOptions& options = {});
// Weights that drift from random ones to those of the scene, kept at every fifth step of 100.
SampleScene kept_scene();
// With a gradient and moments, as a snapshot of a running training has them.
SampleScene learning_scene();
// A sentence of so many words, and a run with marks; 0 steps: none.
SampleScene marked_scene(int words, long steps);
// A run of 3200 steps at this one, without curves.
SampleScene scheduled_scene(long step);
// With a held-out sentence and what was made of it.
SampleScene trained_scene(long steps);
// Three models that have raced, small ones.
std::shared_ptr<RaceRunner> small_runner();

}  // namespace glassformer
