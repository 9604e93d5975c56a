// A run to be learned elsewhere: the model, its pairs as ids and how it is to learn, with train.py, which
// does it in PyTorch on many processes and leaves a folder that opens here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/model/checkpoint.h"
#include "engine/train/trainer.h"

namespace glassformer {

struct TrainingScript {
  const Checkpoint& model;  // its weights are those that the run begins with
  std::shared_ptr<const TrainingSet> data;
  TrainingOptions options;
  LiveSettings live;  // rate, dropout, smoothing and clipping that the run begins with
  struct HeldOut {
    SentencePair pair;
    std::vector<int> source;  // ids
  };
  std::vector<HeldOut> held_out;  // translated on the way
};

// `scripts`: the folder that holds train.py and what it imports. Returns a sentence for each option that is
// not kept. Throws Error as write_export() and as a Training of these pairs, and on mistakes made on purpose
// (mask_future false and its like), which train.py does not make.
std::vector<std::string> export_training_script(const TrainingScript& script, const std::string& scripts,
                                                const std::string& folder);

}  // namespace glassformer
