#include "app/session/variant_desk.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/change_words.h"
#include "app/session/run_record.h"
#include "app/session/run_reports.h"
#include "engine/train/presets.h"

namespace glassformer {

// Empty: there can be one.
std::string VariantDesk::why_no_variant() const {
  const Run& run = runs_.open();
  if (run.state().phase == RunPhase::preparing)
    return "The data are still being prepared; a variant can be trained as soon as the run is ready.";
  if (run.begin.weights || (run.state().curves && begun_with_others(*run.state().curves)))
    return "This run began with the weights of an earlier step. A variant begins with fresh ones: open the "
           "run that they come from, and compare with that.";
  RunsBeside beside;
  for (const Run* const each : runs_.all_beside()) beside.push_back(&each->shown);
  if (all_places_taken(beside)) return "Four runs learn already: end one of the three beside this one first.";
  return {};
}

// Both have the data, the vocabulary and the seed in common, so that they see the same batches in the same
// order. A run that has not begun yet begins with its variant.
void VariantDesk::carry_out(const TrainVariant& what) {
  const std::optional<NewRun> base = common_.known_recipe();
  if (!base) return notices_.notify(no_recipe_notice());
  if (const std::string why = why_no_variant(); !why.empty()) return notices_.say(Place::training, why);
  const auto same = [&](const Run* each) {
    TrainingOptions training = each->recipe->training;
    training.threads = what.variation.training.threads;
    return each->recipe->config == what.variation.config && training == what.variation.training;
  };
  if (std::ranges::any_of(runs_.all_beside(), same))
    return notices_.say(Place::training,
                        "“" + what.variation.about + ": " + what.variation.name +
                            "” is beside this run already: a second one would learn the same.");
  // One that has ended makes room: it stays among the runs.
  const std::vector<Run*> there = runs_.all_beside();
  if (there.size() == kMostBeside)
    end(**std::ranges::find_if(there, [](const Run* each) { return !each->active(); }));
  const Variation& one = what.variation;
  const Run& run = runs_.open();
  Run& beside = runs_.add_beside();
  beside.recipe = {one.config, base->data, one.training};
  beside.recipe->training.threads = common_.options.threads;
  beside.shown.about = one.about;
  beside.shown.name = one.name;
  beside.state().phase = RunPhase::preparing;
  beside.state().options = one.training;
  beside.folder = common_.folder_for(common_.title.name + ", " + beside.shown.title());
  beside.first = first_settings(one.config, one.training);
  beside.first_of_open = first_settings(base->config, base->training);
  const Tokenizers& given = common_.given_tokenizers();
  runs_.begin(beside,
              make_run(*beside.recipe, run.data, common_.ahead.of(beside.recipe->data, given), given, {}),
              true);
  if (run.state().curves) beside.follow_changes(*run.state().curves);
  if (run.thread && run.state().phase == RunPhase::ready) run.thread->go();
  notices_.notify({.place = Place::training,
                   .text = "Another run learns beside this one, from its first step: " +
                           beside.shown.title() + ". " + one.shows,
                   .action = "Compare the two",
                   .command = Compare{OtherRun{.variant = beside.shown.id}}});
}

// All by the open run's data and vocabulary; it may continue, or be closed, meanwhile.
void VariantDesk::carry_out(const TrySettings& what) {
  if (what.trials.empty() || trials_.state().under_way()) return;
  const Run& run = runs_.open();
  const Tokenizers given = common_.given_tokenizers();
  const auto folder_for = [this](const std::string& name) { return common_.folder_for(name); };
  // The dialog may have been filled in before another model opened: then they are prepared anew.
  const std::optional<NewRun> recipe = common_.known_recipe();
  const bool of_open = recipe && to_json(recipe->data) == to_json(what.trials[0].data);
  if (of_open)
    trials_.begin(what, {run.data, common_.ahead.of(what.trials[0].data, given), given}, folder_for);
  else
    trials_.begin(what, {}, folder_for);
  notices_.say(Place::training,
               "Settings are tried in the background: " + std::to_string(what.trials.size()) +
                   (what.trials.size() == 1 ? " run." : " runs, one after another.") +
                   " Model, Change one thing…, Try several values… shows how far they are.");
}

std::string VariantDesk::why_no_watching() const {
  if (!common_.snapshot) return "No model is open.";
  if (!common_.known_recipe())
    return "What this model learned from is not recorded with it, so no other can learn the same.";
  const auto result = scenes_.scenes().result();
  if (!result || result->scene.sentences.empty()) return "There is no sentence yet.";
  return {};
}

// The right words are the known translation, else what the open model writes; they stay fixed. What it
// makes of words that it never saw is nothing to learn from: then a sentence of its data is watched.
void VariantDesk::carry_out(const WatchOne&) {
  if (const std::string why = why_no_watching(); !why.empty()) return notices_.say(Place::training, why);
  const SceneResult& shown = *scenes_.scenes().result();
  SceneSentence sentence = shown.scene.sentences.front();
  if (const auto known = scenes_.known_sentence(); known && !sentence.target) sentence = *known;
  WatchState what;
  what.by_model = !sentence.target && !sentence.reference;
  if (!sentence.target)
    sentence.target = what.by_model ? (shown.plain ? *shown.plain : shown).translation : *sentence.reference;
  what.sentence = std::move(sentence);
  NewRun recipe = *common_.known_recipe();
  recipe.training.threads = common_.options.threads;
  what.quick = learn_quickly(recipe.data.training.kind(), recipe.config, recipe.training);
  const Tokenizers& given = common_.given_tokenizers();
  watching_.begin(recipe,
                  make_run(recipe, runs_.open().data, common_.ahead.of(recipe.data, given), given, {}),
                  std::move(what), common_.folder_for(common_.title.name + ", watched"));
}

void VariantDesk::carry_out(const EndVariant& what) {
  Run* const variant = runs_.beside(what.variant);
  if (!variant) return;
  common_.forget_unfinished(variant->folder);
  const bool kept = !variant->folder.empty() && variant->state().step > 0;
  const std::string ended = "The variant (" + variant->shown.title() + ") was ended. ";
  end(*variant);
  if (kept)
    notices_.notify({.place = Place::training,
                     .text = ended + "It stays among the runs, with its curves and all that it learned.",
                     .action = "Runs…",
                     .command = OpenDialog{"runs"}});
}

// The others continue, and so does what is compared with one of them.
void VariantDesk::end(Run& variant) {
  scenes_.leave_variant(variant.shown.id);
  runs_.end_beside(variant);
}

void VariantDesk::end_all() {
  for (Run* const each : runs_.all_beside()) end(*each);
}

// Variants have no place beside the new run.
void VariantDesk::set_all_aside() {
  if (!runs_.beside() || !runs_.pending()) return;
  scenes_.leave_variants();
  runs_.set_all_beside_aside();
}

bool VariantDesk::take(Run& variant) {
  const std::optional<RunNews> news = variant.take();
  if (!news) return false;
  const RunUpdate& update = news->update;
  const RunState& state = variant.state();
  const std::string named = "The variant (" + variant.shown.title() + ")";
  if (!update.moved_to.empty()) common_.follow_moved_run(*news, variant);
  if (const auto notice = failed_save_notice(named, update)) notices_.notify(*notice);
  if (state.phase == RunPhase::training) common_.remember_unfinished_run();
  if (news->ends) {
    common_.forget_unfinished(variant.folder);
    if (!state.unsaved.empty()) {
      if (const auto notice = failed_save_notice(named + " has ended and", update)) notices_.notify(*notice);
    } else if (!state.message.empty()) {
      const std::string ended = named + " has ended: " + state.message + ".";
      if (update.snapshot)
        notices_.say(Place::training, ended);
      else
        notices_.complain(Place::training, ended);
    }
  }
  if (state.diverged && !news->had_diverged)
    notices_.complain(Place::training,
                      named + ", at " + state.message + " Train goes on with them at a lower rate.");
  if (update.ended) variant.thread.reset();
  const bool learns = state.phase == RunPhase::training && news->before == RunPhase::training;
  if (update.snapshot) scenes_.follow_variant(variant.shown.id, learns);
  return true;
}

bool VariantDesk::take() {
  bool changed = false;
  for (Run* const each : runs_.all_beside()) changed |= take(*each);
  changed |= take_trials();
  return watching_.take() || changed;
}

bool VariantDesk::take_trials() {
  const bool changed = trials_.take();
  if (!trials_.take_end()) return changed;
  const TrialsState& state = trials_.state();
  notices_.notify({.place = Place::training,
                   .error = !state.problems.empty(),
                   .text = "The settings that were tried: " + trials_in_words(state),
                   .action = "Runs…",
                   .command = OpenDialog{"runs"}});
  return true;
}

}  // namespace glassformer
