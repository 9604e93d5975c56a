// A model as the screen shows it. Its folder may hold other weights: a run keeps its best ones there, and
// continues. What the folder does not hold is written as a separate model folder, beside what names it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/scene/run_state.h"
#include "app/session/session.h"
#include "engine/model/snapshot.h"
#include "engine/text/data.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

struct ShownModel {
  std::string folder;                       // of its run, else of the model; empty: it is kept nowhere
  std::shared_ptr<const Snapshot> weights;  // those of the picture
  std::optional<long> looked_back = {};     // the step that they are of, where that is an earlier one
  Tokenizers tokenizers = {};
  RunState run = {};
  std::optional<DataOptions> data = {};  // absent: not recorded
  // A recurrent model instead, which has none of the others but its folder.
  std::shared_ptr<const RecurrentRunState> recurrent = {};

  long step() const { return recurrent ? recurrent->of_step : weights->step; }
};

ShownModel shown_model(const Session& session);    // there is a result
ShownModel shown_variant(const Session& session);  // the variant that it is compared with
// The recurrent model beside it; nothing: none that could be shown again.
std::optional<ShownModel> shown_recurrent(const Session& session);
// Of the run that the session shows, at an earlier step.
ShownModel shown_at(const Session& session, const std::shared_ptr<const Snapshot>& weights);

// Whether its folder, opened, shows these weights to the bit. The newest of a run that trains are not kept:
// its next save replaces them.
bool is_kept(const ShownModel& model);
// And still will, whatever becomes of the run: one that trains keeps only some of its earlier steps.
bool stays_kept(const ShownModel& model);
// Whether write_shown_model() wrote just this there.
bool holds(const std::string& folder, const ShownModel& model);
// Of the run's steps that its folder keeps, the last before the one shown; nothing: there is none.
std::optional<long> kept_before(const ShownModel& model);

// Into an empty folder: configuration, weights, tokenizers, and the record of the run until now, without the
// state to resume from. Throws Error.
void write_shown_model(const ShownModel& model, const std::string& to);

}  // namespace glassformer
