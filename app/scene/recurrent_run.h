// A recurrent model that learns in the window, or was opened from a folder, as the screen sees it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "engine/recurrent/recurrent_model.h"
#include "engine/text/data.h"
#include "engine/text/tokenizer.h"
#include "engine/train/curves.h"
#include "engine/train/history.h"
#include "engine/train/options.h"

namespace glassformer {

struct NewRecurrentRun {
  RecurrentConfig config;  // vocabulary sizes and special ids come from the data
  DataOptions data;
  TrainingOptions training;
};

struct RecurrentRunState {
  std::string name, folder;    // "reverse"; where it is kept, empty: nowhere
  bool opened = false;         // read from its folder: it does not learn here
  bool preparing = false;      // its data are being read
  std::string stage = {};      // of that: "learning pieces, 40 %"
  bool running = false;        // it learns
  std::string problem = {};    // what ended it, a sentence; empty: nothing
  std::string ended = {};      // by which of its limits it is over, a sentence
  std::string unsaved = {};    // why its last save failed, a sentence; empty: it did not
  bool resumable = false;      // its folder holds all that it resumes from
  long step = 0, planned = 0;  // learned; 0: no end is planned
  long of_step = 0;            // the model's: an earlier one where that did better on held-out pairs
  double tokens_per_s = 0;     // of the last step
  std::shared_ptr<const Curves> curves = nullptr;                // null: not recorded
  std::shared_ptr<const RecurrentModel<float>> model = nullptr;  // null: not there yet
  Tokenizers tokenizers = {};
  HistoryOf<RecurrentModel<float>>::Kept history = {};  // the steps that can be looked back at, in order
  std::shared_ptr<const KeptWeightsOf<RecurrentModel<float>>> looked_at =
      nullptr;              // one of them, which is shown instead; null: the model
  std::string sample = {};  // a held-out source sentence; empty: none

  long shown_step() const { return looked_at ? looked_at->step() : of_step; }
  // It is where its folder has it, before its end as far as that is known.
  bool can_resume() const {
    const bool over = !ended.empty() || (planned > 0 && step >= planned);
    return resumable && unsaved.empty() && !preparing && !running && !over;
  }
};

}  // namespace glassformer
