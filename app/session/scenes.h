// The Scene that is open: its sentences, what-ifs and way of decoding, how it came about (undo), its last
// result, and what is selected in it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/session/scene_worker.h"

namespace glassformer {

class Scenes {
 public:
  explicit Scenes(const std::function<void()>& wake) : worker_(wake) {}

  // Another model with its own sentences, those of the batch. What could be undone belonged to the one
  // before. `top_layer` of the decoder is selected.
  void start_with(const std::vector<SceneSentence>& sentences, double smoothing, int top_layer);
  // Changes that can be undone. True when the Scene has to be computed anew.
  bool set_source(const std::string& text);
  bool set_batch(const std::vector<SceneSentence>& others);  // behind the first sentence
  bool set_target(const std::optional<std::string>& text);
  // `other`: the first sentence of the Scene beside this one, for changes that take its values; may be null.
  bool set_what_if(const WhatIf& what_if, const std::shared_ptr<const Trace>& other = {});
  bool set_decode(const DecodeOptions& options);
  bool undo();
  bool redo();
  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }

  // Pairs to take means over, now that they are known. True when the Scene has to be computed anew for them.
  bool know_held_out(std::shared_ptr<const Batch> pairs);
  bool wants_held_out() const;

  // By these weights. `low_priority` as the worker has it.
  void compute(const SceneWorker::Weights& weights, const Tokenizers& tokenizers, bool low_priority = false);
  // The gradients of this sentence come with every result; -1: no longer. True when it has to be computed
  // anew for them.
  bool want_gradients(int sentence);
  int gradients_of() const { return gradients_of_; }
  bool working() const { return worker_.working(); }
  double working_seconds() const { return worker_.seconds(); }

  enum class News { none, refused, gradients, result };
  // What became of it; `problem`: why it was refused, a sentence.
  News take(std::string& problem);
  bool refused() const { return refused_; }

  const Scene& scene() const { return scene_; }
  bool has_first_batch() const;
  const std::shared_ptr<const SceneResult>& result() const { return result_; }  // the last; null: none yet
  SceneSentence sentence_of(const std::string& source) const;  // with its reference, when that is known

  void pin(const Selection& selection) { pinned_ = selection; }
  void add_pin(const Selection& selection) { pinned_ = adding(pinned_, selection); }
  void clear_pin();
  void hover(const std::optional<Selection>& selection) { hover_ = selection; }
  void show_decode_step(int steps);  // -1: all
  const Selection& pinned() const { return pinned_; }
  const Selection& shown() const { return hover_ ? *hover_ : pinned_; }
  bool hovering() const { return hover_.has_value(); }
  int shown_steps() const { return shown_steps_; }

 private:
  bool change(Scene next);
  bool continues_sliding(const DecodeOptions& options) const;
  void leave(std::vector<Scene>& to);

  Scene scene_;
  std::vector<Scene> past_, future_;
  std::shared_ptr<const Batch> held_out_;  // of the open model; null: not known
  bool refused_ = false;                   // it could not be computed
  std::vector<SceneSentence> known_;       // sentences whose reference is known
  std::shared_ptr<const SceneResult> result_;
  int gradients_of_ = -1;
  Selection pinned_;
  std::optional<Selection> hover_;
  int shown_steps_ = -1;
  SceneWorker worker_;  // last: ends first
};

}  // namespace glassformer
