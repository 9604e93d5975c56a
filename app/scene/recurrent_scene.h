// A recurrent model that stands beside the Transformer, and one sentence in it.
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
  RecurrentTrace trace;
  std::vector<std::string> reads, writes;  // words of the source, and what the decoder has read from <bos> on

  bool attends() const { return trace.weights.rows() > 0; }
};

// What of it is looked at. May lie outside the scene: see within().
struct RecurrentPin {
  GruPlace place;                 // in One cell
  std::optional<int> query, key;  // of the alignment
};
RecurrentPin within(RecurrentPin pin, const RecurrentScene& scene);

struct RecurrentLook {
  std::shared_ptr<const RecurrentScene> scene;  // null: there is none
  RecurrentPin pin;
};

}  // namespace glassformer
