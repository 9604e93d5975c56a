// What the Walk looks at: one sentence pair that was run forward and backward, and the list of its steps.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/number_reader.h"
#include "app/reading/word_order.h"
#include "engine/model/steps/steps.h"
#include "engine/train/trainer.h"

namespace glassformer {

// Steps that follow each other at one place of the model.
struct WalkGroup {
  int first = 0, last = 0;        // one behind the last
  std::vector<std::string> path;  // its headings
};

// Adam's m and v: there, not kept with an earlier step, still to come with the run's next state, or begun
// anew from 0, because no run is open.
enum class Moments { there, earlier, coming, anew };

struct WalkScene {
  std::shared_ptr<const Transformer<float>> weights;
  std::shared_ptr<const SentenceGradients> pass;  // of the one sentence
  std::shared_ptr<const SceneResult> alone;       // the Scene's result as if it had no other sentence
  std::vector<Step> steps;
  std::vector<WalkGroup> groups;
  ChosenWeight weight;  // whose update is shown
  Moments moments = Moments::there;
  bool frozen = false;  // training leaves that weight unchanged
  bool moments_known() const { return moments == Moments::there || moments == Moments::anew; }
  StepNumbers::Update update;
  ShownMasks masks;
  TraceOptions options;  // of the pass
  std::shared_ptr<const PassWords> words;
  WordOrder source_order, target_order;  // of the vocabularies

  const Trace& trace() const { return pass->trace; }
  // The sentence run alone, by its place in the Scene.
  NumberReader reader() const;
  StepNumbers numbers() const { return reader().numbers(); }
};

struct WalkKey {
  Moments moments = Moments::there;
  std::shared_ptr<const SentenceGradients> pass = {};
  ChosenWeight weight = {};
  LiveSettings live = {};
  bool operator==(const WalkKey&) const = default;
};
using WalkCache = Background<WalkKey, WalkScene>;

// Null until the session has the gradients. `weight` is the one whose update is shown; without a name, or
// when the model has no such weight, one of the last feed-forward.
std::shared_ptr<const WalkScene> walk_scene(WalkCache& cache, const ViewInput& input,
                                            const ChosenWeight& weight = {});

// Whether training leaves the embedding of this side as it began.
bool is_frozen(const ViewInput& input, bool source);

bool has_weight(const Transformer<float>& tensors, const ChosenWeight& weight);

// A long axis that one can move along. A square weight has the same letter twice: its rows, and the columns
// of what it gives, are the far side.
struct WalkSide {
  Extent extent = Extent::one;
  bool far = false;
  bool operator==(const WalkSide&) const = default;
};

// Where the shown stretch of each long axis begins.
struct WalkWindow {
  std::array<int, 2 * (static_cast<std::size_t>(Extent::positions) + 1)> first{};
  static std::size_t at(WalkSide side) {
    return 2 * static_cast<std::size_t>(side.extent) + (side.far ? 1 : 0);
  }
  int& operator[](WalkSide side) { return first[at(side)]; }
  int operator[](WalkSide side) const { return first[at(side)]; }
  bool operator==(const WalkWindow&) const = default;
};

// The sides of an operand of this step.
struct WalkSides {
  WalkSide rows, columns;
};
WalkSides walk_sides(const Step& step, const Operand& operand);
inline constexpr int kWalkWhole = 64;    // so long an axis is shown whole
inline constexpr int kWalkStretch = 32;  // and so much of a longer one

// One axis of an operand as drawn: all of it, or a stretch; a vocabulary begins with the words of the
// sentence.
struct WalkAxis {
  std::vector<int> shown;
  std::vector<std::string> labels;  // empty: indices
  int total = 0;
  bool stretch = false;  // a window that can be moved
  bool complete() const { return static_cast<int>(shown.size()) == total; }
};
WalkAxis walk_axis(const WalkScene& scene, WalkSide side, const WalkWindow& window = {});
bool is_vocabulary(Extent extent);
int walk_shown(const WalkScene& scene, Extent extent);          // how much of such an axis is shown at a time
bool walk_stretches(const WalkScene& scene, Extent extent);     // that is not all
int walk_place(const WalkScene& scene, Extent extent, int at);  // where an index is on its axis

}  // namespace glassformer
