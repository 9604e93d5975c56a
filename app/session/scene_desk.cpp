#include "app/session/scene_desk.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/session/data_consent.h"
#include "app/session/measuring.h"
#include "engine/text/reading.h"
#include "engine/text/unicode.h"

namespace glassformer {

void SceneDesk::start_with(const std::vector<SceneSentence>& sentences) {
  scenes_.start_with(sentences, runs_.open().state().live.smoothing,
                     common_.snapshot ? common_.snapshot->config.decoder_layers - 1 : 0);
  compute();
}

void SceneDesk::compute(bool low_priority) {
  // A model that nothing was typed for waits.
  const std::vector<SceneSentence>& sentences = scenes_.scene().sentences;
  if (common_.snapshot && !sentences.empty() && !sentences.front().source.empty())
    scenes_.compute({.newest = common_.snapshot, .kept = runs_.open().looked_at}, common_.tokenizers,
                    low_priority);
}

// While the weights move on, by those of the picture: what stays the same in it is known, and what differs is
// the change alone. Newer ones follow by themselves.
void SceneDesk::compute_changed(bool changed) {
  if (!changed || !common_.snapshot) return;
  const Run& run = runs_.open();
  const bool follows = run.state().phase == RunPhase::training && scenes_.result();
  scenes_.compute(
      {.newest = follows ? scenes_.result()->untouched_snapshot : common_.snapshot, .kept = run.looked_at},
      common_.tokenizers);
}

void SceneDesk::look_at_newest() {
  if (std::exchange(runs_.open().looked_at, nullptr)) compute();
}

// The nearest of the kept steps; the newest weights when they are as near.
void SceneDesk::carry_out(const ShowStep& what) {
  Run& run = runs_.open();
  const auto kept = what.step ? nearest(run.state().history, *what.step) : nullptr;
  if (!kept || (common_.snapshot && kept->step() == common_.snapshot->step)) return look_at_newest();
  if (kept == run.looked_at) return;
  run.looked_at = kept;
  compute();
}

bool SceneDesk::take() {
  std::string problem;
  switch (scenes_.take(problem)) {
    case Scenes::News::none:
      return false;
    case Scenes::News::refused:
      notices_.complain(Place::sentence, problem);
      return true;
    case Scenes::News::gradients:
      if (comparison_) comparison_->gradients_came(scenes_.result());
      return true;
    case Scenes::News::result:
      break;
  }
  notices_.clear(Place::sentence);
  keep_sentence();
  report_reading();
  compute_second();
  return true;
}

bool SceneDesk::take_words() {
  if (!words_.take()) return false;
  report_reading();
  look_for_held_out();
  return true;
}

std::shared_ptr<const TrainingText> SceneDesk::training_text() {
  const auto source = wants_training_text_ ? training_source() : std::nullopt;
  const auto text = source ? words_.text(*source) : nullptr;
  return text && !text->empty() ? text : nullptr;
}

// Under the model that translated it, be it opened or being trained.
void SceneDesk::keep_sentence() {
  if (!sentences_are_own_) return;
  const Run& run = runs_.open();
  const std::string& sentence = scenes_.result()->scene.sentences.front().source;
  if (common_.model && (!run.thread || run.of_model))
    remember_sentence(common_.settings, common_.model->folder, sentence);
  if (run.thread && !run.folder.empty()) remember_sentence(common_.settings, run.folder, sentence);
}

// Of the second of two that are compared as well, where it is read in another way.
void SceneDesk::report_reading() {
  if (!scenes_.result() || scenes_.refused() || !common_.tokenizers.source || !common_.tokenizers.target)
    return;
  const std::string first = about_reading(*scenes_.result(), common_.tokenizers, true);
  std::string all = first;
  add_sentence(all, about_new_words());
  if (const Compared* two = comparison_ ? &comparison_->shown() : nullptr; two && two->second) {
    const std::string second = about_reading(*two->second, two->tokenizers, !two->given_words);
    if (!second.empty() && second != first) add_sentence(all, "The second: " + second);
  }
  if (const auto known = all.empty() ? std::nullopt : known_sentence())
    notices_.notify({.place = Place::sentence,
                     .text = all,
                     .action = "Try “" + known->source + "”",
                     .command = SetSource{known->source}});
  else if (!all.empty())
    notices_.say(Place::sentence, all);
}

namespace {

std::set<std::string> distinct_words(const std::string& text) {
  const std::vector<std::string> words = split_words(text);
  return {words.begin(), words.end()};
}

}  // namespace

// Of those that the model knows, the one most like what was typed: by the share of words in common, a word
// that comes twice counted once.
std::optional<SceneSentence> SceneDesk::known_sentence() {
  const std::string& read = scenes_.result()->source_read;
  const Tokenizer* const reads = common_.tokenizers.source.get();
  const bool strange = !about_new_words().empty() || (reads && !unknown_words(*reads, read).empty());
  if (!strange || !common_.model || common_.model->examples.empty()) return std::nullopt;
  const std::set<std::string> typed = distinct_words(read);
  return *std::ranges::max_element(common_.model->examples, {}, [&](const SceneSentence& known) {
    const std::set<std::string> words = distinct_words(reads ? readable(*reads, known.source) : known.source);
    const auto common = std::ranges::count_if(words, [&](const auto& word) { return typed.contains(word); });
    const double alike = static_cast<double>(common) / static_cast<double>(words.size() + typed.size());
    return std::pair(alike, -std::ssize(words));  // of those alike, the shortest
  });
}

std::optional<TrainingWords::Source> SceneDesk::training_source() {
  const DataOptions* const data = common_.data();
  if (data == nullptr) return std::nullopt;
  return TrainingWords::Source{
      .data = *data,
      .tokenizers = common_.tokenizers,
      .title = common_.title,
      .may_read = [this, own = runs_.open().recipe.has_value(),
                   data] { return own || read_unasked(*data, common_.model->folder); },
      .wake = common_.options.wake};
}

// Nothing can be said of data that are not recorded.
std::string SceneDesk::about_new_words() {
  const auto source = training_source();
  return source ? words_.about(scenes_.result()->source_read, *source) : std::string();
}

void SceneDesk::carry_out(const SetWhatIf& what) {
  const Compared* const beside = comparison_ ? &comparison_->shown() : nullptr;
  const bool changed =
      scenes_.set_what_if(what.what_if, beside && beside->second ? beside->second->trace : nullptr);
  look_for_held_out();
  compute_changed(changed);
}

void SceneDesk::look_for_held_out() {
  const auto source = scenes_.wants_held_out() ? training_source() : std::nullopt;
  const auto text = source ? words_.text(*source) : nullptr;
  if (!text || !common_.snapshot) return;
  compute_changed(
      scenes_.know_held_out(measuring_batch(text->held_out, common_.tokenizers, common_.snapshot->config)));
}

void SceneDesk::carry_out(const WantGradients& what) {
  if (scenes_.gradients_of() == what.sentence) return;
  if (scenes_.want_gradients(what.sentence)) return compute();
  if (what.sentence >= 0) compute_second();
}

SceneComparison::First SceneDesk::first_side() const {
  const Run& run = runs_.open();
  return {.weights = {.newest = common_.snapshot, .kept = run.looked_at},
          .tokenizers = common_.tokenizers,
          .title = common_.title,
          .run = run.state(),
          .scenes = scenes_,
          .beside = compares_runs() ? runs_.beside(comparison_->variant()) : nullptr};
}

void SceneDesk::carry_out(const Compare& what) {
  Other other = what.other;
  auto* const with_run = std::get_if<OtherRun>(&other);
  const Run* const variant = with_run ? runs_.beside(with_run->variant) : nullptr;
  if (with_run && !variant)
    return notices_.say(Place::training, "No variant trains beside this run: start one in the Model menu.");
  if (with_run) with_run->variant = variant->shown.id;  // the same one when a newer is there
  std::shared_ptr<const KeptWeights> held;
  if (with_run && with_run->step) {
    held = nearest(variant->state().history, *with_run->step);
    if (!held)
      return notices_.say(Place::training,
                          "No step of the variant (" + variant->shown.title() + ") is kept yet.");
  }
  stop_comparing();
  withdraw_offer_to_compare();
  const auto* saved = std::get_if<OtherModel>(&other);
  comparison_ = std::make_unique<SceneComparison>(
      other,
      saved ? open_soon(saved->folder, runs_.saves_into(saved->folder), common_.options.wake)
            : std::future<OpenedModel>(),
      held, common_.options.wake);
  compute_second();
}

void SceneDesk::compute_second(bool low_priority) {
  if (!comparison_ || !scenes_.result()) return;
  if (!comparison_->meaningful(scenes_)) return stop_comparing();
  comparison_->compute(first_side(), low_priority);
}

bool SceneDesk::take_second() {
  if (!comparison_) return false;
  const SceneComparison::News news = comparison_->take(first_side());
  if (news == SceneComparison::News::result) report_reading();
  return news != SceneComparison::News::none;
}

// What it still computes is not waited for in the frame.
void SceneDesk::stop_comparing() {
  if (!comparison_) return;
  common_.aside.end(std::move(comparison_));
  // Notices about the second are no longer true.
  notices_.withdraw([](const Notice& each) { return each.place == Place::sentence && !each.error; });
  report_reading();
}

void SceneDesk::leave_variant(int variant) {
  if (comparison_ && comparison_->variant() == variant) stop_comparing();
  withdraw_offer_to_compare(variant);
}

void SceneDesk::leave_variants() {
  if (compares_runs()) stop_comparing();
  withdraw_offer_to_compare();
}

void SceneDesk::follow_variant(int variant, bool low_priority) {
  if (comparison_ && comparison_->variant() == variant && comparison_->follows_variant(first_side()))
    compute_second(low_priority);
}

void SceneDesk::withdraw_offer_to_compare(int variant) {
  notices_.withdraw([variant](const Notice& each) {
    const auto* offered = each.command ? each.command->get_if<Compare>() : nullptr;
    const auto* with_run = offered ? std::get_if<OtherRun>(&offered->other) : nullptr;
    return offered && (variant == 0 || (with_run && with_run->variant == variant));
  });
}

}  // namespace glassformer
