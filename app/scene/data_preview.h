// What a first reading of the chosen data found, before anything trains.
#pragma once

#include <memory>
#include <string>

#include "engine/text/data.h"

namespace glassformer {

struct DataPreview {
  DataOptions options;
  bool reading = false;                      // the worker is on it
  std::string stage;                         // "reading", "learning pieces"
  double progress = 0;                       // 0 to 1
  std::string error;                         // one sentence; empty: none
  std::shared_ptr<const PreparedData> data;  // null while reading and after an error
};

}  // namespace glassformer
