// A few sentences that the model never trains on, translated again and again while it learns. Where none are
// held out, some that it does train on.
#pragma once

#include <functional>
#include <vector>

#include "app/scene/run_state.h"
#include "engine/train/trainer.h"

namespace glassformer {

// Up to four pairs of middling length, the same for the same data.
std::vector<HeldOutSentence> held_out_sentences(const TrainingSet& data);

// Adds the model's translation at its step to each; a second look at the same step replaces the first.
// Nothing is added when `keep_going` said no.
template <class Model>
void translate_held_out(const SnapshotOf<Model>& snapshot, const Tokenizers& tokenizers,
                        std::vector<HeldOutSentence>& sentences, const std::function<bool()>& keep_going);

// Kept in a run's folder and read from there; what is not there or not whole is no attempts. Writing throws
// Error.
void keep_held_out(const std::string& folder, const std::vector<HeldOutSentence>& sentences);
std::vector<HeldOutSentence> kept_held_out(const std::string& folder);
// Gives each sentence the attempts that were kept of it, up to a step.
void take_attempts(std::vector<HeldOutSentence>& sentences, const std::vector<HeldOutSentence>& kept,
                   long last_step);

// Steps at which to look besides the validations: 0, 25, 50, 100, 200, 400 ... doubling.
bool worth_a_look(long step);

}  // namespace glassformer
