// What the screen knows about the training run: copied out of the trainer's channel once a frame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/text/corpus.h"
#include "engine/train/history.h"
#include "engine/train/trainer.h"

namespace glassformer {

enum class RunPhase {
  none,
  preparing,
  ready,
  training,
  paused,
  stopped
};  // stopped: by an error or by its own rules

// A held-out sentence and what the model made of it as it learned.
struct HeldOutSentence {
  SentencePair pair;
  std::vector<int> source_ids;  // without eos
  struct Attempt {
    long step = 0;
    std::string translation;
  };
  std::vector<Attempt> attempts;  // in step order
};

struct RunState {
  RunPhase phase = RunPhase::none;
  std::string message;  // why it stopped, what is being prepared
  double progress = 0;  // of preparing, 0 to 1
  std::string data_name;
  bool given_vectors = false;               // embeddings began with vectors of a file, where it had them
  long source_found = 0, target_found = 0;  // so many words it had; 0: not known, or no such file
  long training_pairs = 0, validation_pairs = 0;
  int source_words = 0, target_words = 0;  // vocabulary sizes
  int longest_sentence = 0;                // tokens
  TrainingOptions options;
  std::shared_ptr<const Curves> curves;  // null before the first step
  std::vector<HeldOutSentence> held_out;
  bool diverged = false;  // paused because the loss was not finite
  std::string unsaved;    // why the newest steps could not be saved; empty: nothing went wrong
  std::string not_moved;  // why another folder could not be taken for it; empty: nothing went wrong
  int failed_saves = 0;   // one after the other, until now
  long saved_step = 0;    // the newest that is in the run's folder; 0: none
  LiveSettings live;      // learning rate scale, dropout, smoothing and clipping as they are now
  double epoch = 0;       // passes over the data until now
  long step = 0;
  long planned_steps = 0;            // 0: no end
  Extension extension;               // what Train adds once the plan is over
  std::optional<Schedule> schedule;  // none: not begun, the options say
  double tokens_per_second = 0;
  double seconds_left = 0;  // of the plan, at the pace until now; 0: not known
  bool starved = false;     // other programs have had most of its processor in the last seconds
  History::Kept history;    // the steps that can be looked back at, in order
};

// Whether SetLearning has a run to change.
inline bool can_be_changed(const RunState& run) {
  return run.phase == RunPhase::ready || run.phase == RunPhase::training || run.phase == RunPhase::paused;
}

// Of a model that came without its training: its data and options are nobody's word.
inline bool unknown_training(const RunState& run) {
  return run.phase == RunPhase::none && run.data_name.empty() && !run.curves;
}

// A run whose newest steps could not be saved. It waits, with all it has learned.
struct UnsavedRun {
  std::string folder;
  std::string why;                // a sentence
  long step = 0, saved_step = 0;  // now; on disk, 0: not at all
  int failed_saves = 0;           // one after the other
  std::string not_moved = {};     // why the other folder could not be taken; empty: none was tried
};

// A kept run that was to have another name, or to go.
struct RunFolderChange {
  std::string folder;   // as it was
  std::string to = {};  // as it is to be; empty: deleted
  bool under_way = false;
  std::string problem = {};  // a sentence, when nothing was changed
};

}  // namespace glassformer
