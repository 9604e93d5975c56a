// The session's dealings with what learns beside the open run: variants of it, and trials.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "app/session/run_reports.h"
#include "app/session/session_state.h"

namespace glassformer {

// Empty: there can be one.
std::string Session::State::why_no_variant() const {
  const Run& run = runs.open();
  if (run.state().phase == RunPhase::preparing)
    return "The data are still being prepared; a variant can be trained as soon as the run is ready.";
  if (run.begin.weights || (run.state().curves && begun_with_others(*run.state().curves)))
    return "This run began with the weights of an earlier step. A variant begins with fresh ones: open the "
           "run that they come from, and compare with that.";
  RunsBeside beside;
  for (const Run* const each : runs.all_beside()) beside.push_back(&each->shown);
  if (all_places_taken(beside)) return "Four runs learn already: end one of the three beside this one first.";
  return {};
}

// Both have the data, the vocabulary and the seed in common, so that they see the same batches in the same
// order. A run that has not begun yet begins with its variant.
void Session::State::carry_out(const TrainVariant& what) {
  const std::optional<NewRun> base = known_recipe();
  if (!base) return notices.notify(no_recipe_notice());
  if (const std::string why = why_no_variant(); !why.empty()) return notices.say(Place::training, why);
  const auto same = [&](const Run* each) {
    TrainingOptions training = each->recipe->training;
    training.threads = what.variation.training.threads;
    return each->recipe->config == what.variation.config && training == what.variation.training;
  };
  if (std::ranges::any_of(runs.all_beside(), same))
    return notices.say(Place::training,
                       "“" + what.variation.about + ": " + what.variation.name +
                           "” is beside this run already: a second one would learn the same.");
  // One that has ended makes room: it stays among the runs.
  const std::vector<Run*> there = runs.all_beside();
  if (there.size() == kMostBeside)
    end_beside(**std::ranges::find_if(there, [](const Run* each) { return !each->active(); }));
  const Variation& one = what.variation;
  const Run& run = runs.open();
  Run& beside = runs.add_beside();
  beside.recipe = {one.config, base->data, one.training};
  beside.recipe->training.threads = options.threads;
  beside.shown.about = one.about;
  beside.shown.name = one.name;
  beside.state().phase = RunPhase::preparing;
  beside.state().options = one.training;
  if (options.keep_runs) beside.folder = run_folder_for(title.name + ", " + beside.shown.title());
  beside.first = first_settings(one.config, one.training);
  beside.first_of_open = first_settings(base->config, base->training);
  const Tokenizers& given = run.recipe ? run.tokenizers : model->tokenizers;
  runs.begin(beside, make_run(*beside.recipe, run.data, ahead.of(beside.recipe->data, given), given, {}),
             true);
  if (run.state().curves) beside.follow_changes(*run.state().curves);
  if (run.thread && run.state().phase == RunPhase::ready) run.thread->go();
  notices.notify({.place = Place::training,
                  .text = "Another run learns beside this one, from its first step: " + beside.shown.title() +
                          ". " + one.shows,
                  .action = "Compare the two",
                  .command = Compare{OtherRun{.variant = beside.shown.id}}});
}

// All by the open run's data and vocabulary; it may go on, or be closed, meanwhile.
void Session::State::carry_out(const TrySettings& what) {
  if (what.trials.empty() || trials.state().under_way()) return;
  const Run& run = runs.open();
  const Tokenizers given = run.recipe || !model ? run.tokenizers : model->tokenizers;
  const auto folder_for = [this](const std::string& name) {
    return options.keep_runs ? run_folder_for(name) : std::string();
  };
  // The dialog may have been filled in before another model opened: then they are prepared anew.
  const std::optional<NewRun> recipe = known_recipe();
  const bool of_open = recipe && to_json(recipe->data) == to_json(what.trials[0].data);
  if (of_open)
    trials.begin(what, {run.data, ahead.of(what.trials[0].data, given), given}, folder_for);
  else
    trials.begin(what, {}, folder_for);
  notices.say(Place::training, "Settings are tried in the background: " + std::to_string(what.trials.size()) +
                                   (what.trials.size() == 1 ? " run." : " runs, one after another.") +
                                   " Model, Change one thing…, Try several values… shows how far they are.");
}

std::string Session::State::why_no_watching() const {
  if (!snapshot) return "No model is open.";
  if (!known_recipe())
    return "What this model learned from is not recorded with it, so no other can learn the same.";
  const auto result = scenes.result();
  if (!result || result->scene.sentences.empty()) return "There is no sentence yet.";
  return {};
}

// The right words are the known translation, else what the open model writes; they stay as they are. What it
// makes of words that it never saw is nothing to learn from: then a sentence of its data is watched.
void Session::State::carry_out(const WatchOne&) {
  if (const std::string why = why_no_watching(); !why.empty()) return notices.say(Place::training, why);
  const SceneResult& shown = *scenes.result();
  SceneSentence sentence = shown.scene.sentences.front();
  if (const auto known = known_sentence(); known && !sentence.target) sentence = *known;
  const bool by_model = !sentence.target && !sentence.reference;
  if (!sentence.target)
    sentence.target = by_model ? (shown.plain ? *shown.plain : shown).translation : *sentence.reference;
  NewRun recipe = *known_recipe();
  recipe.training.threads = options.threads;
  const Run& open = runs.open();
  const Tokenizers& given = open.recipe || !model ? open.tokenizers : model->tokenizers;
  watching.begin(recipe, make_run(recipe, open.data, ahead.of(recipe.data, given), given, {}), sentence,
                 by_model, options.keep_runs ? run_folder_for(title.name + ", watched") : std::string());
}

void Session::State::carry_out(const EndVariant& what) {
  Run* const variant = runs.beside(what.variant);
  if (!variant) return;
  forget_unfinished(variant->folder);
  const bool kept = !variant->folder.empty() && variant->state().step > 0;
  const std::string ended = "The variant (" + variant->shown.title() + ") was ended. ";
  end_beside(*variant);
  if (kept)
    notices.notify({.place = Place::training,
                    .text = ended + "It stays among the runs, with its curves and all that it learned.",
                    .action = "Runs…",
                    .command = OpenDialog{"runs"}});
}

// The others go on, and so does what is compared with one of them.
void Session::State::end_beside(Run& variant) {
  const int id = variant.shown.id;
  if (comparison && comparison->variant() == id) stop_comparing();
  withdraw_offer_to_compare(id);
  runs.end_beside(variant);
}

void Session::State::end_all_beside() {
  for (Run* const each : runs.all_beside()) end_beside(*each);
}

// Variants have no place beside the new run.
void Session::State::set_beside_aside() {
  if (!runs.beside() || !runs.pending()) return;
  if (compares_runs()) stop_comparing();
  withdraw_offer_to_compare();
  runs.set_all_beside_aside();
}

}  // namespace glassformer
