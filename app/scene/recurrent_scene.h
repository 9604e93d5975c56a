// A recurrent model that is beside the Transformer, and one sentence in it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/recurrent/gru_cell.h"

namespace glassformer {

struct RecurrentScene {
  std::string name;  // "with attention"
  std::shared_ptr<const RecurrentModel<float>> model;
  long step = -1;  // of its training; -1: not known
  RecurrentTrace trace;
  std::vector<std::string> reads, writes;  // words of the source, and what the decoder has read from <bos> on

  bool attends() const { return trace.weights.rows() > 0; }
};
// "step 600, reads “a b” and writes “b a”"
std::string scene_words(const RecurrentScene& scene);

// What of it is looked at. May lie outside the scene: see within().
struct RecurrentPin {
  GruPlace place;                 // in One cell
  std::optional<int> query, key;  // of the alignment
};
RecurrentPin within(RecurrentPin pin, const RecurrentScene& scene);

struct RecurrentLook {
  std::shared_ptr<const RecurrentScene> scene;  // null: there is none
  RecurrentPin pin;
  bool own = false;  // of the model that learns or was opened, with what is typed, as both change
};

// The typed sentence in that model.
struct RecurrentReading {
  enum class Of {
    typed,
    cut,            // the beginning of what is typed: the model takes no more
    unknown,        // what is typed, though it has words that the model does not know
    instead,        // a held-out sentence, since what is typed has such words
    nothing_typed,  // the same, since nothing is
  };
  Of of = Of::typed;
  std::shared_ptr<const RecurrentScene> scene;  // null: there is a problem
  std::string problem;                          // a sentence; empty: none
};

}  // namespace glassformer
