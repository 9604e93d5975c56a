// The session's Scene, what it is compared with, and what is said of both.
#include <algorithm>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/data_consent.h"
#include "app/session/measuring.h"
#include "app/session/session_state.h"
#include "engine/math/error.h"
#include "engine/text/reading.h"
#include "engine/text/unicode.h"

namespace glassformer {

void Session::State::start_with(const std::vector<SceneSentence>& sentences) {
  scenes.start_with(sentences, runs.open().state().live.smoothing,
                    snapshot ? snapshot->config.decoder_layers - 1 : 0);
  compute();
}

void Session::State::compute(bool low_priority) {
  if (snapshot) scenes.compute({.newest = snapshot, .kept = runs.open().looked_at}, tokenizers, low_priority);
}

// While the weights move on, by those of the picture: what stays the same in it is known, and what differs is
// the change alone. Newer ones follow by themselves.
void Session::State::compute_changed(bool changed) {
  if (!changed || !snapshot) return;
  const Run& run = runs.open();
  const bool follows = run.state().phase == RunPhase::training && scenes.result();
  scenes.compute({.newest = follows ? scenes.result()->untouched_snapshot : snapshot, .kept = run.looked_at},
                 tokenizers);
}

void Session::State::look_at_newest() {
  if (std::exchange(runs.open().looked_at, nullptr)) compute();
}

// The nearest of the kept steps; the newest weights when they are as near.
void Session::State::carry_out(const ShowStep& what) {
  Run& run = runs.open();
  const auto kept = what.step ? nearest(run.state().history, *what.step) : nullptr;
  if (!kept || (snapshot && kept->step() == snapshot->step)) return look_at_newest();
  if (kept == run.looked_at) return;
  run.looked_at = kept;
  compute();
}

bool Session::State::take_scene() {
  std::string problem;
  switch (scenes.take(problem)) {
    case Scenes::News::none:
      return false;
    case Scenes::News::refused:
      notices.complain(Place::sentence, problem);
      return true;
    case Scenes::News::gradients:
      if (comparison) comparison->gradients_came(scenes.result());
      return true;
    case Scenes::News::result:
      break;
  }
  notices.clear(Place::sentence);
  keep_sentence();
  report_reading();
  compute_second();
  return true;
}

// Under the model that translated it, be it opened or being trained.
void Session::State::keep_sentence() {
  if (!sentences_are_own) return;
  const Run& run = runs.open();
  const std::string& sentence = scenes.result()->scene.sentences.front().source;
  if (model && (!run.thread || run.of_model)) remember_sentence(settings, model->folder, sentence);
  if (run.thread && !run.folder.empty()) remember_sentence(settings, run.folder, sentence);
}

// Of the second of two that are compared as well, where it is read in another way.
void Session::State::report_reading() {
  if (!scenes.result() || scenes.refused() || !tokenizers.source || !tokenizers.target) return;
  const std::string first = about_reading(*scenes.result(), tokenizers, true);
  std::string all = first;
  add_sentence(all, about_new_words());
  if (const Compared* two = comparison ? &comparison->shown() : nullptr; two && two->second) {
    const std::string second = about_reading(*two->second, two->tokenizers, !two->given_words);
    if (!second.empty() && second != first) add_sentence(all, "The second: " + second);
  }
  if (const auto known = all.empty() ? std::nullopt : known_sentence())
    notices.notify({.place = Place::sentence,
                    .text = all,
                    .action = "Try “" + known->source + "”",
                    .command = SetSource{known->source}});
  else if (!all.empty())
    notices.say(Place::sentence, all);
}

// Of those that the model knows, the one that has most words of what was typed.
std::optional<SceneSentence> Session::State::known_sentence() {
  const std::string& read = scenes.result()->source_read;
  const bool strange =
      !about_new_words().empty() || (tokenizers.source && !unknown_words(*tokenizers.source, read).empty());
  if (!strange || !model || model->examples.empty()) return std::nullopt;
  const std::vector<std::string> typed = split_words(read);
  return *std::ranges::max_element(model->examples, {}, [&](const SceneSentence& known) {
    return std::ranges::count_if(split_words(known.source), [&](const std::string& word) {
      return std::ranges::find(typed, word) != typed.end();
    });
  });
}

std::optional<TrainingWords::Source> Session::State::training_source() {
  const std::optional<NewRun>& recipe = runs.open().recipe;
  const DataOptions* const data = recipe ? &recipe->data : model && model->data ? &*model->data : nullptr;
  if (data == nullptr) return std::nullopt;
  return TrainingWords::Source{.data = *data,
                               .tokenizers = tokenizers,
                               .title = title,
                               .may_read = [this, own = recipe.has_value(),
                                            data] { return own || read_unasked(*data, model->folder); },
                               .wake = options.wake};
}

// Nothing can be said of data that are not recorded.
std::string Session::State::about_new_words() {
  const auto source = training_source();
  return source ? words.about(scenes.result()->source_read, *source) : std::string();
}

void Session::State::carry_out(const SetWhatIf& what) {
  const Compared* const beside = comparison ? &comparison->shown() : nullptr;
  const bool changed =
      scenes.set_what_if(what.what_if, beside && beside->second ? beside->second->trace : nullptr);
  look_for_held_out();
  compute_changed(changed);
}

void Session::State::look_for_held_out() {
  const auto source = scenes.wants_held_out() ? training_source() : std::nullopt;
  const auto text = source ? words.text(*source) : nullptr;
  if (!text || !snapshot) return;
  compute_changed(scenes.know_held_out(measuring_batch(text->held_out, tokenizers, snapshot->config)));
}

void Session::State::carry_out(const WantGradients& what) {
  if (scenes.gradients_of() == what.sentence) return;
  if (scenes.want_gradients(what.sentence)) return compute();
  if (what.sentence >= 0) compute_second();
}

SceneComparison::First Session::State::first_side() const {
  const Run& run = runs.open();
  return {.weights = {.newest = snapshot, .kept = run.looked_at},
          .tokenizers = tokenizers,
          .title = title,
          .run = run.state(),
          .scenes = scenes,
          .beside = compares_runs() ? runs.beside(comparison->variant()) : nullptr};
}

void Session::State::carry_out(const Compare& what) {
  Other other = what.other;
  auto* const with_run = std::get_if<OtherRun>(&other);
  const Run* const variant = with_run ? runs.beside(with_run->variant) : nullptr;
  if (with_run && !variant)
    return notices.say(Place::training, "No variant trains beside this run: start one in the Model menu.");
  if (with_run) with_run->variant = variant->shown.id;  // the same one when a newer is there
  std::shared_ptr<const KeptWeights> held;
  if (with_run && with_run->step) {
    held = nearest(variant->state().history, *with_run->step);
    if (!held)
      return notices.say(Place::training,
                         "No step of the variant (" + variant->shown.title() + ") is kept yet.");
  }
  stop_comparing();
  withdraw_offer_to_compare();
  const auto* saved = std::get_if<OtherModel>(&other);
  comparison = std::make_unique<SceneComparison>(
      other, saved ? open_soon(saved->folder) : std::future<OpenedModel>(), held, options.wake);
  compute_second();
}

void Session::State::compute_second(bool low_priority) {
  if (!comparison || !scenes.result()) return;
  if (!comparison->meaningful(scenes)) return stop_comparing();
  comparison->compute(first_side(), low_priority);
}

bool Session::State::take_second() {
  if (!comparison) return false;
  const SceneComparison::News news = comparison->take(first_side());
  if (news == SceneComparison::News::result) report_reading();
  return news != SceneComparison::News::none;
}

// What it still computes is not waited for in the frame.
void Session::State::stop_comparing() {
  if (!comparison) return;
  aside.end(std::move(comparison));
  // What was told of the second is no longer true.
  notices.withdraw([](const Notice& each) { return each.place == Place::sentence && !each.error; });
  report_reading();
}

void Session::State::withdraw_offer_to_compare(int variant) {
  notices.withdraw([variant](const Notice& each) {
    const auto* offered = each.command ? each.command->get_if<Compare>() : nullptr;
    const auto* with_run = offered ? std::get_if<OtherRun>(&offered->other) : nullptr;
    return offered && (variant == 0 || (with_run && with_run->variant == variant));
  });
}

}  // namespace glassformer
