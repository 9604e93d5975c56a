// What is beside the open Scene and its run: the other Scene of a comparison, and the run of a variant.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/run_state.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace glassformer {

inline constexpr int kMostBeside = 3;  // with the open one, four runs

// A run that trains beside the open one with one thing changed.
struct RunBeside {
  std::string about, name;  // what is changed and to what: "Positions", "none"
  RunState run;
  int id = 1;     // no other of the session has it
  int place = 0;  // its colour; below kMostBeside, and no other has it at the same time

  std::string title() const { return about + ": " + name; }
};
// All that are there, oldest first.
using RunsBeside = std::vector<const RunBeside*>;
// Each place is taken by one that has not ended: no further one can begin.
bool all_places_taken(const RunsBeside& beside);

// Two Scenes that belong together. Where nobody said what is to be written, the second reads the words that
// the first one wrote, so that the rows of both mean the same; its own translation is in the decoding.
struct Compared {
  std::string first_name, second_name;               // "step 1 240", "step 300"
  std::shared_ptr<const SceneResult> first, second;  // null: not there yet; both or none
  bool given_words = false;                          // the second reads what the first wrote
  Tokenizers tokenizers;                             // of the second, as all below
  RunState run;
  std::optional<long> looked_back;
  std::string source_language, target_language;
  int variant = 0;      // the second is the run beside the first of this id; 0: it is none
  bool held = false;    // at its own step, wherever the slider is
  std::string problem;  // why there are none; empty: they are on their way
};

// The Scene of the first for the weights of the second: with the words that the first wrote, unless others
// are known to be right.
Scene on_same_words(const SceneResult& first);
// Why the numbers of the one have no counterparts in the other: "the first has 4 heads, the second 8"; empty:
// they have.
std::string unlike(const SceneResult& first, const SceneResult& second);
std::string unlike(const Config& first, const Config& second);  // of the models alone
std::string unlike(const char* what, long first, long second);  // "heads", 4, 8
inline bool same_shape(const SceneResult& first, const SceneResult& second) {
  return unlike(first, second).empty();
}
// Where the words that one reads are in the other, which reads the same sentence: a piece is at the piece
// that has its first letter; where their letters differ, behind bos one is at the other.
SourcePlaces source_places(const SceneResult& from, const SceneResult& to);
bool writes_own_words(const SceneResult& result);  // nobody said what is right

}  // namespace glassformer
