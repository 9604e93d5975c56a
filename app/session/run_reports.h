// What is reported of runs: how they end, what could not be saved, what the next start offers.
#pragma once

#include <optional>
#include <string>

#include "app/scene/notice.h"
#include "app/session/opened_model.h"
#include "app/session/run.h"
#include "app/session/settings.h"

namespace glassformer {

// The way out for a run that could not be saved.
inline constexpr const char* kKeepRun = "Keep the run…";

// "“english-french”": the run in that folder.
std::string run_name_of(const std::string& folder);

Notice no_recipe_notice();
// A fresh model learns, or a copy of an earlier step; nothing when that is plain. `model`: the folder that
// was open.
std::optional<Notice> fresh_model_notice(const Run& run, const std::string& model);
// It is fine-tuned from the weights of this model with fresh moments; and that it learned worse for that,
// once the curves show it. `curves` null: there are none yet.
Notice fine_tune_notice(const OpenedModel& model, const Curves* curves);
// Begun again; the run before, in that folder, was at this step.
Notice begun_again_notice(const std::string& before, long step);
// The training in that folder was stopped because something else was opened.
Notice stopped_notice(const std::string& folder);

Notice divergence_notice(const Run& run);
// What ended the open run, and what Train would do now.
Notice end_notice(const Run& run, const RunUpdate& update);
// `which`: "The run", as the sentence begins. Nothing when no save failed.
std::optional<Notice> failed_save_notice(const std::string& which, const RunUpdate& update);
// The run that was still training when the program ended; nothing when there is none.
std::optional<Notice> unfinished_notice(const Settings& settings);
std::optional<Notice> unfinished_recurrent_notice(const Settings& settings);

}  // namespace glassformer
