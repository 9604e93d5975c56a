#include "app/session/scenes.h"

#include <algorithm>
#include <utility>

#include "app/session/measuring.h"
#include "app/session/opened_model.h"

namespace glassformer {

namespace {

constexpr size_t kUndoSteps = 200;

// "sentence: nothing to …" as the screen says it, below the field that it is about.
std::string without_place(const std::string& error) {
  const std::size_t colon = error.find(": ");
  std::string words = colon == std::string::npos ? error : error.substr(colon + 2);
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

// The number that distinguishes one way to search from another, where it is a single one; else null.
double DecodeOptions::*number_apart(const DecodeOptions& a, const DecodeOptions& b) {
  for (double DecodeOptions::*const number :
       {&DecodeOptions::alpha, &DecodeOptions::temperature, &DecodeOptions::top_p}) {
    DecodeOptions as_b = a;
    as_b.*number = b.*number;
    if (a != b && as_b == b) return number;
  }
  return nullptr;
}

}  // namespace

void Scenes::start_with(const std::vector<SceneSentence>& sentences, double smoothing, int top_layer) {
  known_ = sentences;
  past_.clear();
  future_.clear();
  refused_ = false;
  scene_ = first_scene(sentences, smoothing);
  held_out_.reset();
  result_.reset();
  worker_.forget();
  pinned_ = Selection{};
  pinned_.layer = top_layer;
  shown_steps_ = -1;
}

// A Scene that was refused is nothing to go back to.
void Scenes::leave(std::vector<Scene>& to) {
  if (!std::exchange(refused_, false)) to.push_back(std::move(scene_));
}

bool Scenes::change(Scene next) {
  leave(past_);
  if (past_.size() > kUndoSteps) past_.erase(past_.begin());
  future_.clear();
  scene_ = std::move(next);
  return true;
}

bool Scenes::set_source(const std::string& text) {
  Scene next = scene_;
  SceneSentence sentence = sentence_of(text);
  if (next.sentences.empty()) next.sentences.emplace_back();
  if (next.sentences.front() == sentence) return false;
  next.sentences.front() = std::move(sentence);
  shown_steps_ = -1;
  clear_pin();
  return change(std::move(next));
}

bool Scenes::has_first_batch() const {
  const Scene first = first_scene(known_, scene_.smoothing);
  return !scene_.sentences.empty() && std::equal(first.sentences.begin() + 1, first.sentences.end(),
                                                 scene_.sentences.begin() + 1, scene_.sentences.end());
}

bool Scenes::set_batch(const std::vector<SceneSentence>& others) {
  Scene next = scene_;
  next.sentences.resize(1);
  next.sentences.insert(next.sentences.end(), others.begin(), others.end());
  return next.sentences != scene_.sentences && change(std::move(next));
}

bool Scenes::set_target(const std::optional<std::string>& text) {
  if (scene_.sentences.empty() || scene_.sentences.front().target == text) return false;
  Scene next = scene_;
  next.sentences.front().target = text;
  return change(std::move(next));
}

bool Scenes::set_what_if(const WhatIf& what_if, const std::shared_ptr<const Trace>& other) {
  if (scene_.what_if == what_if) return false;
  Scene next = scene_;
  next.what_if = what_if;
  // What was taken once stays, so that undo brings back the same.
  if (!wants(scene_.what_if, Replacement::other)) next.substitutes.other = other;
  return change(std::move(next));
}

bool Scenes::wants_held_out() const {
  return !held_out_ && wants(scene_.what_if, Replacement::mean);
}

bool Scenes::know_held_out(std::shared_ptr<const Batch> pairs) {
  held_out_ = std::move(pairs);
  return held_out_ && wants(scene_.what_if, Replacement::mean);
}

bool Scenes::set_decode(const DecodeOptions& options) {
  Scene next = scene_;
  next.decode = options;
  shown_steps_ = -1;
  if (continues_sliding(options)) {
    future_.clear();
    refused_ = false;
    scene_ = std::move(next);
    return true;
  }
  return change(std::move(next));
}

// A slider goes through many values: undo takes back the way as a whole.
bool Scenes::continues_sliding(const DecodeOptions& options) const {
  if (past_.empty()) return false;
  const Scene& before = past_.back();
  const bool same = before.sentences == scene_.sentences && before.what_if == scene_.what_if;
  if (!same) return false;
  if (before.decode == scene_.decode) return true;  // it came by where it began
  const auto number = number_apart(before.decode, scene_.decode);
  return number && number_apart(scene_.decode, options) == number;
}

bool Scenes::undo() {
  if (past_.empty()) return false;
  leave(future_);
  scene_ = std::move(past_.back());
  past_.pop_back();
  return true;
}

bool Scenes::redo() {
  if (future_.empty()) return false;
  leave(past_);
  scene_ = std::move(future_.back());
  future_.pop_back();
  return true;
}

void Scenes::compute(const SceneWorker::Weights& weights, const Tokenizers& tokenizers, bool low_priority) {
  Scene asked = scene_;
  asked.held_out = held_out_;
  worker_.ask(weights, tokenizers, std::move(asked), gradients_of_, {}, low_priority);
}

bool Scenes::want_gradients(int sentence) {
  gradients_of_ = sentence;
  if (sentence < 0) return false;
  if (worker_.working()) return true;
  if (result_ && !(result_->gradients && result_->gradients->sentence == sentence))
    worker_.ask_gradients(result_, sentence);
  return false;
}

Scenes::News Scenes::take(std::string& problem) {
  std::optional<SceneWorker::Answer> answer = worker_.take();
  if (!answer) return News::none;
  refused_ = !answer->result;
  if (refused_) {
    problem = without_place(answer->error);
    return News::refused;
  }
  const bool only_gradients = result_ && answer->result->trace == result_->trace;
  result_ = std::move(answer->result);
  return only_gradients ? News::gradients : News::result;
}

SceneSentence Scenes::sentence_of(const std::string& source) const {
  const auto same = std::ranges::find(known_, source, &SceneSentence::source);
  return {source, std::nullopt, same != known_.end() ? same->reference : std::nullopt};
}

void Scenes::clear_pin() {
  pinned_.query.reset();
  pinned_.key.reset();
  pinned_.cell.reset();
  pinned_.more_queries.clear();
  pinned_.more_keys.clear();
}

void Scenes::show_decode_step(int steps) {
  const int all = result_ ? static_cast<int>(result_->target_out_words.size()) : 0;
  shown_steps_ = steps < 0 || steps >= all ? -1 : steps;
  if (steps > 0 && all > 0) pinned_ = at_step(pinned_, std::min(steps, all) - 1);
}

}  // namespace glassformer
