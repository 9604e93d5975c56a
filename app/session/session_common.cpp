#include "app/session/session_common.h"

#include "app/session/paths.h"
#include "app/session/run_record.h"

namespace glassformer {

std::optional<NewRun> SessionCommon::known_recipe() const {
  const Run& run = runs.open();
  if (run.recipe || !model || !model->data) return run.recipe;
  NewRun of_model{model->snapshot.config, *model->data, model->options};
  // As it began: what was changed on the way is not of the recipe.
  if (model->curves) of_model.config.dropout = settings_at(*model->curves, model->live, 0).dropout;
  of_model.training.threads = options.threads;
  return of_model;
}

const Tokenizers& SessionCommon::given_tokenizers() const {
  const Run& run = runs.open();
  return run.recipe || !model ? run.tokenizers : model->tokenizers;
}

const DataOptions* SessionCommon::data() const {
  const std::optional<NewRun>& recipe = runs.open().recipe;
  return recipe ? &recipe->data : model && model->data ? &*model->data : nullptr;
}

std::string SessionCommon::open_folder() const {
  const Run& run = runs.open();
  const bool of_run = run.thread || (run.state().phase == RunPhase::stopped && !run.folder.empty());
  return of_run ? run.folder : model ? model->folder : std::string();
}

std::string SessionCommon::pending_folder() const {
  if (!runs.pending()) return {};
  return runs.pending()->thread ? runs.pending()->folder : model ? model->folder : "";
}

RunThread* SessionCommon::keeper() const {
  return runs.pending() ? runs.pending()->thread.get() : runs.open().thread.get();
}

std::string SessionCommon::folder_for(const std::string& name) const {
  return options.keep_runs ? run_folder_for(name) : std::string();
}

void SessionCommon::open(const std::string& folder, std::optional<bool> resume) {
  opening.begin(folder, runs.saves_into(folder), resume);
}

void SessionCommon::remember_unfinished_run() {
  const Run& run = runs.open();
  const bool one = run.under_way() && !run.folder.empty();
  std::vector<std::string> beside;
  for (const Run* const each : runs.all_beside())
    if (each->active() && each->state().step > 0 && !each->folder.empty()) beside.push_back(each->folder);
  if (!one && beside.empty()) return;
  settings.unfinished_run = one ? run.folder : "";
  settings.unfinished_variants = std::move(beside);
}

void SessionCommon::forget_unfinished_run() {
  settings.unfinished_run.clear();
  settings.unfinished_variants.clear();
}

void SessionCommon::forget_unfinished(const std::string& folder) {
  if (settings.unfinished_run == folder) settings.unfinished_run.clear();
  std::erase(settings.unfinished_variants, folder);
}

void SessionCommon::follow_moved_run(const RunNews& news, const Run& run) {
  forget_unfinished(news.moved_from);
  remember(settings.runs_elsewhere, run.folder);
  remember(settings.recent_models, run.folder);
  remember_unfinished_run();
}

}  // namespace glassformer
